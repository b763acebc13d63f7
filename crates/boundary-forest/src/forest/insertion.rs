//! Samples that are stored before they are inserted into the trees: the first `n_T`, of which each
//! tree gets another one as its root (`BFInitialization`), and shuffled blocks.

use std::ops::Range;

use forest_core::{SampleId, threads};

use super::BoundaryForest;
use crate::distances::{Distances, Scratch};
use crate::settings::Insertion;
use crate::{BoundaryTree, Metric, Problem};

/// Samples that are stored until a block is full, and then inserted together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) size: usize,
    pub(super) stored: usize,
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    pub(super) fn is_waiting(&self) -> bool {
        self.trees().all(BoundaryTree::is_empty)
    }

    /// Returns the block that the next sample belongs to, `None` if it is inserted at once.
    pub(super) fn block(&self) -> Option<Block> {
        let trees = self.trees.len();
        match self.settings.insertion {
            _ if self.is_waiting() => Some(Block {
                size: trees,
                stored: self.samples.len(),
            }),
            Insertion::AtOnce => None,
            Insertion::ShuffledBlocks(rows) => {
                let since_roots = self.seen.saturating_sub(trees as u64);
                Some(Block {
                    size: rows as usize,
                    // Computed, not stored, so that a snapshot cannot contradict it.
                    stored: (since_roots % u64::from(rows)) as usize,
                })
            }
        }
    }

    /// Inserts a block that is complete; the first one has a sample for the root of each tree.
    pub(super) fn insert_block(&mut self, ids: Range<usize>) {
        if self.is_waiting() {
            for (tree, id) in self.trees.iter_mut().zip(ids.clone()) {
                tree.nodes.add_root(SampleId::new(id));
            }
        }
        // All trees learn all samples of the first block, not just their own root.
        self.insert_shuffled(ids);
    }

    /// Every tree learns these samples but its root, in a random order of its own.
    pub(super) fn insert_shuffled(&mut self, ids: Range<usize>) {
        let (settings, samples) = (&self.settings, &self.samples);
        let units = ids.len() * self.trees.len();
        threads::in_groups(&mut self.trees, units, |group| {
            Scratch::with(|scratch| {
                for tree in group {
                    for id in tree.shuffled(ids.clone()) {
                        let mut distances = Distances::new(samples, samples.features(id), scratch);
                        tree.train(id, settings, samples, &mut distances);
                    }
                }
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use forest_core::ForestSettings;

    use super::*;
    use crate::{Euclidean, PointSchema, Retriever, RetrieverSettings};

    /// Returns a forest of ten trees that has learned n points.
    fn forest(insertion: Insertion, points: usize) -> Retriever {
        let schema = PointSchema::new(1).unwrap();
        let settings = RetrieverSettings {
            insertion,
            ..RetrieverSettings::default()
        };
        let trees = ForestSettings::default().with_trees(10).with_seed(1);
        let mut forest = Retriever::<Euclidean>::new(schema, settings, trees).unwrap();
        (0..points).for_each(|point| forest.learn_one(&[point as f32]).unwrap());
        forest
    }

    #[test]
    fn samples_are_stored_up_to_the_roots_or_the_end_of_a_block() {
        let blocks = Insertion::ShuffledBlocks(8);
        let missing = |insertion, points| {
            let block = forest(insertion, points).block()?;
            Some(block.size - block.stored)
        };
        for insertion in [Insertion::AtOnce, blocks] {
            let until_roots = [0, 3, 9].map(|points| missing(insertion, points));
            assert_eq!(until_roots, [10, 7, 1].map(Some));
        }
        assert_eq!(missing(Insertion::AtOnce, 10), None);
        let until_inserted = [10, 13, 17, 18].map(|points| missing(blocks, points));
        assert_eq!(until_inserted, [8, 5, 1, 8].map(Some));
    }
}
