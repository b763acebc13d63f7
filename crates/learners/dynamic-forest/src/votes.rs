//! Predictions: the leaf that a point falls into.

use forest_core::{Rows, SampleId, SampleStore, Task, accumulate, prefetch};
use smallvec::SmallVec;

use crate::labels::sealed::Sums;
use crate::labels::sealed::{CodeOf, CodeUnit, Labels as _, MixedLeaves};
use crate::nodes::{Below, Child, Content};
use crate::tree::Parts;

/// Walks that advance side by side: while one waits for the memory of its next node, others step.
const LANES: usize = 16;

/// A point on the path to its leaf.
struct Walk<'a> {
    row: usize,
    x: &'a [f32],
    below: Child,
}

impl Walk<'_> {
    /// Advances to the next node; returns false at a leaf.
    #[inline]
    fn step<T: Sums>(&mut self, tree: &Parts<T>) -> bool {
        let node = self.below.as_node().map(|index| tree.nodes.get(index));
        let Some((node, cut)) = node.and_then(|node| Some((node, node.as_cut()?))) else {
            return false;
        };
        self.below = node.children[cut.side(self.x)];
        true
    }
}

/// Overwrites `accumulator` with the prediction at `x`.
pub(crate) fn vote<T: Sums>(
    tree: &Parts<T>,
    x: &[f32],
    store: &SampleStore<T::Task>,
    accumulator: &mut [f64],
) {
    let mut walk = Walk {
        row: 0,
        x,
        below: tree.nodes.root,
    };
    while walk.step(tree) {}
    predict_in_leaf(tree, walk.below, store, accumulator);
}

/// Overwrites `accumulator` with the prediction of a leaf.
pub(crate) fn predict_in_leaf<T: Sums>(
    tree: &Parts<T>,
    leaf: Child,
    store: &SampleStore<T::Task>,
    accumulator: &mut [f64],
) {
    match leaf.get() {
        Below::Nothing => <T::Task as Task>::prior_prediction(accumulator),
        Below::Pure(first) => T::Task::vote(code(tree, store, first), &tree.unit, accumulator),
        Below::Node(index) => {
            if let Content::Mixed(leaf) = tree.nodes.get(index).content() {
                tree.mixed.vote(leaf.sums, &tree.unit, accumulator);
            }
        }
    }
}

/// Returns the code of a sample, whose weight a leaf of equal targets does not need.
#[inline]
fn code<T: Sums>(tree: &Parts<T>, store: &SampleStore<T::Task>, id: SampleId) -> CodeOf<T::Task> {
    tree.unit.code(store.target(id))
}

/// Adds the predictions at `rows` to `sums`, an accumulator for each.
pub(crate) fn add_votes<T: Sums>(
    tree: &Parts<T>,
    rows: &Rows<'_>,
    store: &SampleStore<T::Task>,
    accumulator: &mut [f64],
    sums: &mut [f64],
) {
    let width = accumulator.len();
    let found = |row: usize, leaf: Child| {
        let sum = &mut sums[row * width..][..width];
        match leaf.get() {
            Below::Pure(first) => T::Task::add_vote(code(tree, store, first), &tree.unit, sum),
            _ => {
                predict_in_leaf(tree, leaf, store, accumulator);
                accumulate(sum, accumulator);
            }
        }
    };
    let points = rows.iter().enumerate();
    // Each with a loop of its own: in a small tree it costs a tenth to ask.
    if tree.is_large() {
        side_by_side(tree, points, |below| tree.nodes.prefetch(below), found);
    } else {
        side_by_side(tree, points, |_| (), found);
    }
}

/// Asks for what learning these samples reads first: the nodes on their way, and a sample of each leaf. A small tree is left alone.
///
/// A tenth less of the time is spent on 10⁶ rows with this and with what `Growth::collect` asks for.
pub(crate) fn walk_ahead<T: Sums>(
    tree: &Parts<T>,
    ids: impl Iterator<Item = SampleId>,
    store: &SampleStore<T::Task>,
) {
    if !tree.is_large() {
        return;
    }
    let points = ids.map(|id| store.features(id)).enumerate();
    let ahead = |below| tree.nodes.prefetch(below);
    side_by_side(tree, points, ahead, |_, leaf| {
        if let Below::Pure(first) = leaf.get() {
            store.prefetch_target(first);
            prefetch(&store.features(first)[0]);
        }
    });
}

/// Reports the leaf of each of some samples, by its number among them, in unspecified order.
pub(crate) fn leaves<T: Sums>(
    tree: &Parts<T>,
    ids: impl Iterator<Item = SampleId>,
    store: &SampleStore<T::Task>,
    found: impl FnMut(usize, Child),
) {
    let points = ids.map(|id| store.features(id)).enumerate();
    let ahead = |below| tree.nodes.prefetch(below);
    side_by_side(tree, points, ahead, found);
}

/// Reports the leaf of every point, in unspecified order. `ahead` is given what a walk comes to next, some time before.
#[inline]
fn side_by_side<'a, T: Sums>(
    tree: &Parts<T>,
    mut waiting: impl Iterator<Item = (usize, &'a [f32])>,
    ahead: impl Fn(Child),
    mut found: impl FnMut(usize, Child),
) {
    let walk = |(row, x)| Walk {
        row,
        x,
        below: tree.nodes.root,
    };
    let mut lanes: SmallVec<[_; LANES]> = waiting.by_ref().take(LANES).map(walk).collect();
    while !lanes.is_empty() {
        let mut index = 0;
        while let Some(lane) = lanes.get_mut(index) {
            if lane.step(tree) {
                ahead(lane.below);
                index += 1;
                continue;
            }
            found(lane.row, lane.below);
            match waiting.next().map(walk) {
                Some(next) => *lane = next,
                None => {
                    lanes.swap_remove(index);
                }
            }
        }
    }
}
