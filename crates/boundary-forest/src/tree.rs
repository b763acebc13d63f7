//! The boundary tree: Algorithm 1, and the part of Algorithm 2 that each tree does for itself.

mod check;

use std::ops::Range;

use forest_core::{SampleId, TreeRng};
use serde::{Deserialize, Serialize};

use crate::chance::{Chance, Foresight};
use crate::distances::{Candidate, DistanceSource};
use crate::initial::InitialPoints;
use crate::nodes::{NodeId, Nodes, Place};
use crate::samples::RetentionMask;
use crate::settings::ChildLimit;
use crate::walk::walk;

/// A tree of samples, each of which corrected the answer of its parent when it was learned.
///
/// Until the first `n_T` points of the stream have arrived it has no nodes, and answers with the
/// nearest of those that have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BoundaryTree {
    initial: InitialPoints,
    nodes: Nodes,
    rng: TreeRng,
}

impl BoundaryTree {
    /// Tree `index` of a forest of `trees`, before its first sample.
    pub(crate) fn build(index: usize, trees: usize, seed: u64) -> Self {
        Self {
            initial: InitialPoints::of_tree(index, trees),
            nodes: Nodes::default(),
            rng: TreeRng::new(seed, index),
        }
    }

    /// Tree `index` with a root, which waits for no other points.
    pub(crate) fn rooted(root: SampleId, rng: TreeRng) -> Self {
        let mut nodes = Nodes::default();
        nodes.add_root(root);
        let initial = InitialPoints::none();
        Self {
            initial,
            nodes,
            rng,
        }
    }

    /// Whether it waits for its root.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.initial.are_complete()
    }

    /// `BTQuery`: the locally closest place, `None` before the first sample.
    ///
    /// Ties are broken by what the tree's random stream would draw next.
    pub(crate) fn query<S: DistanceSource>(
        &self,
        limit: ChildLimit,
        distances: &mut S,
    ) -> Option<Candidate<S::Estimate>> {
        let mut chance = Foresight::of(&self.rng);
        match self.nodes.root() {
            Some(root) => Some(walk(&self.nodes, limit, root, distances, &mut chance)),
            None => self.nearest_waiting(distances, &mut chance),
        }
    }

    fn nearest_waiting<S: DistanceSource>(
        &self,
        distances: &mut S,
        chance: &mut impl Chance,
    ) -> Option<Candidate<S::Estimate>> {
        let node = NodeId::ROOT;
        let place = |sample| Place { sample, node };
        let waiting: Vec<_> = self.initial.arrived().map(place).collect();
        (!waiting.is_empty()).then(|| distances.closest(&waiting, None, chance))
    }

    /// `BTTrain`, first half (lines 14–18): the walk of a sample that is being learned.
    ///
    /// # Panics
    /// If the tree is waiting for its root.
    pub(crate) fn descend<S: DistanceSource>(
        &mut self,
        limit: ChildLimit,
        distances: &mut S,
    ) -> Candidate<S::Estimate> {
        let root = self.nodes.root().expect("a tree that waits is not trained");
        walk(&self.nodes, limit, root, distances, &mut self.rng)
    }

    /// `BTTrain`, second half (lines 19–22): the sample corrects the answer of `parent`.
    pub(crate) fn correct(&mut self, parent: NodeId, sample: SampleId) {
        self.nodes.add_child(parent, sample);
    }

    /// These samples, in a random order of the tree's own.
    pub(crate) fn shuffled(&mut self, samples: Range<usize>) -> Vec<SampleId> {
        let mut order: Vec<_> = samples.map(SampleId::new).collect();
        self.rng.shuffle(&mut order);
        order
    }

    /// A waiting tree takes note of one more initial point. If it was the last, it plants its root
    /// and says which others it is to be trained on, in order (`BFInitialization`, lines 24–27).
    pub(crate) fn admit_initial(&mut self) -> Vec<SampleId> {
        self.initial.admit_one();
        if self.is_waiting() {
            return Vec::new();
        }
        self.nodes.add_root(self.initial.root());
        self.initial.others(&mut self.rng)
    }

    /// Marks the samples it holds on to.
    pub(crate) fn keep(&self, kept: &mut RetentionMask) {
        let first = kept.first();
        let newest = self.nodes.samples().rev();
        let learned = newest.take_while(|id| *id >= first);
        let initial = self.initial.since(first);
        initial.chain(learned).for_each(|id| kept.keep(id));
    }

    /// Follows the new names of the samples from `first` on.
    ///
    /// Nodes that hold them were added last, and initial points, which are all kept, keep their
    /// names.
    pub(crate) fn rename(&mut self, first: SampleId, names: &[SampleId]) {
        let new = |id: SampleId| names[id.index() - first.index()];
        self.nodes.rename_newest(first, new);
    }

    /// Bytes allocated for the nodes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

/// The nodes, for whoever wants to look.
impl BoundaryTree {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree still waits for its root.
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
