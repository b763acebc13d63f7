//! Predictions: the leaf that a point falls into; and trees as data.

use forest_core::registry::{ExportedNode, ExportedTree, Inequality};
use forest_core::{ForestContext, Rows, SampleId, SampleStore, Task, accumulate, prefetch};
use smallvec::SmallVec;

use crate::labels::Labels;
use crate::nodes::{Below, Child, Link};
use crate::tree::{ExtraTree, Variant};

/// Walks that advance side by side: while one waits for the memory of its next node, others step.
const LANES: usize = 16;

/// Returns the child of a node that a point continues to; `None` at a leaf.
#[inline]
fn step<V: Variant>(tree: &ExtraTree<V>, child: Child, x: &[f32]) -> Option<Child> {
    let node = tree.nodes.get(child.as_node()?);
    Some(node.children[node.as_cut()?.side(x)])
}

/// Returns the leaf of a point.
#[inline]
pub(crate) fn leaf_of<V: Variant>(tree: &ExtraTree<V>, x: &[f32]) -> Child {
    let mut child = tree.nodes.root;
    while let Some(below) = step(tree, child, x) {
        child = below;
    }
    child
}

/// Overwrites `accumulator` with the prediction of a leaf.
pub(crate) fn predict_in_leaf<V: Variant>(
    tree: &ExtraTree<V>,
    leaf: Child,
    store: &SampleStore<V::Task>,
    accumulator: &mut [f64],
) {
    match leaf.get() {
        Below::Nothing => V::Task::prior_prediction(accumulator),
        Below::Pure(first) => {
            accumulator.fill(0.0);
            let code = V::Task::code(store.target(first), &tree.unit);
            V::Task::add_vote(code, &tree.unit, accumulator);
        }
        Below::Node(_) => {
            if let Some(leaf) = tree.nodes.mixed(leaf) {
                V::Task::predict_leaf(&tree.leaves, leaf.sums, None, &tree.unit, accumulator);
            }
        }
    }
}

/// Adds the predictions at `rows` to `sums`, an accumulator for each.
pub(crate) fn add_votes<V: Variant>(
    tree: &ExtraTree<V>,
    rows: &Rows<'_>,
    store: &SampleStore<V::Task>,
    accumulator: &mut [f64],
    sums: &mut [f64],
) {
    let width = accumulator.len();
    let found = |row: usize, leaf: Child| {
        let sum = &mut sums[row * width..][..width];
        if let Below::Pure(first) = leaf.get() {
            let code = V::Task::code(store.target(first), &tree.unit);
            return V::Task::add_vote(code, &tree.unit, sum);
        }
        predict_in_leaf(tree, leaf, store, accumulator);
        accumulate(sum, accumulator);
    };
    // Each with a loop of its own: in a small tree it costs a tenth to ask.
    if tree.is_large() {
        side_by_side(tree, rows.iter(), |below| tree.nodes.prefetch(below), found);
    } else {
        side_by_side(tree, rows.iter(), |_| (), found);
    }
}

/// Asks for what learning these samples reads first: the nodes on their way, and a sample of each leaf. A small tree is left alone.
///
/// A tenth less of the time is spent on 10⁶ rows with this and with what `Growth::collect` asks for.
pub(crate) fn walk_ahead<V: Variant>(
    tree: &ExtraTree<V>,
    ids: &[SampleId],
    store: &SampleStore<V::Task>,
) {
    if tree.is_large() {
        leaves(tree, ids.iter().copied(), store, |_, leaf| {
            if let Below::Pure(first) = leaf.get() {
                store.prefetch_target(first);
                prefetch(&store.features(first)[0]);
            }
        });
    }
}

/// Reports the leaf of each of some samples, by its number among them, in unspecified order.
pub(crate) fn leaves<V: Variant>(
    tree: &ExtraTree<V>,
    ids: impl Iterator<Item = SampleId>,
    store: &SampleStore<V::Task>,
    found: impl FnMut(usize, Child),
) {
    let points = ids.map(|id| store.features(id));
    side_by_side(tree, points, |below| tree.nodes.prefetch(below), found);
}

/// Reports the leaf of every point, by its number, in unspecified order. `ahead` is given what a walk comes to next, some time before.
#[inline]
fn side_by_side<'a, V: Variant>(
    tree: &ExtraTree<V>,
    points: impl Iterator<Item = &'a [f32]>,
    ahead: impl Fn(Child),
    mut found: impl FnMut(usize, Child),
) {
    let mut waiting = points.enumerate().map(|(row, x)| (row, x, tree.nodes.root));
    let mut lanes: SmallVec<[_; LANES]> = waiting.by_ref().take(LANES).collect();
    while !lanes.is_empty() {
        let mut index = 0;
        while let Some((row, x, child)) = lanes.get_mut(index) {
            if let Some(below) = step(tree, *child, x) {
                *child = below;
                ahead(below);
                index += 1;
                continue;
            }
            found(*row, *child);
            match waiting.next() {
                Some(next) => lanes[index] = next,
                None => drop(lanes.swap_remove(index)),
            }
        }
    }
}

impl<V: Variant> ExtraTree<V> {
    /// Returns the tree as data.
    pub(crate) fn exported(&self, context: &ForestContext<'_, V::Task>) -> ExportedTree {
        // Parents before children, and left before right.
        let (mut nodes, mut waiting) = (Vec::new(), vec![(Link::Root, 0, None)]);
        while let Some((link, depth, above)) = waiting.pop() {
            let (child, place) = (self.nodes.child(link), nodes.len());
            if child == Child::NOTHING {
                continue;
            }
            if let Some((parent, side)) = above {
                let node: &mut ExportedNode = &mut nodes[parent];
                node.children.get_or_insert_default()[side] = place;
            }
            let mut node = ExportedNode {
                depth,
                birth: 0.0,
                time: None,
                samples: 0,
                labels: V::Task::no_labels(),
                prediction: vec![0.0; V::Task::width(&context.outputs)],
                cut: None,
                children: None,
            };
            if let Some((index, cut)) = self.nodes.cut_at(link) {
                let normal = vec![(cut.feature as usize, 1.0)];
                let threshold = f64::from(cut.threshold);
                node.cut = Some(Inequality { normal, threshold });
                let below = |side| (Link::Side(index, side), depth + 1, Some((place, side)));
                waiting.extend([1, 0].map(below));
            } else {
                let samples = self.nodes.first(child).map(|first| self.links.list(first));
                for id in samples.into_iter().flatten() {
                    V::Task::add_label(&mut node.labels, context.samples.target(id), 1);
                }
                predict_in_leaf(self, child, context.samples, &mut node.prediction);
            }
            nodes.push(node);
        }
        ExportedTree::new(context.samples.width(), nodes)
    }
}
