//! Learning and answering dictionaries of features.

use std::slice;

use online_forests::ndarray::{ArrayView1, ArrayView2, Axis};
use online_forests::{OnlineLearner as _, threads};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::capabilities as can;
use crate::columns::{Columns, with_row};
use crate::error::refused;
use crate::shared::Shared;
use crate::task::PythonTask;

/// Learns a dictionary of features with its target and what it weighs; whether every feature has a column. New features take columns that are left, and columns of
/// their own if the learner goes on with more features.
///
/// # Errors
/// A number or target that is refused; then neither the learner nor the columns are changed.
pub fn learn_dict<T: PythonTask>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    (target, weight): (T::Target, f64),
    columns: &Bound<'_, Columns>,
) -> PyResult<bool> {
    let mut columns = columns.try_borrow_mut()?;
    with_row(|row| {
        let all = columns.fill(x, row)?;
        if !all && let Some(learned) = learn_new(learner, x, (target, weight), &mut columns, row)? {
            return Ok(learned);
        }
        learner.write_one(x.py(), |inner| match weights(&weight) {
            None => inner.learn_one(row, target).map_err(refused),
            some => can::learn(inner, view(row), &[target], some),
        })??;
        Ok(all)
    })
}

/// The same of a dictionary with new features; `None` if they get no columns, and nothing was learned.
fn learn_new<T: PythonTask>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    (target, weight): (T::Target, f64),
    columns: &mut Columns,
    row: &mut Vec<f32>,
) -> PyResult<Option<bool>> {
    let widens = learner.write_one(x.py(), can::widens)?;
    if !widens && !columns.has_room(x.py()) {
        return Ok(None);
    }
    let (mut wide, all) = columns.extended(&x.keys(), widens)?;
    wide.fill(x, row)?;
    learner.write_one(x.py(), |inner| {
        can::learn_wide(inner, view(row), &[target], weights(&weight))
    })??;
    *columns = wide;
    Ok(Some(all))
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
                .read_one(x.py(), |inner| inner.predict_one_into(row, answer))?
                .map_err(refused)
        })?;
        work(answer)
    })
}

/// The weight of a row if it is not 1, which every learner takes.
fn weights(weight: &f64) -> Option<&[f64]> {
    (*weight != 1.0).then_some(slice::from_ref(weight))
}

/// A row as a table.
fn view(row: &[f32]) -> ArrayView2<'_, f32> {
    ArrayView1::from(row).insert_axis(Axis(0))
}
