//! From a task to the type that holds any of its learners.

use std::fmt::Debug;

use forest_core::{Classification, Forest, OnlineLearner, OnlineTree, Regression, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::configuration::{Configuration, Planter};
use crate::{Algorithm, AnyClassifier, AnyRegressor};

/// A task whose learners can be made by name: [`Classification`] and [`Regression`].
pub trait Facade: Task {
    /// Any learner of this task.
    type Any: AnyLearner<Task = Self>;

    /// How a configuration is planted for this task, if it can be.
    #[doc(hidden)]
    fn planter(configuration: &Configuration) -> Option<Planter<Self>>;
}

impl Facade for Classification {
    type Any = AnyClassifier;

    fn planter(configuration: &Configuration) -> Option<Planter<Self>> {
        configuration.classification
    }
}

impl Facade for Regression {
    type Any = AnyRegressor;

    fn planter(configuration: &Configuration) -> Option<Planter<Self>> {
        configuration.regression
    }
}

/// A learner that knows which algorithm it is.
pub trait Named: OnlineLearner {
    /// The algorithm, every parameter stated as the learner's settings have it. Planted again with
    /// the same schema, trees and seed, it gives the same learner.
    fn algorithm(&self) -> Algorithm;

    /// Number of trees; 0 for a baseline, which has none.
    fn trees(&self) -> usize;
}

/// A tree whose forest can tell which algorithm it is, from its settings alone.
pub(crate) trait NamedTree: OnlineTree {
    /// The configuration, every parameter stated as `settings` have it.
    fn algorithm(settings: &Self::Settings) -> Algorithm;
}

impl<K: NamedTree> Named for Forest<K> {
    fn algorithm(&self) -> Algorithm {
        K::algorithm(self.settings())
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }
}

/// What [`AnyClassifier`] and [`AnyRegressor`] have in common: all that code which is generic over
/// tasks needs to learn, name, copy and save a learner.
pub trait AnyLearner: Named + Clone + Debug + Serialize + DeserializeOwned + 'static {}
