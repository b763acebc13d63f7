//! The class for regression.

use numpy::{IntoPyArray, PyArray2};
use online_forests::{ForestSettings, Regression, Schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::Rows;
use crate::by_dict::{learn_dict, with_answer};
use crate::capabilities as can;
use crate::columns::Columns;
use crate::error::refused;
use crate::inner::Inner;
use crate::settings::{Whole, build, retention};
use crate::shared::Shared;
use crate::task::PythonTask;

/// A regressor by name. Answers are rows of one number.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Regressor(pub(crate) Shared<Regression>);

impl Regressor {
    /// A learner that was built or loaded, for which this number of threads works.
    ///
    /// # Errors
    /// More threads than are started.
    pub fn of(inner: Inner<Regression>, threads: usize) -> PyResult<Self> {
        Shared::new(inner, threads).map(Self)
    }
}

#[pymethods]
impl Regressor {
    /// A regressor for rows of `features` numbers.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None, reservoir = None,
                     threads = Whole(0)),
        text_signature = "(algorithm, features, *, trees=10, seed=0, window=None, reservoir=None, threads=0)"
    )]
    fn new(
        algorithm: &str,
        features: Whole,
        trees: Whole,
        seed: Whole,
        window: Option<Whole>,
        reservoir: Option<Whole>,
        threads: Whole,
    ) -> PyResult<Self> {
        let schema = Schema::new(features.count()).map_err(refused)?;
        let retention = retention(window, reservoir)?;
        let settings = ForestSettings {
            trees: trees.count(),
            seed: seed.0,
            retention,
        };
        Self::of(build(algorithm, schema, settings)?, threads.count())
    }

    /// Learns a dictionary of features of weight `w`; whether every feature has a column.
    #[pyo3(signature = (x, y, columns, w = 1.0))]
    fn learn_dict(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        columns: &Bound<'_, Columns>,
        w: f64,
    ) -> PyResult<bool> {
        learn_dict(&self.0, x, (Regression::one(y)?, w), columns)
    }

    /// The number for a dictionary of features.
    fn predict_dict(&self, x: &Bound<'_, PyDict>, columns: &Bound<'_, Columns>) -> PyResult<f64> {
        with_answer(&self.0, x, columns, |answer| Ok(answer[0]))
    }

    /// Mean and variance of a new target at each row, as two columns; only some regressors tell.
    fn means_and_variances<'py>(
        &self,
        x: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let answers = self.0.read_rows(x.py(), view.nrows(), |inner| {
            can::means_and_variances(inner, view)
        })??;
        Ok(answers.into_pyarray(x.py()))
    }

    /// Between which bounds, as two columns, a new target at each row lies with probability `level`.
    fn intervals<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        level: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let answers = self.0.read_rows(x.py(), view.nrows(), |inner| {
            can::intervals(inner, view, level)
        })??;
        Ok(answers.into_pyarray(x.py()))
    }
}
