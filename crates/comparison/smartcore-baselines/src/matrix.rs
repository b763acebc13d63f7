//! Rows as matrices of smartcore, and models that answer them.

use forest_core::{InputError, Rows, Schema, Task, threads};
use ndarray::{Array2, ArrayView2};
use smartcore::linalg::basic::matrix::DenseMatrix;

use evaluation::Fitted;

/// What smartcore computes with.
pub(crate) type Matrix = DenseMatrix<f64>;

/// The rows, column by column: that is how trees read them.
pub(crate) fn matrix(rows: ArrayView2<'_, f32>) -> Matrix {
    let values = rows.t().iter().map(|&x| f64::from(x)).collect();
    let matrix = DenseMatrix::new(rows.nrows(), rows.ncols(), values, true);
    matrix.expect("there is a value for each cell")
}

/// A matrix of these rows, each `width` wide, one after another.
fn matrix_of(values: &[f32], width: usize) -> Matrix {
    let rows = ArrayView2::from_shape((values.len() / width, width), values);
    matrix(rows.expect("rows are whole"))
}

/// Something that answers a matrix: it fills one row of a table per row, which holds zeros.
pub(crate) trait Model {
    fn answer(&self, rows: &Matrix, table: &mut [f64]);

    fn trees(&self) -> usize {
        0
    }
}

/// A model and the shape of its questions and answers.
pub(crate) struct Answering<M> {
    model: M,
    features: usize,
    width: usize,
}

impl<M> Answering<M> {
    pub(crate) fn new<T: Task>(schema: &Schema<T>, model: M) -> Self {
        let (features, width) = (schema.features(), schema.width());
        Self {
            model,
            features,
            width,
        }
    }
}

/// Parts of rows are answered in parallel.
impl<M: Model + Sync> Fitted for Answering<M> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let (features, width) = (self.features, self.width);
        let rows = Rows::check(rows, features)?;
        let mut answers = Array2::zeros((rows.len(), width));
        if rows.is_empty() {
            return Ok(answers);
        }
        let table = answers.as_slice_mut();
        let table = table.expect("a new array is contiguous");
        threads::fill_rows(table, width, rows.len() * width, |first, part| {
            let of_part = &rows.values()[first * features..][..part.len() / width * features];
            self.model.answer(&matrix_of(of_part, features), part);
        });
        Ok(answers)
    }

    fn trees(&self) -> usize {
        self.model.trees()
    }
}
