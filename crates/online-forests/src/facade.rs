//! From a task to the type that holds any of its learners.

use std::fmt::Debug;

use forest_core::{Classification, Regression, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::configuration::{Configuration, Planter};
use crate::{AnyClassifier, AnyRegressor, Named};

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

/// What [`AnyClassifier`] and [`AnyRegressor`] have in common: all that code which is generic over
/// tasks needs to learn, name, copy and save a learner.
pub trait AnyLearner:
    Named<Task: Facade> + Clone + Debug + Serialize + DeserializeOwned + 'static
{
    /// What stands before the algorithm in a snapshot's label: empty for a learner alone.
    fn label_prefix() -> String {
        String::new()
    }
}
