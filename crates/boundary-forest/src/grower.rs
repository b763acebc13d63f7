//! A tree that learns and predicts: Algorithm 1.

use std::ops::Range;

use forest_core::{SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use crate::Samples;
use crate::distances::{Candidates, Distances};
use crate::label::Label;
use crate::settings::{ChildLimit, TreeSettings};
use crate::tree::{BoundaryTree, NodeId, NodeRef};

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
    pub(crate) fn query(
        &self,
        limit: ChildLimit,
        distances: &mut Distances<'_>,
    ) -> Option<NodeRef> {
        walk(&self.nodes, limit, distances, &mut self.next_draws())
    }

    /// Returns the sample whose label is the tree's prediction: before it has a root, the closest of the first
    /// `stored` samples.
    pub(crate) fn nearest(
        &self,
        limit: ChildLimit,
        stored: usize,
        distances: &mut Distances<'_>,
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
    pub(crate) fn train<C: Label>(
        &mut self,
        sample: SampleId,
        settings: &TreeSettings,
        samples: &Samples<C>,
        distances: &mut Distances<'_>,
    ) -> Option<SampleId> {
        let mut draws = |n| self.rng.below(n);
        let Some(found) = walk(&self.nodes, settings.max_children, distances, &mut draws) else {
            self.nodes.add_root(sample);
            return None;
        };
        // After the walk, which draws: a full tree uses its random stream as one with room does.
        let most = settings
            .max_nodes
            .map_or(usize::MAX, |most| most.get() as usize);
        if self.nodes.len() < most && samples.differ(sample, found.sample, settings.epsilon) {
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

/// `BTQuery`: walks from the root, if there is one, to a node that may get a child and has none closer to the
/// query than itself.
///
/// Among `m` equally close nodes `below(m)` decides.
fn walk(
    tree: &BoundaryTree,
    limit: ChildLimit,
    distances: &mut Distances<'_>,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<NodeRef> {
    let mut node = tree.root()?;
    distances.start_walk(node.sample);
    loop {
        let children = tree.child_refs(node.node);
        if children.is_empty() {
            return Some(node);
        }
        // Lines 6–10: a node that has all its children cannot be where the walk ends.
        let may_be_found = limit.allows(children.len() + 1);
        let candidates = Candidates {
            children,
            node: may_be_found.then_some(node),
        };
        let closest = distances.closest(candidates, below);
        if closest.node == node.node {
            return Some(node);
        }
        node = closest;
    }
}

#[cfg(test)]
mod tests;
