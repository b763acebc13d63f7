//! Votes of the trees of a forest, added up from shard to shard.

use serde::{Deserialize, Serialize};

use crate::{InputError, OnlineTree, PredictionRows, Task};

/// What the first trees of a forest answer to some rows, added up: what one shard hands to the next.
///
/// Each row has a sum of accumulators ([`OnlineTree`]), as wide as the outputs known at that row make it. The sums remember how
/// many trees are in them, so that no shard is left out or added twice.
///
/// Memory: eight bytes for each number and eight for each row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VoteSums {
    trees: usize,
    widths: Vec<u32>,
    answer_widths: Vec<u32>,
    values: Vec<f64>,
}

impl VoteSums {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.widths.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.widths.is_empty()
    }

    /// Number of trees whose votes are in the sums.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// The sums that trees from number `first` on may add to, for rows at which `outputs` are known: all 0 for the first.
    pub(crate) fn open<T: OnlineTree>(
        &mut self,
        first: usize,
        outputs: impl Iterator<Item = <T::Task as Task>::Outputs> + Clone,
    ) -> Result<(), InputError> {
        let widths = outputs
            .clone()
            .map(|known| T::accumulator_width(&known) as u32);
        if first > 0 {
            return self.check(first, widths.eq(self.widths.iter().copied()));
        }
        self.widths.clear();
        self.widths.extend(widths);
        let answers = outputs.map(|known| T::Task::width(&known) as u32);
        self.answer_widths.clear();
        self.answer_widths.extend(answers);
        self.values.clear();
        self.values.resize(self.total(), 0.0);
        self.trees = 0;
        Ok(())
    }

    /// Takes note of the trees that have added their votes.
    pub(crate) fn close(&mut self, trees: usize) {
        self.trees += trees;
    }

    /// All sums, one after another.
    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The sum of each row.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let mut rest = self.values.as_mut_slice();
        self.widths.iter().map(move |&width| {
            let (row, behind) = std::mem::take(&mut rest).split_at_mut(width as usize);
            rest = behind;
            row
        })
    }

    /// The answers of a forest of `trees` trees, all of which have voted.
    pub(crate) fn finish<T: OnlineTree>(&self, trees: usize) -> Result<PredictionRows, InputError> {
        self.check(trees, self.answer_widths.len() == self.len())?;
        let (mut answers, mut rest) = (PredictionRows::default(), self.values.as_slice());
        for (&width, &answer_width) in self.widths.iter().zip(&self.answer_widths) {
            let (sum, behind) = rest.split_at(width as usize);
            rest = behind;
            T::finish(sum, trees, answers.push(answer_width as usize));
        }
        Ok(answers)
    }

    /// Sums that have come from elsewhere are of these rows, and of so many trees.
    fn check(&self, trees: usize, rows: bool) -> Result<(), InputError> {
        match rows && self.trees == trees && self.values.len() == self.total() {
            true => Ok(()),
            false => Err(InputError::OtherVotes {
                expected: trees,
                got: self.trees,
            }),
        }
    }

    fn total(&self) -> usize {
        self.widths.iter().map(|&width| width as usize).sum()
    }
}
