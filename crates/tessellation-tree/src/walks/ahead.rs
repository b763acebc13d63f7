//! The walks of the next samples, made side by side before these are learned one after another.

use std::ops::Range;

use forest_core::{LARGER_THAN_A_CACHE, Points, SampleId, prefetch};
use smallvec::SmallVec;

use crate::CutDistribution;
use crate::structure::Structure;
use crate::structure::node::{Child, NodeId, Parent, Subtree, Turn};
use crate::walks::path::{Descent, parent_below};
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

/// The way of a sample from the root to its leaf.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) id: SampleId,
    pub(crate) turns: Vec<Turn>,
    pub(crate) leaf: Subtree,
}

impl Route {
    fn new(id: SampleId) -> Self {
        Self {
            id,
            turns: Vec::new(),
            leaf: Subtree::Sample(id),
        }
    }

    /// Returns whether it leads to what hangs below `parent`, at `level`.
    #[inline]
    pub(crate) fn leads_to(&self, level: usize, parent: Parent) -> bool {
        let Some((node, side)) = parent else {
            return true;
        };
        // A node is at one level of all routes: another turn of a shorter route is another node.
        let above = (level - 1).min(self.turns.len().saturating_sub(1));
        let turn = self.turns.get(above);
        turn.is_some_and(|turn| (turn.node == node) & (turn.side == side))
    }
}

/// The routes of samples that are about to be learned, in this order.
///
/// Walks wait for memory, side by side for several nodes at once: learning 20,000 rows takes .88 of the time that it
/// takes with one walk a sample, and 200,000 rows .67.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    pub(crate) routes: Vec<Route>,
    /// The routes that are not used yet.
    pub(crate) waiting: Range<usize>,
}

impl Routes {
    /// Forgets all routes.
    pub(crate) fn clear(&mut self) {
        self.waiting = 0..0;
    }

    pub(crate) fn bytes(&self) -> usize {
        let turns: usize = self.routes.iter().map(|route| route.turns.capacity()).sum();
        turns * size_of::<Turn>() + self.routes.capacity() * size_of::<Route>()
    }

    /// Returns the inner nodes of the routes that are not used yet.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let routes = self.routes[self.waiting.clone()].iter();
        routes.flat_map(|route| route.turns.iter().map(|turn| turn.node))
    }

    /// Returns the leaves at their ends.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = Subtree> {
        let routes = self.routes[self.waiting.clone()].iter();
        routes.map(|route| route.leaf)
    }

    pub(crate) fn waiting(&mut self) -> &mut [Route] {
        &mut self.routes[self.waiting.clone()]
    }

    /// Returns the first route, of those that are not used yet and come at or after `from`, that leads to what hangs below `parent`.
    #[inline]
    pub(crate) fn next_to(&self, from: usize, level: usize, parent: Parent) -> Option<usize> {
        let waiting = &self.routes[from..self.waiting.end];
        let place = waiting
            .iter()
            .position(|route| route.leads_to(level, parent));
        place.map(|place| from + place)
    }

    pub(crate) fn start(&mut self, ids: impl Iterator<Item = SampleId>) {
        self.waiting = 0..0;
        for id in ids {
            if self.waiting.end == self.routes.len() {
                self.routes.push(Route::new(id));
            }
            let route = &mut self.routes[self.waiting.end];
            route.id = id;
            route.turns.clear();
            self.waiting.end += 1;
        }
    }

    /// Returns the route of `id` if it is the next: its turns take the place of `turns`. Otherwise all are forgotten.
    pub(crate) fn take(&mut self, id: SampleId, turns: &mut Vec<Turn>) -> Option<Subtree> {
        match self.waiting().first_mut() {
            Some(route) if route.id == id => {
                std::mem::swap(&mut route.turns, turns);
                let leaf = route.leaf;
                self.waiting.start += 1;
                Some(leaf)
            }
            _ => {
                self.clear();
                None
            }
        }
    }
}

/// How many of the last turns of a route searches mostly stay with.
const BESIDE: usize = 2;

/// How many points of a leaf searches mostly stay with.
const OF_A_LEAF: usize = 3;

/// Asks for the first and the last feature: both lines of cache, if the features of a point lie in two.
fn prefetch_point(id: SampleId, samples: Points<'_>) {
    let x = samples.features(id);
    prefetch(&x[0]);
    prefetch(&x[x.len() - 1]);
}

impl<D: CutDistribution> Structure<D> {
    /// Asks for the points that searches from these routes look at first.
    fn look(&self, routes: &[Route], samples: Points<'_>) {
        if self.links.bytes() > LARGER_THAN_A_CACHE {
            self.prefetch_leaves(routes, samples);
        }
        if self.nodes.bytes() > LARGER_THAN_A_CACHE {
            self.prefetch_siblings(routes, samples);
        }
    }

    /// Asks for the witness of each leaf of several points, and for its box or the first of its other points.
    ///
    /// Learning 10⁶ rows of five features takes .87 of the time that it takes without (`obsp:min_points=15`) or .82
    /// (`mondrian:min_points=12`).
    fn prefetch_leaves(&self, routes: &[Route], samples: Points<'_>) {
        let structure = self.view();
        // On the stack: a batch is looked at without allocating.
        let mut points = SmallVec::<[_; LANES]>::new();
        for route in routes {
            if let Subtree::Leaf(leaf) = route.leaf {
                match self.cache.boxes.get(leaf) {
                    Some([lower, upper]) => {
                        prefetch(&lower[0]);
                        prefetch(&upper[upper.len() - 1]);
                    }
                    None => points.push(structure.leaves[leaf].first),
                }
                prefetch_point(structure.witness(route.leaf), samples);
            }
        }
        // Across leaves, not along one list after another: the memory of several links arrives side by side.
        for _ in 0..OF_A_LEAF {
            for point in &mut points {
                prefetch_point(*point, samples);
                *point = structure.links.next(*point).unwrap_or(*point);
            }
        }
    }

    /// Asks for the leaf, if it is one sample, and for what lies nearest beside the last turns.
    fn prefetch_siblings(&self, routes: &[Route], samples: Points<'_>) {
        let structure = self.view();
        let arrive = |leaf: Subtree| {
            if let Subtree::Sample(id) = leaf {
                prefetch_point(id, samples);
            }
        };
        let mut lanes = SmallVec::<[_; BESIDE * LANES]>::new();
        for route in routes {
            arrive(route.leaf);
            let beside = route.turns.iter().rev().take(BESIDE);
            lanes.extend(beside.map(|turn| Lane {
                x: samples.features(route.id),
                below: structure.nodes.get(turn.node).children[turn.side.opposite() as usize],
                notes: (),
            }));
        }
        side_by_side(
            structure,
            &mut lanes,
            |(), _, below| structure.prefetch(below),
            |lane| {
                arrive(lane.below.get());
                false
            },
        );
    }
}
