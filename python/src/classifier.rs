//! The class for classification.

use numpy::{IntoPyArray, PyArray1};
use online_forests::{
    Classification, ForestSettings, OnlineClassifier as _, OnlineLearner as _, Schema,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::Rows;
use crate::by_dict::{learn_dict, with_answer};
use crate::columns::Columns;
use crate::error::refused;
use crate::inner::Inner;
use crate::labels::Labels;
use crate::settings::{Whole, build, retention};
use crate::shared::Shared;

/// A classifier by name. Classes are whole numbers from 0; answers are rows of probabilities, as many as classes are known.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Classifier(pub(crate) Shared<Classification>);

impl Classifier {
    /// A learner that was built or loaded, for which this number of threads works.
    ///
    /// # Errors
    /// More threads than are started.
    pub fn of(inner: Inner<Classification>, threads: usize) -> PyResult<Self> {
        Shared::new(inner, threads).map(Self)
    }
}

#[pymethods]
impl Classifier {
    /// A classifier for rows of `features` numbers. `classes` of them are known from the start, `class_cap` may ever be.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None, reservoir = None,
                     classes = Whole(0), class_cap = None, threads = Whole(0)),
        text_signature = "(algorithm, features, *, trees=10, seed=0, window=None, reservoir=None, classes=0, \
                          class_cap=None, threads=0)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        algorithm: &str,
        features: Whole,
        trees: Whole,
        seed: Whole,
        window: Option<Whole>,
        reservoir: Option<Whole>,
        classes: Whole,
        class_cap: Option<Whole>,
        threads: Whole,
    ) -> PyResult<Self> {
        let mut schema = Schema::new(features.count()).map_err(refused)?;
        if let Some(cap) = class_cap {
            schema = schema.with_class_cap(cap.class()).map_err(refused)?;
        }
        let schema = schema.with_classes(classes.class()).map_err(refused)?;
        let retention = retention(window, reservoir)?;
        let settings = ForestSettings {
            trees: trees.count(),
            seed: seed.0,
            retention,
        };
        Self::of(build(algorithm, schema, settings)?, threads.count())
    }

    /// The most probable class of each row; `None` before the first sample.
    fn labels<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let labels = self
            .0
            .read_rows(x.py(), view.nrows(), |inner| inner.predict_labels(view))?;
        let labels = labels.map_err(refused)?;
        Ok(labels.map(|labels| labels.into_pyarray(x.py())))
    }

    /// Learns a dictionary of features of weight `w`; whether every feature has a column.
    #[pyo3(signature = (x, y, columns, labels, w = 1.0))]
    fn learn_dict(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        columns: &Bound<'_, Columns>,
        labels: &Bound<'_, Labels>,
        w: f64,
    ) -> PyResult<bool> {
        let labels = labels.try_borrow()?;
        let class = labels.known_or_next(y)?;
        let all = learn_dict(&self.0, x, (class, w), columns)?;
        labels.admit(y, class)?;
        Ok(all)
    }

    /// The probability of each label for a dictionary of features.
    fn predict_dict<'py>(
        &self,
        x: &Bound<'py, PyDict>,
        columns: &Bound<'py, Columns>,
        labels: &Bound<'py, Labels>,
    ) -> PyResult<Bound<'py, PyDict>> {
        with_answer(&self.0, x, columns, |answer| {
            labels.try_borrow()?.named(x.py(), answer)
        })
    }

    /// The most probable label for a dictionary of features; `None` before the first sample.
    fn predict_label_dict<'py>(
        &self,
        x: &Bound<'py, PyDict>,
        columns: &Bound<'py, Columns>,
        labels: &Bound<'py, Labels>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let answered = with_answer(&self.0, x, columns, |answer| {
            let labels = labels.try_borrow()?;
            labels.label(x.py(), online_forests::argmax(answer))
        });
        match self.0.read_one(x.py(), |inner| inner.samples_seen())? {
            0 => Ok(None),
            _ => answered.map(Some),
        }
    }
}
