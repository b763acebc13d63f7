//! Weights of features, for learners that take them.

mod labels;
mod variances;

pub use labels::{WeightedTask, label_weights};
pub use variances::variance_weights;
