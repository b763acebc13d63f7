//! Extra trees that are a function of the samples they hold.

mod aside;
mod batch;
mod check;
mod exact;
mod features;
mod grow;
mod hash;
mod labels;
mod lazy;
mod leaves;
mod links;
mod nodes;
mod scratch;
mod search;
mod set;
mod settings;
mod statistics;
mod threshold;
mod tree;
mod unit;
mod upkeep;
mod votes;

use forest_core::Forest;

/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{
    Classification, ForestSettings, Forget, OnlineClassifier, OnlineLearner, OnlineRegressor,
    Regression, Schema, argmax,
};

pub use batch::{BatchError, BatchForest};
pub use labels::Labels;
pub use settings::DynamicSettings;
pub use tree::DynamicTree;

/// A forest that learns classes.
pub type DynamicClassifier = Forest<DynamicTree<Classification>>;

/// A forest that learns numbers.
pub type DynamicRegressor = Forest<DynamicTree<Regression>>;
