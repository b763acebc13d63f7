//! What differs between learning classes and learning numbers.

mod classes;
mod numbers;

use std::fmt::Debug;

use forest_core::{InvariantError, Task};
use serde::{Serialize, de::DeserializeOwned};

use crate::Vote;
use crate::counters::Counters;
use crate::statistics::Dimension;

pub use numbers::Moments;

/// How labels are summed up in a leaf and weighed against each other at a candidate split.
///
/// A leaf's summary is a row of cells: a count per class, or the moments of numbers.
pub trait Labels: Task + Sized {
    /// One number, or a few, of a leaf's summary.
    type Cell: Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// The labels in every bin of every candidate dimension of a leaf.
    #[doc(hidden)]
    type Sums: Sums<Self>;

    /// Working memory: what is the same for all dimensions when gains are computed.
    #[doc(hidden)]
    type Totals: Clone + Debug + Default + Send + Sync;

    /// Cells of a summary.
    fn cells(outputs: &Self::Outputs) -> usize;

    /// Adds `weight` times the label to a summary.
    fn add(row: &mut [Self::Cell], target: Self::Target, weight: u32);

    /// ê: the error of a leaf that answers with its own labels. The probability of a class other
    /// than the most frequent one, or the variance.
    fn error(row: &[Self::Cell]) -> f64;

    /// Width of an accumulator.
    fn accumulator_width(outputs: &Self::Outputs) -> usize;

    /// Writes a leaf's answer on an empty accumulator (all zeros): nothing, if it has seen no label.
    fn cast(row: &[Self::Cell], vote: Vote, accumulator: &mut [f64]);

    /// The mean of the answers cast on an accumulator; what a learner that knows nothing says if none was.
    fn finish(accumulator: &[f64], prediction: &mut [f64]);

    /// Checks a summary, which may be decoded.
    ///
    /// # Errors
    /// What does not hold.
    fn check_row(row: &[Self::Cell], outputs: &Self::Outputs) -> Result<(), InvariantError>;
}

/// The labels in every bin of every candidate dimension of a leaf.
///
/// Public because [`Labels`] is; nothing outside the crate can name it.
pub trait Sums<T: Labels>:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// No labels in `bins` bins in all.
    fn new(bins: usize) -> Self;

    /// A label comes up in an early point: `bins` bins in all may have to count it.
    fn meet(&mut self, target: T::Target, weight: u32, bins: usize);

    /// Whether such a label has come up; of interest where the label was decoded.
    fn has_met(&self, target: T::Target) -> bool;

    /// Adds `weight` times a label to one bin of each dimension, of `bins` in all.
    fn count(
        &mut self,
        cells: impl Iterator<Item = usize>,
        bins: usize,
        target: T::Target,
        weight: u32,
    );

    /// Adds the labels up to bin `rank` of a dimension to `left`, the others to `right`.
    fn sides(
        &self,
        of: &Dimension<'_, T>,
        rank: usize,
        left: &mut [T::Cell],
        right: &mut [T::Cell],
    );

    /// Fills `work.totals` with what is the same for all dimensions, `of` being the first.
    fn prepare(&self, of: &Dimension<'_, T>, work: &mut Work<T>);

    /// Fills `work.gains` for every split of a dimension, and raises `work.most_gain` to each of these
    /// times the split's scale; `work` is prepared, and its `counted` tells the weights.
    fn gains(&self, of: &Dimension<'_, T>, work: &mut Work<T>);

    /// The most that `weight` times this label can add to the gain of any split times its scale, `of`
    /// being any dimension.
    fn gain_increase(&self, of: &Dimension<'_, T>, target: T::Target, weight: u32) -> f64;

    /// No split has a smaller scale than this, by which [`Sums::gain_increase`] is to be divided.
    fn least_scale(&self, of: &Dimension<'_, T>) -> f64;

    /// Bytes allocated.
    fn bytes(&self) -> usize;

    /// Checks that the labels are as many as the points in each bin, and known; a dimension has
    /// `bins` bins.
    ///
    /// # Errors
    /// What does not hold.
    fn check(
        &self,
        sizes: &Counters,
        bins: usize,
        outputs: &T::Outputs,
    ) -> Result<(), InvariantError>;
}

/// Working memory of a tree, so that no sample allocates.
#[derive(Clone, Debug, Default)]
pub struct Work<T: Labels> {
    pub(crate) row: Vec<u8>,
    pub(crate) ranks: Vec<u8>,
    pub(crate) bins: Vec<u8>,
    pub(crate) cells: Vec<u64>,
    pub(crate) sizes: Vec<crate::statistics::Sizes>,
    pub(crate) counted: Vec<u64>,
    pub(crate) totals: T::Totals,
    pub(crate) gains: Vec<f64>,
    /// The largest gain times scale of all splits looked at.
    pub(crate) most_gain: f64,
    pub(crate) valid: Vec<bool>,
}
