//! The tree: a structure, and a label model beside it that is informed of each step of a change.

#[cfg(test)]
mod chain;

mod view;

use std::sync::Arc;

use forest_core::{
    Ability, ExportedTree, Footprint, ForestContext, IdRemap, InvariantError, OnlineTree,
    RetentionMask, Rows, SampleId, SampleStore, Schema, SettingError, Task, TreeRng, accumulate,
};
use serde::{Deserialize, Serialize};

use crate::forget::Rest;
use crate::structure::Structure;
use crate::structure::node::{Child, LeafId, NodeId, Step, parent_below};
use crate::structure::work::{Scratch, Work};
use crate::{
    Context, CutDistribution, CutSettings, Joined, LabelModel, Path, Side, Subtree,
    TessellationSettings, Walks,
};

pub use view::NodeView;

/// One online tessellation tree with distribution of cuts `D` and label model `L`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TessellationTree<D: CutDistribution, L: LabelModel> {
    pub(crate) structure: Structure<D>,
    pub(crate) labels: L,
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Creates a tree without samples, for points of `features` numbers.
    pub fn new(features: usize, settings: &CutSettings) -> Self {
        const {
            assert!(
                D::AXIS_ALIGNED || !L::AXIS_ALIGNED,
                "its labels need axis-aligned cuts"
            );
        };
        Self {
            structure: Structure::new(D::new(features, settings)),
            labels: L::default(),
        }
    }

    /// Creates a tree of all samples held, drawn at once from the batch distribution: one leaf, exposed to `budget`.
    ///
    /// Costs `O(n log n)` for balanced cuts. The online update has the same distribution; this is its reference.
    pub fn batch(
        samples: &SampleStore<L::Task>,
        settings: &TessellationSettings,
        budget: f64,
        rng: &mut TreeRng,
    ) -> Self {
        let mut tree = Self::new(samples.width(), &settings.cuts);
        tree.structure.budget = budget.max(0.0);
        let context = Context::new(settings, samples);
        let mut work = Work::new(samples, settings, rng);
        let ids: Vec<SampleId> = samples.ids().collect();
        ids.iter().for_each(|&id| tree.structure.hold(id));
        if !ids.is_empty() {
            let root = tree.structure.leaf_of(&ids, 0.0, &work);
            tree.structure.set_child(None, root);
            if let Subtree::Leaf(leaf) = root {
                tree.labels.leaf_made(leaf, &ids, context);
                let top = tree.structure.draw_cuts(leaf, &[], &mut work);
                tree.report_cut(leaf, top, &[], context);
            }
        }
        tree.changed(context, &work);
        tree
    }

    /// Inserts the sample `id`, which the tree does not hold; a full tree counts it in the statistics on its path.
    fn insert(&mut self, id: SampleId, context: Context<'_, L::Task>, work: &mut Work<'_>) {
        let mut steps = std::mem::take(&mut self.structure.scratch.steps);
        if !self.structure.full {
            self.structure.hold(id);
        }
        let x = work.points.features(id);
        let Some(leaf) = self.structure.descend_to_learn(id, x, &mut steps) else {
            return self.structure.set_child(None, Subtree::Sample(id));
        };
        if self.structure.full {
            let Subtree::Leaf(leaf) = leaf else {
                unreachable!("each leaf of a full tree has a record");
            };
            let points = &mut self.structure.leaves[leaf.index()].points;
            *points = points.saturating_add(1);
            self.labels.joined(&steps, Joined::Leaf(leaf), id, context);
        } else {
            let end = self.structure.insert(id, &mut steps, leaf, work);
            if let Subtree::Sample(first) = leaf
                && let Joined::Leaf(made) = end
            {
                // `joined` is for the second sample, as it is for a leaf that was there before.
                self.labels.leaf_made(made, &[first], context);
            }
            let (level, to_expose) = match end {
                Joined::Leaf(leaf) => (steps.len(), Some(leaf)),
                // It may have been exposed to a smaller budget. The last step is past the new parent.
                Joined::Alone {
                    sibling: Subtree::Leaf(leaf),
                    ..
                } => (steps.len() - 1, Some(leaf)),
                Joined::Alone { .. } => (steps.len(), None),
            };
            self.labels.joined(&steps[..level], end, id, context);
            if let Some(leaf) = to_expose {
                let top = self.structure.expose(leaf, &steps, work);
                self.report_cut(leaf, top, &steps, context);
            }
            self.structure.shorten_routes(&steps[..level]);
        }
        self.structure.scratch.steps = steps;
    }

    /// Informs the label model that the leaf below these steps was cut, if there is a node `top` in its place.
    fn report_cut(
        &mut self,
        leaf: LeafId,
        top: Option<NodeId>,
        steps: &[Step],
        context: Context<'_, L::Task>,
    ) {
        let Some(top) = top else {
            return;
        };
        // First, so that its statistics make room for those of the leaves below.
        self.labels.removed(Subtree::Leaf(leaf));
        let mut ids = std::mem::take(&mut self.structure.scratch.ids);
        for made in &self.structure.scratch.made {
            if let Subtree::Leaf(leaf) = made.subtree {
                let samples = &ids[made.ids.clone()];
                self.labels.leaf_made(leaf, samples, context);
            }
        }
        // After the leaves and from below: a node's statistics are made of its children's.
        for made in self.structure.scratch.made.iter().rev() {
            if let Subtree::Inner(node) = made.subtree {
                let samples = &mut ids[made.ids.clone()];
                let node = self.structure.inner(node);
                self.labels.node_made(node, samples, made.left, context);
            }
        }
        self.structure.scratch.ids = ids;
        self.labels.leaf_cut(steps, top, context);
    }

    /// Ends a change: a tree without room becomes full, and then the label model may look at the whole tree.
    fn changed(&mut self, context: Context<'_, L::Task>, work: &Work<'_>) {
        self.drop_samples_if_full(context, work);
        let structure = &self.structure;
        if !structure.full {
            let root = structure.root.map(Child::get);
            let nodes = || structure.inner_nodes();
            self.labels.survey(structure.held, nodes, root, context);
        }
    }

    fn drop_samples_if_full(&mut self, context: Context<'_, L::Task>, work: &Work<'_>) {
        let structure = &mut self.structure;
        if structure.full || structure.root.is_none() || structure.has_room(work.settings) {
            return;
        }
        for (leaf, id) in structure.drop_samples() {
            self.labels.leaf_made(leaf, &[id], context);
        }
    }

    /// Exposes every leaf to the budget of the tree.
    fn expose_all(&mut self, context: Context<'_, L::Task>, work: &mut Work<'_>) {
        self.structure.scratch.ahead.clear();
        let mut steps: Vec<Step> = Vec::new();
        // Subtrees to be visited, each with the number of inner nodes above it and the last step there.
        let mut waiting: Vec<(usize, Option<Step>, Subtree)> = Vec::new();
        waiting.extend(self.structure.root.map(|root| (0, None, root.get())));
        while let Some((depth, last, subtree)) = waiting.pop() {
            // Back to the steps above the parent.
            steps.truncate(depth - usize::from(last.is_some()));
            steps.extend(last);
            match subtree {
                Subtree::Inner(id) => {
                    // Left comes from the stack first: the order of draws is part of what a seed stands for.
                    for side in [Side::Right, Side::Left] {
                        let node = self.structure.node(id);
                        waiting.push((depth + 1, Some(node.step(id, side)), node.child(side)));
                    }
                }
                Subtree::Leaf(leaf) => {
                    let top = self.structure.expose(leaf, &steps, work);
                    self.report_cut(leaf, top, &steps, context);
                }
                Subtree::Sample(_) => {}
            }
        }
        self.drop_samples_if_full(context, work);
    }

    /// Returns the number of samples held; a [full](Self::is_full) tree holds none.
    pub fn len(&self) -> usize {
        self.structure.held
    }

    /// Returns whether no sample is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether it has [as many nodes as it may](TessellationSettings::max_nodes) and so holds no samples.
    pub fn is_full(&self) -> bool {
        self.structure.full
    }

    /// Calls `work` with the path of `x`; returns `None` for a tree without nodes.
    ///
    /// # Panics
    /// Panics if `work` asks for another path.
    pub fn with_path<R>(&self, x: &[f32], work: impl FnOnce(&Path<'_>) -> R) -> Option<R> {
        self.structure.with_path(x, work)
    }
}

impl<'a, T: Task> Context<'a, T> {
    fn new(settings: &'a TessellationSettings, samples: &'a SampleStore<T>) -> Self {
        Self {
            settings: &settings.labels,
            samples,
        }
    }
}

impl<D: CutDistribution, L: LabelModel> OnlineTree for TessellationTree<D, L> {
    type Task = L::Task;
    type Settings = TessellationSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = L::Task>> {
        Box::new(self.clone())
    }

    fn can(&self, ability: Ability) -> bool {
        let outputs = <L::Task as Task>::Outputs::default();
        match ability {
            Ability::Explain | Ability::Partition => true,
            Ability::Forget => L::FORGETS,
            Ability::Weights => L::TAKES_WEIGHTS,
            Ability::Intervals => L::widths(&outputs)[1] > L::Task::width(&outputs),
            Ability::AtOnce => false,
        }
    }

    fn build(_: usize, schema: &Schema<L::Task>, settings: &Self::Settings) -> Self {
        Self::new(schema.features(), &settings.cuts)
    }

    fn learn(&mut self, id: SampleId, forest: &ForestContext<'_, L::Task>, rng: &mut TreeRng) {
        let settings: &TessellationSettings = forest.settings();
        let context = Context::new(settings, forest.samples);
        let mut work = Work::new(forest.samples, settings, rng);
        if !self.is_full() {
            let budget = settings.budget.at(self.structure.held + 1);
            self.structure.budget = self.structure.budget.max(budget);
        }
        self.insert(id, context, &mut work);
        self.changed(context, &work);
    }

    fn look_ahead(&mut self, ids: &[SampleId], forest: &ForestContext<'_, L::Task>) {
        let passed = |node| self.labels.prefetch(node);
        let found = |id| forest.samples.prefetch_target(id);
        self.structure
            .walk_ahead(ids, forest.samples.points(), passed, found);
    }

    /// Costs a walk, and a pass over the other points of its leaf or, if
    /// they may not be cut any more, over those of the node that becomes a leaf.
    fn forget(&mut self, id: SampleId, forest: &ForestContext<'_, L::Task>, rng: &mut TreeRng) {
        let settings: &TessellationSettings = forest.settings();
        let context = Context::new(settings, forest.samples);
        let work = Work::new(forest.samples, settings, rng);
        let Self { structure, labels } = self;
        let mut steps = std::mem::take(&mut structure.scratch.steps);
        let Some(leaf) = structure.descend(work.points.features(id), &mut steps) else {
            return;
        };
        match structure.take_out(id, &mut steps, leaf, &work) {
            Rest::Several(leaf) if labels.leaf_left(leaf, id, context) => {}
            Rest::Several(leaf) => {
                let mut rest = std::mem::take(&mut structure.scratch.ids);
                rest.clear();
                rest.extend(structure.listed(Subtree::Leaf(leaf)));
                labels.removed(Subtree::Leaf(leaf));
                labels.leaf_made(leaf, &rest, context);
                structure.scratch.ids = rest;
            }
            Rest::Removed(subtree) => labels.removed(subtree),
            Rest::Empty => {}
        }
        if let Some(leaf) = structure.collapse(&mut steps, &work) {
            for &removed in &structure.scratch.removed {
                labels.removed(removed);
            }
            if let Subtree::Leaf(leaf) = leaf {
                labels.leaf_made(leaf, &structure.scratch.ids, context);
            }
        }
        if let Some(below) = structure.child_of(parent_below(&steps)) {
            labels.path_left(&steps, below, id, context);
        }
        structure.shorten_routes(&steps);
        structure.scratch.steps = steps;
        self.changed(context, &work);
    }

    fn widened(
        &self,
        settings: &Arc<dyn forest_core::Settings<L::Task>>,
        features: usize,
    ) -> Result<Arc<dyn forest_core::Settings<L::Task>>, SettingError> {
        let mut settings = settings.of_type::<TessellationSettings>().clone();
        D::widen_settings(&mut settings.cuts, features)?;
        Ok(Arc::new(settings))
    }

    fn widen(&mut self, features: usize, _: &ForestContext<'_, L::Task>) {
        self.structure.cuts.widen(features);
        self.structure.scratch = Scratch::default();
        self.labels.widen(features);
    }

    /// Exposes every leaf to `budget`, or to that of the samples held or of the tree if one of these is larger.
    ///
    /// With an increasing budget, leaves that no sample has visited lately stand at an older budget; after this the
    /// tree has the batch distribution at the new one. A [full](Self::is_full) tree stays as it is, and so do leaves
    /// whose points stay together ([`Update::NewPointOnly`](crate::Update::NewPointOnly)).
    fn refine_to(&mut self, budget: f64, forest: &ForestContext<'_, L::Task>, rng: &mut TreeRng) {
        if !self.is_full() {
            let settings: &TessellationSettings = forest.settings();
            let of_samples = settings.budget.at(self.len().max(1));
            self.structure.budget = self.structure.budget.max(budget).max(of_samples);
            let mut work = Work::new(forest.samples, settings, rng);
            self.expose_all(Context::new(settings, forest.samples), &mut work);
        }
    }

    fn vote(&self, x: &[f32], forest: &ForestContext<'_, L::Task>, accumulator: &mut [f64]) {
        let context = Context::new(forest.settings(), forest.samples);
        let predict = |path: &Path<'_>| self.labels.predict(path, context, accumulator);
        if self.with_path(x, predict).is_none() {
            L::Task::prior_prediction(accumulator);
        }
    }

    /// Keeps the route for [`learn`](OnlineTree::learn).
    fn vote_ahead(
        &mut self,
        ids: &[SampleId],
        forest: &ForestContext<'_, L::Task>,
        accumulator: &mut [f64],
    ) {
        let id = ids[0];
        if self.structure.scratch.ahead.next(id).is_none() {
            self.look_ahead(ids, forest);
        }
        let context = Context::new(forest.settings(), forest.samples);
        let x = forest.samples.features(id);
        let predict = |path: &Path<'_>| self.labels.predict(path, context, accumulator);
        if self.structure.with_route(id, x, predict).is_none() {
            L::Task::prior_prediction(accumulator);
        }
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        forest: &ForestContext<'_, L::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let structure = &self.structure;
        if structure.root.is_some() {
            let walks = Walks { structure, rows };
            let context = Context::new(forest.settings(), forest.samples);
            return self.labels.add_votes(&walks, context, accumulator, sums);
        }
        L::Task::prior_prediction(accumulator);
        for sum in sums.chunks_exact_mut(accumulator.len().max(1)) {
            accumulate(sum, accumulator);
        }
    }

    fn accumulator_width(&self, outputs: &<L::Task as Task>::Outputs) -> usize {
        L::widths(outputs)[0]
    }

    fn full_width(&self, outputs: &<L::Task as Task>::Outputs) -> usize {
        L::widths(outputs)[1]
    }

    fn finish(&self, accumulator: &[f64], trees: usize, prediction: &mut [f64]) {
        L::finish(accumulator, trees, prediction);
    }

    fn holds_samples(&self) -> bool {
        !self.is_full()
    }

    fn keep(&self, kept: &mut RetentionMask) {
        if !self.is_full() {
            kept.keep_all();
        }
    }

    fn remap(&mut self, names: &IdRemap) {
        if !self.is_full() {
            self.structure.remap(names);
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            nodes: self.structure.node_count(),
            stored_samples: 0,
            bytes: self.structure.bytes() + self.labels.bytes(),
        }
    }

    fn check(&self, forest: &ForestContext<'_, L::Task>) -> Result<(), InvariantError> {
        self.check_against(forest)
    }

    fn export(&self, forest: &ForestContext<'_, L::Task>) -> Option<ExportedTree> {
        Some(self.exported(forest))
    }

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        self.leaf_at(a) == self.leaf_at(b)
    }
}
