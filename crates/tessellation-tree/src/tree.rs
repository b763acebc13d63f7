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
        let (structure, labels) = (Structure::new(D::new(features, settings)), L::default());
        Self { structure, labels }
    }

    /// Creates a tree of all samples held, drawn at once from the batch distribution: one leaf, exposed to `budget`.
    ///
    /// `O(n log n)` for balanced cuts. The online update has the same distribution; this is its reference.
    pub fn batch(
        samples: &SampleStore<L::Task>,
        settings: &TessellationSettings,
        budget: f64,
        rng: &mut TreeRng,
    ) -> Self {
        let mut tree = Self::new(samples.width(), &settings.cuts);
        tree.structure.budget = budget.max(0.0);
        let labels = Context {
            settings: &settings.labels,
            samples,
        };
        let mut work = Work::new(samples, settings, rng);
        let ids: Vec<SampleId> = samples.ids().collect();
        ids.iter().for_each(|&id| tree.structure.hold(id));
        if !ids.is_empty() {
            let root = tree.structure.leaf_of(&ids, 0.0, &work);
            tree.structure.set_child(None, root);
            if let Subtree::Leaf(leaf) = root {
                tree.labels.leaf_made(leaf, &ids, labels);
                let top = tree.structure.draw_cuts(leaf, &[], &mut work);
                tree.divided(leaf, top, &[], labels);
            }
        }
        tree.changed(labels, &work);
        tree
    }

    /// Inserts the sample `id`, which the tree does not hold; a full tree counts it in the statistics on its path.
    fn insert(&mut self, id: SampleId, labels: Context<'_, L::Task>, work: &mut Work<'_>) {
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
            self.labels.joined(&steps, Joined::Leaf(leaf), id, labels);
        } else {
            let insertion = self.structure.insert(id, &mut steps, leaf, work);
            if let (Some(first), Joined::Leaf(leaf)) = (insertion.made_of, insertion.end) {
                // `joined` is for the second sample, as it is for a leaf that was there before.
                self.labels.leaf_made(leaf, &[first], labels);
            }
            // Those above the change: the sample joins their points.
            let passed = &steps[..insertion.level];
            self.labels.joined(passed, insertion.end, id, labels);
            if let Some(leaf) = insertion.to_expose {
                let top = self.structure.expose(leaf, &steps, work);
                self.divided(leaf, top, &steps, labels);
            }
            self.structure.shorten_routes(&steps[..insertion.level]);
        }
        self.structure.scratch.steps = steps;
    }

    /// Informs the label model that the leaf below these steps was divided, if there is a node of all its points.
    fn divided(
        &mut self,
        leaf: LeafId,
        top: Option<NodeId>,
        steps: &[Step],
        context: Context<'_, L::Task>,
    ) {
        let Some(top) = top else {
            return;
        };
        let (structure, labels) = (&mut self.structure, &mut self.labels);
        // First, so that its statistics make room for those of the leaves below.
        labels.removed(Subtree::Leaf(leaf));
        let mut ids = std::mem::take(&mut structure.scratch.ids);
        let made = &structure.scratch.made;
        for made in made {
            if let Subtree::Leaf(leaf) = made.subtree {
                labels.leaf_made(leaf, &ids[made.ids.clone()], context);
            }
        }
        // After the leaves and from below: a node's statistics are made of its children's.
        for made in made.iter().rev() {
            if let Subtree::Inner(node) = made.subtree {
                let samples = &mut ids[made.ids.clone()];
                labels.node_made(structure.inner(node), samples, made.left, context);
            }
        }
        structure.scratch.ids = ids;
        labels.leaf_cut(steps, top, context);
    }

    /// Ends a change: a tree without room becomes full, and then the label model may look at the whole tree.
    fn changed(&mut self, labels: Context<'_, L::Task>, work: &Work<'_>) {
        self.drop_samples_if_full(labels, work);
        let structure = &self.structure;
        if !structure.full {
            let (held, root) = (structure.held, structure.root.map(Child::get));
            self.labels
                .survey(held, || structure.inner_nodes(), root, labels);
        }
    }

    fn drop_samples_if_full(&mut self, labels: Context<'_, L::Task>, work: &Work<'_>) {
        let structure = &mut self.structure;
        if structure.full || structure.root.is_none() || structure.has_room(work.settings) {
            return;
        }
        for (leaf, id) in structure.drop_samples() {
            self.labels.leaf_made(leaf, &[id], labels);
        }
    }

    /// Exposes every leaf to the budget of the tree.
    fn expose_all(&mut self, labels: Context<'_, L::Task>, work: &mut Work<'_>) {
        self.structure.scratch.ahead.clear();
        let mut steps: Vec<Step> = Vec::new();
        // Subtrees to be visited, each with the number of inner nodes above it and the last step there.
        let root = self.structure.root.map(|root| (0, None, root.get()));
        let mut waiting: Vec<(usize, Option<Step>, Subtree)> = root.into_iter().collect();
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
                    self.divided(leaf, top, &steps, labels);
                }
                Subtree::Sample(_) => {}
            }
        }
        self.drop_samples_if_full(labels, work);
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

    /// Calls `work` with the path of `x`; `None` for a tree without nodes. Panics if `work` asks for another path.
    pub fn with_path<R>(&self, x: &[f32], work: impl FnOnce(&Path<'_>) -> R) -> Option<R> {
        self.structure.with_path(x, work)
    }
}

/// Returns the settings, which are looked up once for all that follows, and what the label model works with.
fn settings_of<'a, T: Task>(
    context: &ForestContext<'a, T>,
) -> (&'a TessellationSettings, Context<'a, T>) {
    let all: &TessellationSettings = context.settings();
    let (settings, samples) = (&all.labels, context.samples);
    (all, Context { settings, samples })
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

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, L::Task>, rng: &mut TreeRng) {
        let (settings, labels) = settings_of(context);
        let mut work = Work::new(context.samples, settings, rng);
        if !self.is_full() {
            let budget = settings.budget.at(self.structure.held + 1);
            self.structure.budget = self.structure.budget.max(budget);
        }
        self.insert(id, labels, &mut work);
        self.changed(labels, &work);
    }

    fn look_ahead(&mut self, ids: &[SampleId], context: &ForestContext<'_, L::Task>) {
        let (samples, labels) = (context.samples, &self.labels);
        let passed = |node| labels.prefetch(node);
        let found = |id| samples.prefetch_target(id);
        self.structure
            .walk_ahead(ids, samples.points(), passed, found);
    }

    /// Costs a walk, and a pass over the other points of its leaf or, if
    /// they may not be cut any more, over those of the node that becomes a leaf.
    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, L::Task>, rng: &mut TreeRng) {
        let ((settings, labels), model) = (settings_of(context), &mut self.labels);
        let work = Work::new(context.samples, settings, rng);
        let structure = &mut self.structure;
        let mut steps = std::mem::take(&mut structure.scratch.steps);
        let Some(leaf) = structure.descend(work.points.features(id), &mut steps) else {
            return;
        };
        match structure.take_out(id, &mut steps, leaf, &work) {
            Rest::Several(leaf) if model.leaf_left(leaf, id, labels) => {}
            Rest::Several(leaf) => {
                let mut rest = std::mem::take(&mut structure.scratch.ids);
                rest.clear();
                rest.extend(structure.listed(Subtree::Leaf(leaf)));
                model.removed(Subtree::Leaf(leaf));
                model.leaf_made(leaf, &rest, labels);
                structure.scratch.ids = rest;
            }
            Rest::Removed(subtree) => model.removed(subtree),
            Rest::Empty => {}
        }
        if let Some(leaf) = structure.collapse(&mut steps, &work) {
            structure
                .scratch
                .removed
                .iter()
                .for_each(|&removed| model.removed(removed));
            if let Subtree::Leaf(leaf) = leaf {
                model.leaf_made(leaf, &structure.scratch.ids, labels);
            }
        }
        if let Some(below) = structure.child_of(parent_below(&steps)) {
            model.path_left(&steps, below, id, labels);
        }
        structure.shorten_routes(&steps);
        structure.scratch.steps = steps;
        self.changed(labels, &work);
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
    fn refine_to(&mut self, budget: f64, context: &ForestContext<'_, L::Task>, rng: &mut TreeRng) {
        if !self.is_full() {
            let (settings, labels) = settings_of(context);
            let of_samples = settings.budget.at(self.len().max(1));
            self.structure.budget = self.structure.budget.max(budget).max(of_samples);
            let mut work = Work::new(context.samples, settings, rng);
            self.expose_all(labels, &mut work);
        }
    }

    fn vote(&self, x: &[f32], context: &ForestContext<'_, L::Task>, accumulator: &mut [f64]) {
        let (_, labels) = settings_of(context);
        let predicted = self.with_path(x, |path| self.labels.predict(path, labels, accumulator));
        if predicted.is_none() {
            L::Task::prior_prediction(accumulator);
        }
    }

    /// Keeps the route for [`learn`](OnlineTree::learn).
    fn vote_ahead(
        &mut self,
        ids: &[SampleId],
        context: &ForestContext<'_, L::Task>,
        accumulator: &mut [f64],
    ) {
        let (x, (_, labels)) = (context.samples.features(ids[0]), settings_of(context));
        if self.structure.scratch.ahead.next(ids[0]).is_none() {
            self.look_ahead(ids, context);
        }
        let Self {
            structure,
            labels: model,
        } = self;
        let predict = |path: &Path<'_>| model.predict(path, labels, accumulator);
        if structure.with_route(ids[0], x, predict).is_none() {
            L::Task::prior_prediction(accumulator);
        }
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, L::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let structure = &self.structure;
        if structure.root.is_some() {
            let walks = Walks { structure, rows };
            let (_, labels) = settings_of(context);
            return self.labels.add_votes(&walks, labels, accumulator, sums);
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

    fn check(&self, context: &ForestContext<'_, L::Task>) -> Result<(), InvariantError> {
        self.check_against(context)
    }

    fn export(&self, context: &ForestContext<'_, L::Task>) -> Option<ExportedTree> {
        Some(self.exported(context))
    }

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        self.leaf_at(a) == self.leaf_at(b)
    }
}
