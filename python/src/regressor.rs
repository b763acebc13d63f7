//! The class for regression.

use numpy::{IntoPyArray, PyArray2};
use online_forests::{Regression, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrays::Rows;
use crate::by_dict::{learn_dict, with_prediction};
use crate::capabilities as can;
use crate::columns::Columns;
use crate::error::refused;
use crate::held::{Held, named};
use crate::lesson::{Lesson, learn_rows};
use crate::settings::{Whole, build, forest};
use crate::shared::Shared;
use crate::task::PythonTask;

/// A regressor by name. Predictions are rows of one number.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Regressor(pub(crate) Shared<Regression>);

#[pymethods]
impl Regressor {
    /// A regressor for rows of `features` numbers. `columns` are names of features.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None,
                     threads = Whole(0), columns = None),
        text_signature = "(algorithm, features, *, trees=10, seed=0, window=None, threads=0, columns=None)"
    )]
    fn new(
        algorithm: &str,
        features: Whole,
        trees: Whole,
        seed: Whole,
        window: Option<Whole>,
        threads: Whole,
        columns: Option<Bound<'_, PyTuple>>,
    ) -> PyResult<Self> {
        let schema = Schema::new(features.count()).map_err(refused)?;
        let settings = forest(trees, seed, window);
        let held = Held {
            columns: named(columns, Columns::named)?,
            ..Held::plain(build(algorithm, schema, settings)?)
        };
        Shared::new(Some(held), threads.count()).map(Self)
    }

    /// Learns rows. If the learner is empty, it is `first` from now on. With `columns`, rows have the features of these names, which begin
    /// with those before; False if they do not, and nothing is learned. `progress` is called with how many rows are learned, and of how many. With
    /// `at_once`, the first rows are learned all at once by learners that can.
    #[pyo3(signature = (x, y, weights = None, *, columns = None, first = None, progress = None, at_once = false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn learn_named(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        columns: Option<&Bound<'_, PyTuple>>,
        first: Option<&Bound<'_, Self>>,
        progress: Option<&Bound<'_, PyAny>>,
        at_once: bool,
    ) -> PyResult<bool> {
        let py = x.py();
        let targets = Regression::targets(y)?;
        let turn = self.0.turn(py)?;
        let mut lesson = Lesson::new(py, &self.0, first.map(|first| &first.get().0))?;
        if !lesson.accept_columns(py, &self.0, x, columns)? {
            return Ok(false);
        }
        learn_rows(
            &self.0,
            &turn,
            lesson.at_once(at_once),
            x,
            targets.view()?,
            weights,
            progress,
        )?;
        Ok(true)
    }

    /// Learns a dictionary of features with a number, with weight `w`; whether every feature has a column. If the learner is empty, it is
    /// `first` from now on.
    #[pyo3(signature = (x, y, w = 1.0, first = None))]
    fn learn_dict(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        w: f64,
        first: Option<&Bound<'_, Self>>,
    ) -> PyResult<bool> {
        let target = Regression::one(y)?;
        let turn = self.0.turn(x.py())?;
        let lesson = Lesson::new(x.py(), &self.0, first.map(|first| &first.get().0))?;
        learn_dict(&self.0, &turn, lesson, x, target, w)
    }

    /// The number for a dictionary of features.
    fn predict_dict(&self, x: &Bound<'_, PyDict>) -> PyResult<f64> {
        with_prediction(&self.0, x, |numbers, _| Ok(numbers[0]))
    }

    /// Mean and variance of a new target at each row, as two columns; only some regressors have them.
    fn means_and_variances<'py>(
        &self,
        x: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let predictions = self.0.read_rows(x.py(), view.nrows(), |inner| {
            can::means_and_variances(inner, view)
        })??;
        Ok(predictions.into_pyarray(x.py()))
    }

    /// Between which bounds, as two columns, a new target at each row lies with probability `level`.
    fn intervals<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        level: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let predictions = self.0.read_rows(x.py(), view.nrows(), |inner| {
            can::intervals(inner, view, level)
        })??;
        Ok(predictions.into_pyarray(x.py()))
    }
}
