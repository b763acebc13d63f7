//! Predictions: rows of unequal width, votes, and the one place that says which class wins.

use serde::{Deserialize, Serialize};

use crate::Refused;

/// The predictions of [`OnlineLearner::predict_then_learn`](crate::OnlineLearner::predict_then_learn).
///
/// Each row is what `predict` would have returned just before that row was learned, as wide as the classes known then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionRows {
    values: Vec<f64>,
    ends: Vec<usize>,
}

impl PredictionRows {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns row `index`: class probabilities, or the mean. Panics if `index` is not below [`PredictionRows::len`].
    pub fn row(&self, index: usize) -> &[f64] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.values[start..self.ends[index]]
    }

    /// Returns the rows, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// Appends a row of `width` zeros and hands it out to be filled.
    pub fn push(&mut self, width: usize) -> &mut [f64] {
        let start = self.values.len();
        self.values.resize(start + width, 0.0);
        self.ends.push(self.values.len());
        &mut self.values[start..]
    }
}

/// Sums of the votes of the first trees of a forest on some rows, which one shard passes to the next
/// ([`add_votes`](crate::OnlineLearner::add_votes)).
///
/// Each row has a sum of accumulators ([`OnlineTree`](crate::OnlineTree)), as wide as the outputs known at that row
/// make it. The number of trees is kept, so that no shard is left out or added twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VoteSums {
    /// The number of trees whose votes are in the sums.
    pub(crate) trees: usize,
    /// The numbers that each row has: in the sum of its votes, and in the prediction that is made of it.
    pub(crate) widths: Vec<[u32; 2]>,
    pub(crate) values: Vec<f64>,
}

impl VoteSums {
    /// Checks that sums, which may come from another process, are those of the first `trees` trees for rows of these
    /// widths.
    pub(crate) fn check(&self, trees: usize, widths: &[[u32; 2]]) -> Result<(), Refused> {
        if self.trees != trees {
            let covered = self.trees;
            return Err(Refused::Argument(format!(
                "the vote sums cover the first {covered} trees or parts, but {trees} were expected; pass every batch \
                 through all shards in order"
            )));
        }
        if self.widths != widths || self.values.len() != self.cells() {
            let what = "the vote sums are of other rows or of another kind of forest; pass the same rows through all \
                        shards of one forest";
            return Err(Refused::Argument(what.to_owned()));
        }
        Ok(())
    }

    pub(crate) fn cells(&self) -> usize {
        self.widths.iter().map(|&[sum, _]| sum as usize).sum()
    }
}

/// What a tree of a classifier votes with; regression trees vote with their means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Vote {
    /// Its class frequencies: the forest averages probabilities.
    #[default]
    Frequencies,
    /// Its most frequent class alone, the smaller if two are: the forest counts votes.
    Majority,
}

impl Vote {
    /// Turns class frequencies into the vote.
    ///
    /// ```
    /// use forest_core::Vote;
    /// let mut accumulator = [0.2, 0.4, 0.4];
    /// Vote::Majority.cast(&mut accumulator);
    /// assert_eq!(accumulator, [0.0, 1.0, 0.0]);
    /// ```
    pub fn cast(self, frequencies: &mut [f64]) {
        if self == Self::Majority && !frequencies.is_empty() {
            let winner = argmax(frequencies);
            frequencies.fill(0.0);
            frequencies[winner] = 1.0;
        }
    }
}

/// Returns the index of the largest value; ties go to the smaller index, and an empty row to 0.
pub fn argmax(values: &[f64]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate().skip(1) {
        if *value > values[best] {
            best = index;
        }
    }
    best
}
