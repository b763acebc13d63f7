//! The boundary forest.

mod arena;
mod chance;
mod initial;
mod metric;
mod problem;
mod settings;
mod shepard;
mod tree;
mod walk;

use forest_core::{Classification, Forest, Regression};

pub use arena::NodeId;
pub use metric::{Euclidean, Metric};
pub use problem::Problem;
pub use settings::{ChildLimit, ClassifierSettings, RegressorSettings};
pub use tree::{BoundaryTree, LocallyClosest};

/// A boundary forest that learns classes.
pub type BoundaryClassifier<M = Euclidean> = Forest<BoundaryTree<Classification, M>>;

/// A boundary forest that learns numbers.
pub type BoundaryRegressor<M = Euclidean> = Forest<BoundaryTree<Regression, M>>;
