//! The classes of Python: a learner, which is a classifier or a regressor, as an object that learns and predicts.

use forest_core::registry::snapshot::Snapshot as _;
use forest_model::TableTask;
use numpy::ndarray::{Array1, Array2};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use online_forests::{
    Algorithm, FeatureValues, ForestSettings, OnlineLearner as _, PredictionRows, Retention,
    Schema, argmax,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyTuple};
use tables::category_of_word;

use crate::convert::{self, Made, Whole};
use crate::error::refused;
use crate::names::{self, Names, number};
use crate::saved::{Inner, Saved, each, query_rows, update};
use crate::shared::{Held, Learner, no_names};

/// A classifier by name. Classes are whole numbers from 0; predictions are rows of probabilities, as many as classes
/// are known.
#[pyclass(frozen, extends = Learner, module = "online_forests._core")]
pub struct Classifier;

/// A regressor by name. Predictions are rows of one number.
#[pyclass(frozen, extends = Learner, module = "online_forests._core")]
pub struct Regressor;

/// Builds a learner by name, which keeps all samples or the latest ones.
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
    /// A classifier for rows of `features` numbers. The first `classes` classes, or those of `labels`, are known from
    /// the start; a `closed` classifier refuses any other, and `class_cap` limits their number. `columns` are names of
    /// features.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None,
                     classes = Whole(0), class_cap = None, threads = Whole(0), labels = None, closed = false,
                     columns = None),
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
        let held = Held::of(inner, threads.count(), labels, closed, columns, Vec::new())?;
        Ok(PyClassInitializer::from(Learner::of(held)).add_subclass(Self))
    }
}

/// Returns the label of a class, or its number if classes have no labels.
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
        let held = Held::of(inner, threads.count(), None, false, columns, Vec::new())?;
        Ok(PyClassInitializer::from(Learner::of(held)).add_subclass(Self))
    }
}

/// Reads a property of a learner of either task.
macro_rules! known {
    ($learner:expr, $py:expr, $it:ident => $what:expr) => {
        $learner.read($py, 1, |held| Ok(each!(&held.inner, $it => $what)))
    };
}

#[pymethods]
impl Learner {
    /// The algorithm with every parameter, after the steps of a pipeline.
    #[getter]
    fn algorithm(&self, py: Python<'_>) -> PyResult<String> {
        known!(self, py, it => it.label())
    }

    /// Whether it has learned no rows.
    #[getter]
    fn is_empty(&self, py: Python<'_>) -> PyResult<bool> {
        known!(self, py, it => it.samples_seen() == 0)
    }

    /// Names of the features that have a column; None if columns have no names.
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let columns = self.read(py, 1, |held| Ok(held.columns.clone()))?;
        Ok(columns.map(|columns| columns.names.list(py)))
    }

    /// Returns the names of the columns after features of these names have appeared, the number of columns, and whether
    /// every feature has one.
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

    /// Number of values of a prediction: the number of known classes, or 1.
    #[getter]
    fn width(&self, py: Python<'_>) -> PyResult<usize> {
        known!(self, py, it => it.schema().width())
    }

    /// Number of trees; 0 for a baseline.
    #[getter]
    fn trees(&self, py: Python<'_>) -> PyResult<usize> {
        known!(self, py, it => it.learner().trees())
    }

    /// Number of threads for a batch; 0 for one per core.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, 1, |held| Ok(held.threads))
    }

    /// Number of samples learned.
    #[getter]
    fn samples_seen(&self, py: Python<'_>) -> PyResult<u64> {
        known!(self, py, it => it.samples_seen())
    }

    /// Names of the features of a model of the program; None for others.
    #[getter]
    fn feature_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        known!(self, py, it => it.feature_names())
    }

    /// Names of the classes of a model or pipeline; None for others.
    #[getter]
    fn class_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        known!(self, py, it => it.class_names())
    }

    /// Number of changes in this process: predictions between two equal numbers are of one state.
    #[getter]
    fn changes(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, 1, |held| Ok(held.changes))
    }

    /// Whether missing values and categories are supported.
    #[getter]
    fn takes_missing_values(&self, py: Python<'_>) -> PyResult<bool> {
        known!(self, py, it => it.feature_values() == FeatureValues::NumbersAndCategories)
    }

    /// Names of what the learner supports besides learning and predicting.
    #[getter]
    fn capabilities(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.write(py, 1, |held| {
            Ok(each!(&mut held.inner, it => it.capabilities()))
        })
    }

    /// Returns the numbers of `nodes` and `stored_samples`, and the `bytes` of memory.
    fn footprint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let footprint = known!(self, py, it => it.footprint())?;
        let dict = PyDict::new(py);
        dict.set_item("nodes", footprint.nodes)?;
        dict.set_item("stored_samples", footprint.stored_samples)?;
        dict.set_item("bytes", footprint.bytes)?;
        Ok(dict)
    }

    /// Returns the most probable class of each row; None before the first sample, and for numbers.
    fn labels<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        let labels = self.query_rows(x, |held, rows| {
            let labels = match &held.inner {
                Inner::Classes(it) => it.predict_labels(rows).map_err(refused)?,
                Inner::Numbers(_) => Vec::new(),
            };
            Ok(labels.into_iter().flatten().collect::<Array1<u32>>())
        })?;
        Ok((labels.len()? > 0).then_some(labels))
    }

    /// Labels of the known classes in their order; None if classes have no labels.
    #[getter]
    fn known_labels<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let names = self.read(py, 1, |held| Ok(held.known_labels()))?;
        Ok(names.map(|(labels, width)| labels.first(py, width)))
    }

    /// Whether labels other than the known ones are refused.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, 1, |held| Ok(held.is_closed))
    }

    /// Predicts a dictionary of features: a number, or the probability of each label.
    fn predict_dict<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyAny> {
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

    /// Returns the most probable label for a dictionary of features; None before a class is known.
    fn predict_label_dict<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyAny> {
        self.with_prediction(x, |numbers, labels, _| match numbers {
            [] => Ok(x.py().None().into_bound(x.py())),
            _ => label(x.py(), labels, argmax(numbers)),
        })
    }

    /// Returns a dictionary of features as an array of one row.
    fn row<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<f32>> {
        let row = self.features_of(x)?;
        let rows = Array2::from_shape_vec((1, row.len()), row).map_err(refused)?;
        Ok(rows.into_pyarray(x.py()))
    }

    /// Returns the values of a feature as numbers; words and missing values if the learner supports them.
    fn column<'py>(
        &self,
        name: &Bound<'py, PyAny>,
        values: Vec<Bound<'py, PyAny>>,
    ) -> Made<'py, PyArray1<f32>> {
        let (columns, taken) = self.read(name.py(), 1, |held| {
            Ok(each!(&held.inner, it => (held.columns.clone(), it.feature_values())))
        })?;
        let mut is_word = None;
        if let Some(columns) = columns
            && let Some(column) = columns.names.place(name)?
        {
            is_word = columns.words[column];
        }
        let mut numbers = Vec::with_capacity(values.len());
        for value in &values {
            let number = number(name, value, taken, is_word)?;
            is_word = is_word.or(names::is_word(number));
            numbers.push(number);
        }
        Ok(numbers.into_pyarray(name.py()))
    }

    /// Returns the numbers that stand for categories of these names.
    #[staticmethod]
    fn categories(py: Python<'_>, names: Vec<PyBackedStr>) -> Bound<'_, PyArray1<f32>> {
        let numbers = names.iter().map(|name| category_of_word(name));
        PyArray1::from_iter(py, numbers)
    }

    /// Predicts rows: returns one row of values for each.
    fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<f64>> {
        query_rows!(self, x, rows, it => it.predict(rows))
    }

    /// Returns mean and variance of a new target at each row, as two columns; for some regressors.
    fn means_and_variances<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<f64>> {
        query_rows!(self, x, rows, it => it.means_and_variances(rows))
    }

    /// Returns the bounds, as two columns, between which a new target at each row lies with probability `level`.
    fn intervals<'py>(&self, x: &Bound<'py, PyAny>, level: f64) -> Made<'py, PyArray2<f64>> {
        query_rows!(self, x, rows, it => it.central_intervals(rows, level))
    }

    /// Learns rows one after another, and returns the prediction for each just before it was learned. A class that was
    /// not known then has probability 0.
    fn predict_then_learn<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
    ) -> Made<'py, PyArray2<f64>> {
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let targets = self.targets(y)?;
        let predictions = update!(self, x.py(), rows.nrows(), it => {
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

/// Returns rows of unequal width as an array, padded with 0.
pub fn table(rows: &PredictionRows, width: usize) -> Array2<f64> {
    let mut table = Array2::zeros((rows.len(), width));
    for (mut cells, prediction) in table.rows_mut().into_iter().zip(rows.iter()) {
        for (cell, number) in cells.iter_mut().zip(prediction) {
            *cell = *number;
        }
    }
    table
}
