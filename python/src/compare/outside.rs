//! Learners of Python in a comparison, by the adapters that Python makes: row by row or in batches, and all at once.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use comparison::{
    BatchLearner, BatchTask, Comparison, Contender, FitError, Fitted, OwnBuild, RunError, Training,
    charge,
};
use datasets::TaskKind;
use forest_core::{
    Batch, Classification, FeatureValues, Footprint, ForestSettings, InputError, OnlineLearner,
    PredictionRows, Regression, Rows, Schema,
};
use numpy::ndarray::{Array2, ArrayView1, ArrayView2};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use super::calls::Calls;
use crate::error::refused;

/// A task that learners of Python are compared in.
pub trait ComparedTask: BatchTask<Target: numpy::Element> {
    /// Returns the schema with all outputs known.
    fn known(schema: Schema<Self>, width: usize) -> Schema<Self>;
}

impl ComparedTask for Classification {
    fn known(schema: Schema<Self>, width: usize) -> Schema<Self> {
        // More classes than a schema may have are refused when data are opened.
        schema.with_classes(width as u32).unwrap_or(schema)
    }
}

impl ComparedTask for Regression {
    fn known(schema: Schema<Self>, _: usize) -> Schema<Self> {
        schema
    }
}

/// A learner as Python describes it.
#[derive(FromPyObject)]
pub struct Described {
    /// What it is called in tables.
    label: String,
    /// Name and parameters of the table; `None` for a learner of Python.
    algorithm: Option<String>,
    /// Whether it learns classes.
    classes: bool,
    /// Whether it learns numbers.
    values: bool,
    /// Whether it sees all training rows at once.
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
    /// Makes the learner of a run.
    fn start<T: ComparedTask>(
        &self,
        schema: Schema<T>,
        seed: u64,
    ) -> Result<Outside<T>, InputError> {
        let (described, table) = (self.described.clone(), self.table.clone());
        let object = self.calls.call(move |py| {
            let arguments = (seed, table.bind(py), schema.features());
            described.itself.call_method1(py, "start", arguments)
        })?;
        Ok(Outside {
            maker: self.clone(),
            object: Arc::new(object),
            schema,
            seen: 0,
        })
    }

    fn build<T: ComparedTask>(&self) -> OwnBuild<T> {
        let maker = self.clone();
        if self.described.offline {
            return OwnBuild::Offline(Arc::new(AtOnce {
                maker,
                task: PhantomData,
            }));
        }
        OwnBuild::Online(Arc::new(move |schema: Schema<T>, settings| {
            let learner = maker.start(schema, settings.seed)?;
            Ok::<_, RunError>(Box::new(learner) as Box<dyn OnlineLearner<Task = T>>)
        }))
    }
}

impl Described {
    /// Returns the algorithm; a learner of Python is made for the data set `table`, whose predictions have `width` numbers.
    ///
    /// # Errors
    /// Returns an error for an unknown name or parameter.
    pub fn contender(
        self: &Arc<Self>,
        calls: &Calls,
        table: &Arc<Py<PyAny>>,
        width: usize,
    ) -> PyResult<Contender> {
        if let Some(text) = &self.algorithm {
            let named: Contender = text.parse().map_err(refused)?;
            // What was written in the same way is named so in the records of the program, too.
            return Ok(if *text == self.label {
                named
            } else {
                named.labelled(&self.label)
            });
        }
        let (described, calls, table) = (self.clone(), calls.clone(), table.clone());
        let maker = Maker {
            described,
            calls,
            table,
            width,
        };
        let mut own = Contender::own(&self.label);
        if self.classes {
            own = own.with(maker.build::<Classification>());
        }
        if self.values {
            own = own.with(maker.build::<Regression>());
        }
        Ok(own)
    }
}

/// Gives the learners of Python in a comparison its data set.
///
/// # Errors
/// Never, for comparisons that were planned with these learners.
pub fn bind(
    comparison: &mut Comparison<'_>,
    learners: &[Arc<Described>],
    calls: &Calls,
    table: &Arc<Py<PyAny>>,
) -> PyResult<()> {
    let width = comparison.dataset.n_classes().unwrap_or(1);
    for contender in comparison.contenders.iter_mut().filter(|one| one.is_own()) {
        if let Some(described) = learners.iter().find(|it| it.label == contender.name()) {
            *contender = described.contender(calls, table, width)?;
        }
    }
    Ok(())
}

/// A learner of Python in a run, behind the adapter that Python has made: `learn`, `predict`, `predict_then_learn`, `size`.
struct Outside<T: ComparedTask> {
    maker: Maker,
    object: Arc<Py<PyAny>>,
    /// All outputs are known once a row is learned.
    schema: Schema<T>,
    seen: u64,
}

impl<T: ComparedTask> Outside<T> {
    /// Calls the adapter with a batch, and returns its predictions, if it makes any, checked.
    fn ask(
        &self,
        method: &'static str,
        rows: ArrayView2<'_, f32>,
        targets: Option<&[T::Target]>,
    ) -> Result<Array2<f64>, InputError> {
        let (count, rows, targets) = (rows.nrows(), rows.to_owned(), targets.map(<[_]>::to_vec));
        let object = self.object.clone();
        let (predicted, seconds) = self.maker.calls.call(move |py| {
            let rows = PyArray2::from_owned_array(py, rows);
            let returned = match targets {
                None => object.call_method1(py, method, (rows,))?,
                Some(targets) => {
                    object.call_method1(py, method, (rows, PyArray1::from_vec(py, targets)))?
                }
            };
            let (predicted, seconds): (Option<PyReadonlyArray2<'_, f64>>, f64) =
                returned.extract(py)?;
            Ok((predicted.map(|array| array.as_array().to_owned()), seconds))
        })?;
        charge(Duration::from_secs_f64(seconds));
        let nothing = || Ok(Array2::zeros((0, 0)));
        predicted.map_or_else(nothing, |it| checked::<T>(it, count, self.maker.width))
    }

    fn note(&mut self, rows: usize) {
        if self.seen == 0 && rows > 0 {
            self.schema = T::known(self.schema, self.maker.width);
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

    /// The pickled size, if it can be pickled.
    fn footprint(&self) -> Footprint {
        let object = self.object.clone();
        let size = move |py: Python<'_>| object.call_method0(py, "size")?.extract(py);
        let bytes = self.maker.calls.call::<Option<usize>>(size).ok().flatten();
        Footprint {
            bytes: bytes.unwrap_or(0),
            ..Footprint::default()
        }
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
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<(), InputError> {
        self.ask("learn", rows, Some(targets))?;
        self.note(targets.len());
        Ok(())
    }

    fn predict_into(
        &self,
        rows: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let predicted = self.ask("predict", rows, None)?;
        predictions.clear();
        if self.seen > 0 {
            check_all_predicted(&predicted, 0)?;
        }
        if self.schema.width() > 0 {
            predictions.extend(predicted);
        }
        Ok(())
    }

    fn predict_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        let predicted = self.ask("predict_then_learn", rows, Some(targets))?;
        check_all_predicted(&predicted, usize::from(self.seen == 0))?;
        let mut rows = PredictionRows::default();
        for row in predicted.rows() {
            let width = if is_none(row) { 0 } else { row.len() };
            for (to, from) in rows.push(width).iter_mut().zip(row) {
                *to = *from;
            }
        }
        self.note(targets.len());
        Ok(rows)
    }
}

/// Makes a learner that sees all training rows at once, for every fit.
struct AtOnce<T> {
    maker: Maker,
    task: PhantomData<fn(T)>,
}

impl<T: ComparedTask> BatchLearner<T> for AtOnce<T> {
    fn fit(
        &self,
        training: &Training<'_, T>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let mut learner = self.maker.start(training.schema, settings.seed)?;
        learner.learn(training.rows, training.targets)?;
        Ok(Box::new(learner))
    }
}

impl<T: ComparedTask> Fitted for Outside<T> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        OnlineLearner::predict(self, rows)
    }

    fn footprint(&self) -> Option<Footprint> {
        Some(OnlineLearner::footprint(self)).filter(|it| it.bytes > 0)
    }
}

/// A sum of probabilities that differs from 1 by no more than this is 1.
const ROUNDING: f64 = 1e-9;

/// Checks that there is a prediction for each row, of this width, of numbers that can be scored; none at all is a row of zeros. Probabilities that do not add up to 1
/// are divided by their sum.
fn checked<T: BatchTask>(
    mut predictions: Array2<f64>,
    rows: usize,
    width: usize,
) -> Result<Array2<f64>, InputError> {
    let (found, of_each) = predictions.dim();
    if (found, of_each) != (rows, width) {
        return failed(format!(
            "expected {rows} predictions of {width} numbers, but the learner returned {found} of {of_each}"
        ));
    }
    let classes = T::KIND == TaskKind::Classification;
    let what = if classes {
        "a probability"
    } else {
        "the prediction"
    };
    for (index, mut row) in predictions.rows_mut().into_iter().enumerate() {
        let is_wrong = if row.iter().any(|number| !number.is_finite()) {
            "is not a finite number"
        } else if classes && row.iter().any(|share| *share < 0.0) {
            "is negative"
        } else {
            ""
        };
        if !is_wrong.is_empty() {
            return failed(format!(
                "{what} {is_wrong}: {row} in row {index} of the batch"
            ));
        }
        let sum = row.sum();
        if width > 1 && sum > 0.0 && (sum - 1.0).abs() > ROUNDING {
            row /= sum;
        }
    }
    Ok(predictions)
}

/// Returns whether a prediction of classes has none: all its probabilities are 0.
fn is_none(row: ArrayView1<'_, f64>) -> bool {
    row.len() > 1 && row.iter().all(|share| *share == 0.0)
}

/// Checks that every row is predicted, but for the first `unlearned` ones, before which nothing was learned.
fn check_all_predicted(predictions: &Array2<f64>, unlearned: usize) -> Result<(), InputError> {
    let mut rows = predictions.rows().into_iter().enumerate().skip(unlearned);
    rows.find(|(_, row)| is_none(*row))
        .map_or(Ok(()), |(row, _)| {
            failed(format!(
                "no class has a probability in row {row} of the batch, though rows were learned"
            ))
        })
}

fn failed<V>(reason: String) -> Result<V, InputError> {
    Err(InputError::Failed { reason })
}
