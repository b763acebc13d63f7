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

#[cfg(test)]
mod tests {
    use forest_core::ForestSettings;

    use super::*;
    use crate::{Euclidean, PointSchema, Retriever, RetrieverSettings};

    /// A forest of ten trees that has learned so many points.
    fn forest(insertion: Insertion, points: usize) -> Retriever {
        let schema = PointSchema::new(1).unwrap();
        let settings = RetrieverSettings {
            insertion,
            ..RetrieverSettings::default()
        };
        let trees = ForestSettings {
            trees: 10,
            seed: 1,
            ..ForestSettings::default()
        };
        let mut forest = Retriever::<Euclidean>::new(schema, settings, trees).unwrap();
        (0..points).for_each(|point| forest.learn_one(&[point as f32]).unwrap());
        forest
    }

    #[test]
    fn samples_are_stored_up_to_the_roots_or_the_end_of_a_block() {
        let blocks = Insertion::ShuffledBlocks(8);
        let rows = |insertion, points| forest(insertion, points).rows_until_insertion();
        for insertion in [Insertion::AtOnce, blocks] {
            assert_eq!([0, 3, 9].map(|points| rows(insertion, points)), [10, 7, 1]);
        }
        assert_eq!(rows(Insertion::AtOnce, 10), usize::MAX);
        assert_eq!(
            [10, 13, 17, 18].map(|points| rows(blocks, points)),
            [8, 5, 1, 8]
        );
    }
}
