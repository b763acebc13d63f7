//! The tree: nodes, hulls, labels and lists of samples, side by side.

use forest_core::{
    Arena, Footprint, Ground, InvariantError, Kept, OnlineTree, SampleId, SampleStore, Schema,
    Task, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::chance::Clock;
use crate::node::{Kind, Node};
use crate::samples::Links;
use crate::{Chance, CutMeasure, LabelModel, NodeId, TessellationSettings};

/// One online tessellation tree with cut measure `M` and label model `L`.
///
/// Everything a node has is at its index in one of a few flat arrays: cut, time and children here,
/// the hull in the measure, label statistics in the label model. The samples of a leaf are a list
/// threaded through one link per stored sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TessellationTree<M: CutMeasure, L: LabelModel> {
    pub(crate) root: Option<NodeId>,
    pub(crate) nodes: Arena<Node<M::Cut>>,
    pub(crate) hulls: M,
    pub(crate) labels: L,
    pub(crate) links: Links,
    pub(crate) clock: Clock,
    /// Leaves waiting to be exposed: empty between calls, kept to spare an allocation.
    #[serde(skip)]
    pub(crate) waiting: Vec<NodeId>,
}

/// What a tree of this measure and model works with.
pub(crate) struct Work<'a, 'r, M: CutMeasure, L: LabelModel> {
    pub(crate) samples: &'a SampleStore<L::Task>,
    pub(crate) settings: &'a TessellationSettings<M::Settings>,
    pub(crate) budget: f64,
    pub(crate) chance: Chance<'r>,
}

/// The nodes that `x` passes, from `root` to a leaf.
#[inline]
pub(crate) fn way_down<M: CutMeasure>(
    nodes: &[Node<M::Cut>],
    root: NodeId,
    x: &[f32],
) -> impl Iterator<Item = NodeId> {
    std::iter::successors(Some(root), move |node| match &nodes[node.index()].kind {
        Kind::Inner { cut, children } => Some(children.at(M::side(cut, x))),
        Kind::Leaf { .. } => None,
    })
}

impl<M: CutMeasure, L: LabelModel> TessellationTree<M, L> {
    /// A tree without samples, for points of `features` numbers.
    pub fn new(features: usize, measure: &M::Settings) -> Self {
        Self {
            root: None,
            nodes: Arena::default(),
            hulls: M::new(features, measure),
            labels: L::default(),
            links: Links::default(),
            clock: Clock::default(),
            waiting: Vec::new(),
        }
    }

    /// A tree of all stored samples drawn at once from the batch law: one leaf, exposed to `budget`.
    ///
    /// `O(n log n)` for balanced cuts. The online update has the same law; this is its reference.
    pub fn batch(
        samples: &SampleStore<L::Task>,
        features: usize,
        settings: &TessellationSettings<M::Settings>,
        budget: f64,
        rng: &mut TreeRng,
    ) -> Self {
        let mut tree = Self::new(features, &settings.measure);
        let mut work = Work {
            samples,
            settings,
            budget,
            chance: Chance::new(rng),
        };
        if !samples.is_empty() {
            let root = tree.push_leaf(0.0);
            tree.root = Some(root);
            (0..samples.len()).for_each(|index| tree.settle(root, SampleId::new(index), samples));
            tree.expose(root, &mut work);
        }
        tree
    }

    /// Number of samples learned.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether nothing was learned yet.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    pub(crate) fn push_leaf(&mut self, birth: f64) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        self.nodes.push(Node::leaf(birth));
        self.hulls.push_empty();
        self.labels.push();
        id
    }

    /// A sample that has just arrived comes to rest in a leaf.
    pub(crate) fn settle(&mut self, leaf: NodeId, id: SampleId, samples: &SampleStore<L::Task>) {
        self.hulls.extend(leaf, samples.features(id));
        self.labels.settle(leaf, samples.target(id));
        let node = &mut self.nodes[leaf.index()];
        node.points += 1;
        if let Kind::Leaf { first } = &mut node.kind {
            self.links.push(id, first);
        }
    }

    /// The leaf that `features` falls into; `None` before the first sample.
    #[inline]
    pub fn leaf_of(&self, features: &[f32]) -> Option<NodeId> {
        way_down::<M>(&self.nodes, self.root?, features).last()
    }
}

impl<M: CutMeasure, L: LabelModel> OnlineTree for TessellationTree<M, L> {
    type Task = L::Task;
    type Settings = TessellationSettings<M::Settings>;

    fn plant(
        _: usize,
        _: usize,
        schema: &Schema<L::Task>,
        settings: &TessellationSettings<M::Settings>,
    ) -> Self {
        Self::new(schema.features(), &settings.measure)
    }

    fn learn(&mut self, id: SampleId, ground: &Ground<'_, Self>, rng: &mut TreeRng) {
        let mut work = Work {
            samples: ground.samples,
            settings: ground.settings,
            budget: ground.settings.budget.at(self.len() + 1),
            chance: Chance::resume(self.clock, rng),
        };
        self.insert(id, &mut work);
        self.clock = work.chance.pause();
    }

    fn vote(&self, features: &[f32], ground: &Ground<'_, Self>, _: &TreeRng, ballot: &mut [f64]) {
        match self.leaf_of(features) {
            Some(leaf) => self.labels.vote(leaf, ground.settings.vote, ballot),
            None => L::Task::ignorance(ballot),
        }
    }

    fn keep(&self, kept: &mut Kept) {
        kept.keep_all();
    }

    fn footprint(&self) -> Footprint {
        let bytes =
            self.nodes.bytes() + self.hulls.bytes() + self.labels.bytes() + self.links.bytes();
        Footprint {
            nodes: self.nodes.len(),
            stored_samples: 0,
            bytes,
        }
    }

    fn check(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(ground.samples)
    }
}
