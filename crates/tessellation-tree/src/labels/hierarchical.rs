//! Predictions smoothed along the path, with branching off (Lakshminarayanan, Roy, Teh 2014 and 2016).
//!
//! A point need not belong to the leaf that it falls into: a cut that separates it from all points of a
//! node would give it a parent of its own there. So a prediction mixes over all places where the point may leave
//! its path, which axis-aligned cuts tell in closed form ([`Boxes`]). [`KneserNey`] smooths class probabilities, [`GaussianHierarchy`] means.

mod boxes;
mod gaussian;
mod kneser_ney;

use super::set;

pub use boxes::{Boxes, Delay, Departure, Passage};
pub use gaussian::{
    Belief, Combination, GaussianHierarchy, GaussianSettings, HyperparameterRule, Hyperparameters,
};
pub use kneser_ney::{BranchCounts, KneserNey, KneserNeySettings};
