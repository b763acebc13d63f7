//! What tests and measurements of learners share. No build of a program contains it.
//!
//! - [`conformance`]: what every learner must do, as functions of a factory.
//! - [`statistics`]: tests of significance, for the distributions of random procedures.
//! - `laws`, by the feature of this name: whether trees have the distribution that theory states, for any distribution
//!   of cuts.

pub mod conformance;
#[cfg(feature = "laws")]
pub mod laws;
pub mod statistics;

use forest_core::argmax;
use ndarray::Array2;

/// Returns the share of rows of probabilities whose most probable class is their label.
pub fn accuracy(predictions: &Array2<f64>, labels: &[u32]) -> f64 {
    let rows = predictions.rows().into_iter().zip(labels);
    let right = rows.filter(|(row, label)| argmax(&row.to_vec()) == **label as usize);
    right.count() as f64 / labels.len() as f64
}
