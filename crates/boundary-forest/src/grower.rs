//! A tree that learns and predicts: Algorithm 1.

use std::ops::Range;

use forest_core::{SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use crate::distances::{Candidates, Distances};
use crate::settings::{ChildLimit, SettingsOf};
use crate::tree::{BoundaryTree, NodeId, NodeRef};
use crate::walk::walk;
use crate::{Metric, Problem, Samples};

/// A tree and the random stream that it draws from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Grower {
    pub(crate) nodes: BoundaryTree,
    rng: TreeRng,
}

impl Grower {
    pub(crate) fn new(index: usize, seed: u64) -> Self {
        Self {
            nodes: BoundaryTree::default(),
            rng: TreeRng::new(seed, index),
        }
    }

    /// `BTQuery`: the locally closest node, `None` without a root.
    ///
    /// Ties are broken by what the tree's random stream would draw next. The stream, some 300
    /// bytes, is copied at the first tie, as most walks meet none.
    pub(crate) fn query<M: Metric>(
        &self,
        limit: ChildLimit,
        distances: &mut Distances<'_, M>,
    ) -> Option<NodeRef> {
        walk(&self.nodes, limit, distances, &mut self.next_draws())
    }

    /// Returns the sample whose label is the tree's prediction: before it has a root, the closest of the first
    /// `stored` samples.
    pub(crate) fn nearest<M: Metric>(
        &self,
        limit: ChildLimit,
        stored: usize,
        distances: &mut Distances<'_, M>,
    ) -> Option<SampleId> {
        if !self.nodes.is_empty() || stored == 0 {
            return Some(self.query(limit, distances)?.sample);
        }
        let node = NodeId::ROOT;
        let samples = (0..stored).map(SampleId::new);
        let waiting: Vec<_> = samples.map(|sample| NodeRef { sample, node }).collect();
        let candidates = Candidates {
            children: &waiting,
            node: None,
        };
        let closest = distances.closest(candidates, &mut self.next_draws());
        Some(closest.sample)
    }

    /// Draws what the stream would give next and leaves it as it is.
    fn next_draws(&self) -> impl FnMut(usize) -> usize {
        let mut copy = None;
        move |n| copy.get_or_insert_with(|| self.rng.clone()).below(n)
    }

    /// `BTTrain`: the sample corrects the prediction of the locally closest node, if it has to. Returns
    /// the sample of that node. In a tree without a root, it becomes the root.
    pub(crate) fn train<P: Problem, M: Metric>(
        &mut self,
        sample: SampleId,
        settings: &SettingsOf<P>,
        samples: &Samples<P, M>,
        distances: &mut Distances<'_, M>,
    ) -> Option<SampleId> {
        let mut draws = |n| self.rng.below(n);
        let Some(found) = walk(&self.nodes, settings.max_children, distances, &mut draws) else {
            self.nodes.add_root(sample);
            return None;
        };
        // After the walk, which draws: a full tree uses its random stream as one with room does.
        let has_room = settings.has_room(self.nodes.len());
        if has_room && samples.differ(sample, found.sample, settings.epsilon) {
            self.nodes.add_child(found.node, sample);
        }
        Some(found.sample)
    }

    /// These samples without the root, in a random order of the tree's own.
    pub(crate) fn shuffled(&mut self, samples: Range<usize>) -> Vec<SampleId> {
        let root = self.nodes.root().map(|root| root.sample);
        let others = samples.map(SampleId::new).filter(|&id| Some(id) != root);
        let mut order: Vec<_> = others.collect();
        self.rng.shuffle(&mut order);
        order
    }
}
