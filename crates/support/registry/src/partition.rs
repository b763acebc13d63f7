//! Forests whose trees divide space into leaves.

use forest_core::{Forest, InputError, OnlineLearner, OnlineTree, Rows, SampleStore};

use crate::{DrawnNode, Partition, PlanarForest, Point, Refine, WorkCounts};

/// A tree whose leaves divide space.
pub trait PartitionTree: OnlineTree {
    /// Whether both points fall into one leaf.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool;

    /// Work done since the tree was made or loaded.
    fn work_counts(&self) -> WorkCounts;

    /// Exposes every leaf of every tree to the budget of the samples held.
    fn refine_all(forest: &mut Forest<Self>);
}

/// A tree that can be drawn, if there are two features.
pub trait PlanarTree: OnlineTree {
    /// The nodes in a convex `window`, parents before children.
    fn drawn_nodes(&self, window: &[Point], samples: &SampleStore<Self::Task>) -> Vec<DrawnNode>;
}

impl<K: PartitionTree> Partition for Forest<K> {
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, InputError> {
        for point in [a, b] {
            Rows::one(point, self.schema().features())?;
        }
        let together = self.trees().filter(|tree| tree.share_a_leaf(a, b)).count();
        Ok(together as f64 / self.trees().len() as f64)
    }

    fn work_counts(&self) -> WorkCounts {
        self.trees().map(PartitionTree::work_counts).sum()
    }
}

impl<K: PartitionTree> Refine for Forest<K> {
    fn refine(&mut self) {
        K::refine_all(self);
    }
}

impl<K: PlanarTree> PlanarForest for Forest<K> {
    fn nodes_of(&self, index: usize, window: &[Point]) -> Vec<DrawnNode> {
        let tree = self.trees().nth(index);
        tree.map_or(Vec::new(), |tree| tree.drawn_nodes(window, self.samples()))
    }
}
