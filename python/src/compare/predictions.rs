//! Predictions of a learner of Python, checked before they are scored.

use forest_core::{Classification, InputError, Regression, Task};
use numpy::ndarray::{Array2, ArrayView1, ArrayView2};

/// A sum of probabilities that differs from 1 by no more than this is 1.
const ROUNDING: f64 = 1e-9;

/// A task whose predictions come from Python.
pub trait CheckedPredictions: Task {
    /// Checks one prediction; none at all is a row of zeros.
    fn check_prediction(row: ArrayView1<'_, f64>) -> Result<(), &'static str>;
}

impl CheckedPredictions for Classification {
    fn check_prediction(row: ArrayView1<'_, f64>) -> Result<(), &'static str> {
        if row.iter().any(|share| !share.is_finite()) {
            Err("a probability is not a finite number")
        } else if row.iter().any(|share| *share < 0.0) {
            Err("a probability is negative")
        } else {
            Ok(())
        }
    }
}

impl CheckedPredictions for Regression {
    fn check_prediction(row: ArrayView1<'_, f64>) -> Result<(), &'static str> {
        if row.iter().all(|value| value.is_finite()) {
            Ok(())
        } else {
            Err("the prediction is not a finite number")
        }
    }
}

/// Checks that there is a prediction for each row, of this width, of numbers that can be scored. Probabilities that do not add up to 1
/// are divided by their sum.
///
/// # Errors
/// Returns [`InputError::Failed`] with the reason.
pub fn checked<T: CheckedPredictions>(
    mut predictions: Array2<f64>,
    rows: usize,
    width: usize,
) -> Result<Array2<f64>, InputError> {
    let found = predictions.dim();
    if found != (rows, width) {
        return failed(format!(
            "expected {rows} predictions of {width} numbers, but the learner returned {} of {}",
            found.0, found.1
        ));
    }
    for (index, row) in predictions.rows().into_iter().enumerate() {
        if let Err(reason) = T::check_prediction(row) {
            return failed(format!("{reason}: {row} in row {index} of the batch"));
        }
    }
    if width > 1 {
        for mut row in predictions.rows_mut() {
            let sum = row.sum();
            if sum > 0.0 && (sum - 1.0).abs() > ROUNDING {
                row /= sum;
            }
        }
    }
    Ok(predictions)
}

/// Returns whether a prediction of classes has none: all its probabilities are 0.
pub fn is_none(row: ArrayView1<'_, f64>) -> bool {
    row.len() > 1 && row.iter().all(|share| *share == 0.0)
}

/// Checks that every row is predicted, but for the first `unlearned` ones, before which nothing was learned.
///
/// # Errors
/// Returns [`InputError::Failed`] with the first row that it does not.
pub fn check_all_predicted(
    predictions: ArrayView2<'_, f64>,
    unlearned: usize,
) -> Result<(), InputError> {
    let mut rows = predictions.rows().into_iter().enumerate().skip(unlearned);
    match rows.find(|(_, row)| is_none(*row)) {
        Some((row, _)) => failed(format!(
            "no class has a probability in row {row} of the batch, though rows were learned"
        )),
        None => Ok(()),
    }
}

/// Returns the error of a learner that failed.
pub fn failed<V>(reason: String) -> Result<V, InputError> {
    Err(InputError::Failed { reason })
}
