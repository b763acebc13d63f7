//! The tree: inner nodes, leaves, lists of samples, cuts and label statistics, side by side.

use forest_core::{
    Footprint, ForestContext, IdRemap, InvariantError, OnlineTree, RetentionMask, Rows, SampleId,
    SampleStore, Schema, Task, TreeRng, accumulate,
};
use serde::{Deserialize, Serialize};

use crate::links::Links;
use crate::node::{Child, Leaf, LeafId, Node, NodeId, Parent, Subtree};
use crate::pool::Pool;
use crate::scratch::Scratch;
use crate::{
    CutDistribution, InnerNode, LabelContext, LabelModel, NodeView, Path, TessellationSettings,
    Walks,
};

/// One online tessellation tree with distribution of cuts `D` and label model `L`.
///
/// Nothing summarises the points of a node: an inner node is a time, a cut and two children, a leaf
/// of one sample is that sample's identifier in its parent, and only leaves of several samples have
/// a record. The samples of such a leaf are a list threaded through two links per stored sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TessellationTree<D: CutDistribution, L: LabelModel> {
    pub(crate) root: Option<Child>,
    pub(crate) nodes: Pool<NodeId, Node<D::Cut>>,
    pub(crate) leaves: Pool<LeafId, Leaf>,
    pub(crate) links: Links,
    pub(crate) cuts: D,
    pub(crate) labels: L,
    pub(crate) held: usize,
    /// The largest budget so far.
    #[serde(with = "forest_core::infinite_as_null")]
    pub(crate) budget: f64,
    /// Whether it has as many nodes as it may, and so holds no samples.
    pub(crate) full: bool,
    /// Whether the distribution has drawn what it draws once.
    pub(crate) started: bool,
    #[serde(skip)]
    pub(crate) scratch: Scratch,
}

/// Whether two of these samples, one or more, have different targets.
pub(crate) fn targets_differ<T: Task>(ids: &[SampleId], samples: &SampleStore<T>) -> bool {
    let target = samples.target(ids[0]);
    ids.iter().any(|&id| samples.target(id) != target)
}

/// What a tree works with while it changes.
pub(crate) struct Work<'a, D: CutDistribution, L: LabelModel> {
    pub(crate) samples: &'a SampleStore<L::Task>,
    pub(crate) settings: &'a TessellationSettings<D::Settings, L::Settings>,
    pub(crate) rng: &'a mut TreeRng,
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// A tree without samples, for points of `features` numbers.
    pub fn new(features: usize, settings: &D::Settings) -> Self {
        Self {
            root: None,
            nodes: Pool::default(),
            leaves: Pool::default(),
            links: Links::default(),
            cuts: D::new(features, settings),
            labels: L::default(),
            held: 0,
            full: false,
            budget: 0.0,
            started: false,
            scratch: Scratch::default(),
        }
    }

    /// A tree of all samples held, drawn at once from the batch law: one leaf, exposed to `budget`.
    ///
    /// `O(n log n)` for balanced cuts. The online update has the same law; this is its reference.
    pub fn batch(
        samples: &SampleStore<L::Task>,
        settings: &TessellationSettings<D::Settings, L::Settings>,
        budget: f64,
        rng: &mut TreeRng,
    ) -> Self {
        let mut tree = Self::new(samples.width(), &settings.cuts);
        let mut work = Work {
            samples,
            settings,
            rng,
        };
        tree.begin(budget, work.rng);
        let ids: Vec<SampleId> = samples.ids().collect();
        ids.iter().for_each(|&id| tree.links.add(id));
        tree.held = ids.len();
        tree.root = tree.leaf_of(&ids, 0.0, work.labels()).map(Child::from);
        if let Some(Subtree::Leaf(leaf)) = tree.root.map(Child::get) {
            tree.expose(leaf, &mut work);
        }
        tree.drop_samples_if_full(&work);
        tree.survey_if_wanted(work.labels());
        tree
    }

    /// Number of samples held; a [full](Self::is_full) tree holds none.
    pub fn len(&self) -> usize {
        self.held
    }

    /// Whether no sample is held.
    pub fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// The nodes that `x` passes; `None` of a tree without nodes.
    #[inline]
    pub fn path<'a>(&'a self, x: &'a [f32]) -> Option<Path<'a, D>> {
        let root = self.root?;
        Some(Path::new(self.structure(), root, x, self.budget))
    }

    /// The ways of several points; `None` of a tree without nodes.
    fn walks<'a>(&'a self, rows: &'a Rows<'a>) -> Option<Walks<'a, D>> {
        Some(Walks {
            structure: self.structure(),
            root: self.root?,
            end: self.budget,
            rows,
        })
    }

    /// Notes the budget of this moment; the distribution draws what it draws once.
    pub(crate) fn begin(&mut self, budget: f64, rng: &mut TreeRng) {
        self.budget = self.budget.max(budget);
        if !self.started {
            self.cuts.start(rng);
            self.started = true;
        }
    }

    pub(crate) fn set_child(&mut self, parent: Parent, child: Subtree) {
        match parent {
            None => self.root = Some(child.into()),
            Some((node, side)) => self.nodes[node].children[side as usize] = child.into(),
        }
    }

    /// What hangs there.
    pub(crate) fn child_of(&self, parent: Parent) -> Option<Child> {
        match parent {
            None => self.root,
            Some((node, side)) => Some(self.nodes[node].children[side as usize]),
        }
    }

    /// A leaf of these samples, which are in no other: a record if they are several.
    pub(crate) fn leaf_of(
        &mut self,
        ids: &[SampleId],
        birth: f64,
        context: LabelContext<'_, L>,
    ) -> Option<Subtree> {
        match *ids {
            [] => None,
            [alone] => Some(Subtree::Sample(alone)),
            _ => {
                let mixed = targets_differ(ids, context.samples);
                Some(Subtree::Leaf(self.make_leaf(ids, birth, mixed, context)))
            }
        }
    }

    /// A leaf of these samples, two or more, which are in no other; `mixed` says whether their targets
    /// differ.
    pub(crate) fn make_leaf(
        &mut self,
        ids: &[SampleId],
        exposed: f64,
        mixed: bool,
        context: LabelContext<'_, L>,
    ) -> LeafId {
        let leaf = self.record_of(ids, exposed, mixed);
        self.labels.leaf_made(leaf, ids.iter().copied(), context);
        leaf
    }

    /// The record of such a leaf.
    pub(crate) fn record_of(&mut self, ids: &[SampleId], exposed: f64, mixed: bool) -> LeafId {
        let mut first = None;
        ids.iter().for_each(|&id| self.links.push(id, &mut first));
        let first = first.expect("a leaf has samples");
        self.leaves.insert(Leaf {
            exposed,
            center: first,
            radius: f32::INFINITY,
            first,
            points: ids.len() as u32,
            mixed,
        })
    }

    pub(crate) fn remove_leaf(&mut self, leaf: LeafId) {
        self.labels.leaf_removed(leaf);
        self.scratch.boxes.forget(leaf);
        self.leaves.remove(leaf);
    }

    /// Overwrites `accumulator` with the answer at `x`.
    pub(crate) fn predict(
        &self,
        x: &[f32],
        context: &ForestContext<'_, Self>,
        accumulator: &mut [f64],
    ) {
        let labels = LabelContext {
            settings: &context.settings.labels,
            samples: context.samples,
        };
        match self.path(x) {
            Some(path) => self.labels.predict(path, labels, accumulator),
            None => L::Task::prior_prediction(accumulator),
        }
    }
}

impl<D: CutDistribution, L: LabelModel> OnlineTree for TessellationTree<D, L> {
    type Task = L::Task;
    type Settings = TessellationSettings<D::Settings, L::Settings>;
    type Forgets = L::Forgets;

    fn build(_: usize, _: usize, schema: &Schema<L::Task>, settings: &Self::Settings) -> Self {
        Self::new(schema.features(), &settings.cuts)
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        if self.full {
            return self.count(id, &Work::new(context, rng));
        }
        self.begin(context.settings.budget.at(self.held + 1), rng);
        let mut work = Work::new(context, rng);
        self.insert(id, &mut work);
        self.drop_samples_if_full(&work);
        self.survey_if_wanted(work.labels());
    }

    fn look_ahead(
        &mut self,
        ids: impl Iterator<Item = SampleId>,
        context: &ForestContext<'_, Self>,
    ) {
        self.walk_ahead(ids, context.samples);
    }

    fn forget(
        &mut self,
        id: SampleId,
        context: &ForestContext<'_, Self>,
        _: &mut TreeRng,
        proof: L::Forgets,
    ) {
        self.remove(id, context.samples, context.settings, proof);
        self.survey_if_wanted(LabelContext {
            settings: &context.settings.labels,
            samples: context.samples,
        });
    }

    fn vote(
        &self,
        x: &[f32],
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
    ) {
        self.predict(x, context, accumulator);
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let Some(walks) = self.walks(rows) else {
            L::Task::prior_prediction(accumulator);
            let sums = sums.chunks_exact_mut(accumulator.len().max(1));
            return sums.for_each(|sum| accumulate(sum, accumulator));
        };
        let labels = LabelContext {
            settings: &context.settings.labels,
            samples: context.samples,
        };
        self.labels.add_votes(&walks, labels, accumulator, sums);
    }

    fn accumulator_width(outputs: &<L::Task as Task>::Outputs) -> usize {
        L::width(outputs)
    }

    fn answer_width(outputs: &<L::Task as Task>::Outputs) -> usize {
        L::answer_width(outputs)
    }

    fn finish(accumulator: &[f64], trees: usize, answer: &mut [f64]) {
        L::finish(accumulator, trees, answer);
    }

    fn holds_samples(&self) -> bool {
        !self.full
    }

    fn keep(&self, kept: &mut RetentionMask) {
        if !self.full {
            kept.keep_all();
        }
    }

    fn remap(&mut self, names: &IdRemap) {
        if self.full {
            return;
        }
        self.scratch.ahead.clear();
        self.links.remap(names);
        self.remap_children(names);
    }

    fn footprint(&self) -> Footprint {
        let structure = self.nodes.bytes() + self.leaves.bytes() + self.links.bytes();
        Footprint {
            nodes: self.node_count(),
            stored_samples: 0,
            bytes: structure + self.cuts.bytes() + self.labels.bytes() + self.scratch.bytes(),
        }
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(context)
    }
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Number of nodes, leaves of one sample included: a binary tree has one leaf more than inner
    /// nodes.
    pub(crate) fn node_count(&self) -> usize {
        usize::from(self.root.is_some()) * (2 * self.nodes.len() + 1)
    }

    /// Tells the label model of the whole tree, if it wants to know.
    fn survey_if_wanted(&mut self, context: LabelContext<'_, L>) {
        if !self.labels.wants_survey(self.held) {
            return;
        }
        let Some(root) = self.root.map(Child::get) else {
            return;
        };
        let mut nodes: Vec<InnerNode> = self.walk().filter_map(|view| self.inner(view)).collect();
        nodes.reverse();
        self.labels.survey(&nodes, root, context);
    }

    fn inner(&self, view: NodeView<'_, D>) -> Option<InnerNode> {
        let Subtree::Inner(node) = view.subtree() else {
            return None;
        };
        Some(InnerNode {
            node,
            time: self.nodes[node].time,
            children: self.nodes[node].children.map(Child::get),
        })
    }

    fn remap_children(&mut self, names: &IdRemap) {
        let moved = |child: Child| match child.get() {
            Subtree::Sample(id) => Subtree::Sample(names.apply(id)).into(),
            Subtree::Inner(_) | Subtree::Leaf(_) => child,
        };
        self.root = self.root.map(moved);
        let mut waiting: Vec<Child> = self.root.into_iter().collect();
        while let Some(child) = waiting.pop() {
            match child.get() {
                Subtree::Inner(id) => {
                    let node = &mut self.nodes[id];
                    node.children = node.children.map(moved);
                    waiting.extend(node.children);
                }
                Subtree::Leaf(id) => {
                    let leaf = &mut self.leaves[id];
                    leaf.center = names.apply(leaf.center);
                    leaf.first = names.apply(leaf.first);
                }
                Subtree::Sample(_) => {}
            }
        }
    }
}

impl<'a, D: CutDistribution, L: LabelModel> Work<'a, D, L> {
    pub(crate) fn new(
        context: &ForestContext<'a, TessellationTree<D, L>>,
        rng: &'a mut TreeRng,
    ) -> Self {
        Self {
            samples: context.samples,
            settings: context.settings,
            rng,
        }
    }

    pub(crate) fn labels(&self) -> LabelContext<'a, L> {
        LabelContext {
            settings: &self.settings.labels,
            samples: self.samples,
        }
    }
}
