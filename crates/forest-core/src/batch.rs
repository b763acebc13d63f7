//! Rows and targets that have been checked.

use std::borrow::Cow;
use std::ops::Range;

use ndarray::{ArrayView1, ArrayView2, Axis};

use crate::sample_weight::PerRow;
use crate::{FeatureValues, InputError, SampleWeight, Schema, Task};

/// Returns a row as a matrix.
pub(crate) fn one_row(features: &[f32]) -> ArrayView2<'_, f32> {
    ArrayView1::from(features).insert_axis(Axis(0))
}

/// Feature rows that are known to be of the right width, with values that a learner takes, row-major.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    values: Cow<'a, [f32]>,
    width: usize,
}

impl<'a> Rows<'a> {
    /// Checks a matrix of finite numbers, one sample a row, of `width` features, 1 or more. Copies it only if its rows
    /// are not contiguous.
    ///
    /// # Errors
    /// Returns an error if the width is not `width`, or a value is not finite.
    pub fn check(rows: ArrayView2<'a, f32>, width: usize) -> Result<Self, InputError> {
        Self::check_values(rows, width, FeatureValues::Numbers)
    }

    /// Checks a matrix as [`Rows::check`] does, for values that are `accepted`.
    ///
    /// # Errors
    /// Returns an error if the width is not `width`, or a value is not accepted.
    pub fn check_values(
        rows: ArrayView2<'a, f32>,
        width: usize,
        accepted: FeatureValues,
    ) -> Result<Self, InputError> {
        InputError::check_width(rows.ncols(), width)?;
        let rows = Self::unchecked(rows);
        // Without leaving early, so that several values are tested at once.
        let both = |all, &value: &f32| all & accepted.contain(value);
        if rows.values.iter().fold(true, both) {
            return Ok(rows);
        }
        let mut values = rows.values.iter();
        let refused = values.position(|&value| !accepted.contain(value));
        let place = refused.expect("a value is not accepted");
        let row = place / width;
        let feature = place % width;
        let value = rows.values[place];
        let mut what = format!(
            "row {row}, feature {feature}: {value} is not a finite number; replace or drop it first"
        );
        if value.is_nan() {
            what += ", or use a learner that takes missing values";
        }
        Err(InputError::Value(what))
    }

    /// Checks a single row.
    ///
    /// # Errors
    /// As [`Rows::check`].
    pub fn one(row: &'a [f32], width: usize) -> Result<Self, InputError> {
        Self::check(one_row(row), width)
    }

    fn unchecked(rows: ArrayView2<'a, f32>) -> Self {
        let values = match rows.to_slice() {
            Some(slice) => Cow::Borrowed(slice),
            None => Cow::Owned(rows.iter().copied().collect()),
        };
        Self {
            values,
            width: rows.ncols(),
        }
    }

    /// Returns other finite rows, which are these transformed. Panics if there is another number of them.
    pub fn replaced<'b>(&self, rows: ArrayView2<'b, f32>) -> Rows<'b> {
        assert_eq!(rows.nrows(), self.len(), "as many rows as before");
        Rows::unchecked(rows)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns row `index`. Panics if `index` is not below [`Rows::len`].
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.width..][..self.width]
    }

    /// Returns some of the rows. Panics if there are fewer.
    pub fn part(&self, rows: Range<usize>) -> Rows<'_> {
        let values = Cow::Borrowed(&self.values[rows.start * self.width..rows.end * self.width]);
        Rows { values, ..*self }
    }

    /// Returns the rows, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.width)
    }

    /// Returns the rows as a matrix, one a row.
    pub fn matrix(&self) -> ArrayView2<'_, f32> {
        let matrix = ArrayView2::from_shape((self.len(), self.width), &self.values);
        matrix.expect("as many values as rows times features")
    }

    /// Returns all values, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// Rows with a target each; both known to be acceptable to the learner they were checked for.
#[derive(Clone, Debug)]
pub struct Batch<'a, T: Task> {
    rows: Rows<'a>,
    targets: &'a [T::Target],
    /// Empty if all are 1.
    weights: &'a [SampleWeight],
}

impl<'a, T: Task> Batch<'a, T> {
    /// Checks a matrix of `accepted` values and its targets against `schema`.
    pub(crate) fn check(
        rows: ArrayView2<'a, f32>,
        targets: &'a [T::Target],
        schema: &Schema<T>,
        accepted: FeatureValues,
    ) -> Result<Self, InputError> {
        let rows = Rows::check_values(rows, schema.features(), accepted)?;
        schema.check_targets(rows.len(), targets)?;
        Ok(Batch {
            rows,
            targets,
            weights: &[],
        })
    }

    /// Returns the targets and weights with [other rows](Rows::replaced). Panics if there is another number of them.
    pub fn with_rows<'b>(&'b self, rows: ArrayView2<'b, f32>) -> Batch<'b, T> {
        let rows = self.rows.replaced(rows);
        Batch { rows, ..*self }
    }

    /// Returns the same samples with a weight each.
    pub(crate) fn weighted<'b>(&'b self, weights: &'b [SampleWeight]) -> Batch<'b, T> {
        let part = self.part(0..self.len());
        Batch { weights, ..part }
    }

    /// Returns the rows and weights with other valid targets. Panics if there is another number of them.
    pub fn with_targets<'b>(&'b self, targets: &'b [T::Target]) -> Batch<'b, T> {
        assert_eq!(targets.len(), self.len(), "as many targets as before");
        let part = self.part(0..self.len());
        Batch { targets, ..part }
    }

    /// Returns the weight of a sample.
    #[inline]
    pub fn weight(&self, row: usize) -> SampleWeight {
        self.weights.get(row).copied().unwrap_or(SampleWeight::ONE)
    }

    /// Returns the feature rows.
    pub fn rows(&self) -> &Rows<'a> {
        &self.rows
    }

    /// Returns the targets, one a row.
    pub fn targets(&self) -> &'a [T::Target] {
        self.targets
    }

    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether it has no samples.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the samples, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[f32], T::Target)> {
        self.rows.iter().zip(self.targets.iter().copied())
    }

    /// Returns some of the samples. Panics if there are fewer.
    pub fn part(&self, rows: Range<usize>) -> Batch<'_, T> {
        let weights = self.weights.get(rows.clone()).unwrap_or(&[]);
        let targets = &self.targets[rows.clone()];
        Batch {
            rows: self.rows.part(rows),
            targets,
            weights,
        }
    }

    /// Returns the outputs known before each row and, last, those known after all of them.
    pub(crate) fn outputs(&self, mut known: T::Outputs) -> PerRow<T::Outputs> {
        let mut all = PerRow::with_capacity(self.len() + 1);
        all.push(known);
        for &target in self.targets {
            known = T::admit(known, target);
            all.push(known);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// At every place of rows of every width: some tests look at several values at once.
    #[test]
    fn a_value_that_is_not_finite_is_found_wherever_it_is() {
        for (rows, width) in [(1, 1), (1, 2), (2, 1), (2, 3), (5, 7)] {
            for place in 0..rows * width {
                let mut matrix = Array2::zeros((rows, width));
                matrix[[place / width, place % width]] = f32::INFINITY;
                let refused = Rows::check(matrix.view(), width).unwrap_err().to_string();
                let [row, feature] = [place / width, place % width];
                let said = format!("row {row}, feature {feature}: inf is not");
                assert!(refused.starts_with(&said), "{refused}");
            }
        }
        assert!(Rows::check(Array2::zeros((0, 3)).view(), 3).is_ok_and(|rows| rows.is_empty()));
    }
}
