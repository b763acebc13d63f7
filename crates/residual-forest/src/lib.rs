//! Online boosting by honest residuals (draft).

mod blend;
mod chain;
mod contract;
mod explain;
mod learner;
mod level;
mod named;
mod notation;
mod ridge;
mod settings;
mod solve;
mod table;
mod weights;

pub use registry::snapshot;

/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{ForestSettings, Forget, OnlineLearner, OnlineRegressor, Regression, Schema};

pub use learner::ResidualForest;
pub use named::Algorithms;
pub use notation::{ChainError, ChainSettings, Start};
pub use settings::ResidualSettings;
