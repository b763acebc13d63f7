//! What leaves and candidate splits ask of labels, and what differs between classes and numbers.

mod classes;
mod numbers;

use std::fmt::Debug;

use forest_core::{InvariantError, Task, Vote};
use serde::{Serialize, de::DeserializeOwned};

use crate::point_counts::Dimension;

/// How labels are summed up in a leaf and compared at a candidate split.
///
/// A leaf's summary is a row of cells, as wide as a prediction: a count per class, or the moments of
/// numbers.
pub trait Labels: Task {
    /// One number, or a few, of a leaf's summary.
    #[doc(hidden)]
    type Cell: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned;

    /// The labels in every bin of every candidate dimension of a leaf.
    #[doc(hidden)]
    type Splits: SplitLabels<Self>;

    /// Working memory of a search.
    #[doc(hidden)]
    type Scratch: Clone + Debug + Default + Send + Sync;

    /// Adds `weight` times the label to a summary.
    #[doc(hidden)]
    fn add(row: &mut [Self::Cell], target: Self::Target, weight: u32);

    /// ê: the error of a leaf that predicts with its own labels. The probability of a class other
    /// than the most frequent one, or the variance.
    #[doc(hidden)]
    fn error(row: &[Self::Cell]) -> f64;

    /// Returns the width of an accumulator; by default that of a prediction.
    #[doc(hidden)]
    fn accumulator_width(outputs: &Self::Outputs) -> usize {
        Self::width(outputs)
    }

    /// Overwrites an accumulator with a leaf's prediction: zeros, if it has seen no label.
    #[doc(hidden)]
    fn vote(row: &[Self::Cell], vote: Vote, accumulator: &mut [f64]);

    /// The mean prediction of the trees that have one; the prior prediction if none has.
    #[doc(hidden)]
    fn finish(accumulator: &[f64], prediction: &mut [f64]);
}

/// The labels in every bin of every candidate dimension of a leaf.
///
/// Public because [`Labels`] is; nothing outside the crate can name it.
pub trait SplitLabels<T: Labels>:
    Clone + Debug + Send + Sync + Serialize + DeserializeOwned
{
    /// Creates no labels in `bins` bins in all.
    fn new(bins: usize) -> Self;

    /// Returns whether the label has been added, whether or not to any bin; of interest where it was decoded.
    fn has_met(&self, target: T::Target) -> bool;

    /// Adds `weight` times a label to one bin of each dimension, of `bins` in all. A label that an early
    /// point has is not added to any of them.
    fn add(&mut self, at: impl Iterator<Item = usize>, bins: usize, target: T::Target, weight: u32);

    /// Adds the labels up to bin `rank` of a dimension to the first row, the others to the second;
    /// those of early points are not in bins.
    fn add_sides(&self, of: &Dimension<'_, T::Target>, rank: usize, rows: &mut [&mut [T::Cell]; 2]);

    /// Fills `gains` with those of every split of every dimension, and returns the largest gain times
    /// weight; `counted` are the weights by source.
    fn find_gains<'a>(
        &self,
        dimension: impl Fn(usize) -> Dimension<'a, T::Target>,
        counted: &[u64],
        scratch: &mut T::Scratch,
        gains: &mut Vec<f64>,
    ) -> f64;

    /// Returns the most that `weight` times this label can add to the gain of any split times its weight, `of`
    /// being any dimension.
    fn gain_increase(&self, of: &Dimension<'_, T::Target>, target: T::Target, weight: u32) -> f64;

    /// Returns the bytes allocated.
    fn bytes(&self) -> usize;

    /// Checks that the labels are known, and in as many bins.
    fn check(&self, bins: usize, outputs: &T::Outputs) -> Result<(), InvariantError>;
}
