//! What leaves and candidate splits ask of labels, and what differs between classes and numbers.

mod classes;
mod numbers;

use std::fmt::Debug;

use forest_core::{Task, Vote};
use serde::{Serialize, de::DeserializeOwned};

use crate::candidates::{Candidate, Candidates};
use crate::statistics::{Scratch, Statistics};

pub(crate) use numbers::Powers;

/// How labels are summed up in a leaf and compared at a candidate split.
///
/// A leaf's summary is a row of cells, as wide as a prediction: a count per class, or the moments of numbers.
#[doc(hidden)]
pub trait Labels: Task {
    /// One number, or a few, of a leaf's summary.
    type Cell: Copy + Debug + Default + Send + Sync + Serialize + DeserializeOwned;

    /// The labels in every bin of every candidate dimension of a leaf.
    type Bins: Clone + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// Adds `weight` times the label to a summary.
    fn add(row: &mut [Self::Cell], target: Self::Target, weight: u32);

    /// ê: the error of a leaf that predicts with its own labels. The probability of a class other
    /// than the most frequent one, or the variance.
    fn error(row: &[Self::Cell]) -> f64;

    /// Returns the width of an accumulator; by default that of a prediction.
    fn accumulator_width(outputs: &Self::Outputs) -> usize {
        Self::width(outputs)
    }

    /// Overwrites an accumulator with a leaf's prediction: zeros, if it has seen no label.
    fn vote(row: &[Self::Cell], vote: Vote, accumulator: &mut [f64]);

    /// The mean prediction of the trees that have one; the prior prediction if none has.
    fn finish(accumulator: &[f64], prediction: &mut [f64]);

    /// Returns no labels in `bins` bins in all.
    fn empty(bins: usize) -> Self::Bins;

    /// Adds `weight` times a label to these places, one in each dimension, of `bins` in all; of an early point there are none.
    fn add_to_bins(
        labels: &mut Self::Bins,
        places: impl Iterator<Item = usize>,
        bins: usize,
        target: Self::Target,
        weight: u32,
    );

    /// Adds the labels in bins left of a split to the first row, those right of it to the second; without those of early points.
    fn add_sides(
        of: &Statistics<Self>,
        candidates: &Candidates,
        at: Candidate,
        rows: &mut [&mut [Self::Cell]; 2],
    );

    /// Fills `scratch.gains` with those of every split of every dimension, and returns the largest gain times
    /// weight; `scratch.counted` are the weights by source.
    fn find_gains(of: &Statistics<Self>, candidates: &Candidates, scratch: &mut Scratch) -> f64;

    /// Returns the most that `weight` times this label can add to the gain of any split times its weight.
    fn gain_increase(
        of: &Statistics<Self>,
        candidates: &Candidates,
        target: Self::Target,
        weight: u32,
    ) -> f64;

    /// Returns the bytes allocated.
    fn bytes(labels: &Self::Bins) -> usize;

    /// Returns whether the labels, those of early points included, are known, and in as many bins: after decoding.
    fn fit(of: &Statistics<Self>, bins: usize, known: &Self::Outputs) -> bool;
}
