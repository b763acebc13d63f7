//! The properties of both classes, and how they learn and predict arrays.

use forest_core::registry::snapshot::Snapshot as _;
use numpy::ndarray::{Array2, ArrayView2, s};
use numpy::{IntoPyArray, PyArray2, PyReadwriteArray2};
use online_forests::{Classification, InputError, OnlineLearner as _, PredictionRows, Regression};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::arrays::Rows;
use crate::capabilities as can;
use crate::classifier::Classifier;
use crate::columns::Columns;
use crate::error::refused;
use crate::lesson::{Lesson, learn_rows};
use crate::regressor::Regressor;
use crate::shared::Shared;
use crate::task::PythonTask;

/// Properties and verbs of a class.
macro_rules! verbs {
    ($class:ident, $task:ty) => {
        #[pymethods]
        impl $class {
            /// The algorithm, every parameter stated; steps that stand before it, too.
            #[getter]
            fn algorithm(&self, py: Python<'_>) -> PyResult<String> {
                self.0.read_one(py, |inner| inner.label())
            }

            /// Whether it was made without knowing the features, and has learned no rows.
            #[getter]
            fn is_empty(&self, py: Python<'_>) -> PyResult<bool> {
                self.0.glance(py, |held| held.is_none())
            }

            /// Names of the features that have a column; none where columns have no names.
            #[getter]
            fn columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
                let columns = self.0.glance(py, |held| held?.columns.clone())?;
                Ok(columns.map(|columns| columns.names().list(py)))
            }

            /// The names of the columns once features of these names appear, the number of columns, and whether all have one then; there are
            /// `width` columns in a learner that is empty.
            fn columns_for<'py>(
                &self,
                names: &Bound<'py, PyList>,
                width: usize,
            ) -> PyResult<(Bound<'py, PyTuple>, usize, bool)> {
                columns_for(&self.0, names, width)
            }

            /// Number of features of a row.
            #[getter]
            fn features(&self, py: Python<'_>) -> PyResult<usize> {
                self.0.read_one(py, |inner| inner.schema().features())
            }

            /// Width of a row of predictions: the classes known, or 1.
            #[getter]
            fn width(&self, py: Python<'_>) -> PyResult<usize> {
                self.0.read_one(py, |inner| inner.schema().width())
            }

            /// Number of trees; 0 for a baseline.
            #[getter]
            fn trees(&self, py: Python<'_>) -> PyResult<usize> {
                self.0.read_one(py, |inner| inner.learner().trees())
            }

            /// How many threads work on a batch; 0 for as many as cores.
            #[getter]
            fn threads(&self) -> usize {
                self.0.threads()
            }

            /// Number of samples learned.
            #[getter]
            fn samples_seen(&self, py: Python<'_>) -> PyResult<u64> {
                self.0.read_one(py, |inner| inner.samples_seen())
            }

            /// Names of the features, of a model that the program has made.
            #[getter]
            fn feature_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
                self.0.read_one(py, |inner| inner.feature_names())
            }

            /// Names of the classes, where a model has them.
            #[getter]
            fn class_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
                self.0.read_one(py, |inner| inner.class_names())
            }

            /// Whether it learns missing values, NaN, and categories.
            #[getter]
            fn takes_missing_values(&self, py: Python<'_>) -> PyResult<bool> {
                self.0.read_one(py, can::takes_missing_values)
            }

            /// What it can do besides learning and predicting.
            #[getter]
            fn capabilities(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
                self.0.ask(py, can::capabilities)
            }

            /// Nodes, samples that are held, and bytes of memory.
            fn footprint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let footprint = self.0.read_one(py, |inner| inner.footprint())?;
                let entry = PyDict::new(py);
                entry.set_item("nodes", footprint.nodes)?;
                entry.set_item("stored_samples", footprint.stored_samples)?;
                entry.set_item("bytes", footprint.bytes)?;
                Ok(entry)
            }

            /// Learns rows with their targets, one after another. A weight w stands for w copies of a row at once.
            #[pyo3(signature = (x, y, weights = None))]
            fn learn(
                &self,
                x: &Bound<'_, PyAny>,
                y: &Bound<'_, PyAny>,
                weights: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<()> {
                let targets = <$task>::targets(y)?;
                let turn = self.0.turn(x.py())?;
                let mut lesson = Lesson::new(x.py(), &self.0, None)?;
                lesson.expect_width(x.py(), &self.0, x)?;
                learn_rows(&self.0, &turn, lesson, x, targets.view()?, weights, None)
            }

            /// Learns rows with their targets, which may have more features than those before: see `widen`.
            #[pyo3(signature = (x, y, weights = None))]
            fn learn_wide(
                &self,
                x: &Bound<'_, PyAny>,
                y: &Bound<'_, PyAny>,
                weights: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<()> {
                let targets = <$task>::targets(y)?;
                let turn = self.0.turn(x.py())?;
                let lesson = Lesson::new(x.py(), &self.0, None)?;
                learn_rows(&self.0, &turn, lesson, x, targets.view()?, weights, None)
            }

            /// Predicts rows, one row each. Changes nothing.
            fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f64>>> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let predictions = self
                    .0
                    .read_rows(x.py(), view.nrows(), |inner| inner.predict(view))?;
                Ok(predictions.map_err(refused)?.into_pyarray(x.py()))
            }

            /// Predicts rows, whose features are the first; a row is 0 in those behind them.
            fn predict_narrow<'py>(
                &self,
                x: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyArray2<f64>>> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let predictions = self.0.read_rows(x.py(), view.nrows(), |inner| {
                    let features = inner.schema().features();
                    if view.ncols() < features {
                        inner.predict(widened(view, features).view())
                    } else {
                        inner.predict(view)
                    }
                })?;
                Ok(predictions.map_err(refused)?.into_pyarray(x.py()))
            }

            /// Predicts rows into an existing array of `float64`.
            fn predict_into(
                &self,
                x: &Bound<'_, PyAny>,
                mut out: PyReadwriteArray2<'_, f64>,
            ) -> PyResult<()> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let out = out.as_slice_mut()?;
                self.0.read_rows(x.py(), view.nrows(), |inner| {
                    can::predict_into(inner, view, out)
                })?
            }

            /// Test-then-train: the prediction for every row just before it was learned. A class that was not known then has
            /// probability 0.
            fn predict_then_learn<'py>(
                &self,
                x: &Bound<'py, PyAny>,
                y: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyArray2<f64>>> {
                let (rows, targets) = (Rows::of(x)?, <$task>::targets(y)?);
                let (rows, targets) = (rows.view()?, targets.view()?);
                let predictions = self.0.write_rows(x.py(), targets.len(), |inner| {
                    let predictions = inner.predict_then_learn(rows, targets)?;
                    Ok::<_, InputError>(table(&predictions, inner.schema().width()))
                })?;
                Ok(predictions.map_err(refused)?.into_pyarray(x.py()))
            }
        }
    };
}

verbs!(Classifier, Classification);
verbs!(Regressor, Regression);

fn columns_for<'py, T: PythonTask>(
    learner: &Shared<T>,
    names: &Bound<'py, PyList>,
    width: usize,
) -> PyResult<(Bound<'py, PyTuple>, usize, bool)> {
    let py = names.py();
    let none = PyTuple::empty(py);
    let Some(columns) = learner.glance(py, |held| held?.columns.clone())? else {
        let columns = Columns::named(none)?;
        let (list, all) = columns.more(names, width, false)?;
        return Ok((list, width, all));
    };
    let (features, widens) =
        learner.ask(py, |inner| (inner.schema().features(), can::widens(inner)))?;
    let (more, all) = columns.more(names, features, widens)?;
    let list = columns.names().list(py).add(more)?.cast_into::<PyTuple>()?;
    let width = features.max(list.len());
    Ok((list, width, all))
}

/// Rows with zeros behind them.
fn widened(rows: ArrayView2<'_, f32>, features: usize) -> Array2<f32> {
    let mut wide = Array2::zeros((rows.nrows(), features));
    wide.slice_mut(s![.., ..rows.ncols()]).assign(&rows);
    wide
}

/// Rows of unequal width as an array, filled up with 0.
pub fn table(rows: &PredictionRows, width: usize) -> Array2<f64> {
    let mut table = Array2::zeros((rows.len(), width));
    for (mut cells, prediction) in table.rows_mut().into_iter().zip(rows.iter()) {
        cells
            .iter_mut()
            .zip(prediction)
            .for_each(|(cell, number)| *cell = *number);
    }
    table
}
