//! Regression with vectors as labels: the paper's general case.

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{InputError, Rows, SettingError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::problem::Shape;
use crate::{BoundaryForest, Metric, Problem};

/// Learning vectors of numbers; a prediction is their weighted mean.
///
/// Several numbers a row, such as the position of what a sensor sees, are learned by one forest:
///
/// ```
/// use ndarray::{Array2, arr2};
/// use boundary_forest::{ForestSettings, RegressorSettings, VectorRegressor, VectorSchema};
///
/// let schema = VectorSchema::new(1, 2)?;
/// let mut forest: VectorRegressor =
///     VectorRegressor::new(schema, RegressorSettings::default(), ForestSettings::default())?;
/// let angles = Array2::from_shape_fn((300, 1), |(row, _)| row as f32 / 300.0);
/// let positions = Array2::from_shape_fn((300, 2), |(row, axis)| match axis {
///     0 => f64::from(angles[[row, 0]]).cos(),
///     _ => f64::from(angles[[row, 0]]).sin(),
/// });
/// forest.learn(angles.view(), positions.view())?;
/// let prediction = forest.predict(arr2(&[[0.5]]).view())?;
/// assert!((prediction[[0, 0]] - 0.5_f64.cos()).abs() < 0.02);
/// assert!((prediction[[0, 1]] - 0.5_f64.sin()).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorRegression;

/// The shape of a stream of positions with vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorSchema {
    features: usize,
    targets: usize,
}

impl VectorSchema {
    /// Creates a stream of samples with `features` numbers each, labelled with `targets` numbers.
    ///
    /// # Errors
    /// Zero features, or zero targets.
    pub fn new(features: usize, targets: usize) -> Result<Self, SettingError> {
        let schema = Self { features, targets };
        VectorRegression::check_schema(&schema).map(|()| schema)
    }

    /// Returns the number of features of a sample.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Returns the number of cells of a label.
    pub fn targets(&self) -> usize {
        self.targets
    }
}

impl Problem for VectorRegression {
    type Cell = f64;
    type Schema = VectorSchema;

    fn shape(schema: &VectorSchema) -> Shape {
        Shape {
            features: schema.features,
            label_width: schema.targets,
            prediction_width: schema.targets,
        }
    }

    fn check_schema(schema: &VectorSchema) -> Result<(), SettingError> {
        let counts = [("features", schema.features), ("targets", schema.targets)];
        match counts.into_iter().find(|(_, count)| *count == 0) {
            Some((name, _)) => Err(SettingError::new(name, "must be at least 1", 0)),
            None => Ok(()),
        }
    }
}

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
        let (rows, labels) = self.checked(features, labels)?;
        self.learn_rows(&rows, &labels);
        Ok(())
    }

    /// Predicts a label (a row of numbers) for each row of `features`. Does not change the forest.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    pub fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema().features())?;
        let mut predictions = vec![0.0; rows.len() * self.schema().targets];
        self.average_rows(&rows, &mut predictions);
        Ok(self.table(predictions))
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
        let (rows, labels) = self.checked(features, labels)?;
        let predictions = self.average_then_learn(&rows, &labels);
        Ok(self.table(predictions.iter().flatten().copied().collect()))
    }

    /// Returns predictions as a matrix, one a row.
    fn table(&self, predictions: Vec<f64>) -> Array2<f64> {
        let width = self.schema().targets;
        let table = Array2::from_shape_vec((predictions.len() / width, width), predictions);
        table.expect("predictions are of equal width")
    }

    /// Returns the rows of a batch and the cells of its labels, if it is acceptable.
    fn checked<'a>(
        &self,
        features: ArrayView2<'a, f32>,
        labels: ArrayView2<'_, f64>,
    ) -> Result<(Rows<'a>, Vec<f64>), VectorError> {
        let rows = Rows::check(features, self.schema().features())?;
        let (expected, got) = (self.schema().targets, labels.ncols());
        if got != expected {
            return Err(VectorError::WrongLabelWidth { expected, got });
        }
        if labels.nrows() != rows.len() {
            let (rows, targets) = (rows.len(), labels.nrows());
            return Err(InputError::LengthMismatch { rows, targets }.into());
        }
        let mut cells = labels.indexed_iter();
        if let Some(((row, _), &value)) = cells.find(|(_, value)| !value.is_finite()) {
            return Err(InputError::TargetNotFinite { row, value }.into());
        }
        self.check_room(rows.len())?;
        Ok((rows, labels.iter().copied().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_returns_its_widths() {
        let schema = VectorSchema::new(5, 3).unwrap();
        assert_eq!((schema.features(), schema.targets()), (5, 3));
    }

    #[test]
    fn a_schema_of_nothing_is_refused_by_name() {
        assert_eq!(VectorSchema::new(0, 1).unwrap_err().parameter, "features");
        assert_eq!(VectorSchema::new(1, 0).unwrap_err().parameter, "targets");
    }
}
