//! The trivial baseline: the class frequencies, or the mean, of all samples seen.

use serde::{Deserialize, Serialize};

use crate::{ByRow, InvariantError, Labels as _, RowLearner, Schema, Task};

/// Predicts the class frequencies, or the mean, of all targets so far.
///
/// Its most probable class is the majority class. `O(1)` per sample.
pub type Prior<T> = ByRow<T, Summary<T>>;

/// The sums of all targets so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Summary<T: Task>(T::Labels);

impl<T: Task> RowLearner<T> for Summary<T> {
    fn learn(&mut self, _: &[f32], target: T::Target, _: u64) {
        self.0.add(target, 1);
    }

    fn predict(&self, _: &[f32], _: u64, prediction: &mut [f64]) {
        self.0.predict(prediction);
    }

    fn bytes(&self, width: usize) -> usize {
        width * size_of::<u64>()
    }

    fn check(&self, seen: u64, schema: &Schema<T>) -> Result<(), InvariantError> {
        let mut prediction = vec![0.0; schema.width()];
        if seen > 0 {
            self.predict(&[], seen, &mut prediction);
        }
        let finite = prediction.iter().all(|value| value.is_finite());
        InvariantError::require(finite, "prior", "a prediction is not finite")
    }
}
