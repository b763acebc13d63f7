//! How much each feature counts, for learners that take weights.

mod labels;
mod variances;

pub use labels::{WeightedTask, label_weights};
pub use variances::variance_weights;
