//! The boundary tree: Algorithm 1, and the part of Algorithm 2 that each tree does for itself.

mod check;
mod online;

use std::marker::PhantomData;

use forest_core::{Ground, SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use crate::arena::{Arena, NodeId};
use crate::chance::{Chance, Foresight};
use crate::initial::InitialPoints;
use crate::walk::{Candidate, Closest, walk};
use crate::{Metric, Problem};

/// A tree of samples, each of which corrected the answer of its parent when it was learned.
///
/// Until the first `n_T` points of the stream have arrived it has no nodes, and answers with the
/// nearest of those that have.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BoundaryTree<P, M> {
    initial: InitialPoints,
    arena: Arena,
    kind: PhantomData<(P, M)>,
}

/// A tree's answer to a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocallyClosest {
    /// The sample whose label is the answer.
    pub sample: SampleId,
    /// Its distance from the query.
    pub distance: f64,
}

impl<P: Problem, M: Metric> BoundaryTree<P, M> {
    /// `BTQuery`: the locally closest sample to position `y`, `None` before the first sample.
    ///
    /// Ties are broken by what `rng` would draw next.
    pub fn query(
        &self,
        y: &[f32],
        ground: &Ground<'_, Self>,
        rng: &TreeRng,
    ) -> Option<LocallyClosest> {
        let mut chance = Foresight::of(rng);
        let found = match self.arena.root() {
            Some(root) => {
                let end = self.walk_from(root, y, ground, &mut chance);
                Some((self.arena.sample(end.item), end.proxy))
            }
            None => self.nearest_waiting(y, ground, &mut chance),
        };
        found.map(|(sample, proxy)| LocallyClosest {
            sample,
            distance: M::distance(proxy),
        })
    }

    fn walk_from(
        &self,
        root: NodeId,
        y: &[f32],
        ground: &Ground<'_, Self>,
        chance: &mut impl Chance,
    ) -> Candidate<NodeId> {
        let limit = P::max_children(ground.settings);
        let proxy = |sample| M::proxy(ground.samples.features(sample), y);
        walk(&self.arena, limit, root, proxy, chance)
    }

    fn nearest_waiting(
        &self,
        y: &[f32],
        ground: &Ground<'_, Self>,
        chance: &mut impl Chance,
    ) -> Option<(SampleId, f64)> {
        let mut closest = Closest::among(chance);
        for item in self.initial.arrived() {
            let proxy = M::proxy(ground.samples.features(item), y);
            closest.offer(Candidate { item, proxy });
        }
        closest.choice().map(|held| (held.item, held.proxy))
    }

    /// `BFInitialization`, lines 24–27.
    fn initialise(&mut self, ground: &Ground<'_, Self>, rng: &mut TreeRng) {
        self.arena.plant_root(self.initial.root());
        for id in self.initial.others(rng) {
            self.train(id, ground, rng);
        }
    }

    /// `BTTrain`, in a tree that has its root.
    fn train(&mut self, id: SampleId, ground: &Ground<'_, Self>, rng: &mut TreeRng) {
        let samples = ground.samples;
        let answer = self.walk_from(NodeId::ROOT, samples.features(id), ground, rng);
        let answered = samples.target(self.arena.sample(answer.item));
        if P::differ(ground.settings, samples.target(id), answered) {
            self.arena.add_child(answer.item, id);
        }
    }
}

/// The nodes, for whoever wants to look.
impl<P, M> BoundaryTree<P, M> {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Whether the tree still waits for its root.
    pub fn is_empty(&self) -> bool {
        self.arena.len() == 0
    }

    /// The nodes in the order in which they were added, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.arena.ids()
    }

    /// The sample of a node of this tree.
    pub fn sample(&self, node: NodeId) -> SampleId {
        self.arena.sample(node)
    }

    /// The children of a node of this tree, newest first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.arena.children(node)
    }
}
