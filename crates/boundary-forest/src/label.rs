//! Labels: rows of cells, the paper's `c(x)`, which are compared and averaged.

mod class;
mod numbers;

use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::{Serialize, de::DeserializeOwned};

/// A cell of labels: a class (`u32`), a number (`f64`), or nothing (`NoLabel`).
pub trait Label: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned {
    /// The threshold `ε` on `d_c`: a number, or [`Exact`](crate::Exact).
    type Epsilon: Copy
        + Debug
        + Default
        + PartialEq
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + Into<f64>
        + Display
        + FromStr
        + 'static;

    /// `d_c`: how far two labels are apart.
    fn distance(x: &[Self], y: &[Self]) -> f64;

    /// Returns whether a label could have been learned where predictions have this width.
    fn is_valid(label: &[Self], prediction_width: usize) -> bool;
}

/// A label of which averages are taken, gathered in an *accumulator*, a row of numbers.
pub trait AveragedLabel: Label {
    /// Returns the width of an accumulator for predictions of this width.
    fn accumulator_width(prediction_width: usize) -> usize;

    /// Adds a label with a positive weight.
    fn add(accumulator: &mut [f64], label: &[Self], weight: f64);

    /// The weighted mean of all labels added; if there are none, what a forest predicts that has
    /// learned nothing.
    fn mean(accumulator: &[f64], prediction: &mut [f64]);
}
