//! Trees that are read at nodes of several sizes, and without one of their samples.

mod online;
#[cfg(test)]
mod tests;

use forest_core::{SampleId, SampleStore, accumulate, threads};
use serde::{Deserialize, Serialize};

use crate::labels::Counts;
use crate::labels::sealed::{MixedLeaves, Sums};
use crate::nodes::Content;
use crate::tree::{Kind, Parts, either};
use crate::votes::predict_in_leaf;
use crate::{Labels, ReadingForest};

/// A tree whose [full prediction](forest_core::Forest::predict_full) has a reading for each of [`ReadingTree::SIZES`]: the prediction, class frequencies or a mean, of the
/// deepest node on the way of a point that holds at least this many samples, or of the root. The first reading is that of the leaf, which is the tree's prediction.
///
/// Besides what [`DynamicTree`](crate::DynamicTree) has, every inner node keeps the sums of its targets and the number of samples on each side: 12 bytes, and
/// 12 bytes for each of its classes. A class that is rare in a node counts more when its cut is [rechecked](crate::DynamicSettings::recheck): n/(C nₖ) for n samples of
/// C classes, nₖ of them of this one, which is 1 on average in any order.
///
/// # Silent samples
///
/// A sample that is silent in a tree goes down to its leaf and counts in every node, and has no part in choosing cuts: these are those of the tree of the other samples, its
/// *voices*. So the readings at a silent sample without itself ([`left_out`]) are those of the tree that never had it. Of numbers every tree has a quarter of
/// the samples silent, each another one; of classes none, until [`Forest::refine_to`](forest_core::Forest::refine_to) makes a share of them silent, the same in all trees. Which, a hash of
/// their numbers says: with a lower share some of those stay silent, and the others come again as voices.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ReadingTree<T: Labels>(pub(crate) Kind<T::Readable, T::WeighedReadable>);

impl<T: Labels> ReadingTree<T> {
    /// The least number of samples of a node for each reading, in ascending order.
    pub const SIZES: [u32; 5] = SIZES;

    /// Returns whether a stored sample is silent in this tree.
    pub fn is_silent(&self, id: SampleId, store: &SampleStore<T>) -> bool {
        either!(&self.0, tree => tree.parts.is_silent(store, id))
    }

    /// Overwrites `readings` with those at a point, one row for each size; `without` one of the tree's samples, which is at that point.
    pub fn read(
        &self,
        x: &[f32],
        without: Option<SampleId>,
        store: &SampleStore<T>,
        readings: &mut [f64],
    ) {
        either!(&self.0, tree => read(&tree.parts, x, without, store, readings));
    }
}

const SIZES: [u32; 5] = [1, 3, 10, 30, 100];

fn read<S: Sums<Totals = Counts>>(
    tree: &Parts<S>,
    x: &[f32],
    without: Option<SampleId>,
    store: &SampleStore<S::Task>,
    readings: &mut [f64],
) {
    let width = readings.len() / SIZES.len();
    if width == 0 {
        return;
    }
    let without = without.map(|id| S::code(&tree.unit, store, id));
    let gone = u32::from(without.is_some());
    let vote = |sums, reading: &mut [f64]| match without {
        Some(code) => tree.mixed.vote_without(sums, code, &tree.unit, reading),
        None => tree.mixed.vote(sums, &tree.unit, reading),
    };
    let mut child = tree.nodes.root;
    // Readings that are still to be made, from that of the smallest size.
    let mut open = SIZES.len();
    while let Some(node) = child.as_node().map(|index| tree.nodes.get(index)) {
        let Some(cut) = node.as_cut() else { break };
        let side = cut.side(x);
        let below = SIZES.partition_point(|&size| size + gone <= node.totals.sides[side]);
        if below < open {
            let (first, others) = readings[below * width..open * width].split_at_mut(width);
            vote(node.totals.sums, first);
            repeat(first, others);
            open = below;
        }
        child = node.children[side];
    }
    if open == 0 {
        return;
    }
    let (first, others) = readings[..open * width].split_at_mut(width);
    let node = child.as_node().map(|index| tree.nodes.get(index).content());
    match node {
        Some(Content::Mixed(leaf)) if leaf.count > gone => vote(leaf.sums, first),
        _ => predict_in_leaf(tree, child, store, first),
    }
    repeat(first, others);
}

/// Copies a reading to those of other sizes at the same node.
fn repeat(first: &[f64], others: &mut [f64]) {
    for other in others.chunks_exact_mut(first.len()) {
        other.copy_from_slice(first);
    }
}

/// Overwrites `readings` with those at each of some samples without the sample, of two or more: the means over the trees in which it is silent, and the number of these trees.
pub fn left_out<T: Labels>(forest: &ReadingForest<T>, ids: &[SampleId], readings: &mut Vec<f64>) {
    let width = SIZES.len() * T::width(&forest.context().outputs);
    let units = ids.len() * forest.trees().len();
    readings.clear();
    readings.resize(ids.len() * (width + 1), 0.0);
    threads::fill_rows(readings, width + 1, units, |first, share| {
        let mut reading = vec![0.0; width];
        // Tree by tree, so that each is read into cache once.
        for tree in forest.trees() {
            for (sum, &id) in share.chunks_exact_mut(width + 1).zip(&ids[first..]) {
                let store = forest.samples();
                if tree.is_silent(id, store) {
                    tree.read(store.features(id), Some(id), store, &mut reading);
                    accumulate(sum, &reading);
                    sum[width] += 1.0;
                }
            }
        }
        for sum in share.chunks_exact_mut(width + 1) {
            let trees = sum[width].max(1.0);
            sum[..width].iter_mut().for_each(|cell| *cell /= trees);
        }
    });
}
