//! Training rows.

use forest_core::{Classification, Rows, Schema, Task};
use ndarray::ArrayView2;

use crate::FitError;

/// Training rows with their targets, checked.
#[derive(Clone, Debug)]
pub struct Training<'a, T: Task> {
    schema: Schema<T>,
    rows: ArrayView2<'a, f32>,
    targets: &'a [T::Target],
    unlabelled: Option<ArrayView2<'a, f32>>,
}

impl<'a, T: Task> Training<'a, T> {
    /// Checks training rows: one sample a row, a target for each.
    ///
    /// # Errors
    /// Returns an error for empty data, a value that is not finite, an invalid target, or lengths that differ.
    pub fn new(rows: ArrayView2<'a, f32>, targets: &'a [T::Target]) -> Result<Self, FitError> {
        let mut schema = Schema::new(rows.ncols())?;
        Rows::check(rows, rows.ncols())?;
        schema.check_targets(rows.nrows(), targets)?;
        if targets.is_empty() {
            return Err(FitError::NoRows);
        }
        targets.iter().for_each(|&target| schema.admit(target));
        let unlabelled = None;
        Ok(Self {
            schema,
            rows,
            targets,
            unlabelled,
        })
    }

    /// Adds the rows to be predicted, for learners that are transductive
    /// ([`BatchLearner::is_transductive`](crate::BatchLearner::is_transductive)).
    ///
    /// # Errors
    /// Returns an error for a different width, or a value that is not finite.
    pub fn with_unlabelled(self, rows: ArrayView2<'a, f32>) -> Result<Self, FitError> {
        Rows::check(rows, self.rows.ncols())?;
        let unlabelled = Some(rows);
        Ok(Self { unlabelled, ..self })
    }

    /// Returns the features, and the classes up to the largest target.
    pub fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    /// Returns the features, one sample a row.
    pub fn rows(&self) -> ArrayView2<'a, f32> {
        self.rows
    }

    /// Returns the targets, one a row.
    pub fn targets(&self) -> &'a [T::Target] {
        self.targets
    }

    /// Returns the rows to be predicted, if they were passed.
    pub fn unlabelled(&self) -> Option<ArrayView2<'a, f32>> {
        self.unlabelled
    }
}

impl Training<'_, Classification> {
    /// Returns the classes that have rows, in order, for learners that need two.
    ///
    /// # Errors
    /// Returns [`FitError::OneClass`] if there is only one.
    pub fn two_classes(&self) -> Result<Vec<u32>, FitError> {
        let mut classes = self.targets.to_vec();
        classes.sort_unstable();
        classes.dedup();
        match classes[..] {
            [_] => Err(FitError::OneClass),
            _ => Ok(classes),
        }
    }
}
