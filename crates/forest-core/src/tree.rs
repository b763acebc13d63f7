//! The trait that the author of an algorithm implements: one tree.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Ability, ExportedTree, FeatureValues, Footprint, IdRemap, InvariantError, RetentionMask, Rows,
    SampleId, SampleStore, Schema, SettingError, Task, TreeRng,
};

/// Whether to continue building. Any thread may call it, often; once it has returned false, it always does.
pub type Proceed<'a> = &'a (dyn Fn() -> bool + Sync);

/// Rows that a tree looks at before it learns them: few enough to stay in cache, enough that many reads overlap.
const LOOK_AHEAD: usize = 16;

/// One tree of a [`Forest`](crate::Forest), independent of the others.
///
/// The forest stores samples once and passes their identifiers to every tree. A tree votes by filling an *accumulator*,
/// a row of numbers whose sum over the trees, in index order, [`finish`](Self::finish) turns into a prediction.
///
/// Authors write [`build`](Self::build), [`learn`](Self::learn), [`vote`](Self::vote), [`footprint`](Self::footprint),
/// [`check`](Self::check) and [`boxed`](Self::boxed). An operation that only trees of some kinds support is a method
/// that does nothing by default; those that support it state so in [`can`](Self::can). Object-safe.
pub trait OnlineTree: Any + Debug + Send + Sync {
    /// Classification or regression.
    type Task: Task;

    /// The settings of all trees of a forest, held once by the forest.
    type Settings: Settings<Self::Task> + Clone + Serialize + DeserializeOwned
    where
        Self: Sized;

    /// Returns tree number `index` of a forest, before its first sample.
    fn build(index: usize, schema: &Schema<Self::Task>, settings: &Self::Settings) -> Self
    where
        Self: Sized;

    /// Returns a copy.
    fn boxed(&self) -> Box<dyn OnlineTree<Task = Self::Task>>;

    /// Returns whether forests of such trees can do this; by default nothing.
    fn can(&self, _ability: Ability) -> bool {
        false
    }

    /// Returns the values of features that trees of this kind accept; numbers alone by default.
    fn feature_values(&self) -> FeatureValues {
        FeatureValues::Numbers
    }

    /// Returns whether this tree reads samples again after it has learned them; by default it does. Once no tree of a
    /// forest does, the forest drops all its samples after each round, whose identifiers trees must not keep.
    fn holds_samples(&self) -> bool {
        true
    }

    /// Learns the stored sample `id`, drawing only from `rng`.
    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self::Task>, rng: &mut TreeRng);

    /// Prepares for these stored samples, which will be learned next in this order; by default nothing.
    fn look_ahead(&mut self, _ids: &[SampleId], _context: &ForestContext<'_, Self::Task>) {}

    /// Learns the first samples, [at once](crate::OnlineLearner::fit_at_once) if trees of this kind can. It returns
    /// early, with an unusable tree, once `proceed` returns false.
    fn learn_first(
        &mut self,
        ids: &[SampleId],
        context: &ForestContext<'_, Self::Task>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        let ids = ids.iter().take_while(|_| proceed());
        ids.for_each(|&id| self.learn(id, context, rng));
    }

    /// Takes out the stored sample `id` that the tree has learned, as if it never had. Its features and target can
    /// still be read. For trees that [can](Ability::Forget).
    fn forget(
        &mut self,
        _id: SampleId,
        _context: &ForestContext<'_, Self::Task>,
        _rng: &mut TreeRng,
    ) {
    }

    /// Adapts to the present targets of these stored samples, each named once with its target before. For trees
    /// that follow when targets change ([`Forest::retarget`](crate::Trees::retarget)).
    fn retarget(
        &mut self,
        _changes: &[(SampleId, <Self::Task as Task>::Target)],
        _context: &ForestContext<'_, Self::Task>,
    ) {
    }

    /// Returns the settings of trees that continue with more `features` ([`widen`](crate::OnlineLearner::widen)): those
    /// that have the same value for each feature have it for those that are new. By default trees cannot continue.
    ///
    /// # Errors
    /// Returns an error if trees with these settings cannot.
    fn widened(
        &self,
        _settings: &Arc<dyn Settings<Self::Task>>,
        features: usize,
    ) -> Result<Arc<dyn Settings<Self::Task>>, SettingError> {
        Err(SettingError::no_more_features(features))
    }

    /// Continues with samples of `features` numbers, more than before; those learned so far have 0 for the new ones.
    fn widen(&mut self, _features: usize, _context: &ForestContext<'_, Self::Task>) {}

    /// Performs deferred work up to `budget` ([`Forest::refine_to`](crate::Trees::refine_to)); by default nothing.
    fn refine_to(
        &mut self,
        _budget: f64,
        _context: &ForestContext<'_, Self::Task>,
        _rng: &mut TreeRng,
    ) {
    }

    /// Overwrites `accumulator` with this tree's vote at the point `x`. Changes nothing.
    fn vote(&self, x: &[f32], context: &ForestContext<'_, Self::Task>, accumulator: &mut [f64]);

    /// Does the same as [`vote`](Self::vote) at the first of these stored samples, which will be learned next in this
    /// order: trees may keep the paths that they find for [`learn`](Self::learn).
    fn vote_ahead(
        &mut self,
        ids: &[SampleId],
        context: &ForestContext<'_, Self::Task>,
        accumulator: &mut [f64],
    ) {
        self.vote(context.samples.features(ids[0]), context, accumulator);
    }

    /// Adds this tree's votes to `sums`, which has an accumulator for each row; `accumulator` is working memory.
    /// By default one [`vote`](OnlineTree::vote) after another.
    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len().max(1);
        for (x, sum) in rows.iter().zip(sums.chunks_exact_mut(width)) {
            self.vote(x, context, accumulator);
            accumulate(sum, accumulator);
        }
    }

    /// Returns the width of an accumulator; by default that of a prediction.
    fn accumulator_width(&self, outputs: &<Self::Task as Task>::Outputs) -> usize {
        Self::Task::width(outputs)
    }

    /// Returns the width of a prediction and what is estimated behind it, such as a variance; by default nothing.
    fn full_width(&self, outputs: &<Self::Task as Task>::Outputs) -> usize {
        Self::Task::width(outputs)
    }

    /// Turns the sum of the accumulators of `trees` trees into a prediction, by default their mean. `prediction` is as
    /// wide as [`full_width`](Self::full_width), or as a prediction if only that is asked for.
    fn finish(&self, accumulator: &[f64], trees: usize, prediction: &mut [f64]) {
        for (cell, sum) in prediction.iter_mut().zip(accumulator) {
            *cell = sum / trees as f64;
        }
    }

    /// Returns the tree as plain data; `None` if trees of this kind are none.
    fn export(&self, _context: &ForestContext<'_, Self::Task>) -> Option<ExportedTree> {
        None
    }

    /// Returns whether both points fall into one leaf, of trees whose leaves [divide space](Ability::Partition).
    fn share_a_leaf(&self, _a: &[f32], _b: &[f32]) -> bool {
        false
    }

    /// Marks the samples that this tree holds, of those that may be dropped; by default none.
    fn keep(&self, _kept: &mut RetentionMask) {}

    /// Follows the new identifiers of the samples it holds, after others were dropped.
    fn remap(&mut self, _remap: &IdRemap) {}

    /// Returns the nodes and bytes of this tree alone.
    fn footprint(&self) -> Footprint;

    /// Checks that the tree's data do not contradict themselves or the store.
    ///
    /// # Errors
    /// Returns what does not hold, and where.
    fn check(&self, context: &ForestContext<'_, Self::Task>) -> Result<(), InvariantError>;

    /// Learns all rows of a round, and forgets those that they replace.
    #[doc(hidden)]
    fn learn_round(&mut self, round: &Round<'_, Self::Task>, rng: &mut TreeRng) {
        let mut context = round.context(0);
        for start in (0..round.ids.len()).step_by(LOOK_AHEAD) {
            let end = round.ids.len().min(start + LOOK_AHEAD);
            context.outputs = round.outputs[start];
            self.look_ahead(&round.ids[start..end], &context);
            for row in start..end {
                self.learn_row(round, row, &mut context, rng);
            }
        }
    }

    /// Votes on each row of a round just before it learns it: fills an accumulator, `width` cells apart, for each.
    #[doc(hidden)]
    fn vote_then_learn_round(
        &mut self,
        round: &Round<'_, Self::Task>,
        rng: &mut TreeRng,
        width: usize,
        votes: &mut [f64],
    ) {
        let mut context = round.context(0);
        for row in 0..round.ids.len() {
            context.outputs = round.outputs[row];
            let cells = self.accumulator_width(&context.outputs);
            let votes = &mut votes[row * width..][..cells];
            self.vote_ahead(&round.ids[row..], &context, votes);
            self.learn_row(round, row, &mut context, rng);
        }
    }

    /// Forgets the sample that a row of a round replaces, and learns the row.
    #[doc(hidden)]
    #[inline]
    fn learn_row<'a>(
        &mut self,
        round: &Round<'a, Self::Task>,
        row: usize,
        context: &mut ForestContext<'a, Self::Task>,
        rng: &mut TreeRng,
    ) {
        context.outputs = round.outputs[row + 1];
        if let Some(id) = round.replaced[row] {
            self.forget(id, context, rng);
        }
        self.learn(round.ids[row], context, rng);
    }
}

/// Adds an accumulator to a sum of accumulators.
#[inline]
pub fn accumulate(sum: &mut [f64], accumulator: &[f64]) {
    for (cell, vote) in sum.iter_mut().zip(accumulator) {
        *cell += vote;
    }
}

/// The data that a tree works with: the settings and samples of its forest, and the outputs known.
#[derive(Clone, Copy, Debug)]
pub struct ForestContext<'a, T: Task> {
    /// The forest's settings, of the trees' own type.
    pub settings: &'a dyn Settings<T>,
    /// The forest's samples.
    pub samples: &'a SampleStore<T>,
    /// The outputs known at this moment of the stream.
    pub outputs: T::Outputs,
}

impl<'a, T: Task> ForestContext<'a, T> {
    /// Returns the forest's settings. Panics if they are of another type.
    #[inline]
    pub fn settings<S: Any>(&self) -> &'a S {
        self.settings.of_type()
    }
}

/// Some rows of a batch, stored for the trees to run through.
#[derive(Debug)]
pub struct Round<'a, T: Task> {
    /// Before the first row.
    pub(crate) context: ForestContext<'a, T>,
    /// The outputs known before each row, and after the last.
    pub(crate) outputs: &'a [T::Outputs],
    /// The sample that is forgotten for each row.
    pub(crate) replaced: &'a [Option<SampleId>],
    /// Where each row is stored.
    pub(crate) ids: &'a [SampleId],
}

impl<'a, T: Task> Round<'a, T> {
    /// Returns the context before row `row`, or after the last.
    pub(crate) fn context(&self, row: usize) -> ForestContext<'a, T> {
        let mut context = self.context;
        context.outputs = self.outputs[row];
        context
    }
}

/// Parameters of an algorithm: plain data with a rule each.
pub trait Settings<T: Task>: Any + Debug + Send + Sync {
    /// Checks every rule, given the shape of the stream.
    ///
    /// # Errors
    /// Returns the first parameter that breaks its rule, with rule and value.
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError>;

    /// Checks that trees with these settings can forget samples, if trees of their kind can; by default they can.
    ///
    /// # Errors
    /// Returns the parameter that rules it out.
    fn check_forgetting(&self) -> Result<(), SettingError> {
        Ok(())
    }
}

impl<T: Task> dyn Settings<T> {
    /// Returns the settings, which are of this type. Panics if they are not.
    #[inline]
    pub fn of_type<S: Any>(&self) -> &S {
        let settings: &dyn Any = self;
        let settings = settings.downcast_ref();
        settings.expect("settings of the trees' own type")
    }
}
