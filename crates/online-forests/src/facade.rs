//! From a task to the type that holds any of its learners.

use std::fmt::Debug;

use forest_core::{Classification, Forget, HardVote, Regression, Task};
use serde::{Serialize, de::DeserializeOwned};
use tessellation_tree::planar::PlanarForest;
use tessellation_tree::{Partition, Refine};

use crate::configuration::{Builder, Configuration};
use crate::{AnyClassifier, AnyRegressor, Named};

/// A task whose learners can be made by name: [`Classification`] and [`Regression`].
pub trait Facade: Task {
    /// Any learner of this task.
    type Any: AnyLearner<Task = Self>;

    /// How a configuration is built for this task, if it can be.
    #[doc(hidden)]
    fn planter(configuration: &Configuration) -> Option<Builder<Self>>;
}

impl Facade for Classification {
    type Any = AnyClassifier;

    fn planter(configuration: &Configuration) -> Option<Builder<Self>> {
        configuration.classification
    }
}

impl Facade for Regression {
    type Any = AnyRegressor;

    fn planter(configuration: &Configuration) -> Option<Builder<Self>> {
        configuration.regression
    }
}

/// What [`AnyClassifier`] and [`AnyRegressor`] have in common: all that code which is generic over
/// tasks needs to learn, name, copy and save a learner.
///
/// What only some algorithms can do is there as an `Option`, `None` for the others (and for a pipeline,
/// whose learner has it):
///
/// ```
/// use online_forests::{Algorithm, AnyLearner, ForestSettings, OnlineLearner, Regression, Schema};
///
/// let algorithm: Algorithm = "mondrian".parse()?;
/// let mut forest = algorithm.build::<Regression>(Schema::new(1)?, ForestSettings::default())?;
/// forest.learn_one(&[0.5], 3.0)?;
/// if let Some(forest) = forest.as_forget_mut() {
///     forest.forget(0)?; // as if the first sample had never been learned
/// }
/// assert_eq!(forest.predict_one(&[0.5])?, [0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyLearner:
    Named<Task: Facade> + Clone + Debug + Serialize + DeserializeOwned + 'static
{
    /// What stands before the algorithm in a snapshot's label: empty for a learner alone.
    fn label_prefix() -> String {
        String::new()
    }

    /// Votes of whole trees; no regressor and no baseline has them.
    fn as_hard_vote(&self) -> Option<&dyn HardVote> {
        None
    }

    /// Forgetting samples; tessellation forests can.
    fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = Self::Task>> {
        None
    }

    /// Bringing every leaf up to a growing budget; tessellation forests can.
    fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
        None
    }

    /// Who shares a leaf, and the work done; tessellation forests tell.
    fn as_partition(&self) -> Option<&dyn Partition> {
        None
    }

    /// Trees as pictures; tessellation forests over two features have them.
    fn as_planar(&self) -> Option<&dyn PlanarForest> {
        None
    }
}
