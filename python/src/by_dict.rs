//! Learning and predicting dictionaries of features.

use std::slice;
use std::sync::Arc;

use online_forests::ndarray::{ArrayView1, ArrayView2, Axis};
use online_forests::{OnlineLearner as _, threads};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::Batch;
use crate::capabilities as can;
use crate::columns::{Columns, with_row};
use crate::error::{empty, refused, wrong_value};
use crate::held::Held;
use crate::lesson::Lesson;
use crate::names::Names;
use crate::shared::Shared;
use crate::task::PythonTask;
use crate::turn::Turn;

/// Learns a dictionary of features with its target and its weight; whether every feature has a column. New features take columns that
/// are left, and columns of their own if the learner takes more features.
///
/// # Errors
/// A number or target that is refused; then nothing is changed.
pub fn learn_dict<T: PythonTask>(
    learner: &Shared<T>,
    turn: &Turn<'_>,
    mut lesson: Lesson<T>,
    x: &Bound<'_, PyDict>,
    target: T::Target,
    weight: f64,
) -> PyResult<bool> {
    with_row(|row| {
        let all = fill(learner, &mut lesson, x, row)?;
        let block = Batch {
            rows: view(row),
            targets: &[target],
            // Every learner takes a weight of 1.
            weights: (weight != 1.0).then_some(slice::from_ref(&weight)),
        };
        learner.change(turn, x.py(), 1, |held| lesson.learn_block(held, &block))??;
        Ok(all)
    })
}

/// Fills the row of a dictionary, in which new features have columns if there are any for them; whether all have one.
fn fill<T: PythonTask>(
    learner: &Shared<T>,
    lesson: &mut Lesson<T>,
    x: &Bound<'_, PyDict>,
    row: &mut Vec<f32>,
) -> PyResult<bool> {
    let columns = lesson.columns().cloned().ok_or_else(no_names)?;
    let width = lesson.width(x.py(), learner)?;
    if columns.fill(x, width, row, &lesson.taken(x.py(), learner))? {
        return Ok(true);
    }
    let widens = lesson.asked(x.py(), learner, can::widens)?;
    let (more, all) = columns.more(&x.keys(), width, widens)?;
    if !more.is_empty() {
        let columns = Columns::of(columns.names().followed_by(&more)?);
        let width = width.max(columns.names().len());
        columns.fill(x, width, row, &lesson.taken(x.py(), learner))?;
        lesson.bring_columns(columns);
    }
    Ok(all)
}

/// What is made of the prediction for a dictionary of features: the numbers, and the labels that they belong to.
///
/// # Errors
/// A number that is refused.
pub fn with_prediction<T: PythonTask, R>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    work: impl FnOnce(&[f64], Option<Arc<Names>>) -> PyResult<R>,
) -> PyResult<R> {
    let py = x.py();
    let known = |held: &Held<T>| Some((held.columns.clone()?, held.inner.schema().features()));
    let known = learner
        .glance(py, |held| held.map(known))?
        .ok_or_else(empty)?;
    let (columns, width) = known.ok_or_else(no_names)?;
    let taken = || learner.read_one(py, |inner| inner.feature_values());
    threads::with_buffer(|prediction| {
        let labels = with_row(|row| {
            columns.fill(x, width, row, &taken)?;
            learner.glance(py, |held| {
                let held = held.ok_or_else(empty)?;
                // Another thread may have added features meanwhile; this row does not have them.
                row.resize(held.inner.schema().features(), 0.0);
                let predicted = held.inner.predict_one_into(row, prediction);
                predicted.map_err(refused).map(|()| held.labels.clone())
            })?
        })?;
        work(prediction, labels)
    })
}

fn no_names() -> PyErr {
    wrong_value("the columns of this learner have no names, so it reads arrays and no dictionaries")
}

/// A row as a table.
fn view(row: &[f32]) -> ArrayView2<'_, f32> {
    ArrayView1::from(row).insert_axis(Axis(0))
}
