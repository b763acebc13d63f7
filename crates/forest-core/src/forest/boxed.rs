//! Trees and settings whose types the forest does not know: written once, for every kind of tree.

use std::any::Any;

use super::rounds::Round;
use crate::{
    Ability, ExportedTree, FeatureValues, Footprint, ForestContext, IdRemap, InvariantError,
    OnlineTree, Proceed, RetentionMask, Rows, SampleId, SampleStore, Schema, SettingError,
    Settings, Task, TreeRng,
};

/// Rows that a tree looks at before it learns them: few enough that what it has read is still in cache, enough
/// that many reads of memory overlap.
const LOOK_AHEAD: usize = 16;

/// A tree of any kind, with a call for a round of rows.
pub(super) trait Tree<T: Task>: Send + Sync {
    /// Learns all rows of a round, and forgets those that they replace.
    fn learn(&mut self, round: &Round<'_, T>, rng: &mut TreeRng);

    /// Learns all rows, which are its first, at once.
    fn learn_first(&mut self, round: &Round<'_, T>, rng: &mut TreeRng, proceed: Proceed<'_>);

    /// Votes on each row of a round just before it learns it: fills an accumulator, `width` cells apart, for each.
    fn vote_then_learn(
        &mut self,
        round: &Round<'_, T>,
        rng: &mut TreeRng,
        width: usize,
        votes: &mut [f64],
    );

    /// As [`OnlineTree::add_votes`].
    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &Context<'_, T>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    );

    /// Changes the tree otherwise.
    fn change(&mut self, change: &Change<'_, T>, context: &Context<'_, T>, rng: &mut TreeRng);

    fn holds_samples(&self) -> bool;

    fn keep(&self, kept: &mut RetentionMask);

    fn footprint(&self) -> Footprint;

    fn check(&self, context: &Context<'_, T>) -> Result<(), InvariantError>;

    fn export(&self, context: &Context<'_, T>) -> Option<ExportedTree>;

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool;

    fn as_any(&self) -> &dyn Any;

    fn boxed(&self) -> Box<dyn Tree<T>>;
}

/// A tree and its random stream.
pub(super) struct Seeded<T: Task> {
    pub(super) tree: Box<dyn Tree<T>>,
    pub(super) rng: TreeRng,
}

impl<T: Task> Clone for Seeded<T> {
    fn clone(&self) -> Self {
        let (tree, rng) = (self.tree.boxed(), self.rng.clone());
        Self { tree, rng }
    }
}

/// What changes a tree besides rows that it learns; see the methods of [`OnlineTree`].
pub(super) enum Change<'a, T: Task> {
    Forget(&'a [SampleId]),
    Retarget(&'a [(SampleId, T::Target)]),
    Refine(f64),
    Widen(usize),
    Remap(&'a IdRemap),
}

/// What holds for all trees of a kind, and their settings; see [`OnlineTree`].
pub(super) struct Kind<T: Task> {
    pub(super) can: fn(Ability) -> bool,
    pub(super) holds_samples: bool,
    pub(super) feature_values: FeatureValues,
    pub(super) accumulator_width: fn(&T::Outputs) -> usize,
    pub(super) full_width: fn(&T::Outputs) -> usize,
    /// Turns a sum of accumulators of a number of trees into a prediction.
    pub(super) finish: fn(&[f64], usize, &mut [f64]),
    pub(super) settings: Box<dyn AnySettings<T>>,
}

impl<T: Task> Kind<T> {
    pub(super) fn of<K: OnlineTree<Task = T>>(settings: K::Settings) -> Self {
        Self {
            can: K::can,
            holds_samples: K::HOLDS_SAMPLES,
            feature_values: K::FEATURE_VALUES,
            accumulator_width: K::accumulator_width,
            full_width: K::full_width,
            finish: K::finish,
            settings: Box::new(SettingsOf::<K>(settings)),
        }
    }
}

impl<T: Task> Clone for Kind<T> {
    fn clone(&self) -> Self {
        let settings = self.settings.boxed();
        Self { settings, ..*self }
    }
}

/// Settings of trees of any kind.
pub(super) trait AnySettings<T: Task>: Send + Sync {
    fn any(&self) -> &dyn Any;

    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError>;

    fn check_forgetting(&self) -> Result<(), SettingError>;

    /// Continues with the features of `schema`.
    fn widen(&mut self, schema: &Schema<T>) -> Result<(), SettingError>;

    fn equal(&self, other: &dyn AnySettings<T>) -> bool;

    fn boxed(&self) -> Box<dyn AnySettings<T>>;
}

/// What trees work with, whatever their kind.
pub(super) struct Context<'a, T: Task> {
    pub(super) settings: &'a dyn AnySettings<T>,
    pub(super) samples: &'a SampleStore<T>,
    pub(super) outputs: T::Outputs,
}

impl<'a, T: Task> Context<'a, T> {
    pub(super) fn settings<K: OnlineTree<Task = T>>(&self) -> &'a K::Settings {
        self.settings
            .any()
            .downcast_ref()
            .expect("settings of the trees' kind")
    }

    pub(super) fn of<K: OnlineTree<Task = T>>(&self) -> ForestContext<'a, K> {
        ForestContext {
            settings: self.settings::<K>(),
            samples: self.samples,
            outputs: self.outputs,
        }
    }
}

impl<K: OnlineTree> Tree<K::Task> for K {
    fn learn(&mut self, round: &Round<'_, K::Task>, rng: &mut TreeRng) {
        let mut context = round.context(0).of::<K>();
        for start in (0..round.rows()).step_by(LOOK_AHEAD) {
            let rows = start..round.rows().min(start + LOOK_AHEAD);
            context.outputs = round.outputs(start);
            self.look_ahead(round.ids[rows.clone()].iter().copied(), &context);
            for row in rows {
                learn_row(self, round, row, &mut context, rng);
            }
        }
    }

    fn learn_first(&mut self, round: &Round<'_, K::Task>, rng: &mut TreeRng, proceed: Proceed<'_>) {
        if proceed() {
            let context = round.context(round.rows()).of::<K>();
            OnlineTree::learn_first(self, round.ids.iter().copied(), &context, rng, proceed);
        }
    }

    fn vote_then_learn(
        &mut self,
        round: &Round<'_, K::Task>,
        rng: &mut TreeRng,
        width: usize,
        votes: &mut [f64],
    ) {
        let mut context = round.context(0).of::<K>();
        for (row, features) in round.batch.rows().iter().enumerate() {
            context.outputs = round.outputs(row);
            let cells = K::accumulator_width(&context.outputs);
            self.vote(features, &context, &mut votes[row * width..][..cells]);
            learn_row(self, round, row, &mut context, rng);
        }
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &Context<'_, K::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        OnlineTree::add_votes(self, rows, &context.of(), accumulator, sums);
    }

    fn change(
        &mut self,
        change: &Change<'_, K::Task>,
        context: &Context<'_, K::Task>,
        rng: &mut TreeRng,
    ) {
        let context = &context.of::<K>();
        match *change {
            Change::Forget(ids) => {
                for &id in ids {
                    self.forget(id, context, rng);
                }
            }
            Change::Retarget(changes) => self.retarget(changes, context),
            Change::Refine(budget) => self.refine_to(budget, context, rng),
            Change::Widen(features) => self.widen(features, context),
            Change::Remap(names) => self.remap(names),
        }
    }

    fn holds_samples(&self) -> bool {
        OnlineTree::holds_samples(self)
    }

    fn keep(&self, kept: &mut RetentionMask) {
        OnlineTree::keep(self, kept);
    }

    fn footprint(&self) -> Footprint {
        OnlineTree::footprint(self)
    }

    fn check(&self, context: &Context<'_, K::Task>) -> Result<(), InvariantError> {
        OnlineTree::check(self, &context.of())
    }

    fn export(&self, context: &Context<'_, K::Task>) -> Option<ExportedTree> {
        OnlineTree::export(self, &context.of())
    }

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        OnlineTree::share_a_leaf(self, a, b)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed(&self) -> Box<dyn Tree<K::Task>> {
        Box::new(self.clone())
    }
}

/// A tree forgets the sample that row `row` replaces, and learns the row.
#[inline]
fn learn_row<K: OnlineTree>(
    tree: &mut K,
    round: &Round<'_, K::Task>,
    row: usize,
    context: &mut ForestContext<'_, K>,
    rng: &mut TreeRng,
) {
    context.outputs = round.outputs(row + 1);
    if let Some(id) = round.replaced[row] {
        tree.forget(id, context, rng);
    }
    OnlineTree::learn(tree, round.ids[row], context, rng);
}

/// The settings of trees of one kind.
struct SettingsOf<K: OnlineTree>(K::Settings);

impl<K: OnlineTree> AnySettings<K::Task> for SettingsOf<K> {
    fn any(&self) -> &dyn Any {
        &self.0
    }

    fn check(&self, schema: &Schema<K::Task>) -> Result<(), SettingError> {
        self.0.check(schema)
    }

    fn check_forgetting(&self) -> Result<(), SettingError> {
        self.0.check_forgetting()
    }

    fn widen(&mut self, schema: &Schema<K::Task>) -> Result<(), SettingError> {
        let mut settings = self.0.clone();
        K::widen_settings(&mut settings, schema.features())?;
        settings.check(schema)?;
        self.0 = settings;
        Ok(())
    }

    fn equal(&self, other: &dyn AnySettings<K::Task>) -> bool {
        other.any().downcast_ref() == Some(&self.0)
    }

    fn boxed(&self) -> Box<dyn AnySettings<K::Task>> {
        Box::new(Self(self.0.clone()))
    }
}
