//! The class for classification.

use numpy::{IntoPyArray, PyArray1};
use online_forests::{Classification, OnlineLearner as _, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrays::Rows;
use crate::by_dict::{learn_dict, with_prediction};
use crate::columns::Columns;
use crate::error::{refused, wrong_value};
use crate::held::{Held, named};
use crate::lesson::{Lesson, learn_rows};
use crate::names::Names;
use crate::settings::{Whole, build, forest};
use crate::shared::Shared;
use crate::task::PythonTask as _;

/// A classifier by name. Classes are whole numbers from 0; predictions are rows of probabilities, as many as classes are known.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Classifier(pub(crate) Shared<Classification>);

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
    ) -> PyResult<Self> {
        let classes = labels
            .as_ref()
            .map_or(classes, |labels| Whole(labels.len() as u64));
        let mut schema = Schema::new(features.count()).map_err(refused)?;
        if let Some(cap) = class_cap {
            schema = schema.with_class_cap(cap.class()).map_err(refused)?;
        }
        let schema = schema.with_classes(classes.class()).map_err(refused)?;
        let settings = forest(trees, seed, window);
        let held = Held {
            inner: build(algorithm, schema, settings)?,
            labels: named(labels, Names::of)?,
            is_closed: closed,
            columns: named(columns, Columns::named)?,
        };
        Shared::new(Some(held), threads.count()).map(Self)
    }

    /// The most probable class of each row; `None` before the first sample.
    fn labels<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let labels = self
            .0
            .read_rows(x.py(), view.nrows(), |inner| inner.predict_labels(view))?;
        let labels = labels.map_err(refused)?;
        let labels: Option<Vec<u32>> = labels.into_iter().collect();
        Ok(labels.map(|labels| labels.into_pyarray(x.py())))
    }

    /// The labels of the classes that are known, in their order; none where classes are but numbers.
    #[getter]
    fn known_labels<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let labels = |held: &Held<_>| Some((held.labels.clone()?, held.width()));
        let known = self.0.glance(py, |held| held.and_then(labels))?;
        Ok(known.map(|(labels, width)| labels.first(py, width)))
    }

    /// Whether no other labels become classes.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        self.0
            .glance(py, |held| held.is_some_and(|held| held.is_closed))
    }

    /// Learns rows whose labels are `labels[code]`, each another; a label that is new becomes a class. If the learner is empty, it is
    /// `first` from now on. With `columns`, rows have the features of these names, which begin with those before; False if they do not,
    /// and nothing is learned. `progress` is called with how many rows are learned, and of how many. With `at_once`, the first rows are
    /// learned all at once by learners that can.
    #[pyo3(signature = (x, labels, codes, weights = None, *, columns = None, first = None, progress = None, at_once = false))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn learn_named(
        &self,
        x: &Bound<'_, PyAny>,
        labels: &Bound<'_, PyTuple>,
        codes: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        columns: Option<&Bound<'_, PyTuple>>,
        first: Option<&Bound<'_, Self>>,
        progress: Option<&Bound<'_, PyAny>>,
        at_once: bool,
    ) -> PyResult<bool> {
        let py = x.py();
        let codes = Classification::targets(codes)?;
        let turn = self.0.turn(py)?;
        let mut lesson = Lesson::new(py, &self.0, first.map(|first| &first.get().0))?;
        if !lesson.accept_columns(py, &self.0, x, columns)? {
            return Ok(false);
        }
        let classes = lesson.classes_of(labels)?;
        let class = |code: &u32| classes.get(*code as usize).copied();
        let targets: Option<Vec<u32>> = codes.view()?.iter().map(class).collect();
        let targets = targets.ok_or_else(|| wrong_value("a code has no label"))?;
        learn_rows(
            &self.0,
            &turn,
            lesson.at_once(at_once),
            x,
            &targets,
            weights,
            progress,
        )?;
        Ok(true)
    }

    /// Learns a dictionary of features with a label, with weight `w`; whether every feature has a column. If the learner is empty, it is
    /// `first` from now on.
    #[pyo3(signature = (x, y, w = 1.0, first = None))]
    fn learn_dict(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        w: f64,
        first: Option<&Bound<'_, Self>>,
    ) -> PyResult<bool> {
        let turn = self.0.turn(x.py())?;
        let mut lesson = Lesson::new(x.py(), &self.0, first.map(|first| &first.get().0))?;
        let class = lesson.class_of(y)?;
        learn_dict(&self.0, &turn, lesson, x, class, w)
    }

    /// The probability of each label for a dictionary of features.
    fn predict_dict<'py>(&self, x: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
        with_prediction(&self.0, x, |numbers, labels| {
            let prediction = PyDict::new(x.py());
            for (class, number) in numbers.iter().enumerate() {
                prediction.set_item(label(x.py(), labels.as_deref(), class)?, number)?;
            }
            Ok(prediction)
        })
    }

    /// The most probable label for a dictionary of features.
    fn predict_label_dict<'py>(&self, x: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        with_prediction(&self.0, x, |numbers, labels| {
            label(x.py(), labels.as_deref(), online_forests::argmax(numbers))
        })
    }
}

/// The label of a class, or its number where classes have no labels.
fn label<'py>(
    py: Python<'py>,
    labels: Option<&Names>,
    class: usize,
) -> PyResult<Bound<'py, PyAny>> {
    match labels {
        Some(labels) => labels.name(py, class),
        None => Ok(class.into_pyobject(py)?.into_any()),
    }
}
