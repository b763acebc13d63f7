//! Insertion in shuffled blocks: which samples wait for it, and how it is done.

use std::ops::Range;

use forest_core::threads;

use super::training::train;
use super::{BoundaryForest, ForestContext};
use crate::distances::Scratch;
use crate::settings::{Insertion, Settings};
use crate::{Metric, Problem};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// How many of the samples stored last are in no tree yet.
    pub(super) fn pending(&self) -> usize {
        match self.settings.insertion() {
            Insertion::AtOnce => 0,
            Insertion::ShuffledBlocks(rows) => (self.seen_by_rooted() % u64::from(rows)) as usize,
        }
    }

    /// How many samples may be stored before some have to be inserted; at least 1.
    pub(super) fn rows_to_insertion(&self) -> usize {
        let Insertion::ShuffledBlocks(rows) = self.settings.insertion() else {
            return usize::MAX;
        };
        match (self.trees.len() as u64).saturating_sub(self.seen) {
            0 => rows as usize - self.pending(),
            missing => missing as usize,
        }
    }

    /// The block that the sample stored last has completed, if it has.
    pub(super) fn complete_block(&self) -> Option<Range<usize>> {
        let Insertion::ShuffledBlocks(rows) = self.settings.insertion() else {
            return None;
        };
        let (complete, end) = (self.pending() == 0, self.samples.len());
        (complete && self.seen_by_rooted() > 0).then(|| end - rows as usize..end)
    }

    /// Every tree learns the samples of a block in a random order of its own.
    pub(super) fn insert_shuffled(&mut self, block: Range<usize>) {
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.samples,
        };
        let units = block.len() * self.trees.len();
        threads::in_groups(&mut self.trees, units, |group| {
            let mut scratch = Scratch::default();
            for tree in group {
                for id in tree.shuffled(block.clone()) {
                    train(tree, id, context, &mut scratch);
                }
            }
        });
    }

    /// Samples that have arrived since the trees have roots.
    fn seen_by_rooted(&self) -> u64 {
        self.seen.saturating_sub(self.trees.len() as u64)
    }
}
