//! What only some learners can do, each as an `Option`: no method fails as unsupported.

use forest_core::{Classification, Forget, HardVote, OnlineLearner, Regression};
use tessellation_tree::planar::PlanarForest;
use tessellation_tree::{Partition, Refine};

use crate::{AnyClassifier, AnyLearner, AnyRegressor, ByMetric};

/// The tessellation forest of any cuts that `$any` holds; `None` if it holds another learner.
macro_rules! tessellation_forest {
    ($any:expr) => {
        match $any {
            Self::Mondrian(forest) => Some(forest),
            Self::Bsp(forest) => Some(forest),
            Self::Uniform(forest) => Some(forest),
            Self::Weighted(forest) => Some(forest),
            Self::Sparse(forest) => Some(forest),
            Self::Directions(forest) => Some(forest),
            _ => None,
        }
    };
}

/// The capabilities that learners of both tasks can have.
macro_rules! of_both_tasks {
    ($task:ty) => {
        fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = $task>> {
            tessellation_forest!(self)
        }

        fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
            tessellation_forest!(self)
        }

        fn as_partition(&self) -> Option<&dyn Partition> {
            tessellation_forest!(self)
        }

        fn as_planar(&self) -> Option<&dyn PlanarForest> {
            match self.schema().features() {
                2 => tessellation_forest!(self),
                _ => None,
            }
        }
    };
}

impl AnyLearner for AnyClassifier {
    of_both_tasks!(Classification);

    fn as_hard_vote(&self) -> Option<&dyn HardVote> {
        match self {
            Self::Majority(_) => None,
            Self::BoundaryForest(ByMetric::Euclidean(forest)) => Some(forest),
            Self::BoundaryForest(ByMetric::SquaredEuclidean(forest)) => Some(forest),
            Self::BoundaryForest(ByMetric::Manhattan(forest)) => Some(forest),
            Self::BoundaryForest(ByMetric::Cosine(forest)) => Some(forest),
            Self::StreamRf(forest) => Some(forest),
            Self::Saffari(forest) => Some(forest),
            _ => tessellation_forest!(self),
        }
    }
}

impl AnyLearner for AnyRegressor {
    of_both_tasks!(Regression);
}
