//! The latest rows of the stream: one store, from which the copies of all members are built.

use std::collections::VecDeque;

use forest_core::{InvariantError, Schema, Task};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

/// The latest rows, as they arrived, with their targets; at most `capacity` of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct LatestRows<T: Task> {
    capacity: usize,
    values: VecDeque<f32>,
    targets: VecDeque<T::Target>,
}

impl<T: Task> LatestRows<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        let (values, targets) = (VecDeque::new(), VecDeque::new());
        Self {
            capacity,
            values,
            targets,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Appends rows of `width` values each, and drops the oldest beyond its capacity.
    pub(crate) fn extend(&mut self, values: &[f32], targets: &[T::Target], width: usize) {
        let surplus = (self.len() + targets.len()).saturating_sub(self.capacity);
        let held = surplus.min(self.len());
        self.values.drain(..held * width);
        self.targets.drain(..held);
        let skipped = surplus - held;
        self.values.extend(&values[skipped * width..]);
        self.targets.extend(&targets[skipped..]);
    }

    /// Returns the latest `rows`, oldest first.
    ///
    /// # Panics
    /// Panics if fewer are held.
    pub(crate) fn latest(&self, rows: usize, width: usize) -> (Array2<f32>, Vec<T::Target>) {
        let first = self.len() - rows;
        let values = self.values.range(first * width..).copied().collect();
        let matrix = Array2::from_shape_vec((rows, width), values);
        let targets = self.targets.range(first..).copied().collect();
        (
            matrix.expect("as many values as rows times features"),
            targets,
        )
    }

    pub(crate) fn bytes(&self) -> usize {
        let values = self.values.capacity() * size_of::<f32>();
        values + self.targets.capacity() * size_of::<T::Target>()
    }

    /// Checks that these can be the latest of `seen` rows of a stream that `schema` describes.
    pub(crate) fn check(
        &self,
        schema: &Schema<T>,
        capacity: usize,
        seen: u64,
    ) -> Result<(), InvariantError> {
        let place = "the latest rows";
        let counted = self.capacity == capacity
            && self.len() as u64 == seen.min(capacity as u64)
            && Some(self.values.len()) == self.len().checked_mul(schema.features());
        InvariantError::require(counted, place, "their number is wrong")?;
        let finite = self.values.iter().all(|value| value.is_finite());
        InvariantError::require(finite, place, "a value is not finite")?;
        let outputs = schema.outputs();
        for (row, &target) in self.targets.iter().enumerate() {
            let refused = |error| InvariantError::new("the latest rows", error);
            T::check(&outputs, target, row).map_err(refused)?;
            let known = T::admit(outputs, target) == outputs;
            InvariantError::require(known, place, "a target is not known to the schema")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Regression;

    use super::*;

    #[test]
    fn the_latest_rows_are_kept_however_they_arrive() {
        for batch in [1, 2, 3, 7, 20] {
            let mut store = LatestRows::<Regression>::new(5);
            let all: Vec<f32> = (0..40).map(|value| value as f32).collect();
            let targets: Vec<f64> = (0..20).map(f64::from).collect();
            for start in (0..20).step_by(batch) {
                let end = 20.min(start + batch);
                store.extend(&all[2 * start..2 * end], &targets[start..end], 2);
                assert_eq!(store.len(), end.min(5));
            }
            let (rows, latest) = store.latest(3, 2);
            assert_eq!(rows.into_raw_vec_and_offset().0, all[34..]);
            assert_eq!(latest, targets[17..]);
        }
    }
}
