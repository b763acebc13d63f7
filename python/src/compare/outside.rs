//! Learners of Python in a comparison, by the adapters that Python makes: row by row or in batches, and all at once.

use std::sync::Arc;
use std::time::Duration;

use comparison::{ComparedTask, Contender, Model, OwnBuild, RunError, Time, Training, charge};
use forest_core::{
    Batch, Classification, FeatureValues, Footprint, ForestSettings, InputError, OnlineLearner,
    PredictionRows, Regression, Rows, Schema,
};
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{Element, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use super::calls::Calls;
use crate::error::refused;

/// Returns the schema of a task with all outputs known.
type Known<T> = fn(Schema<T>, usize) -> Schema<T>;

/// A learner as Python describes it: whether it learns classes, values, and all rows at once.
#[derive(FromPyObject)]
pub struct Described {
    pub(super) label: String,
    /// Name and parameters of the table; `None` for a learner of Python.
    algorithm: Option<String>,
    classes: bool,
    values: bool,
    offline: bool,
    /// The object itself, whose `start` makes the learner of a run.
    itself: Py<PyAny>,
}

/// Makes the learners of one description for one data set.
#[derive(Clone)]
struct Maker {
    described: Arc<Described>,
    calls: Calls,
    /// The data set as Python knows it.
    table: Arc<Py<PyAny>>,
    /// Numbers of a prediction.
    width: usize,
}

impl Maker {
    fn start<T: ComparedTask>(
        &self,
        schema: Schema<T>,
        seed: u64,
    ) -> Result<Outside<T>, InputError> {
        let described = self.described.clone();
        let table = self.table.clone();
        let object = result(self.calls.call(move |py| {
            let made = (seed, table.clone_ref(py), schema.features());
            let learner = described.itself.call_method1(py, "start", made)?;
            learner.extract(py)
        }))?;
        Ok(Outside {
            calls: self.calls.clone(),
            object: Arc::new(object),
            width: self.width,
            schema,
            seen: 0,
        })
    }

    fn build<T: ComparedTask<Target: Element>>(&self, known: Known<T>) -> OwnBuild<T> {
        let maker = self.clone();
        let width = self.width;
        if self.described.offline {
            let fit = move |training: &Training<'_, T>, settings: ForestSettings| {
                let mut learner = maker.start(known(training.schema, width), settings.seed)?;
                learner.learn(training.rows, training.targets)?;
                let footprint = Some(learner.footprint()).filter(|held| held.bytes > 0);
                let predict = move |rows: ArrayView2<'_, f32>| learner.predict(rows);
                Ok(Model::new(predict, 0, footprint))
            };
            return OwnBuild::Offline(Arc::new(fit));
        }
        OwnBuild::Online(Arc::new(move |schema: Schema<T>, settings| {
            let learner = maker.start(known(schema, width), settings.seed)?;
            Ok::<_, RunError>(Box::new(learner) as Box<dyn OnlineLearner<Task = T>>)
        }))
    }
}

impl Described {
    /// Returns the algorithm; a learner of Python is made for the data set `table`, whose predictions have `width`
    /// numbers.
    pub fn contender(
        self: &Arc<Self>,
        calls: &Calls,
        table: &Arc<Py<PyAny>>,
        width: usize,
    ) -> PyResult<Contender> {
        if let Some(text) = &self.algorithm {
            let named: Contender = text.parse().map_err(refused)?;
            // What was written in the same way is named so in the records of the program, too.
            if *text == self.label {
                return Ok(named);
            }
            return Ok(named.labelled(&self.label));
        }
        let maker = Maker {
            described: self.clone(),
            calls: calls.clone(),
            table: table.clone(),
            width,
        };
        let mut own = Contender::own(&self.label);
        if self.classes {
            // More classes than a schema may have are refused when data are opened.
            own = own.with(maker.build(|schema: Schema<Classification>, width| {
                schema.with_classes(width as u32).unwrap_or(schema)
            }));
        }
        if self.values {
            own = own.with(maker.build(|schema: Schema<Regression>, _| schema));
        }
        Ok(own)
    }
}

/// A learner of Python in a run, behind the adapter that Python has made: `learn`, `predict`, `predict_then_learn`,
/// `size`.
struct Outside<T: ComparedTask> {
    calls: Calls,
    object: Arc<Py<PyAny>>,
    /// Numbers of a prediction.
    width: usize,
    schema: Schema<T>,
    seen: u64,
}

impl<T: ComparedTask<Target: Element>> Outside<T> {
    /// Calls the adapter with a batch, and returns its predictions, if it makes any: `width` numbers for each row.
    fn call(
        &self,
        method: &'static str,
        rows: ArrayView2<'_, f32>,
        targets: Option<&[T::Target]>,
    ) -> Result<Array2<f64>, InputError> {
        let rows = rows.to_owned();
        let targets = targets.map(<[_]>::to_vec);
        let object = self.object.clone();
        let width = self.width;
        let (predicted, seconds) = result(self.calls.call(move |py| {
            let rows = PyArray2::from_owned_array(py, rows);
            let targets = targets.map(|targets| PyArray1::from_vec(py, targets));
            let called = object.call_method1(py, "call", (method, width, rows, targets))?;
            type Predicted<'py> = Option<(PyReadonlyArray2<'py, f64>, [f64; 2])>;
            let (made, reason): (Predicted<'_>, _) = called.extract(py)?;
            let made = made.map(|(array, seconds)| (array.as_array().to_owned(), seconds));
            Ok((made, reason))
        }))?;
        let [wall, processor] = seconds.map(Duration::from_secs_f64);
        charge(Time { wall, processor });
        Ok(predicted)
    }
}

impl<T: ComparedTask<Target: Element>> OnlineLearner for Outside<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    /// Python decides which values it takes.
    fn feature_values(&self) -> FeatureValues {
        FeatureValues::NumbersAndCategories
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    /// Returns the size of its pickle, if it can be pickled.
    fn footprint(&self) -> Footprint {
        let object = self.object.clone();
        let size = move |py: Python<'_>| object.call_method0(py, "size")?.extract(py);
        let bytes = self.calls.call::<Option<usize>>(size).flatten();
        Footprint {
            bytes: bytes.unwrap_or(0),
            ..Footprint::default()
        }
    }

    /// Is not called: the methods below are, which return errors.
    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        let _ = self.learn(batch.rows().matrix(), batch.targets());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let mut predicted = Vec::new();
        if self.predict_into(rows.matrix(), &mut predicted).is_ok() {
            predictions.copy_from_slice(&predicted);
        }
    }

    fn learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.call("learn", rows, Some(targets))?;
        self.seen += targets.len() as u64;
        Ok(())
    }

    fn predict_into(
        &self,
        rows: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        *predictions = self.call("predict", rows, None)?.into_iter().collect();
        Ok(())
    }

    fn predict_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        let predicted = self.call("predict_then_learn", rows, Some(targets))?;
        let mut rows = PredictionRows::default();
        for row in predicted.rows() {
            // A row of zeros is not a prediction of classes.
            let is_none = row.len() > 1 && row.iter().all(|share| *share == 0.0);
            let width = if is_none { 0 } else { row.len() };
            for (to, from) in rows.push(width).iter_mut().zip(row) {
                *to = *from;
            }
        }
        self.seen += targets.len() as u64;
        Ok(rows)
    }
}

/// Returns what a learner made, or why it failed; nothing comes back from a comparison that has ended.
fn result<R>(called: Option<(Option<R>, Option<String>)>) -> Result<R, InputError> {
    let (made, reason) = called.unwrap_or_default();
    let reason = reason.unwrap_or_else(|| "the comparison has ended".to_owned());
    made.ok_or(InputError::Failed(reason))
}
