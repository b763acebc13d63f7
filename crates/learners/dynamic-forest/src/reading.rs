//! Trees that are read at nodes of several sizes, also without one of their samples.

#[cfg(test)]
mod tests;

use forest_core::{Classification, Forest, SampleId, SampleStore, Task, accumulate, threads};

use crate::labels::Labels;
use crate::tree::{Counts, DynamicTree, Silent, Variant};

/// A tree of classes whose [full prediction](forest_core::Trees::predict_full_into) has a reading for each of
/// [`ReadingTree::SIZES`]: the class frequencies of the deepest node on the path of a point that holds at least this
/// many samples, or of the root. The first reading is that of the leaf, which is the tree's prediction.
///
/// Every inner node keeps the counts of its classes and the number of samples on each side, 12 bytes and 12 for each
/// class. A class that is rare in a node counts more when its split is [rechecked](crate::DynamicSettings::recheck):
/// `n/(C nₖ)` for n samples of C classes, nₖ of them of this one. By default K is 2√d.
///
/// # Silent samples
///
/// A sample that is silent in a tree counts in every node on its path and does not take part in the choice of splits:
/// these are the splits of the tree of the other, *active* samples. So the readings at a silent sample without itself
/// ([`left_out`]) are those of the tree that never had it. [`refine_to`](forest_core::Trees::refine_to) makes a share
/// of the samples silent in all trees with an even index, by a hash of their arrival numbers. With a lower share some
/// of them stay silent, and the others are forgotten and learned again as active samples.
pub type ReadingTree = DynamicTree<Readings>;

/// See [`ReadingTree`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Readings;

impl Variant for Readings {
    type Task = Classification;
    type Totals = [Counts; 1];

    const READINGS: usize = SIZES.len();
    const A_CHANGE: u32 = 64;

    /// Twice the root, rounded down.
    fn candidates(width: usize) -> usize {
        (4 * width).isqrt().min(width)
    }

    /// Trees with an odd index have no silent samples.
    fn silence(index: usize) -> Silent {
        match index % 2 {
            0 => Silent::of_fold(0, 1),
            _ => Silent::default(),
        }
    }

    fn vote(
        tree: &ReadingTree,
        x: &[f32],
        store: &SampleStore<Classification>,
        accumulator: &mut [f64],
    ) {
        tree.read(x, None, store, accumulator);
    }
}

const SIZES: [u32; 5] = [1, 3, 10, 30, 100];

impl ReadingTree {
    /// The least number of samples of a node for each reading, in ascending order.
    pub const SIZES: [u32; 5] = SIZES;

    /// Overwrites `readings` with those at a point, a row of classes for each size; without a sample, if one is given.
    pub fn read(
        &self,
        x: &[f32],
        without: Option<SampleId>,
        store: &SampleStore<Classification>,
        readings: &mut [f64],
    ) {
        let width = readings.len() / SIZES.len();
        if width == 0 {
            return;
        }
        let without = without.map(|id| self.coded(store, id));
        let gone = u32::from(without.is_some());
        // Overwrites readings of sizes that are read at the same node.
        let vote = |sums, readings: &mut [f64]| {
            let (first, others) = readings.split_at_mut(width);
            Classification::predict_leaf(&self.leaves, sums, without, &self.unit, first);
            repeat(first, others);
        };
        let mut child = self.nodes.root;
        // The readings below this one are still to be made.
        let mut open = SIZES.len();
        while let Some(node) = child.as_node().map(|index| self.nodes.get(index)) {
            let Some(split) = node.as_split() else { break };
            let [counts] = node.totals;
            let side = split.side(x);
            let below = SIZES.partition_point(|&size| size + gone <= counts.sides[side]);
            if below < open {
                vote(counts.sums, &mut readings[below * width..open * width]);
                open = below;
            }
            child = node.children[side];
        }
        if open == 0 {
            return;
        }
        let readings = &mut readings[..open * width];
        match self.nodes.mixed(child) {
            Some(leaf) if leaf.count > gone => vote(leaf.sums, readings),
            _ => {
                let (first, others) = readings.split_at_mut(width);
                self.predict_in_leaf(child, store, first);
                repeat(first, others);
            }
        }
    }
}

/// Copies a reading to those of other sizes.
fn repeat(first: &[f64], others: &mut [f64]) {
    for other in others.chunks_exact_mut(first.len()) {
        other.copy_from_slice(first);
    }
}

/// Overwrites `readings` with those at each of some silent samples without the sample: means over the trees in which
/// they are silent, a row of [`ReadingTree::SIZES`] times the classes. The forest holds two samples or more.
pub fn left_out(forest: &Forest<ReadingTree>, ids: &[SampleId], readings: &mut Vec<f64>) {
    let width = SIZES.len() * Classification::width(&forest.context().outputs);
    let trees = || forest.trees().step_by(2);
    let count = trees().len();
    let store = forest.samples();
    readings.clear();
    readings.resize(ids.len() * width, 0.0);
    threads::fill_rows(readings, width, ids.len() * count, |first, share| {
        let mut reading = vec![0.0; width];
        // Tree by tree, so that each is read into cache once.
        for tree in trees() {
            for (sum, &id) in share.chunks_exact_mut(width).zip(&ids[first..]) {
                tree.read(store.features(id), Some(id), store, &mut reading);
                accumulate(sum, &reading);
            }
        }
        share.iter_mut().for_each(|cell| *cell /= count as f64);
    });
}
