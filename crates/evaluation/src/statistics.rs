//! Intervals.

mod estimate;

pub use estimate::Estimate;
