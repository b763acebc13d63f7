//! The classes of Python: a learner, which is a classifier or a regressor, as an object that learns and predicts.

use forest_core::registry::snapshot::Snapshot as _;
use forest_model::TableTask;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use online_forests::{
    Algorithm, ForestSettings, OnlineLearner as _, PredictionRows, Retention, Schema, argmax,
};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict, PyList, PyTuple};

use crate::convert::{self, Made, Whole};
use crate::error::refused;
use crate::lesson::How;
use crate::names::{Names, number};
use crate::saved::{Inner, Saved, ask_rows, each, tell};
use crate::shared::{Held, Learner, no_names};

/// A classifier by name. Classes are whole numbers from 0; predictions are rows of probabilities, as many as classes are known.
#[pyclass(frozen, extends = Learner, module = "online_forests._core")]
pub struct Classifier;

/// A regressor by name. Predictions are rows of one number.
#[pyclass(frozen, extends = Learner, module = "online_forests._core")]
pub struct Regressor;

/// A learner by name, of a forest that holds on to all samples, or the latest.
fn build<T: TableTask>(
    algorithm: &str,
    schema: Schema<T>,
    trees: Whole,
    seed: Whole,
    window: Option<Whole>,
) -> PyResult<Saved<T>> {
    let retention = window.map_or(Retention::Everything, |it| Retention::Latest(it.count()));
    let settings = ForestSettings::default().with_trees(trees.count());
    let algorithm: Algorithm = algorithm.parse().map_err(refused)?;
    let learner = algorithm.build(schema, settings.with_seed(seed.0).with_retention(retention));
    learner.map(Saved::Alone).map_err(refused)
}

#[pymethods]
impl Classifier {
    /// A classifier for rows of `features` numbers. The first `classes` classes, or those of `labels`, are known from the
    /// start; a `closed` classifier refuses any other, and `class_cap` limits their number. `columns` are names of features.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None,
                     classes = Whole(0), class_cap = None, threads = Whole(0), labels = None, closed = false, columns = None),
        text_signature = "(algorithm, features, *, trees=10, seed=0, window=None, classes=0, \
                          class_cap=None, threads=0, labels=None, closed=False, columns=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        algorithm: &str,
        features: Whole,
        trees: Whole,
        seed: Whole,
        window: Option<Whole>,
        classes: Whole,
        class_cap: Option<Whole>,
        threads: Whole,
        labels: Option<Bound<'_, PyTuple>>,
        closed: bool,
        columns: Option<Bound<'_, PyTuple>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let classes = labels.as_ref().map_or(classes, |it| Whole(it.len() as u64));
        let mut schema = Schema::new(features.count()).map_err(refused)?;
        if let Some(cap) = class_cap {
            schema = schema.with_class_cap(cap.class()).map_err(refused)?;
        }
        let schema = schema.with_classes(classes.class()).map_err(refused)?;
        let inner = Inner::Classes(build(algorithm, schema, trees, seed, window)?);
        let held = Held::of(inner, threads.count(), labels, closed, columns)?;
        Ok(PyClassInitializer::from(Learner::of(held)).add_subclass(Self))
    }
}

/// The label of a class, or its number where classes have no labels.
fn label<'py>(py: Python<'py>, labels: Option<&Names>, class: usize) -> Made<'py, PyAny> {
    match labels {
        Some(labels) => labels.name(py, class),
        None => Ok(class.into_pyobject(py)?.into_any()),
    }
}

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
    ) -> PyResult<PyClassInitializer<Self>> {
        let schema = Schema::new(features.count()).map_err(refused)?;
        let inner = Inner::Numbers(build(algorithm, schema, trees, seed, window)?);
        let held = Held::of(inner, threads.count(), None, false, columns)?;
        Ok(PyClassInitializer::from(Learner::of(held)).add_subclass(Self))
    }
}

/// What a learner of either task knows of itself.
macro_rules! known {
    ($learner:expr, $py:expr, $it:ident => $what:expr) => {
        $learner.read($py, 1, |held| Ok(each!(&held.inner, $it => $what)))
    };
}

#[pymethods]
impl Learner {
    /// The algorithm, every parameter stated; steps that stand before it, too.
    #[getter]
    fn algorithm(&self, py: Python<'_>) -> PyResult<String> {
        known!(self, py, it => it.label())
    }

    /// Whether it has learned no rows.
    #[getter]
    fn is_empty(&self, py: Python<'_>) -> PyResult<bool> {
        known!(self, py, it => it.samples_seen() == 0)
    }

    /// Names of the features that have a column; none where columns have no names.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let columns = self.read(py, 1, |held| Ok(held.columns.clone()))?;
        Ok(columns.map(|columns| columns.names.list(py)))
    }

    /// The names of the columns once features of these names appear, the number of columns, and whether all have one then.
    fn columns_for<'py>(
        &self,
        names: &Bound<'py, PyList>,
    ) -> PyResult<(Bound<'py, PyTuple>, usize, bool)> {
        let py = names.py();
        let (columns, features, widens) = self.write(py, 1, |held| {
            let columns = held.columns.clone().ok_or_else(no_names)?;
            Ok(each!(&mut held.inner, it => (columns, it.schema().features(), it.widens())))
        })?;
        let (more, all) = columns.more(names, features, widens)?;
        let list = columns.names.list(py).add(more)?.cast_into::<PyTuple>()?;
        let width = features.max(list.len());
        Ok((list, width, all))
    }

    /// Number of features of a row.
    #[getter]
    fn features(&self, py: Python<'_>) -> PyResult<usize> {
        known!(self, py, it => it.schema().features())
    }

    /// Width of a row of predictions: the classes known, or 1.
    #[getter]
    fn width(&self, py: Python<'_>) -> PyResult<usize> {
        known!(self, py, it => it.schema().width())
    }

    /// Number of trees; 0 for a baseline.
    #[getter]
    fn trees(&self, py: Python<'_>) -> PyResult<usize> {
        known!(self, py, it => it.learner().trees())
    }

    /// How many threads work on a batch; 0 for as many as cores.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, 1, |held| Ok(held.threads))
    }

    /// Number of samples learned.
    #[getter]
    fn samples_seen(&self, py: Python<'_>) -> PyResult<u64> {
        known!(self, py, it => it.samples_seen())
    }

    /// Names of the features, of a model that the program has made.
    #[getter]
    fn feature_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        known!(self, py, it => it.feature_names())
    }

    /// Names of the classes, where a model has them.
    #[getter]
    fn class_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        known!(self, py, it => it.class_names())
    }

    /// What it can do besides learning and predicting.
    #[getter]
    fn capabilities(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        let words = |held: &mut Held| Ok(each!(&mut held.inner, it => it.capabilities()));
        self.write(py, 1, words)
    }

    /// Nodes, samples that are held, and bytes of memory.
    fn footprint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let footprint = known!(self, py, it => it.footprint())?;
        let (nodes, stored) = (footprint.nodes, footprint.stored_samples);
        [
            ("nodes", nodes),
            ("stored_samples", stored),
            ("bytes", footprint.bytes),
        ]
        .into_py_dict(py)
    }

    /// Learns rows with their targets, one after another. A weight w stands for w copies of a row at once.
    #[pyo3(signature = (x, y, weights = None))]
    fn learn(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.learn_rows(x, y, weights, &How::default()).map(drop)
    }

    /// Learns rows. With `labels`, each another, targets are places among them; a label that is new becomes a class. With `columns`, rows have the
    /// features of these names, which begin with those before; False if they do not, and nothing is learned. `progress` is called with how many
    /// rows are learned, and of how many. With `at_once`, the first rows are learned all at once by learners that can.
    #[pyo3(signature = (x, y, weights = None, *, labels = None, columns = None, progress = None, at_once = false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn learn_named(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        labels: Option<&Bound<'_, PyTuple>>,
        columns: Option<&Bound<'_, PyTuple>>,
        progress: Option<&Bound<'_, PyAny>>,
        at_once: bool,
    ) -> PyResult<bool> {
        let how = How {
            labels,
            columns,
            progress,
            at_once,
        };
        self.learn_rows(x, y, weights, &how)
    }

    /// Learns a dictionary of features with a label or a number, with weight `w`; whether every feature has a column.
    #[pyo3(signature = (x, y, w = 1.0))]
    fn learn_dict(&self, x: &Bound<'_, PyDict>, y: &Bound<'_, PyAny>, w: f64) -> PyResult<bool> {
        self.learn_features(x, y, w)
    }

    /// The most probable class of each row; `None` before the first sample, and of numbers.
    fn labels<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        let (py, rows) = (x.py(), convert::rows(x)?);
        let rows = rows.as_array();
        let labels = self.read(py, rows.nrows(), |held| match &held.inner {
            Inner::Classes(it) => it.predict_labels(rows).map_err(refused).map(Vec::into_iter),
            Inner::Numbers(_) => Ok(vec![None].into_iter()),
        })?;
        let labels: Option<Vec<u32>> = labels.collect();
        Ok(labels.map(|labels| labels.into_pyarray(py)))
    }

    /// The labels of the classes that are known, in their order; none where classes are but numbers.
    #[getter]
    fn known_labels<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let names = self.read(py, 1, |held| Ok(held.known_labels()))?;
        Ok(names.map(|(labels, width)| labels.first(py, width)))
    }

    /// Whether no other labels become classes.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, 1, |held| Ok(held.is_closed))
    }

    /// The number for a dictionary of features, or the probability of each label.
    fn predict_dict<'py>(&self, x: &Bound<'py, PyDict>) -> Made<'py, PyAny> {
        let py = x.py();
        self.with_prediction(x, |numbers, labels, learns_classes| {
            if !learns_classes {
                return Ok(numbers[0].into_pyobject(py)?.into_any());
            }
            let prediction = PyDict::new(py);
            for (class, number) in numbers.iter().enumerate() {
                prediction.set_item(label(py, labels, class)?, number)?;
            }
            Ok(prediction.into_any())
        })
    }

    /// The most probable label for a dictionary of features.
    fn predict_label_dict<'py>(&self, x: &Bound<'py, PyDict>) -> Made<'py, PyAny> {
        self.with_prediction(x, |numbers, labels, _| {
            label(x.py(), labels, argmax(numbers))
        })
    }

    /// The row of numbers of a dictionary of features.
    fn row<'py>(&self, x: &Bound<'py, PyDict>) -> Made<'py, PyArray2<f32>> {
        self.with_features(x, |row| {
            let row = Array2::from_shape_fn((1, row.len()), |(_, column)| row[column]);
            Ok(row.into_pyarray(x.py()))
        })
    }

    /// The numbers of a column of features: categories of words and missing values, where they are taken.
    fn column<'py>(
        &self,
        name: &Bound<'py, PyAny>,
        values: Vec<Bound<'py, PyAny>>,
    ) -> Made<'py, PyArray1<f32>> {
        let taken = self.read(name.py(), 1, |held| {
            Ok(each!(&held.inner, it => it.feature_values()))
        })?;
        let numbers = values.iter().map(|value| number(name, value, taken));
        let numbers: Vec<f32> = numbers.collect::<PyResult<_>>()?;
        Ok(numbers.into_pyarray(name.py()))
    }

    /// Predicts rows, one row each. Changes nothing.
    fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<f64>> {
        ask_rows!(self, x, rows, it => it.predict(rows))
    }

    /// Mean and variance of a new target at each row, as two columns; only some regressors have them.
    fn means_and_variances<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<f64>> {
        ask_rows!(self, x, rows, it => it.means_and_variances(rows))
    }

    /// Between which bounds, as two columns, a new target at each row lies with probability `level`.
    fn intervals<'py>(&self, x: &Bound<'py, PyAny>, level: f64) -> Made<'py, PyArray2<f64>> {
        ask_rows!(self, x, rows, it => it.central_intervals(rows, level))
    }

    /// Test-then-train: the prediction for every row just before it was learned. A class that was not known then has
    /// probability 0.
    fn predict_then_learn<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
    ) -> Made<'py, PyArray2<f64>> {
        let (rows, targets) = (convert::rows(x)?, self.targets(y)?);
        let rows = rows.as_array();
        let predictions = tell!(self, x.py(), rows.nrows(), it => {
            let predictions = it.predict_then_learn(rows, targets.as_ref());
            predictions.map(|predictions| table(&predictions, it.schema().width()))
        })?;
        Ok(predictions.into_pyarray(x.py()))
    }

    fn __sizeof__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(size_of::<Self>() + known!(self, py, it => it.footprint().bytes)?)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        let (label, seen) = known!(slf.get(), slf.py(), it => (it.label(), it.samples_seen()))?;
        Ok(format!("<{class} {label}, {seen} samples seen>"))
    }
}

/// Rows of unequal width as an array, filled up with 0.
pub fn table(rows: &PredictionRows, width: usize) -> Array2<f64> {
    let mut table = Array2::zeros((rows.len(), width));
    for (mut cells, prediction) in table.rows_mut().into_iter().zip(rows.iter()) {
        for (cell, number) in cells.iter_mut().zip(prediction) {
            *cell = *number;
        }
    }
    table
}
