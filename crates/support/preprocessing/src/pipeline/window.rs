//! The first rows of a stream, held back until the steps can be fitted on them.

use forest_core::{InvariantError, OnlineLearner, PredictionRows, Prior, Schema, Task};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

/// The reason why the baseline accepts the rows.
const SOUND: &str = "the pipeline has checked it against the same schema";

/// Rows and targets held back, and the baseline that predicts meanwhile.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Window<T: Task> {
    /// The number of rows to wait for, at least 1.
    wanted: usize,
    /// The values, row after row.
    values: Vec<f32>,
    targets: Vec<T::Target>,
    prior: Prior<T>,
}

impl<T: Task> Window<T> {
    pub(super) fn new(wanted: usize, schema: Schema<T>) -> Self {
        Self {
            wanted,
            values: Vec::new(),
            targets: Vec::new(),
            prior: Prior::new(schema),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns the number of rows still to wait for.
    pub(super) fn room(&self) -> usize {
        self.wanted - self.len()
    }

    /// Holds back rows that fit, and predicts each before it is taken.
    pub(super) fn take(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> PredictionRows {
        self.values.extend(rows);
        self.targets.extend(targets);
        let predictions = self.prior.predict_then_learn(rows, targets);
        predictions.expect(SOUND)
    }

    pub(super) fn predict(&self, rows: ArrayView2<'_, f32>) -> Array2<f64> {
        self.prior.predict(rows).expect(SOUND)
    }

    /// Returns the rows and their targets.
    pub(super) fn into_samples(self) -> (Array2<f32>, Vec<T::Target>) {
        let shape = (self.targets.len(), self.prior.schema().features());
        let rows = Array2::from_shape_vec(shape, self.values);
        (
            rows.expect("as many values as rows times features"),
            self.targets,
        )
    }

    pub(super) fn bytes(&self) -> usize {
        let targets = self.targets.capacity() * size_of::<T::Target>();
        self.values.capacity() * size_of::<f32>() + targets + self.prior.footprint().bytes
    }

    /// Checks that a pipeline of this schema, whose learner knows `outputs`, could hold this window.
    pub(super) fn check(
        &self,
        schema: &Schema<T>,
        outputs: T::Outputs,
    ) -> Result<(), InvariantError> {
        self.prior.check_invariants()?;
        let place = "the rows to fit on";
        let fits = self.len() < self.wanted
            && self.prior.samples_seen() == self.len() as u64
            && self.prior.schema().features() == schema.features()
            && self.prior.schema().outputs() == schema.outputs()
            && Some(self.values.len()) == self.len().checked_mul(schema.features())
            && self.values.iter().all(|value| value.is_finite());
        InvariantError::require(fits, place, "counts or values do not agree")?;
        let mut known = outputs;
        for (row, &target) in self.targets.iter().enumerate() {
            let wrong = |error| InvariantError::new("the rows to fit on", error);
            T::check(&outputs, target, row).map_err(wrong)?;
            known = T::admit(known, target);
        }
        let same = known == schema.outputs();
        InvariantError::require(same, place, "their targets do not explain the schema")
    }
}
