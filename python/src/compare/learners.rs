//! Learners of a comparison: names of the table, and learners of Python.

use std::sync::Arc;

use comparison::{BatchTask, Comparison, Contender, Model, OwnBuild, RunError, Training};
use forest_core::{Classification, ForestSettings, InputError, OnlineLearner, Regression, Schema};
use numpy::ndarray::ArrayView2;
use pyo3::prelude::*;

use super::calls::Calls;
use super::outside::{Adapter, Outside};
use super::predictions::{CheckedPredictions, check_all_predicted};
use crate::error::refused;

/// A task that learners of Python are compared in.
pub trait ComparedTask: BatchTask + CheckedPredictions<Target: numpy::Element> {
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
    pub label: String,
    /// Name and parameters of the table; `None` for a learner of Python.
    pub algorithm: Option<String>,
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
pub struct Maker {
    described: Arc<Described>,
    calls: Calls,
    /// The data set as Python knows it.
    table: Arc<Py<PyAny>>,
    /// Numbers of a prediction.
    pub width: usize,
}

impl Maker {
    /// Makes a learner.
    ///
    /// # Errors
    /// Returns [`InputError::Failed`] if Python raises.
    pub fn start(&self, features: usize, seed: u64) -> Result<Adapter, InputError> {
        let (described, table) = (self.described.clone(), self.table.clone());
        Adapter::start(&self.calls, move |py| {
            let start = described.itself.bind(py).getattr("start")?;
            Ok(start.call1((seed, table.bind(py), features))?.unbind())
        })
    }

    fn build<T: ComparedTask>(&self) -> OwnBuild<T> {
        let maker = self.clone();
        if self.described.offline {
            return OwnBuild::Offline(Arc::new(
                move |training: &Training<'_, T>, settings: ForestSettings| {
                    let adapter = maker.start(training.schema.features(), settings.seed)?;
                    adapter.learn::<T>(training.rows, training.targets)?;
                    let (width, footprint) = (maker.width, adapter.footprint());
                    let predict = move |rows: ArrayView2<'_, f32>| {
                        let predicted = adapter.predict::<T>(rows, width)?;
                        check_all_predicted(predicted.view(), 0)?;
                        Ok(predicted)
                    };
                    Ok(Model::new(predict, 0, footprint))
                },
            ));
        }
        OwnBuild::Online(Arc::new(move |schema: Schema<T>, settings| {
            let adapter = maker.start(schema.features(), settings.seed)?;
            let learner = Outside::new(adapter, schema, maker.width);
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
        let maker = Maker {
            described: self.clone(),
            calls: calls.clone(),
            table: table.clone(),
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
        let same = |described: &&Arc<Described>| described.label == contender.name();
        if let Some(described) = learners.iter().find(same) {
            *contender = described.contender(calls, table, width)?;
        }
    }
    Ok(())
}
