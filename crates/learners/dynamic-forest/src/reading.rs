//! Trees that are read at nodes of several sizes.

mod online;
#[cfg(test)]
mod tests;

use forest_core::{Classification, SampleStore};
use serde::{Deserialize, Serialize};

use crate::labels::Readable;
use crate::labels::sealed::MixedLeaves;
use crate::tree::Tree;
use crate::votes::predict_in_leaf;

/// A tree of classes whose [full prediction](forest_core::Forest::predict_full) has a reading for each of [`ReadingTree::SIZES`]: the class frequencies of the
/// deepest node on the way of a point that holds at least this many samples, or of the root. The first reading is that of the leaf, which is the tree's prediction.
///
/// Its cuts are those of [`DynamicTree`](crate::DynamicTree); besides them every inner node keeps counts of its classes and of the samples on each side: 12 bytes, and
/// 12 bytes for each of its classes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadingTree(pub(crate) Tree<Readable>);

impl ReadingTree {
    /// The least number of samples of a node for each reading, in ascending order.
    pub const SIZES: [u32; 5] = [1, 3, 10, 30, 100];

    /// Overwrites `readings`, one row of classes for each size.
    fn read(&self, x: &[f32], store: &SampleStore<Classification>, readings: &mut [f64]) {
        let width = readings.len() / Self::SIZES.len();
        if width == 0 {
            return;
        }
        let (tree, mut child) = (&self.0.parts, self.0.parts.nodes.root);
        // Readings that are still to be made, from that of the smallest size.
        let mut open = Self::SIZES.len();
        while let Some(node) = child.as_node().map(|index| tree.nodes.get(index)) {
            let Some(cut) = node.as_cut() else { break };
            let side = cut.side(x);
            let below = Self::SIZES.partition_point(|&size| size <= node.totals.sides[side]);
            if below < open {
                let (first, others) = readings[below * width..open * width].split_at_mut(width);
                MixedLeaves::<Readable>::vote(&tree.mixed, node.totals.sums, &tree.unit, first);
                repeat(first, others);
                open = below;
            }
            child = node.children[side];
        }
        let (first, others) = readings[..open * width].split_at_mut(width);
        predict_in_leaf(tree, child, store, first);
        repeat(first, others);
    }
}

/// Copies a reading to those of other sizes at the same node.
fn repeat(first: &[f64], others: &mut [f64]) {
    for other in others.chunks_exact_mut(first.len()) {
        other.copy_from_slice(first);
    }
}
