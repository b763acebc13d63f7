//! Points on their way down a tree: one by one, or several side by side.

use std::cell::RefCell;

use forest_core::{LARGER_THAN_A_CACHE, Points, Rows, SampleId, prefetch};
use smallvec::SmallVec;

use crate::structure::Structure;
use crate::structure::node::{Child, NodeId, Step, Subtree, birth_below};
use crate::{CutDistribution, LabelModel};

/// The rate of the cuts between a point and another.
pub type Rate<'a> = &'a dyn Fn(&[f32]) -> f64;

/// The way of a point from the root to its leaf.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    /// The inner nodes that it passes, from the root.
    pub steps: &'a [Step],
    /// The leaf at the end.
    pub leaf: Subtree,
    /// The end of a leaf's life: the tree's budget, infinite for a tree that is fully grown.
    pub end: f64,
    /// The point, which may branch off the way, and the rate of the cuts between it and another; none if it stays in the leaf.
    pub point: Option<(&'a [f32], Rate<'a>)>,
}

/// A node on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The node.
    pub subtree: Subtree,
    /// Its birth.
    pub birth: f64,
    /// The time of its cut; of a leaf, the tree's budget.
    pub end: f64,
    /// The child that the path does not go to; a leaf has none.
    pub sibling: Option<Subtree>,
}

impl Path<'_> {
    /// Returns the node at this level; the leaf is behind the last step.
    pub fn place(&self, level: usize) -> Place {
        let birth = birth_below(&self.steps[..level]);
        let (subtree, end, sibling) = match self.steps.get(level) {
            Some(step) => (Subtree::Inner(step.node), step.time, Some(step.sibling())),
            None => (self.leaf, self.end.max(birth), None),
        };
        Place {
            subtree,
            birth,
            end,
            sibling,
        }
    }
}

thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

impl<D: CutDistribution> Structure<D> {
    /// Lends the way of `x`, in memory that is kept from one call to the next; `None` for a tree without nodes.
    pub(crate) fn with_path<R>(&self, x: &[f32], work: impl FnOnce(&Path<'_>) -> R) -> Option<R> {
        let mut steps = STEPS.take();
        let leaf = self.descend(x, &mut steps);
        let rate = |other: &[f32]| self.cuts.rate_between(x, other);
        let found = leaf.map(|leaf| {
            work(&Path {
                steps: &steps,
                leaf,
                end: self.budget,
                point: Some((x, &rate)),
            })
        });
        STEPS.set(steps);
        found
    }

    /// Asks for the memory of an inner node that a walk comes to next.
    #[inline]
    fn prefetch(&self, below: Child) {
        // A sample is not read by walks, and the record of a leaf only at the end of one.
        if let Subtree::Inner(node) = below.get() {
            prefetch(self.node(node));
        }
    }

    /// Asks for what learning these samples reads first: the nodes on their way, what `labels` keep of them, points of their leaves,
    /// and the points nearest beside the last turns. A small tree is left alone.
    pub(crate) fn walk_ahead<L: LabelModel>(
        &self,
        ids: impl Iterator<Item = SampleId>,
        samples: Points<'_>,
        labels: &L,
        mut found: impl FnMut(SampleId),
    ) {
        let Some(root) = self
            .root
            .filter(|_| self.nodes.bytes() > LARGER_THAN_A_CACHE)
        else {
            return;
        };
        let prefetch_point = |id: SampleId| {
            let x = samples.features(id);
            // Both lines of cache, if the features of a point lie in two.
            prefetch(&x[0]);
            prefetch(&x[x.len() - 1]);
        };
        let mut beside = SmallVec::<[_; 2 * LANES]>::new();
        let starts = ids.map(|id| (samples.features(id), root)).enumerate();
        let pass = |siblings: &mut [Option<Child>; 2], node: NodeId, side: usize, below| {
            self.prefetch(below);
            labels.prefetch(node);
            *siblings = [siblings[1], Some(self.node(node).children[1 - side])];
        };
        self.side_by_side(
            starts,
            || [None; 2],
            pass,
            |_, x, siblings, leaf| {
                match leaf {
                    Subtree::Sample(id) => {
                        prefetch_point(id);
                        // It is compared with the new target.
                        found(id);
                    }
                    Subtree::Leaf(leaf) => {
                        prefetch_point(self.leaf(leaf).center);
                        prefetch_point(self.leaf(leaf).first);
                    }
                    Subtree::Inner(_) => unreachable!("a walk ends in a leaf"),
                }
                let siblings = std::mem::take(siblings).into_iter().flatten();
                beside.extend(siblings.map(|sibling| (x, sibling)));
            },
        );
        let pass = |(): &mut (), _, _, below| self.prefetch(below);
        self.side_by_side(
            beside.into_iter().enumerate(),
            || (),
            pass,
            |_, _, (), leaf| {
                if let Subtree::Sample(id) = leaf {
                    prefetch_point(id);
                }
            },
        );
    }

    /// Walks points down, each from the subtree that is given with it, [`LANES`] at a time: while one waits for the memory that holds its
    /// next node, others step. `pass` notes an inner node, and is given the side on which the way continues and what comes below;
    /// `found` is given the number of a point, the point, what was noted on its way, and its leaf, after which the notes are those of
    /// another point.
    #[inline]
    fn side_by_side<'a, N>(
        &self,
        mut starts: impl Iterator<Item = (usize, (&'a [f32], Child))>,
        mut empty: impl FnMut() -> N,
        pass: impl Fn(&mut N, NodeId, usize, Child),
        mut found: impl FnMut(usize, &'a [f32], &mut N, Subtree),
    ) {
        let (cuts, nodes) = (&self.cuts, &*self.nodes);
        let lane = |(row, (x, below))| (row, x, below, empty());
        let mut all: SmallVec<[Lane<'a, N>; LANES]> =
            starts.by_ref().take(LANES).map(lane).collect();
        let mut lanes = &mut all[..];
        while !lanes.is_empty() {
            let mut index = 0;
            while let Some((row, x, below, notes)) = lanes.get_mut(index) {
                if let Subtree::Inner(id) = below.get() {
                    let node = &nodes[id.index()];
                    let side = cuts.side(&node.cut, x) as usize;
                    *below = node.children[side];
                    pass(notes, id, side, *below);
                    index += 1;
                    continue;
                }
                found(*row, x, notes, below.get());
                if let Some((next, start)) = starts.next() {
                    *row = next;
                    (*x, *below) = start;
                } else {
                    let last = lanes.len() - 1;
                    lanes.swap(index, last);
                    lanes = &mut std::mem::take(&mut lanes)[..last];
                }
            }
        }
    }
}

/// A point on its way: its number, itself, the node that it comes to, and notes.
type Lane<'a, N> = (usize, &'a [f32], Child, N);

/// Walks that proceed side by side.
const LANES: usize = 16;

/// The ways of a block of points from the root of a tree to their leaves.
#[derive(Debug)]
pub struct Walks<'a, D: CutDistribution> {
    pub(crate) structure: &'a Structure<D>,
    pub(crate) rows: &'a Rows<'a>,
}

impl<D: CutDistribution> Walks<'_, D> {
    /// Reports the path of every point, one after another; none in a tree without nodes.
    pub fn paths(&self, mut found: impl FnMut(usize, &Path<'_>)) {
        for (row, x) in self.rows.iter().enumerate() {
            self.structure.with_path(x, |path| found(row, path));
        }
    }

    /// Reports the leaf of every point, with the number of its row, in no stated order.
    #[inline]
    pub fn leaves(&self, mut found: impl FnMut(usize, Subtree)) {
        self.fold(|| (), |(), _| (), |_| (), |row, (), leaf| found(row, leaf));
    }

    /// Takes notes on the way: `pass` is given the inner nodes above a leaf, from the root, and `found` the leaf, after
    /// which the notes are those of another point. Several points are on their way at the same time, each with
    /// notes of its own, which are `empty` at first. In a large tree `ahead` is given an inner node some time before `pass` is, and may
    /// [ask for memory](forest_core::prefetch).
    #[inline]
    pub fn fold<N>(
        &self,
        empty: impl FnMut() -> N,
        pass: impl Fn(&mut N, NodeId),
        ahead: impl Fn(NodeId),
        mut found: impl FnMut(usize, &mut N, Subtree),
    ) {
        let structure = self.structure;
        let Some(root) = structure.root else {
            return;
        };
        let starts = self.rows.iter().map(|x| (x, root)).enumerate();
        let found = |row, _: &[f32], notes: &mut N, leaf| found(row, notes, leaf);
        // Each with a loop of its own: in a small tree it costs up to a tenth to ask whether it is large, and a third to prefetch. In a tree of
        // 10⁶ rows prefetching saves a seventh, of `amf` a quarter.
        if structure.nodes.bytes() > LARGER_THAN_A_CACHE {
            let pass = |notes: &mut N, node, _, below: Child| {
                if let Subtree::Inner(next) = below.get() {
                    structure.prefetch(below);
                    ahead(next);
                }
                pass(notes, node);
            };
            structure.side_by_side(starts, empty, pass, found);
        } else {
            structure.side_by_side(starts, empty, |notes, node, _, _| pass(notes, node), found);
        }
    }
}
