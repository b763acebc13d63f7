//! Rows and targets that have been checked.

use std::borrow::Cow;

use ndarray::ArrayView2;
use smallvec::SmallVec;

use crate::{FeatureValues, InputError, OnlineLearner, SampleWeight, Schema, Task};

/// One value for each row of a batch, which allocates nothing for a single row.
pub(crate) type PerRow<V> = SmallVec<[V; 2]>;

/// Feature rows that are known to be of the right width, with values that a learner takes, row-major.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    values: Cow<'a, [f32]>,
    width: usize,
}

impl<'a> Rows<'a> {
    /// Checks a matrix (one sample a row) of finite numbers once. Copies it only if its rows are not contiguous.
    ///
    /// # Errors
    /// A width other than `width`, or a value that is not finite.
    pub fn check(rows: ArrayView2<'a, f32>, width: usize) -> Result<Self, InputError> {
        Self::check_values(rows, width, FeatureValues::Numbers)
    }

    /// Checks rows that `learner` is about to learn or to predict.
    ///
    /// # Errors
    /// A width other than that of its schema, or a value that it does not take.
    pub fn for_learner<L: OnlineLearner + ?Sized>(
        learner: &L,
        rows: ArrayView2<'a, f32>,
    ) -> Result<Self, InputError> {
        Self::check_values(rows, learner.schema().features(), learner.feature_values())
    }

    /// Checks rows for what takes `taken` values of `width` features.
    ///
    /// # Errors
    /// A width other than `width`, or a value that is not one of them.
    pub fn check_values(
        rows: ArrayView2<'a, f32>,
        width: usize,
        taken: FeatureValues,
    ) -> Result<Self, InputError> {
        check_width(rows.ncols(), width)?;
        let rows = Self::unchecked(rows);
        check_each(&rows.values, width, taken)?;
        Ok(rows)
    }

    fn unchecked(rows: ArrayView2<'a, f32>) -> Self {
        let values = match rows.to_slice() {
            Some(slice) => Cow::Borrowed(slice),
            None => Cow::Owned(rows.iter().copied().collect()),
        };
        let width = rows.ncols();
        Self { values, width }
    }

    /// Returns other rows, as many, which are finite: what a learner hands on to one inside that sees rows transformed.
    ///
    /// # Panics
    /// If there is another number of rows.
    pub fn replaced<'b>(&self, rows: ArrayView2<'b, f32>) -> Rows<'b> {
        assert_eq!(rows.nrows(), self.len(), "as many rows as before");
        Rows::unchecked(rows)
    }

    /// Checks a single row.
    ///
    /// # Errors
    /// As [`Rows::check`].
    pub fn one(row: &'a [f32], width: usize) -> Result<Self, InputError> {
        check_width(row.len(), width)?;
        check_each(row, width, FeatureValues::Numbers)?;
        let values = Cow::Borrowed(row);
        Ok(Self { values, width })
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Returns whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns row `index`.
    ///
    /// # Panics
    /// If `index` is not below [`Rows::len`].
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.width..][..self.width]
    }

    /// Returns some of the rows.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn part(&self, rows: std::ops::Range<usize>) -> Rows<'_> {
        let values = &self.values[rows.start * self.width..rows.end * self.width];
        Rows {
            values: Cow::Borrowed(values),
            width: self.width,
        }
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
    /// Checks a matrix of `taken` values and its targets against `schema`.
    pub(crate) fn check(
        rows: ArrayView2<'a, f32>,
        targets: &'a [T::Target],
        schema: &Schema<T>,
        taken: FeatureValues,
    ) -> Result<Self, InputError> {
        let rows = Rows::check_values(rows, schema.features(), taken)?;
        schema.check_targets(rows.len(), targets)?;
        let weights = &[];
        Ok(Self {
            rows,
            targets,
            weights,
        })
    }

    /// Checks samples that `learner` is about to learn.
    ///
    /// # Errors
    /// As [`learn`](OnlineLearner::learn).
    pub fn for_learner<L: OnlineLearner<Task = T> + ?Sized>(
        learner: &L,
        rows: ArrayView2<'a, f32>,
        targets: &'a [T::Target],
    ) -> Result<Self, InputError> {
        let batch = Self::check(rows, targets, learner.schema(), learner.feature_values())?;
        learner.check_room(batch.len())?;
        Ok(batch)
    }

    /// Returns the same targets and weights with other rows, as many, which are finite: what a learner hands on to one inside that sees
    /// rows transformed.
    ///
    /// # Panics
    /// If there is another number of rows.
    pub fn with_rows<'b>(&'b self, rows: ArrayView2<'b, f32>) -> Batch<'b, T> {
        Batch {
            rows: self.rows.replaced(rows),
            targets: self.targets,
            weights: self.weights,
        }
    }

    /// Returns the same samples with a weight each.
    pub(crate) fn weighted<'b>(&'b self, weights: &'b [SampleWeight]) -> Batch<'b, T> {
        Batch {
            weights,
            ..self.part(0..self.len())
        }
    }

    /// Returns the same rows and weights with other targets, as many: what a learner has one inside learn, such as residuals, which must be targets, too.
    ///
    /// # Panics
    /// If there is another number of targets.
    pub fn with_targets<'b>(&'b self, targets: &'b [T::Target]) -> Batch<'b, T> {
        assert_eq!(targets.len(), self.len(), "as many targets as before");
        Batch {
            targets,
            ..self.part(0..self.len())
        }
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

    /// Returns some of the samples.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn part(&self, rows: std::ops::Range<usize>) -> Batch<'_, T> {
        Batch {
            rows: self.rows.part(rows.clone()),
            targets: &self.targets[rows.clone()],
            weights: self.weights.get(rows).unwrap_or(&[]),
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

fn check_width(got: usize, expected: usize) -> Result<(), InputError> {
    if got == expected {
        Ok(())
    } else {
        Err(InputError::WrongWidth { expected, got })
    }
}

fn check_each(values: &[f32], width: usize, taken: FeatureValues) -> Result<(), InputError> {
    // Without leaving early, so that several values are tested at once.
    if values
        .iter()
        .fold(true, |all, &value| all & taken.admit(value))
    {
        return Ok(());
    }
    match values.iter().position(|&value| !taken.admit(value)) {
        None => Ok(()),
        Some(at) => Err(InputError::NotFinite {
            row: at / width,
            feature: at % width,
            value: values[at],
        }),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use crate::Regression;

    #[test]
    fn rows_are_those_of_the_matrix() {
        let matrix = Array2::from_shape_vec((2, 3), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let matrix = matrix.expect("six values");
        let rows = Rows::check(matrix.view(), 3).expect("finite values");
        assert_eq!((rows.len(), rows.is_empty()), (2, false));
        assert_eq!(rows.values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let schema = Schema::<Regression>::new(3).expect("three features");
        let batch = Batch::check(matrix.view(), &[0.5, 0.25], &schema, FeatureValues::Numbers)
            .expect("it fits");
        assert_eq!((batch.len(), batch.is_empty()), (2, false));
        let none = Array2::zeros((0, 3));
        assert!(Rows::check(none.view(), 3).expect("no values").is_empty());
        assert!(
            Batch::check(none.view(), &[], &schema, FeatureValues::Numbers)
                .expect("no rows")
                .is_empty()
        );
    }

    /// At every place of rows of every width: some tests look at several values at once.
    #[test]
    fn a_value_that_is_not_finite_is_found_wherever_it_is() {
        for (rows, width) in [(1, 1), (1, 2), (2, 1), (2, 3), (5, 7)] {
            for place in 0..rows * width {
                let mut matrix = Array2::zeros((rows, width));
                matrix[[place / width, place % width]] = f32::INFINITY;
                let refused = Rows::check(matrix.view(), width).map(|_| ());
                let (row, feature, value) = (place / width, place % width, f32::INFINITY);
                let expected = InputError::NotFinite {
                    row,
                    feature,
                    value,
                };
                assert_eq!(refused, Err(expected));
            }
        }
    }
}
