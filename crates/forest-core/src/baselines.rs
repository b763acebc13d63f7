//! Learners that look at the targets alone: every other learner has to beat them.

mod moving_mean;
mod no_change;
mod prior;

pub use moving_mean::{MovingMean, Recent};
pub use no_change::{Latest, NoChange};
pub use prior::{Prior, Summary};
