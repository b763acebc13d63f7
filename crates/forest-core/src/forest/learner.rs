//! The forest as a learner.

use ndarray::ArrayView2;

use super::Forest;
use crate::{
    Batch, CheckedBatch, CheckedRows, FeatureValues, Footprint, ImplementLearner, InputError,
    InvariantError, LearnWeighted, OnlineTree, PredictionRows, Proceed, Retention, SampleStore,
    SampleWeight, Schema, Supports, Task, TreeRng, Weights, threads,
};

/// Rows that are learned before samples that are not needed are dropped: a batch of any length takes
/// little memory beside the forest.
const ROWS_PER_ROUND: usize = 4096;

impl<T: OnlineTree> Forest<T> {
    fn learn_batch(&mut self, batch: &Batch<'_, T::Task>) {
        self.rounds(batch, ROWS_PER_ROUND, |round, trees| {
            let units = round.rows() * trees.len();
            threads::each(trees, units, |seeded| round.learn_all(seeded));
        });
    }
}

impl<T: OnlineTree + Supports<Weights>> Forest<T> {
    /// Learns the first rows, with a weight each if there are any, every tree by [`OnlineTree::learn_first`]; `None`, and nothing changes, if they
    /// are not the first or not all samples are retained. Once `proceed` returns false, the forest is left unchanged.
    ///
    /// # Errors
    /// Rows, targets or weights that are refused; then nothing changes.
    pub fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<T::Task as Task>::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        let is_first = self.seen == 0 && self.retention == Retention::Everything;
        is_first.then(|| {
            let batch = CheckedBatch::for_learner(self, features, targets)?;
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

    fn build_at_once(&mut self, batch: &Batch<'_, T::Task>, proceed: Proceed<'_>) {
        // A forest that retains everything takes all rows in one round.
        self.rounds(batch, batch.len(), |round, trees| {
            let units = round.rows() * trees.len();
            threads::each(trees, units, |seeded| round.learn_first(seeded, proceed));
        });
    }
}

impl<T: OnlineTree + Supports<Weights>> LearnWeighted for Forest<T> {
    fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<T::Task as Task>::Target],
        weights: &[f64],
    ) -> Result<(), InputError> {
        let batch = CheckedBatch::for_learner(self, features, targets)?;
        let weights = SampleWeight::for_rows(batch.len(), weights)?;
        self.learn_batch(&batch.weighted(&weights));
        Ok(())
    }
}

impl<T: OnlineTree> ImplementLearner for Forest<T> {
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

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.learn_batch(&batch);
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, predictions: &mut [f64]) {
        self.predict_rows(&rows, self.schema.width(), predictions);
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        self.predict_rows_then_learn(&batch, T::Task::width)
    }
}
