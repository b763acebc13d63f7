//! What an algorithm writes: one tree.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Ability, ExportedTree, FeatureValues, Footprint, IdRemap, InvariantError, RetentionMask, Rows,
    SampleId, SampleStore, Schema, SettingError, Task, TreeRng,
};

/// Whether to continue building. Any thread may call it, often; once it has returned false, it always does.
pub type Proceed<'a> = &'a (dyn Fn() -> bool + Sync);

/// One tree of a [`Forest`](crate::Forest), independent of the others.
///
/// A tree never sees raw input: the forest checks a batch, stores its samples once, and passes
/// their identifiers to every tree. A tree votes by filling an *accumulator*, a row of numbers that the forest adds up
/// over its trees in index order and [`OnlineTree::finish`] turns into a prediction.
///
/// What only trees of some kinds can do is a method that does nothing by default; those that can say so in [`can`](OnlineTree::can).
/// The forest itself holds trees of any kind in boxes, and calls each once for a round of rows.
pub trait OnlineTree: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// Classification or regression.
    type Task: Task;

    /// The settings of all trees of a forest, held once by the forest.
    type Settings: Settings<Self::Task>;

    /// Whether the tree reads samples again after it has learned them; by default it does.
    const HOLDS_SAMPLES: bool = true;

    /// The values of features that trees of this kind take; numbers alone by default.
    const FEATURE_VALUES: FeatureValues = FeatureValues::Numbers;

    /// Returns whether forests of such trees can do this; by default nothing.
    fn can(ability: Ability) -> bool {
        let _ = ability;
        false
    }

    /// Returns tree number `index` of a forest, before its first sample.
    fn build(index: usize, schema: &Schema<Self::Task>, settings: &Self::Settings) -> Self;

    /// Learns the stored sample `id`, drawing only from `rng`. A tree that
    /// [holds none](OnlineTree::HOLDS_SAMPLES) must not read the sample again: it may be dropped at once.
    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng);

    /// Prepares for these stored samples, which will be learned next in this order; by default nothing. What is
    /// learned does not depend on it.
    fn look_ahead(
        &mut self,
        ids: impl Iterator<Item = SampleId>,
        context: &ForestContext<'_, Self>,
    ) {
        let _ = (ids, context);
    }

    /// Learns the first samples of a tree that has none, all at once if trees of this kind can ([`fit_at_once`](crate::OnlineLearner::fit_at_once)); by default one after another.
    /// It returns early, with an unusable tree, once `proceed` returns false.
    fn learn_first(
        &mut self,
        ids: impl Iterator<Item = SampleId> + Clone,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        ids.take_while(|_| proceed())
            .for_each(|id| self.learn(id, context, rng));
    }

    /// Takes out the stored sample `id` that the tree has learned, as if it never had. Its features and target can still be read. For trees that
    /// [can](Ability::Forget).
    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let _ = (id, context, rng);
    }

    /// Takes the targets of these stored samples, each of which is there once, in place of those that are given, which were theirs before. For trees
    /// that follow when targets change ([`Forest::retarget`](crate::Trees::retarget)).
    fn retarget(
        &mut self,
        changes: &[(SampleId, <Self::Task as Task>::Target)],
        context: &ForestContext<'_, Self>,
    ) {
        let _ = (changes, context);
    }

    /// Makes settings those of trees that continue with more `features` ([`widen`](crate::OnlineLearner::widen)): those that have the same value for each feature
    /// get it for those that are new. By default trees cannot continue.
    ///
    /// Trees can whose distribution does not depend on a feature that does not vary, or that can be built of their samples again.
    ///
    /// # Errors
    /// Trees that cannot, with these settings.
    fn widen_settings(settings: &mut Self::Settings, features: usize) -> Result<(), SettingError> {
        let _ = settings;
        Err(SettingError::no_more_features(features))
    }

    /// From now on samples have `features` numbers, more than before; those learned so far have 0 for the new ones.
    fn widen(&mut self, features: usize, context: &ForestContext<'_, Self>) {
        let _ = (features, context);
    }

    /// Does what the tree has put off, up to `budget` ([`Forest::refine_to`](crate::Trees::refine_to)); by default nothing is put off.
    fn refine_to(&mut self, budget: f64, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let _ = (budget, context, rng);
    }

    /// Overwrites `accumulator` with this tree's vote at `features`. Changes nothing.
    fn vote(&self, features: &[f32], context: &ForestContext<'_, Self>, accumulator: &mut [f64]);

    /// Adds this tree's votes to `sums`, which has an accumulator for each row; `accumulator` may be used on the
    /// way. By default one [`vote`](OnlineTree::vote) after another: trees that vote on several rows faster
    /// together add the same numbers.
    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        let width = accumulator.len().max(1);
        for (features, sum) in rows.iter().zip(sums.chunks_exact_mut(width)) {
            self.vote(features, context, accumulator);
            accumulate(sum, accumulator);
        }
    }

    /// Returns the width of an accumulator; by default that of a prediction.
    fn accumulator_width(outputs: &<Self::Task as Task>::Outputs) -> usize {
        Self::Task::width(outputs)
    }

    /// Returns the width of a full prediction: the prediction, followed by whatever else the trees estimate, such as a variance; by
    /// default a prediction alone.
    fn full_width(outputs: &<Self::Task as Task>::Outputs) -> usize {
        Self::Task::width(outputs)
    }

    /// Turns the sum of the accumulators of `trees` trees into a prediction, by default their mean. `prediction` is
    /// as wide as [`OnlineTree::full_width`] says, or as a prediction if only that is asked for.
    fn finish(accumulator: &[f64], trees: usize, prediction: &mut [f64]) {
        for (cell, sum) in prediction.iter_mut().zip(accumulator) {
            *cell = sum / trees as f64;
        }
    }

    /// Returns the tree as plain data; `None` if trees of this kind are none.
    fn export(&self, context: &ForestContext<'_, Self>) -> Option<ExportedTree> {
        let _ = context;
        None
    }

    /// Returns whether both points fall into one leaf, of trees whose leaves [divide space](Ability::Partition).
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        let _ = (a, b);
        false
    }

    /// Returns whether this tree holds samples at this moment; by default it does. Not called for a tree whose kind
    /// [holds none](OnlineTree::HOLDS_SAMPLES).
    ///
    /// Once no tree of a forest holds any, the forest drops all its samples. A tree that has let its samples go
    /// must not read them again, nor hold on to their identifiers.
    fn holds_samples(&self) -> bool {
        true
    }

    /// Marks the samples that this tree holds, of those that may be dropped; by default none. Not asked of
    /// a tree that holds none, nor where the forest's [`Retention`](crate::Retention) decides.
    fn keep(&self, kept: &mut RetentionMask) {
        let _ = kept;
    }

    /// Follows the new identifiers of the samples it holds, after others were dropped.
    fn remap(&mut self, names: &IdRemap) {
        let _ = names;
    }

    /// Returns the nodes and bytes of this tree alone.
    fn footprint(&self) -> Footprint;

    /// Checks that the tree's data do not contradict themselves or the store.
    ///
    /// # Errors
    /// What does not hold, and where.
    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError>;
}

/// Adds an accumulator to a sum of accumulators.
#[inline]
pub fn accumulate(sum: &mut [f64], accumulator: &[f64]) {
    for (cell, vote) in sum.iter_mut().zip(accumulator) {
        *cell += vote;
    }
}

/// What a tree works with: the settings and samples of its forest, and what is known of the outputs.
///
/// A forest makes it for its own trees; tests of single trees make it themselves.
#[derive(Debug)]
pub struct ForestContext<'a, T: OnlineTree> {
    /// The forest's settings.
    pub settings: &'a T::Settings,
    /// The forest's samples.
    pub samples: &'a SampleStore<T::Task>,
    /// The outputs known at this moment of the stream.
    pub outputs: <T::Task as Task>::Outputs,
}

/// Parameters of an algorithm: plain data with a rule each.
pub trait Settings<T: Task>:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Checks every rule, given the shape of the stream.
    ///
    /// # Errors
    /// The first parameter that breaks its rule, with rule and value.
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError>;

    /// Whether trees with these settings can forget samples, if trees of their kind can; by default they can.
    ///
    /// A forest asks before it forgets a sample, and before it is built with a window.
    ///
    /// # Errors
    /// The parameter that rules it out.
    fn check_forgetting(&self) -> Result<(), SettingError> {
        Ok(())
    }
}
