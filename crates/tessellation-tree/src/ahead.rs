//! The walks of the next samples, made side by side before these are learned one after another.

mod look;

use forest_core::{SampleId, SampleStore, Task};
use smallvec::SmallVec;

use crate::node::{Child, Parent, Subtree, Turn};
use crate::routes::Route;
use crate::search::Structure;
use crate::walks::{LANES, Lane, side_by_side};
use crate::{CutDistribution, LabelModel, TessellationTree};

impl<D: CutDistribution> Structure<'_, D> {
    /// Passes the root of the subtree `below` if it is an inner node, and goes on to the child on the side of `x`.
    #[inline]
    pub(crate) fn pass(&self, below: &mut Child, x: &[f32]) -> Option<Turn> {
        let Subtree::Inner(id) = below.get() else {
            return None;
        };
        let node = self.nodes.get(id);
        let side = self.cuts.side(&node.cut, x);
        *below = node.children[side as usize];
        Some(Turn {
            node: id,
            time: node.time,
            side,
        })
    }

    /// Goes down from `below` to the leaf, and notes the turns.
    #[inline]
    pub(crate) fn note(&self, mut below: Child, x: &[f32], turns: &mut Vec<Turn>) -> Subtree {
        while let Some(turn) = self.pass(&mut below, x) {
            turns.push(turn);
        }
        below.get()
    }
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Walks these samples down side by side.
    pub(crate) fn walk_ahead<T: Task>(
        &mut self,
        ids: impl Iterator<Item = SampleId>,
        samples: &SampleStore<T>,
    ) {
        let Some(root) = self.root else {
            return;
        };
        let mut ahead = std::mem::take(&mut self.scratch.ahead);
        ahead.start(ids);
        let routes = ahead.waiting().iter_mut();
        let lanes = routes.map(|route| Lane {
            x: samples.features(route.id),
            below: root,
            notes: route,
        });
        let mut lanes: SmallVec<[_; LANES]> = lanes.collect();
        let structure = self.structure();
        let pass = |route: &mut &mut Route, turn: Turn, below| {
            // The other lanes step before this one reads the node: meanwhile it comes into the cache.
            structure.prefetch(below);
            route.turns.push(turn);
        };
        side_by_side(structure, &mut lanes, pass, |lane| {
            lane.notes.leaf = lane.below.get();
            false
        });
        // Lanes borrow the routes that are looked at next.
        drop(lanes);
        self.look(ahead.waiting(), samples);
        self.scratch.ahead = ahead;
    }

    /// The leaf that a sample falls into; notes the path there.
    pub(crate) fn path_to(&mut self, id: SampleId, x: &[f32]) -> Option<Subtree> {
        let scratch = &mut self.scratch;
        match scratch.ahead.take(id, &mut scratch.path) {
            Some(leaf) => Some(leaf),
            // It is not the sample whose route is next.
            None => self.walk_down(x),
        }
    }

    /// What hangs at `level` of the path was changed: samples whose routes lead there walk again from there.
    #[inline]
    pub(crate) fn walk_again<T: Task>(
        &mut self,
        level: usize,
        parent: Parent,
        samples: &SampleStore<T>,
    ) {
        let Some(below) = self.child_of(parent) else {
            // A tree that has become empty: the next sample is its root.
            return self.scratch.ahead.clear();
        };
        // At most 16 routes, of which few pass a node deep in the tree: two comparisons each find them.
        for route in self.scratch.ahead.waiting.clone() {
            if self.scratch.ahead.routes[route].leads_to(level, parent) {
                self.walk_again_from(below, level, route, samples);
            }
        }
    }

    #[cold]
    fn walk_again_from<T: Task>(
        &mut self,
        below: Child,
        level: usize,
        route: usize,
        samples: &SampleStore<T>,
    ) {
        let Route { id, turns, .. } = &mut self.scratch.ahead.routes[route];
        let (x, mut turns) = (samples.features(*id), std::mem::take(turns));
        // Above the change the tree is as it was.
        turns.truncate(level);
        let leaf = self.structure().note(below, x, &mut turns);
        let route = &mut self.scratch.ahead.routes[route];
        (route.turns, route.leaf) = (turns, leaf);
    }
}
