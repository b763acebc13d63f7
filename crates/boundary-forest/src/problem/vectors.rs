//! Labels are vectors of numbers, compared by their Euclidean distance and averaged cell by cell.

use forest_core::{InvariantError, SettingError};
use serde::{Deserialize, Serialize};

use super::{Averaged, Problem};
use crate::settings::RegressorSettings;

/// Learning vectors of numbers; an answer is their weighted mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorRegression;

/// The shape of a stream of positions with vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorSchema {
    features: usize,
    targets: usize,
}

impl VectorSchema {
    /// A stream of samples with `features` numbers each, labelled with `targets` numbers.
    ///
    /// # Errors
    /// Zero features, or zero targets.
    pub fn new(features: usize, targets: usize) -> Result<Self, SettingError> {
        let schema = Self { features, targets };
        schema.check().map(|()| schema)
    }

    fn check(&self) -> Result<(), SettingError> {
        let counts = [("features", self.features), ("targets", self.targets)];
        match counts.into_iter().find(|(_, count)| *count == 0) {
            Some((name, _)) => Err(SettingError::new(name, "must be at least 1", 0)),
            None => Ok(()),
        }
    }

    /// Number of features of a sample.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Number of cells of a label.
    pub fn targets(&self) -> usize {
        self.targets
    }
}

impl Problem for VectorRegression {
    type Cell = f64;
    type Schema = VectorSchema;
    type Settings = RegressorSettings;

    fn features(schema: &VectorSchema) -> usize {
        schema.features
    }

    fn label_width(schema: &VectorSchema) -> usize {
        schema.targets
    }

    fn check_schema(schema: &VectorSchema) -> Result<(), SettingError> {
        schema.check()
    }

    fn note(_: &mut VectorSchema, _: &[f64]) {}

    fn check_label(_: &VectorSchema, label: &[f64], row: usize) -> Result<(), InvariantError> {
        check_finite(label, row)
    }

    fn differ(settings: &RegressorSettings, x: &[f64], y: &[f64]) -> bool {
        distance(x, y) > settings.epsilon
    }
}

impl Averaged for VectorRegression {
    fn answer_width(schema: &VectorSchema) -> usize {
        schema.targets
    }

    fn accumulator_width(schema: &VectorSchema) -> usize {
        accumulator_width(schema.targets)
    }

    fn put(accumulator: &mut [f64], label: &[f64], weight: f64) {
        put(accumulator, label, weight);
    }

    fn mean(accumulator: &[f64], answer: &mut [f64]) {
        mean(accumulator, answer);
    }

    fn prior_prediction(answer: &mut [f64]) {
        answer.fill(0.0);
    }
}

pub(super) fn check_finite(label: &[f64], row: usize) -> Result<(), InvariantError> {
    let finite = label.iter().all(|cell| cell.is_finite());
    let what = || format!("its label {label:?} is not finite");
    InvariantError::unless(finite, || format!("sample {row}"), what)
}

/// The Euclidean distance, in units of the largest difference: of numbers, exactly the difference.
pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
    let differences = || x.iter().zip(y).map(|(a, b)| (a - b).abs());
    let largest = differences().fold(0.0, f64::max);
    if largest == 0.0 || largest == f64::INFINITY {
        return largest;
    }
    let squares = differences().map(|difference| (difference / largest).powi(2));
    largest * squares.sum::<f64>().sqrt()
}

/// An accumulator holds the sum of weights and, for every cell, the sum of `weight · cell` in two parts.
pub(super) fn accumulator_width(cells: usize) -> usize {
    1 + 2 * cells
}

/// The lower 27 of the 53 binary digits of a number.
const LOWER_DIGITS: u64 = (1 << 27) - 1;

/// In two parts, because a sum of equal numbers is rounded: of halves of their digits it is exact,
/// so trees that agree on a label with equal weights answer that very label.
pub(super) fn put(accumulator: &mut [f64], label: &[f64], weight: f64) {
    accumulator[0] += weight;
    for (parts, cell) in accumulator[1..].chunks_exact_mut(2).zip(label) {
        let coarse = f64::from_bits(cell.to_bits() & !LOWER_DIGITS);
        parts[0] += weight * coarse;
        parts[1] += weight * (cell - coarse);
    }
}

pub(super) fn mean(accumulator: &[f64], answer: &mut [f64]) {
    for (parts, cell) in accumulator[1..].chunks_exact(2).zip(answer) {
        let sum = parts[0] / accumulator[0] + parts[1] / accumulator[0];
        // Rounding may step over the end of the range, which no mean of numbers within it does.
        *cell = sum.clamp(f64::MIN, f64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_with_equal_weights_average_to_themselves() {
        for label in [0.1, -1.0 / 3.0, 1e-200, 12345.678, f64::MAX / 64.0] {
            let mut accumulator = [0.0; 5];
            (0..49).for_each(|_| put(&mut accumulator, &[label, -label], 1.0));
            let mut answer = [0.0; 2];
            mean(&accumulator, &mut answer);
            assert_eq!(answer, [label, -label]);
        }
    }

    #[test]
    fn distances_are_euclidean_without_overflow() {
        assert_eq!(distance(&[0.0, 0.0], &[3.0, -4.0]), 5.0);
        assert_eq!(distance(&[0.3], &[0.1]), (0.3f64 - 0.1).abs());
        assert_eq!(distance(&[1e300, 0.0], &[0.0, 0.0]), 1e300);
        assert_eq!(distance(&[5e-324], &[0.0]), 5e-324);
        assert_eq!(distance(&[f64::MAX], &[f64::MIN]), f64::INFINITY);
    }

    #[test]
    fn a_schema_of_nothing_is_refused_by_name() {
        assert_eq!(VectorSchema::new(0, 1).unwrap_err().parameter, "features");
        assert_eq!(VectorSchema::new(1, 0).unwrap_err().parameter, "targets");
    }
}
