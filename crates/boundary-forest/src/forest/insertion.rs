//! Samples that are stored before they are inserted into the trees: the first `n_T`, of which each
//! tree gets another one as its root (`BFInitialization`), and shuffled blocks.

use std::ops::Range;

use forest_core::{SampleId, threads};

use super::BoundaryForest;
use crate::distances::Scratch;
use crate::settings::Insertion;
use crate::{Metric, Problem};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Whether the trees have no roots yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.trees.iter().all(|tree| tree.is_empty())
    }

    /// How many of the samples stored last are in no tree yet.
    pub(super) fn pending(&self) -> usize {
        match self.insertion() {
            _ if self.is_waiting() => self.samples.len(),
            Insertion::AtOnce => 0,
            Insertion::ShuffledBlocks(rows) => {
                let since_roots = self.seen.saturating_sub(self.trees.len() as u64);
                (since_roots % u64::from(rows)) as usize
            }
        }
    }

    /// How many samples may be stored before some have to be inserted; at least 1.
    pub(super) fn rows_until_insertion(&self) -> usize {
        match self.insertion() {
            _ if self.is_waiting() => self.trees.len() - self.samples.len(),
            Insertion::AtOnce => usize::MAX,
            Insertion::ShuffledBlocks(rows) => rows as usize - self.pending(),
        }
    }

    /// Inserts the samples that waited for the one stored last, if it was the last one missing.
    pub(super) fn insert_pending(&mut self) {
        let stored = self.samples.len();
        if self.is_waiting() {
            if stored == self.trees.len() {
                self.add_roots();
                self.insert_shuffled(0..stored);
            }
        } else if let Insertion::ShuffledBlocks(rows) = self.insertion()
            && self.pending() == 0
        {
            self.insert_shuffled(stored - rows as usize..stored);
        }
    }

    /// Sample `i` becomes the root of tree `i`.
    fn add_roots(&mut self) {
        let trees = self.trees.iter_mut().enumerate();
        trees.for_each(|(index, tree)| tree.add_root(SampleId::new(index)));
    }

    /// Every tree learns these samples but its root, in a random order of its own.
    pub(super) fn insert_shuffled(&mut self, ids: Range<usize>) {
        let (context, trees) = self.context_and_trees();
        let units = ids.len() * trees.len();
        threads::in_groups(trees, units, |group| {
            Scratch::with(|scratch| {
                for tree in group {
                    for id in tree.shuffled(ids.clone()) {
                        tree.train(id, &context, &mut context.distances_from(id, scratch));
                    }
                }
            });
        });
    }
}
