//! Learning and answering dictionaries of features.

use online_forests::{OnlineLearner as _, threads};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, with_row};
use crate::error::refused;
use crate::shared::Shared;
use crate::task::PythonTask;

/// Learns a dictionary of features; whether every feature has a column. New features take columns that are left.
///
/// # Errors
/// A number or target that is refused.
pub fn learn_dict<T: PythonTask>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    target: T::Target,
    columns: &Bound<'_, Columns>,
) -> PyResult<bool> {
    let mut columns = columns.try_borrow_mut()?;
    with_row(|row| {
        let mut all = columns.fill(x, row)?;
        if !all {
            all = columns.admit(x)?;
            columns.fill(x, row)?;
        }
        learner
            .write_one(x.py(), |held| held.learn_one(row, target))?
            .map_err(refused)?;
        Ok(all)
    })
}

/// What is made of the answer to a dictionary of features.
///
/// # Errors
/// A number that is refused.
pub fn with_answer<T: PythonTask, R>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    columns: &Bound<'_, Columns>,
    work: impl FnOnce(&[f64]) -> PyResult<R>,
) -> PyResult<R> {
    threads::with_buffer(|answer| {
        with_row(|row| {
            columns.try_borrow_mut()?.fill(x, row)?;
            learner
                .read_one(x.py(), |held| held.predict_one_into(row, answer))?
                .map_err(refused)
        })?;
        work(answer)
    })
}
