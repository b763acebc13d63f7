//! Rows as matrices of smartcore, and models that predict them.

use forest_core::{InputError, Rows, Schema, Task, threads};
use ndarray::{Array2, ArrayView2};
use smartcore::linalg::basic::matrix::DenseMatrix;

use crate::Fitted;

/// The matrix type that smartcore computes with.
pub(crate) type Matrix = DenseMatrix<f64>;

/// Copies the rows column by column, as trees read them.
pub(crate) fn matrix(rows: ArrayView2<'_, f32>) -> Matrix {
    let values = rows.t().iter().map(|&x| f64::from(x)).collect();
    let matrix = DenseMatrix::new(rows.nrows(), rows.ncols(), values, true);
    matrix.expect("there is a value for each cell")
}

/// Copies rows of this width, one after another, into a matrix.
fn matrix_of(values: &[f32], width: usize) -> Matrix {
    let rows = ArrayView2::from_shape((values.len() / width, width), values);
    matrix(rows.expect("rows are whole"))
}

/// A fitted model of smartcore.
pub(crate) trait Model {
    /// Writes one row of predictions per row into `table`, which holds zeros.
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]);

    fn trees(&self) -> usize {
        0
    }
}

/// A model, and the shape of its rows and predictions.
pub(crate) struct Predictor<M> {
    model: M,
    features: usize,
    width: usize,
}

impl<M> Predictor<M> {
    pub(crate) fn new<T: Task>(schema: &Schema<T>, model: M) -> Self {
        let (features, width) = (schema.features(), schema.width());
        Self {
            model,
            features,
            width,
        }
    }
}

/// Predicts parts of the rows in parallel.
impl<M: Model + Sync> Fitted for Predictor<M> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let (features, width) = (self.features, self.width);
        let rows = Rows::check(rows, features)?;
        let mut predictions = Array2::zeros((rows.len(), width));
        if rows.is_empty() {
            return Ok(predictions);
        }
        let table = predictions.as_slice_mut();
        let table = table.expect("a new array is contiguous");
        threads::fill_rows(table, width, rows.len() * width, |first, part| {
            let of_part = &rows.values()[first * features..][..part.len() / width * features];
            self.model.predict_into(&matrix_of(of_part, features), part);
        });
        Ok(predictions)
    }

    fn trees(&self) -> usize {
        self.model.trees()
    }
}
