//! A learner of Python that learns row by row or in batches.

use std::time::Duration;

use comparison::charge;
use forest_core::{
    Batch, FeatureValues, Footprint, InputError, InvariantError, OnlineLearner, PredictionRows,
    Rows, Schema,
};
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use super::calls::Calls;
use super::learners::ComparedTask;
use super::predictions::{check_all_predicted, checked, is_none};

/// The adapter in Python: `learn`, `predict`, `predict_then_learn`, `size`, each for a batch.
pub struct Adapter {
    calls: Calls,
    object: Py<PyAny>,
}

impl Adapter {
    /// Makes the learner of a run: calls `start` with the seed and the table.
    ///
    /// # Errors
    /// Returns [`InputError::Failed`] if Python raises.
    pub fn start(
        calls: &Calls,
        start: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send + 'static,
    ) -> Result<Self, InputError> {
        let calls = calls.clone();
        let object = calls.call(start)?;
        Ok(Self { calls, object })
    }

    /// Learns a batch.
    ///
    /// # Errors
    /// Returns [`InputError::Failed`] if Python raises.
    pub fn learn<T: ComparedTask>(
        &self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        let (rows, targets) = (rows.to_owned(), targets.to_vec());
        let seconds = self.call(move |py, object| {
            let rows = PyArray2::from_owned_array(py, rows);
            let targets = PyArray1::from_vec(py, targets);
            object
                .call_method1(py, "learn", (rows, targets))?
                .extract::<f64>(py)
        })?;
        charge(Duration::from_secs_f64(seconds));
        Ok(())
    }

    /// Predicts a batch; `width` numbers a row.
    ///
    /// # Errors
    /// Returns [`InputError::Failed`] if Python raises, or a prediction cannot be scored.
    pub fn predict<T: ComparedTask>(
        &self,
        rows: ArrayView2<'_, f32>,
        width: usize,
    ) -> Result<Array2<f64>, InputError> {
        let (count, rows) = (rows.nrows(), rows.to_owned());
        let predicted = self.call(move |py, object| {
            let rows = PyArray2::from_owned_array(py, rows);
            taken(py, &object.call_method1(py, "predict", (rows,))?)
        })?;
        self.checked::<T>(predicted, count, width)
    }

    fn predict_then_learn<T: ComparedTask>(
        &self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        width: usize,
    ) -> Result<Array2<f64>, InputError> {
        let (count, rows, targets) = (rows.nrows(), rows.to_owned(), targets.to_vec());
        let predicted = self.call(move |py, object| {
            let rows = PyArray2::from_owned_array(py, rows);
            let targets = PyArray1::from_vec(py, targets);
            let arguments = (rows, targets);
            taken(
                py,
                &object.call_method1(py, "predict_then_learn", arguments)?,
            )
        })?;
        self.checked::<T>(predicted, count, width)
    }

    fn checked<T: ComparedTask>(
        &self,
        (predictions, seconds): (Array2<f64>, f64),
        rows: usize,
        width: usize,
    ) -> Result<Array2<f64>, InputError> {
        charge(Duration::from_secs_f64(seconds));
        checked::<T>(predictions, rows, width)
    }

    /// Returns the pickled size, if it can be pickled.
    pub fn footprint(&self) -> Option<Footprint> {
        let size = self.call(|py, object| object.call_method0(py, "size")?.extract(py));
        size.ok().flatten().map(|bytes: usize| Footprint {
            bytes,
            ..Footprint::default()
        })
    }

    fn call<R: Send + 'static>(
        &self,
        work: impl FnOnce(Python<'_>, &Py<PyAny>) -> PyResult<R> + Send + 'static,
    ) -> Result<R, InputError> {
        let object = Python::attach(|py| self.object.clone_ref(py));
        self.calls.call(move |py| work(py, &object))
    }
}

/// Takes predictions and seconds out of what an adapter returns.
fn taken(py: Python<'_>, returned: &Py<PyAny>) -> PyResult<(Array2<f64>, f64)> {
    let (predictions, seconds): (PyReadonlyArray2<'_, f64>, f64) = returned.extract(py)?;
    Ok((predictions.as_array().to_owned(), seconds))
}

/// A learner of Python as an online learner of task `T`.
pub struct Outside<T: ComparedTask> {
    adapter: Adapter,
    /// Without classes before the first row: nothing is predicted then.
    schema: Schema<T>,
    seen: u64,
    width: usize,
}

impl<T: ComparedTask> Outside<T> {
    /// Wraps an adapter, which predicts `width` numbers.
    pub fn new(adapter: Adapter, schema: Schema<T>, width: usize) -> Self {
        Self {
            adapter,
            schema,
            seen: 0,
            width,
        }
    }

    fn note(&mut self, rows: usize) {
        if self.seen == 0 && rows > 0 {
            self.schema = T::known(self.schema, self.width);
        }
        self.seen += rows as u64;
    }
}

impl<T: ComparedTask> OnlineLearner for Outside<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    /// What it takes is for Python to say.
    fn feature_values(&self) -> FeatureValues {
        FeatureValues::NumbersAndCategories
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        self.adapter.footprint().unwrap_or_default()
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        Ok(())
    }

    fn check_room(&self, _: usize) -> Result<(), InputError> {
        Ok(())
    }

    /// Only the verbs are called: they say what is wrong.
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
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.adapter.learn::<T>(features, targets)?;
        self.note(targets.len());
        Ok(())
    }

    fn predict_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let predicted = self.adapter.predict::<T>(features, self.width)?;
        predictions.clear();
        if self.seen > 0 {
            check_all_predicted(predicted.view(), 0)?;
        }
        if self.schema.width() > 0 {
            predictions.extend(predicted);
        }
        Ok(())
    }

    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        let adapter = &self.adapter;
        let predicted = adapter.predict_then_learn::<T>(features, targets, self.width)?;
        check_all_predicted(predicted.view(), usize::from(self.seen == 0))?;
        let mut rows = PredictionRows::default();
        for row in predicted.rows() {
            let width = if is_none(row) { 0 } else { row.len() };
            let values = row.iter().take(width);
            rows.push(width)
                .iter_mut()
                .zip(values)
                .for_each(|(to, from)| *to = *from);
        }
        self.note(targets.len());
        Ok(rows)
    }
}
