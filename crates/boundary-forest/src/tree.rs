//! The boundary tree: Algorithm 1.

use std::ops::Range;

use forest_core::{InvariantError, SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use crate::distances::{Candidates, Distances};
use crate::forest::ForestContext;
use crate::nodes::{NodeId, NodeRef, Nodes};
use crate::samples::IdRemap;
use crate::settings::ChildLimit;
use crate::walk::walk;
use crate::{Metric, Problem};

/// A tree of samples, each of which corrected the answer of its parent when it was learned.
///
/// It has no nodes until it has learned its first sample, the root.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BoundaryTree {
    nodes: Nodes,
    rng: TreeRng,
}

impl BoundaryTree {
    /// A tree without a root, which draws from stream `index`.
    pub(crate) fn new(index: usize, seed: u64) -> Self {
        Self {
            nodes: Nodes::default(),
            rng: TreeRng::new(seed, index),
        }
    }

    pub(crate) fn add_root(&mut self, sample: SampleId) {
        self.nodes.add_root(sample);
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
        let root = self.nodes.root()?;
        Some(walk(
            &self.nodes,
            limit,
            root,
            distances,
            &mut self.next_draws(),
        ))
    }

    /// The closest of these samples, for a tree that has no root yet.
    pub(crate) fn closest_of<M: Metric>(
        &self,
        samples: Range<usize>,
        distances: &mut Distances<'_, M>,
    ) -> Option<SampleId> {
        let node = NodeId::ROOT;
        let samples = samples.map(SampleId::new);
        let children: Vec<_> = samples.map(|sample| NodeRef { sample, node }).collect();
        if children.is_empty() {
            return None;
        }
        let candidates = Candidates {
            children: &children,
            node: None,
        };
        Some(distances.closest(candidates, &mut self.next_draws()).sample)
    }

    /// Draws what the stream would give next and leaves it as it is.
    fn next_draws(&self) -> impl FnMut(usize) -> usize {
        let mut copy = None;
        move |n| copy.get_or_insert_with(|| self.rng.clone()).below(n)
    }

    /// `BTTrain`: the sample corrects the answer of the locally closest node, if it has to. Returns
    /// that node. In a tree without a root, it becomes the root.
    pub(crate) fn train<P: Problem, M: Metric>(
        &mut self,
        sample: SampleId,
        context: &ForestContext<'_, P, M>,
        distances: &mut Distances<'_, M>,
    ) -> Option<NodeRef> {
        let Some(root) = self.nodes.root() else {
            self.nodes.add_root(sample);
            return None;
        };
        let (limit, rng) = (context.settings.max_children, &mut self.rng);
        let found = walk(&self.nodes, limit, root, distances, &mut |n| rng.below(n));
        let has_room = context.settings.has_room(self.nodes.len());
        if has_room && context.corrects(sample, found.sample) {
            self.nodes.add_child(found.node, sample);
        }
        Some(found)
    }

    /// These samples without the root, in a random order of the tree's own.
    pub(crate) fn shuffled(&mut self, samples: Range<usize>) -> Vec<SampleId> {
        let root = self.nodes.root().map(|root| root.sample);
        let others = samples.map(SampleId::new).filter(|&id| Some(id) != root);
        let mut order: Vec<_> = others.collect();
        self.rng.shuffle(&mut order);
        order
    }

    /// Retains the samples that its nodes hold; those that hold new ones were added last.
    pub(crate) fn retain(&self, remap: &mut IdRemap) {
        let first = remap.first();
        let newest_first = self.nodes.samples().rev();
        let new = newest_first.take_while(|id| *id >= first);
        new.for_each(|id| remap.retain(id));
    }

    /// Takes over the new ids of the samples.
    pub(crate) fn remap(&mut self, remap: &IdRemap) {
        self.nodes.remap_newest(remap);
    }

    /// Checks that the nodes form a tree: after decoding.
    pub(crate) fn check_nodes(&self) -> Result<(), InvariantError> {
        self.nodes.check()
    }

    /// Bytes allocated for the nodes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

/// Read-only inspection.
impl BoundaryTree {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has no root yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// The nodes in the order in which they were added, the root first.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.nodes.ids()
    }

    /// The sample of a node of this tree.
    pub fn sample(&self, node: NodeId) -> SampleId {
        self.nodes.sample(node)
    }

    /// The parent of a node of this tree, `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes.parent(node)
    }

    /// The children of a node of this tree, oldest first.
    pub fn children(&self, node: NodeId) -> impl ExactSizeIterator<Item = NodeId> {
        self.nodes.children(node).iter().map(|child| child.node)
    }
}
