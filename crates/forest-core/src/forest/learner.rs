//! The forest as a learner.

use std::any::Any;

use ndarray::ArrayView2;

use super::Forest;
use crate::registry::{Capabilities, Partition};
use crate::{
    Batch, FeatureValues, Footprint, ForgetError, InputError, InvariantError, JoinError, NotHeld,
    OnlineLearner, OnlineTree, PredictionRows, Proceed, Retention, Rows, SampleStore, SampleWeight,
    Schema, SettingError, Settings as _, Shard, Task, TreeRng, threads,
};

/// Rows that are learned before samples that are not needed are dropped: a batch of any length takes
/// little memory beside the forest.
const ROWS_PER_ROUND: usize = 4096;

impl<T: OnlineTree> Forest<T> {
    fn build_at_once(&mut self, batch: &Batch<'_, T::Task>, proceed: Proceed<'_>) {
        // A forest that retains everything takes all rows in one round.
        self.rounds(batch, batch.len(), |round, trees| {
            let units = round.rows() * trees.len();
            threads::each(trees, units, |seeded| round.learn_first(seeded, proceed));
        });
    }
}

impl<T: OnlineTree> OnlineLearner for Forest<T> {
    type Task = T::Task;

    fn schema(&self) -> &Schema<T::Task> {
        &self.schema
    }

    fn feature_values(&self) -> FeatureValues {
        T::FEATURE_VALUES
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let trees: Footprint = self.trees().map(OnlineTree::footprint).sum();
        let streams = self.trees.len() * size_of::<TreeRng>();
        let own = Footprint {
            nodes: 0,
            stored_samples: self.samples.len(),
            bytes: self.samples.bytes() + streams,
        };
        trees + own
    }

    fn has_learned(&self) -> bool {
        self.seen > 0 && !self.has_forgotten_all()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        if rows <= self.samples.room() {
            return Ok(());
        }
        let (stored, limit) = (self.samples.slots(), SampleStore::<T::Task>::LIMIT);
        Err(InputError::StoreFull {
            rows,
            stored,
            limit,
        })
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_frame()?;
        let (context, units) = (self.context(), self.samples.len() * self.trees.len());
        let mut checks: Vec<_> = self.trees().map(|tree| (tree, Ok(()))).collect();
        threads::each(&mut checks, units, |(tree, found)| {
            *found = tree.check(&context);
        });
        for (index, (_, found)) in checks.into_iter().enumerate() {
            found.map_err(|error: InvariantError| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            })?;
        }
        Ok(())
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T::Task>) {
        self.rounds(batch, ROWS_PER_ROUND, |round, trees| {
            let units = round.rows() * trees.len();
            threads::each(trees, units, |seeded| round.learn_all(seeded));
        });
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.fill_rows(rows, self.schema.width(), predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T::Task>) -> PredictionRows {
        self.predict_rows_then_learn(batch, T::Task::width)
    }

    fn predict_full_then_learn_batch(&mut self, batch: &Batch<'_, T::Task>) -> PredictionRows {
        self.predict_rows_then_learn(batch, T::full_width)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        T::capabilities(self)
    }

    fn as_partition_mut(&mut self) -> Option<&mut dyn Partition> {
        T::as_partition_mut(self)
    }

    fn as_shard(&self) -> Option<&dyn Shard<Task = T::Task>> {
        Some(self)
    }

    fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = T::Task>> {
        Some(self)
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    fn join(&mut self, next: Box<dyn Any>) -> Result<(), JoinError> {
        let next = next.downcast::<Self>();
        Self::join(self, *next.map_err(|_| JoinError::Different("algorithms"))?)
    }

    fn check_forgetting(&self) -> Result<(), ForgetError> {
        T::forgetting().ok_or(ForgetError::Impossible)?;
        Ok(self.settings.check_forgetting()?)
    }

    fn forget(&mut self, arrival: u64) -> Result<(), ForgetError> {
        self.check_forgetting()?;
        let id = self.samples.find(arrival).ok_or(NotHeld {
            arrival,
            seen: self.seen,
            held: self.samples.len(),
        })?;
        self.forget_all(&[id]);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), ForgetError> {
        self.check_forgetting()?;
        let some = SettingError::require(n > 0, "n", "must be at least 1", n);
        some.map_err(ForgetError::Latest)?;
        self.retention = Retention::Latest(n);
        let excess = self.samples.len().saturating_sub(n);
        let gone: Vec<_> = self.samples.ids().take(excess).collect();
        self.forget_all(&gone);
        Ok(())
    }

    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        T::widen_forest(self, features)
    }

    fn takes_weights(&self) -> bool {
        T::TAKES_WEIGHTS
    }

    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<T::Task as Task>::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        let is_first = self.seen == 0 && self.retention == Retention::Everything;
        (is_first && T::FITS_AT_ONCE).then(|| {
            let batch = Batch::for_learner(self, features, targets)?;
            let weights = weights.map(|weights| SampleWeight::for_rows(batch.len(), weights));
            let weights = weights.transpose()?.unwrap_or_default();
            let empty = self.clone();
            self.build_at_once(&batch.weighted(&weights), proceed);
            if !proceed() {
                *self = empty;
            }
            Ok(())
        })
    }
}
