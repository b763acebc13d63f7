//! Regression with vectors as labels: the paper's general case.

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{InputError, Rows};
use thiserror::Error;

use crate::problem::VectorRegression;
use crate::shepard::Average;
use crate::{BoundaryForest, Metric, Problem};

/// Why a batch of samples with vectors was refused; the forest is as it was before.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The positions were refused, or their number is not that of the labels.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The labels do not have as many cells as the forest was made for.
    #[error("a label has {got} numbers, but this forest was made for {expected}")]
    WrongLabelWidth {
        /// Cells the forest was made for.
        expected: usize,
        /// Cells found.
        got: usize,
    },
}

impl<M: Metric> BoundaryForest<VectorRegression, M> {
    /// Learns `features` (one sample a row) with their `labels` (one a row), one after another.
    ///
    /// # Errors
    /// [`VectorError`] if anything in the batch is refused; then nothing of it was learned.
    pub fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        labels: ArrayView2<'_, f64>,
    ) -> Result<(), VectorError> {
        let rows = self.checked(features, labels)?;
        self.learn_rows(&rows, &cells(labels));
        Ok(())
    }

    /// Answers `features`: a row of as many numbers as a label has, for each row. Changes nothing.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    pub fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema().features())?;
        let width = VectorRegression::label_width(self.schema());
        let mut answers = vec![0.0; rows.len() * width];
        self.average_rows(&rows, &mut answers);
        let answers = Array2::from_shape_vec((rows.len(), width), answers);
        Ok(answers.expect("there is an answer for each row"))
    }

    /// Test-then-train: for every row, the prediction made just before that row was learned.
    ///
    /// # Errors
    /// As [`BoundaryForest::learn`].
    pub fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        labels: ArrayView2<'_, f64>,
    ) -> Result<Array2<f64>, VectorError> {
        let rows = self.checked(features, labels)?;
        let mut answers = Array2::zeros(labels.dim());
        let mut slots = answers.rows_mut().into_iter();
        let schema = *self.schema();
        self.learn_rows_telling(&rows, &cells(labels), |forest, found| {
            Average::<VectorRegression>::with(&schema, |average| {
                for &found in found.iter().flatten() {
                    average.add_found(found, forest.samples());
                }
                if let Some(slot) = slots.next().as_mut().and_then(|slot| slot.as_slice_mut()) {
                    average.write(slot);
                }
            });
        });
        Ok(answers)
    }

    /// The rows of a batch, if it is acceptable.
    fn checked<'a>(
        &self,
        features: ArrayView2<'a, f32>,
        labels: ArrayView2<'_, f64>,
    ) -> Result<Rows<'a>, VectorError> {
        let rows = Rows::check(features, self.schema().features())?;
        let expected = VectorRegression::label_width(self.schema());
        if labels.ncols() != expected {
            let got = labels.ncols();
            return Err(VectorError::WrongLabelWidth { expected, got });
        }
        if labels.nrows() != rows.len() {
            let (rows, targets) = (rows.len(), labels.nrows());
            return Err(InputError::LengthMismatch { rows, targets }.into());
        }
        check_finite(labels)?;
        self.check_room(rows.len())?;
        Ok(rows)
    }
}

fn check_finite(labels: ArrayView2<'_, f64>) -> Result<(), InputError> {
    let mut cells = labels.indexed_iter();
    match cells.find(|(_, value)| !value.is_finite()) {
        None => Ok(()),
        Some(((row, _), &value)) => Err(InputError::TargetNotFinite { row, value }),
    }
}

/// The cells of all labels, row after row.
fn cells(labels: ArrayView2<'_, f64>) -> Vec<f64> {
    labels.iter().copied().collect()
}
