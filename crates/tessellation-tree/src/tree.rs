//! The tree: a structure, and a label model beside it.

#[cfg(test)]
mod chain;
mod check;
mod explain;
mod introspection;
use forest_core::{
    Ability, DrawnNode, ExportedTree, Footprint, ForestContext, IdRemap, InvariantError,
    OnlineTree, Point, RetentionMask, Rows, SampleId, SampleStore, Schema, SettingError, Task,
    TreeRng, accumulate,
};
use serde::{Deserialize, Serialize};

use crate::change::work::Memory;
use crate::structure::Structure;
use crate::{
    CutDistribution, LabelContext, LabelModel, Path, Subtree, TessellationSettings, Walks,
};

pub use introspection::{Cut, NodeView};

/// One online tessellation tree with distribution of cuts `D` and label model `L`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TessellationTree<D: CutDistribution, L: LabelModel> {
    pub(crate) structure: Structure<D>,
    pub(crate) labels: L,
    #[serde(skip)]
    pub(crate) memory: Memory,
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Creates a tree without samples, for points of `features` numbers.
    pub fn new(features: usize, settings: &D::Settings) -> Self {
        Self {
            structure: Structure::new(D::new(features, settings)),
            labels: L::default(),
            memory: Memory::default(),
        }
    }

    /// Creates a tree of all samples held, drawn at once from the batch distribution: one leaf, exposed to `budget`.
    ///
    /// `O(n log n)` for balanced cuts. The online update has the same distribution; this is its reference.
    pub fn batch(
        samples: &SampleStore<L::Task>,
        settings: &TessellationSettings<D::Settings, L::Settings>,
        budget: f64,
        rng: &mut TreeRng,
    ) -> Self {
        let mut tree = Self::new(samples.width(), &settings.cuts);
        tree.structure.begin(budget);
        let ids: Vec<SampleId> = samples.ids().collect();
        let mut change = tree.change(samples, settings, rng);
        change.draw(&ids);
        change.drop_samples_if_full();
        change.survey();
        tree
    }

    /// Returns the number of samples held; a [full](Self::is_full) tree holds none.
    pub fn len(&self) -> usize {
        self.structure.held
    }

    /// Returns whether no sample is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the tree has as many nodes as [`TessellationSettings::max_nodes`] allows. It then holds no
    /// samples: each leaf has its statistics alone.
    pub fn is_full(&self) -> bool {
        self.structure.full
    }

    /// Returns the nodes that `x` passes; `None` for a tree without nodes.
    #[inline]
    pub fn path<'a>(&'a self, x: &'a [f32]) -> Option<Path<'a, D>> {
        self.structure.path(x)
    }

    /// Returns the ways of several points; `None` for a tree without nodes.
    fn walks<'a>(&'a self, rows: &'a Rows<'a>) -> Option<Walks<'a, D>> {
        Some(Walks {
            structure: self.structure.view(),
            root: self.structure.root?,
            end: self.structure.budget,
            rows,
        })
    }

    /// Overwrites `accumulator` with the prediction at `x`.
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

    fn can(ability: Ability) -> bool {
        let outputs = <L::Task as Task>::Outputs::default();
        match ability {
            Ability::Explain | Ability::Partition => true,
            Ability::Forget => L::FORGETS,
            Ability::Weights => L::TAKES_WEIGHTS,
            Ability::Intervals => L::full_width(&outputs) > L::Task::width(&outputs),
            Ability::AtOnce => false,
        }
    }

    fn build(_: usize, schema: &Schema<L::Task>, settings: &Self::Settings) -> Self {
        Self::new(schema.features(), &settings.cuts)
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        if self.structure.full {
            return self
                .change(context.samples, context.settings, rng)
                .count(id);
        }
        let budget = context.settings.budget.at(self.structure.held + 1);
        self.structure.begin(budget);
        let mut change = self.change(context.samples, context.settings, rng);
        change.insert(id);
        change.drop_samples_if_full();
        change.survey();
    }

    fn look_ahead(
        &mut self,
        ids: impl Iterator<Item = SampleId>,
        context: &ForestContext<'_, Self>,
    ) {
        self.structure.walk_ahead(ids, context.samples.points());
        let routes = &self.structure.cache.ahead;
        for leaf in routes.leaves() {
            // It is compared with the new target.
            if let Subtree::Sample(id) = leaf {
                context.samples.prefetch_target(id);
            }
        }
        self.labels.look_ahead(routes.nodes());
    }

    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let mut change = self.change(context.samples, context.settings, rng);
        change.remove(id);
        change.survey();
    }

    fn widen_settings(settings: &mut Self::Settings, features: usize) -> Result<(), SettingError> {
        D::widen_settings(&mut settings.cuts, features)
    }

    fn widen(&mut self, features: usize, _: &ForestContext<'_, Self>) {
        self.structure.cuts.widen(features);
        self.structure.cache.clear();
        self.labels.widen(features);
    }

    /// Exposes every leaf to `budget`, or to that of the samples held or of the tree if one of these is larger.
    fn refine_to(&mut self, budget: f64, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let of_samples = context.settings.budget.at(self.len().max(1));
        let budget = budget.max(of_samples).max(self.structure.budget);
        self.refine(budget, context, rng);
    }

    fn vote(&self, x: &[f32], context: &ForestContext<'_, Self>, accumulator: &mut [f64]) {
        self.predict(x, context, accumulator);
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self>,
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

    fn full_width(outputs: &<L::Task as Task>::Outputs) -> usize {
        L::full_width(outputs)
    }

    fn finish(accumulator: &[f64], trees: usize, prediction: &mut [f64]) {
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
            bytes: self.structure.bytes() + self.labels.bytes() + self.memory.bytes(),
        }
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(context)
    }

    fn export(&self, context: &ForestContext<'_, Self>) -> Option<ExportedTree> {
        Some(self.exported(context))
    }

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        self.leaf_at(a) == self.leaf_at(b)
    }

    fn drawn_nodes(&self, window: &[Point], samples: &SampleStore<L::Task>) -> Vec<DrawnNode> {
        self.drawn(window, samples)
    }
}
