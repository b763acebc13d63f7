//! Points on their way down a tree: one by one, or several side by side.

use std::cell::RefCell;

use forest_core::{LARGER_THAN_A_CACHE, Points, Rows, SampleId, prefetch};
use smallvec::SmallVec;

use crate::structure::Structure;
use crate::structure::node::{Child, Node, NodeId, Step, Subtree, birth_below};
use crate::structure::routes::Route;
use crate::{CutDistribution, Side};

/// The path of a point from the root to its leaf.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    /// The inner nodes that it passes, from the root.
    pub steps: &'a [Step],
    /// The leaf at the end.
    pub leaf: Subtree,
    /// The end of a leaf's life: the tree's budget, infinite for a tree that is fully grown.
    pub end: f64,
    /// The point; `None` if it cannot branch off the path.
    pub point: Option<&'a [f32]>,
    /// The rate of the cuts between it and another point.
    pub rate: &'a dyn Fn(&[f32]) -> f64,
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
        match self.steps.get(level) {
            Some(step) => Place {
                subtree: Subtree::Inner(step.node()),
                birth,
                end: step.time,
                sibling: Some(step.sibling()),
            },
            None => Place {
                subtree: self.leaf,
                birth,
                end: self.end.max(birth),
                sibling: None,
            },
        }
    }
}

thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

impl<D: CutDistribution> Structure<D> {
    /// Calls `work` with the path of `x`, in memory that is kept; `None` for a tree without nodes.
    pub(crate) fn with_path<R>(&self, x: &[f32], work: impl FnOnce(&Path<'_>) -> R) -> Option<R> {
        STEPS.with_borrow_mut(|steps| {
            let leaf = self.descend(x, steps)?;
            Some(self.with_steps(x, steps, leaf, work))
        })
    }

    fn with_steps<R>(
        &self,
        x: &[f32],
        steps: &[Step],
        leaf: Subtree,
        work: impl FnOnce(&Path<'_>) -> R,
    ) -> R {
        work(&Path {
            steps,
            leaf,
            end: self.budget,
            point: Some(x),
            rate: &|other| self.cuts.rate_between(x, other),
        })
    }

    /// Calls `work` with the path of a sample that is predicted before it is learned, if its route is the next; what
    /// the route lacks is added to it. Returns `None` for another sample, and for a tree without nodes.
    pub(crate) fn with_route<R>(
        &mut self,
        id: SampleId,
        x: &[f32],
        work: impl FnOnce(&Path<'_>) -> R,
    ) -> Option<R> {
        let mut ahead = std::mem::take(&mut self.scratch.ahead);
        let mut found = None;
        if let Some(route) = ahead.next(id) {
            if route.leaf.is_none() {
                route.leaf = self.descend_from(x, &mut route.steps);
            }
            let leaf = route.leaf;
            found = leaf.map(|leaf| self.with_steps(x, &route.steps, leaf, work));
        }
        self.scratch.ahead = ahead;
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

    /// Walks these samples, [`LANES`] at most, down side by side, and keeps their routes for
    /// [`descend_to_learn`](Self::descend_to_learn). In a large tree it prefetches the points that learning reads, and
    /// `passed` is called with each node, `found` with a sample whose target is read.
    ///
    /// Walks wait for memory, side by side for several nodes at once. Without routes, learning 16,000 rows of two
    /// features takes 1.3 times as long (`mondrian`, example `speed` of the benches).
    pub(crate) fn walk_ahead(
        &mut self,
        ids: &[SampleId],
        samples: Points<'_>,
        passed: impl Fn(NodeId),
        found: impl FnMut(SampleId),
    ) {
        let Some(root) = self.root else {
            return;
        };
        let mut ahead = std::mem::take(&mut self.scratch.ahead);
        let ids = &ids[..ids.len().min(LANES)];
        let routes = ahead.start(ids);
        let is_large = self.nodes.bytes() > LARGER_THAN_A_CACHE;
        let starts = ids.iter().map(|&id| (samples.features(id), root));
        let pass = |route: &mut &mut Route, node: &Node<D::Cut>, id, side, below| {
            self.prefetch(below);
            if is_large {
                passed(id);
            }
            route.steps.push(node.step(id, side));
        };
        // As many lanes as routes: each has one of its own.
        let mut lanes = routes.iter_mut();
        self.side_by_side(
            starts.enumerate(),
            || lanes.next().expect("a route for each lane"),
            pass,
            |_, _, route, leaf| route.leaf = Some(leaf),
        );
        // A full tree holds no samples.
        if is_large && !self.full {
            self.prefetch_points(routes, samples, found);
        }
        self.scratch.ahead = ahead;
    }

    /// Asks for the points that learning compares with those of these routes.
    fn prefetch_points(
        &self,
        routes: &[Route],
        samples: Points<'_>,
        mut found: impl FnMut(SampleId),
    ) {
        let prefetch_point = |id: SampleId| {
            let x = samples.features(id);
            // Both lines of cache, if the features of a point lie in two.
            prefetch(&x[0]);
            prefetch(&x[x.len() - 1]);
        };
        let mut beside = SmallVec::<[_; 2 * LANES]>::new();
        for route in routes {
            match route.leaf {
                Some(Subtree::Sample(id)) => {
                    prefetch_point(id);
                    // It is compared with the new target.
                    found(id);
                }
                Some(Subtree::Leaf(leaf)) => {
                    prefetch_point(self.leaf(leaf).center);
                    prefetch_point(self.leaf(leaf).first);
                }
                Some(Subtree::Inner(_)) | None => unreachable!("a walk ends in a leaf"),
            }
            let last = route.steps.iter().rev().take(2);
            beside.extend(last.map(|step| (samples.features(route.id), step.sibling().into())));
        }
        let pass = |(): &mut (), _: &_, _, _, below| self.prefetch(below);
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

    /// Returns the leaf of a sample that is learned, and fills `steps` as [`descend`](Self::descend) does: by the route
    /// that was walked ahead, if it is the next.
    pub(crate) fn descend_to_learn(
        &mut self,
        id: SampleId,
        x: &[f32],
        steps: &mut Vec<Step>,
    ) -> Option<Subtree> {
        steps.clear();
        let route = self.scratch.ahead.take(id, steps);
        route.or_else(|| self.descend_from(x, steps))
    }

    /// Updates the routes after a change below these steps: routes that lead there end above it, and those that lead
    /// beside it have their last common step read again.
    pub(crate) fn shorten_routes(&mut self, steps: &[Step]) {
        let Self { nodes, scratch, .. } = self;
        let mut routes = scratch.ahead.waiting();
        let Some(last) = steps.last() else {
            for route in routes {
                route.shorten(0);
            }
            return;
        };
        let level = steps.len() - 1;
        let node = last.node();
        // Few routes pass a node deep in the tree. To find them without a branch for each spares 2 %.
        while let Some(place) = routes.iter().position(|route| route.passes(level, node)) {
            let step = &mut routes[place].steps[level];
            let side = step.side();
            *step = nodes[node.index()].step(node, side);
            if side == last.side() {
                routes[place].shorten(level + 1);
            }
            routes = &mut routes[place + 1..];
        }
    }

    /// Walks points down, each from the subtree that is given with it, [`LANES`] at a time: while one waits for the
    /// memory that holds its next node, others step. `pass` notes a node and the side of the path, and is given what
    /// comes below; `found` is given the number of a point, the point, what was noted on its way, and its leaf, after
    /// which the notes are those of another point.
    #[inline]
    fn side_by_side<'a, N>(
        &self,
        mut starts: impl Iterator<Item = (usize, (&'a [f32], Child))>,
        mut empty: impl FnMut() -> N,
        pass: impl Fn(&mut N, &Node<D::Cut>, NodeId, Side, Child),
        mut found: impl FnMut(usize, &'a [f32], &mut N, Subtree),
    ) {
        let cuts = &self.cuts;
        let nodes = &*self.nodes;
        let first = starts.by_ref().take(LANES);
        let mut all: SmallVec<[Lane<'a, N>; LANES]> = first
            .map(|(number, (x, below))| Lane {
                number,
                x,
                below,
                notes: empty(),
            })
            .collect();
        let mut lanes = &mut all[..];
        while !lanes.is_empty() {
            let mut index = 0;
            while let Some(lane) = lanes.get_mut(index) {
                if let Subtree::Inner(id) = lane.below.get() {
                    let node = &nodes[id.index()];
                    let side = cuts.side(&node.cut, lane.x);
                    lane.below = node.children[side as usize];
                    pass(&mut lane.notes, node, id, side, lane.below);
                    index += 1;
                    continue;
                }
                found(lane.number, lane.x, &mut lane.notes, lane.below.get());
                if let Some((number, (x, below))) = starts.next() {
                    lane.number = number;
                    lane.x = x;
                    lane.below = below;
                } else {
                    let last = lanes.len() - 1;
                    lanes.swap(index, last);
                    lanes = &mut std::mem::take(&mut lanes)[..last];
                }
            }
        }
    }
}

/// A point on its way down.
struct Lane<'a, N> {
    number: usize,
    x: &'a [f32],
    /// The subtree that it comes to next.
    below: Child,
    notes: N,
}

/// Walks that proceed side by side.
const LANES: usize = 16;

/// The paths of a block of points from the root of a tree to their leaves.
#[derive(Debug)]
pub struct Walks<'a, D: CutDistribution> {
    pub(crate) structure: &'a Structure<D>,
    pub(crate) rows: &'a Rows<'a>,
}

impl<D: CutDistribution> Walks<'_, D> {
    /// Reports the leaf of every point, with the number of its row, in no stated order.
    #[inline]
    pub fn leaves(&self, mut found: impl FnMut(usize, Subtree)) {
        self.fold(|| (), |(), _| (), |_| (), |row, (), leaf| found(row, leaf));
    }

    /// Takes notes on the way: `pass` is given the inner nodes above a leaf, from the root, and `found` the leaf, after
    /// which the notes are those of another point. Several points are on their way at the same time, each with notes of
    /// its own, which are `empty` at first. In a large tree `ahead` is given an inner node some time before `pass` is,
    /// and may [ask for memory](forest_core::prefetch).
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
        // Each with a loop of its own: in a small tree it costs up to a tenth to ask whether it is large, and a third
        // to prefetch. In a tree of 10⁶ rows prefetching saves a seventh, of `amf` a quarter.
        if structure.nodes.bytes() > LARGER_THAN_A_CACHE {
            let pass = |notes: &mut N, _: &_, node, _, below: Child| {
                if let Subtree::Inner(next) = below.get() {
                    structure.prefetch(below);
                    ahead(next);
                }
                pass(notes, node);
            };
            structure.side_by_side(starts, empty, pass, found);
        } else {
            let pass = |notes: &mut N, _: &_, node, _, _| pass(notes, node);
            structure.side_by_side(starts, empty, pass, found);
        }
    }
}
