//! Forests whose trees divide space into leaves.

use crate::{Forest, InputError, OnlineLearner, OnlineTree, Rows, SampleStore};

use crate::registry::{DrawnNode, Partition, Point};

/// A tree whose leaves divide space, and are refined to a budget ([`OnlineTree::refine_to`]).
pub trait PartitionTree: OnlineTree {
    /// Returns whether both points fall into one leaf.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool;

    /// Returns the nodes in a convex `window`, parents before children, of points of two features.
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

    fn refine(&mut self) {
        self.refine_to(0.0);
    }

    fn nodes_of(&self, index: usize, window: &[Point]) -> Vec<DrawnNode> {
        let in_the_plane = self.schema().features() == 2;
        let tree = self.trees().nth(index).filter(|_| in_the_plane);
        tree.map_or(Vec::new(), |tree| tree.drawn_nodes(window, self.samples()))
    }
}
