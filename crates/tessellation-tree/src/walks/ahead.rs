//! The walks of the next samples, made side by side before these are learned one after another.

mod look;

use forest_core::{Points, SampleId};
use smallvec::SmallVec;

use crate::CutDistribution;
use crate::structure::Structure;
use crate::structure::node::{Child, Turn};
use crate::walks::descent::{Descent, parent_below};
use crate::walks::routes::Route;
use crate::walks::{LANES, Lane, side_by_side};

impl<D: CutDistribution> Structure<D> {
    /// Walks these samples down side by side.
    pub(crate) fn walk_ahead(&mut self, ids: impl Iterator<Item = SampleId>, samples: Points<'_>) {
        let Some(root) = self.root else {
            return;
        };
        let mut ahead = std::mem::take(&mut self.cache.ahead);
        ahead.start(ids);
        let routes = ahead.waiting().iter_mut();
        let lanes = routes.map(|route| Lane {
            x: samples.features(route.id),
            below: root,
            notes: route,
        });
        let mut lanes: SmallVec<[_; LANES]> = lanes.collect();
        let structure = self.view();
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
        self.cache.ahead = ahead;
    }

    /// Returns the way of a sample that is learned: as it was walked ahead, if its route is the next.
    pub(crate) fn descend_to_learn(
        &mut self,
        root: Child,
        id: SampleId,
        samples: Points<'_>,
        mut turns: Vec<Turn>,
    ) -> Descent {
        match self.cache.ahead.take(id, &mut turns) {
            Some(leaf) => Descent { turns, leaf },
            None => self.descend(root, samples.features(id), turns),
        }
    }

    /// What hangs below these turns was changed: samples whose routes lead there walk again from there.
    #[inline]
    pub(crate) fn walk_again(&mut self, turns: &[Turn], samples: Points<'_>) {
        let (level, parent) = (turns.len(), parent_below(turns));
        let Some(below) = self.child_of(parent) else {
            // A tree that has become empty: the next sample is its root.
            return self.cache.ahead.clear();
        };
        // At most 16 routes, of which few pass a node deep in the tree: two comparisons each find them.
        let mut from = self.cache.ahead.waiting.start;
        // A loop of its own that only reads: the compiler then chooses without a branch which turns are compared. As a branch, which
        // no processor can predict, it makes learning up to 5 % slower.
        while let Some(route) = self.cache.ahead.next_to(from, level, parent) {
            self.walk_again_from(below, level, route, samples);
            from = route + 1;
        }
    }

    #[cold]
    fn walk_again_from(&mut self, below: Child, level: usize, route: usize, samples: Points<'_>) {
        let Route { id, turns, .. } = &mut self.cache.ahead.routes[route];
        let (x, mut turns) = (samples.features(*id), std::mem::take(turns));
        // Above the change the tree is as it was.
        turns.truncate(level);
        let leaf = self.view().note(below, x, &mut turns);
        let route = &mut self.cache.ahead.routes[route];
        (route.turns, route.leaf) = (turns, leaf);
    }
}
