//! Samples that are stored before they are inserted into the trees: the first `n_T`, of which each
//! tree gets another one as its root (`BFInitialization`).

use std::ops::Range;

use forest_core::{SampleId, threads};

use super::BoundaryForest;
use crate::distances::{Distances, Scratch};
use crate::{BoundaryTree, Metric, Problem};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    pub(super) fn is_waiting(&self) -> bool {
        self.trees().all(BoundaryTree::is_empty)
    }

    /// Returns how many more samples are stored before trees have roots, `None` if they have.
    pub(super) fn missing_roots(&self) -> Option<usize> {
        let missing = || self.trees.len() - self.samples.len();
        self.is_waiting().then(missing)
    }

    /// Inserts the first samples, one for the root of each tree.
    pub(super) fn insert_first(&mut self) {
        let ids = 0..self.samples.len();
        for (tree, id) in self.trees.iter_mut().zip(ids.clone()) {
            tree.nodes.add_root(SampleId::new(id));
        }
        // All trees learn all of them, not just their own root.
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

    use crate::{Euclidean, PointSchema, Retriever, RetrieverSettings};

    #[test]
    fn samples_are_stored_up_to_the_roots() {
        let schema = PointSchema::new(1).unwrap();
        let trees = ForestSettings::default().with_trees(10).with_seed(1);
        let mut forest =
            Retriever::<Euclidean>::new(schema, RetrieverSettings::default(), trees).unwrap();
        for stored in 0..10 {
            assert_eq!(forest.missing_roots(), Some(10 - stored));
            forest.learn_one(&[stored as f32]).unwrap();
        }
        assert_eq!(forest.missing_roots(), None);
    }
}
