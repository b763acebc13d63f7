//! The leaves of many points, found side by side; and trees as data.

use forest_core::{
    ExportedNode, ExportedTree, ForestContext, Inequality, Rows, SampleId, SampleStore, Task,
    accumulate, prefetch,
};
use smallvec::SmallVec;

use crate::labels::Labels;
use crate::nodes::{Below, Child, Link};
use crate::tree::{DynamicTree, Variant};

/// Walks that advance side by side: while one waits for the memory of its next node, others step.
const LANES: usize = 16;

/// Adds the predictions at `rows` to `sums`, an accumulator for each.
pub(crate) fn add_votes<V: Variant>(
    tree: &DynamicTree<V>,
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
        tree.predict_in_leaf(leaf, store, accumulator);
        accumulate(sum, accumulator);
    };
    // Two loops: in a small tree prefetching costs a tenth of the time.
    if tree.is_large() {
        side_by_side(tree, rows.iter(), |below| tree.nodes.prefetch(below), found);
    } else {
        side_by_side(tree, rows.iter(), |_| (), found);
    }
}

/// Prefetches what learning these samples reads first: the nodes on their paths, and a sample of each leaf; nothing in
/// a small tree. Together with `Growth::collect` it saves a tenth of the time of learning 10⁶ rows.
pub(crate) fn walk_ahead<V: Variant>(
    tree: &DynamicTree<V>,
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

/// Calls `found` with the index of each of some samples and its leaf, in unspecified order.
pub(crate) fn leaves<V: Variant>(
    tree: &DynamicTree<V>,
    ids: impl Iterator<Item = SampleId>,
    store: &SampleStore<V::Task>,
    found: impl FnMut(usize, Child),
) {
    let points = ids.map(|id| store.features(id));
    side_by_side(tree, points, |below| tree.nodes.prefetch(below), found);
}

/// Calls `found` with the index of every point and its leaf, in unspecified order, and `ahead` with nodes to be read.
#[inline]
fn side_by_side<'a, V: Variant>(
    tree: &DynamicTree<V>,
    points: impl Iterator<Item = &'a [f32]>,
    ahead: impl Fn(Child),
    mut found: impl FnMut(usize, Child),
) {
    let mut waiting = points.enumerate().map(|(row, x)| (row, x, tree.nodes.root));
    let mut lanes: SmallVec<[_; LANES]> = waiting.by_ref().take(LANES).collect();
    while !lanes.is_empty() {
        let mut index = 0;
        while let Some((row, x, child)) = lanes.get_mut(index) {
            if let Some(below) = tree.step(*child, x) {
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

impl<V: Variant> DynamicTree<V> {
    pub(crate) fn exported(&self, context: &ForestContext<'_, V::Task>) -> ExportedTree {
        // In depth-first order, left before right.
        let mut nodes = Vec::new();
        let mut waiting = vec![(Link::Root, 0, None)];
        while let Some((link, depth, above)) = waiting.pop() {
            let child = self.nodes.child(link);
            if child == Child::NOTHING {
                continue;
            }
            let place = nodes.len();
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
            if let Some((index, split)) = self.nodes.split_of(link) {
                let normal = vec![(split.feature as usize, 1.0)];
                let threshold = f64::from(split.threshold);
                node.cut = Some(Inequality { normal, threshold });
                let below = |side| (Link::Side(index, side), depth + 1, Some((place, side)));
                waiting.extend([1, 0].map(below));
            } else {
                let samples = self.nodes.first(child).map(|first| self.links.list(first));
                for id in samples.into_iter().flatten() {
                    V::Task::add_label(&mut node.labels, context.samples.target(id), 1);
                }
                self.predict_in_leaf(child, context.samples, &mut node.prediction);
            }
            nodes.push(node);
        }
        ExportedTree::new(context.samples.width(), nodes)
    }
}
