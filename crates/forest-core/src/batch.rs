//! Rows and targets that have been checked, and are checked nowhere else.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Deref;

use ndarray::ArrayView2;

use crate::{ImplementLearner, InputError, Schema, Task};

/// Feature rows that are known to be finite and of the right width, row-major.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    values: Cow<'a, [f32]>,
    width: usize,
}

impl<'a> Rows<'a> {
    /// Checks a matrix (one sample a row) once. Copies it only if its rows are not contiguous.
    ///
    /// # Errors
    /// A width other than `width`, or a value that is not finite.
    pub fn check(rows: ArrayView2<'a, f32>, width: usize) -> Result<Self, InputError> {
        check_width(rows.ncols(), width)?;
        let values = match rows.to_slice() {
            Some(slice) => Cow::Borrowed(slice),
            None => Cow::Owned(rows.iter().copied().collect()),
        };
        check_finite(&values, width)?;
        Ok(Self { values, width })
    }

    /// Checks a single row.
    ///
    /// # Errors
    /// As [`Rows::check`].
    pub fn one(row: &'a [f32], width: usize) -> Result<Self, InputError> {
        check_width(row.len(), width)?;
        check_finite(row, width)?;
        let values = Cow::Borrowed(row);
        Ok(Self { values, width })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Row `index`.
    ///
    /// # Panics
    /// If `index` is not below [`Rows::len`].
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.width..][..self.width]
    }

    /// The rows, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.width)
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// Rows with a target each; both known to be acceptable to the learner they were checked for.
#[derive(Clone, Debug)]
pub struct Batch<'a, T: Task> {
    rows: Rows<'a>,
    targets: &'a [T::Target],
}

impl<'a, T: Task> Batch<'a, T> {
    /// Checks a matrix and its targets against `schema`.
    pub(crate) fn check(
        rows: ArrayView2<'a, f32>,
        targets: &'a [T::Target],
        schema: &Schema<T>,
    ) -> Result<Self, InputError> {
        let rows = Rows::check(rows, schema.features())?;
        schema.check_targets(rows.len(), targets)?;
        Ok(Self { rows, targets })
    }

    /// The feature rows.
    pub fn rows(&self) -> &Rows<'a> {
        &self.rows
    }

    /// The targets, one a row.
    pub fn targets(&self) -> &'a [T::Target] {
        self.targets
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The samples, first to last.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[f32], T::Target)> {
        self.rows.iter().zip(self.targets.iter().copied())
    }

    /// Some of the samples.
    pub(crate) fn part(&self, rows: std::ops::Range<usize>) -> Batch<'_, T> {
        let width = self.rows.width;
        let values = &self.rows.values[rows.start * width..rows.end * width];
        Batch {
            rows: Rows {
                values: Cow::Borrowed(values),
                width,
            },
            targets: &self.targets[rows],
        }
    }

    /// What is known about the outputs before each row, and, last, after all of them.
    pub(crate) fn outputs(&self, mut known: T::Outputs) -> Vec<T::Outputs> {
        let mut all = Vec::with_capacity(self.len() + 1);
        all.push(known);
        for &target in self.targets {
            known = T::admit(known, target);
            all.push(known);
        }
        all
    }
}

/// Input that was checked against the schema of a learner of type `L`, the only type that takes it.
///
/// The verbs of [`OnlineLearner`](crate::OnlineLearner) check their input and hand it to
/// [`ImplementLearner`] as this type. It has no public constructor, so input cannot reach a learner
/// that it was not checked for. A learner with another one inside calls the verbs of that one.
///
/// A batch of three features cannot be made for one learner and fed to one of two features:
///
/// ```compile_fail,E0624
/// use forest_core::{Batch, Classification, ImplementLearner, Prior, Schema, ndarray::array};
///
/// let three = Prior::<Classification>::new(Schema::new(3).unwrap());
/// let mut two = Prior::<Classification>::new(Schema::new(2).unwrap());
/// let rows = array![[0.1, 0.2, 0.3]];
/// let batch = Batch::check(rows.view(), &[0], ImplementLearner::schema(&three)).unwrap();
/// two.learn_checked(batch);
/// ```
///
/// Nor can a learner pass on the batch that it was given:
///
/// ```compile_fail,E0308
/// use forest_core::{CheckedBatch, ImplementLearner};
///
/// fn pass_on<A, B>(batch: CheckedBatch<'_, A>, inner: &mut B)
/// where
///     A: ImplementLearner,
///     B: ImplementLearner<Task = A::Task>,
/// {
///     inner.learn_checked(batch);
/// }
/// ```
///
/// The verbs refuse it:
///
/// ```
/// use forest_core::{Classification, InputError, OnlineLearner, Prior, Schema, ndarray::array};
///
/// let mut two = Prior::<Classification>::new(Schema::new(2)?);
/// let refused = two.learn(array![[0.1, 0.2, 0.3]].view(), &[0]);
/// assert_eq!(refused, Err(InputError::WrongWidth { expected: 2, got: 3 }));
/// # Ok::<(), forest_core::SettingError>(())
/// ```
#[derive(Debug)]
pub struct Checked<I, L> {
    input: I,
    learner: PhantomData<fn(L)>,
}

/// A batch for a learner of type `L`.
pub type CheckedBatch<'a, L> = Checked<Batch<'a, <L as ImplementLearner>::Task>, L>;

/// Rows for a learner of type `L` to answer.
pub type CheckedRows<'a, L> = Checked<Rows<'a>, L>;

impl<'a, L: ImplementLearner> CheckedBatch<'a, L> {
    /// Checks samples that `learner` is about to learn.
    pub(crate) fn for_learner(
        learner: &L,
        features: ArrayView2<'a, f32>,
        targets: &'a [<L::Task as Task>::Target],
    ) -> Result<Self, InputError> {
        let input = Batch::check(features, targets, learner.schema())?;
        learner.check_room(input.len())?;
        let learner = PhantomData;
        Ok(Self { input, learner })
    }
}

impl<'a, L: ImplementLearner> CheckedRows<'a, L> {
    /// Checks rows that `learner` is about to answer.
    pub(crate) fn for_learner(
        learner: &L,
        features: ArrayView2<'a, f32>,
    ) -> Result<Self, InputError> {
        let input = Rows::check(features, learner.schema().features())?;
        let learner = PhantomData;
        Ok(Self { input, learner })
    }
}

impl<I, L> Deref for Checked<I, L> {
    type Target = I;

    fn deref(&self) -> &I {
        &self.input
    }
}

fn check_width(got: usize, expected: usize) -> Result<(), InputError> {
    if got == expected {
        Ok(())
    } else {
        Err(InputError::WrongWidth { expected, got })
    }
}

fn check_finite(values: &[f32], width: usize) -> Result<(), InputError> {
    // Without leaving early, so that several values are tested at once.
    if values
        .iter()
        .fold(true, |all, value| all & value.is_finite())
    {
        return Ok(());
    }
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => Err(InputError::NotFinite {
            row: at / width,
            feature: at % width,
            value: values[at],
        }),
    }
}
