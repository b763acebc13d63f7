//! A learner held by name.

use forest_core::{
    Footprint, Forget, ForgetError, HardVote, InputError, InvariantError, JoinError, LearnWeighted,
    OnlineLearner, PredictionRows, Proceed, Schema, Shard, Task, Widen,
};
use ndarray::ArrayView2;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::algorithm::Row;
use crate::snapshot::{Payload, Snapshot};
use crate::{
    Algorithm, Capabilities, Capable, ErasedLearner, Explain, IntervalLearner, Intervals, Kind,
    Mixture, NamedTask, Partition, PlanarForest, Refine, Selector,
};

/// Any learner of task `T` that the table of algorithms knows: what [`Algorithm::build`] makes.
///
/// It learns and answers like the learner inside, with one dynamic call per batch. What only some
/// learners can do is there as an `Option`; what only one has is reached by its type.
///
/// Serialised, it is its label and its payload in a snapshot, so it can be part of a larger structure.
#[derive(Debug)]
pub struct AnyLearner<T: Task> {
    /// The row that it was built from.
    row: Row,
    /// What chose its kind among those of the row.
    selectors: Vec<Selector>,
    held: Box<dyn ErasedLearner<T>>,
}

impl<T: NamedTask> AnyLearner<T> {
    pub(crate) fn new(row: Row, kind: &Kind<T>, held: Box<dyn ErasedLearner<T>>) -> Self {
        Self {
            row,
            selectors: kind.selectors.clone(),
            held,
        }
    }

    pub(crate) fn held(&self) -> &dyn ErasedLearner<T> {
        &*self.held
    }

    /// The algorithm that it was built from, every parameter stated as the learner's settings have it. Built again with the
    /// same schema, trees and seed, it gives the same learner.
    pub fn algorithm(&self) -> Algorithm {
        let mut kinds = self.row.entry.kinds::<T>().into_iter();
        let kind = kinds.find(|kind| kind.selectors == self.selectors);
        let kind = kind.expect("a row has always the same kinds");
        Algorithm::new(self.row, kind.stated(self.held()))
    }

    /// Number of trees; 0 for a baseline, which has none.
    pub fn trees(&self) -> usize {
        self.held.trees()
    }

    /// The learner inside, if it is of type `L`.
    pub fn downcast_ref<L: 'static>(&self) -> Option<&L> {
        self.held.as_any().downcast_ref()
    }

    /// What it can do besides learning and predicting, all at once.
    pub fn capabilities(&self) -> Capabilities<'_> {
        self.held.capabilities()
    }

    /// Votes of whole trees; no regressor and no baseline has them.
    pub fn as_hard_vote(&self) -> Option<&dyn HardVote> {
        self.held.capabilities().hard_vote
    }

    /// Who shares a leaf, and the work done; tessellation forests tell.
    pub fn as_partition(&self) -> Option<&dyn Partition> {
        self.held.capabilities().partition
    }

    /// Trees as data, paths in words and importance of features; tessellation forests have them.
    pub fn as_explain(&self) -> Option<&dyn Explain> {
        self.held.capabilities().explain
    }

    /// Trees as pictures; tessellation forests over two features have them.
    pub fn as_planar(&self) -> Option<&dyn PlanarForest> {
        self.held.capabilities().planar
    }

    /// Variances and intervals; regressors with the hierarchical Gaussian have them, and `conformal`.
    pub fn as_intervals(&self) -> Option<&dyn Intervals> {
        self.held.capabilities().intervals
    }

    /// What each member of a mixture weighs; `adaptive` tells.
    pub fn as_mixture(&self) -> Option<&dyn Mixture> {
        self.held.capabilities().mixture
    }

    /// Some of the trees of a forest, or all of them; forests of independent trees are that.
    pub fn as_shard(&self) -> Option<&dyn Shard<Task = T>> {
        self.held.as_shard()
    }

    /// The same, to learn.
    pub fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = T>> {
        self.held.as_shard_mut()
    }

    /// Takes the trees of the shard that follows this one ([`Forest::join`](forest_core::Forest::join)).
    ///
    /// # Errors
    /// Learners that are no shards, or none of the same forest; then nothing changes.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.held.join(next.held.into_any())
    }

    /// Forgetting samples; tessellation forests and dynamic forests can.
    ///
    /// # Errors
    /// Why this one cannot, with its name.
    pub fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T>, ForgetError> {
        if let Some(reason) = self.held.as_forget_mut().err() {
            let (algorithm, reason) = (self.row.entry.name.to_owned(), Box::new(reason));
            return Err(ForgetError::Named { algorithm, reason });
        }
        self.held.as_forget_mut()
    }

    /// Learns the first rows all at once, if the learner can: see [`Capable::fit_at_once`].
    ///
    /// # Errors
    /// Rows, targets or weights that are refused; then nothing changes.
    pub fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        self.held.fit_at_once(features, targets, weights, proceed)
    }

    /// Learning samples with weights; tessellation forests can, unless their labels are hierarchical.
    pub fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = T>> {
        self.held.as_weighted_mut()
    }

    /// Means and variances just before samples are learned; regressors with the hierarchical Gaussian tell.
    pub fn as_interval_learner_mut(&mut self) -> Option<&mut dyn IntervalLearner> {
        self.held.as_interval_learner_mut()
    }

    /// Bringing every leaf up to a growing budget; tessellation forests can.
    pub fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
        self.held.as_refine_mut()
    }

    /// Going on with samples of more features; Mondrian forests can.
    pub fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = T>> {
        self.held.as_widen_mut()
    }
}

/// What the learner inside can do.
impl<T: NamedTask> Capable for AnyLearner<T> {
    fn capabilities(&self) -> Capabilities<'_> {
        self.held.capabilities()
    }

    fn as_shard(&self) -> Option<&dyn Shard<Task = T>> {
        self.held.as_shard()
    }

    fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = T>> {
        self.held.as_shard_mut()
    }

    fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T>, ForgetError> {
        self.as_forget_mut()
    }

    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        self.held.fit_at_once(features, targets, weights, proceed)
    }

    fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = T>> {
        self.held.as_weighted_mut()
    }

    fn as_interval_learner_mut(&mut self) -> Option<&mut dyn IntervalLearner> {
        self.held.as_interval_learner_mut()
    }

    fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
        self.held.as_refine_mut()
    }

    fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = T>> {
        self.held.as_widen_mut()
    }
}

impl<T: Task> Clone for AnyLearner<T> {
    fn clone(&self) -> Self {
        Self {
            row: self.row,
            selectors: self.selectors.clone(),
            held: self.held.boxed_clone(),
        }
    }
}

impl<T: NamedTask> OnlineLearner for AnyLearner<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        self.held.schema()
    }

    fn samples_seen(&self) -> u64 {
        self.held.samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.held.has_learned()
    }

    fn footprint(&self) -> Footprint {
        self.held.footprint()
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.held.check_invariants()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.held.check_room(rows)
    }

    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.held.learn(features, targets)
    }

    fn predict_into(
        &self,
        features: ArrayView2<'_, f32>,
        answers: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        self.held.predict_into(features, answers)
    }

    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        self.held.predict_then_learn(features, targets)
    }
}

impl<T: NamedTask> Serialize for AnyLearner<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let payload = self.encode().map_err(ser::Error::custom)?;
        (self.label(), payload).serialize(serializer)
    }
}

impl<'de, T: NamedTask> Deserialize<'de> for AnyLearner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (label, payload) = <(String, Vec<u8>)>::deserialize(deserializer)?;
        Self::decode(&label, &mut Payload::of(&payload)).map_err(de::Error::custom)
    }
}
