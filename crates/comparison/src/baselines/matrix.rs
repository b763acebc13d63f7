//! Rows as matrices of smartcore, and models that predict them.

use forest_core::{InputError, Rows, Task, threads};
use ndarray::{Array2, ArrayView2};
use smartcore::linalg::basic::matrix::DenseMatrix;

use crate::{Fitted, Training};

pub(super) type Matrix = DenseMatrix<f64>;

pub(super) fn matrix(rows: ArrayView2<'_, f32>) -> Matrix {
    let values = rows.t().iter().map(|&x| f64::from(x)).collect();
    let matrix = DenseMatrix::new(rows.nrows(), rows.ncols(), values, true);
    matrix.expect("there is a value for each cell")
}

/// A model that predicts rows independently of one another.
pub(super) trait Model {
    /// Adds predictions to a table of zeros with a row of `width` cells for each row.
    fn predict_into(&self, rows: &Matrix, table: &mut [f64], width: usize);

    fn trees(&self) -> usize {
        0
    }
}

/// A model with the shape of its rows and predictions; threads share the rows.
pub(super) struct Predictor<M> {
    model: M,
    features: usize,
    width: usize,
}

impl<M: Model + Sync + 'static> Predictor<M> {
    pub(super) fn boxed<T: Task>(training: &Training<'_, T>, model: M) -> Box<dyn Fitted> {
        let (features, width) = (training.schema.features(), training.schema.width());
        Box::new(Self {
            model,
            features,
            width,
        })
    }
}

impl<M: Model + Sync> Fitted for Predictor<M> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let (features, width) = (self.features, self.width);
        let rows = Rows::check(rows, features)?;
        let mut predictions = Array2::zeros((rows.len(), width));
        if rows.is_empty() {
            return Ok(predictions);
        }
        let table = predictions
            .as_slice_mut()
            .expect("a new array is contiguous");
        threads::fill_rows(table, width, rows.len() * width, |first, part| {
            let count = part.len() / width;
            let of_part = &rows.values()[first * features..][..count * features];
            let of_part = ArrayView2::from_shape((count, features), of_part);
            let of_part = matrix(of_part.expect("rows are whole"));
            self.model.predict_into(&of_part, part, width);
        });
        Ok(predictions)
    }

    fn trees(&self) -> usize {
        self.model.trees()
    }
}
