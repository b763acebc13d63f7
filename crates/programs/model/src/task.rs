//! How the two tasks read a table's target and state a prediction.

use std::borrow::Cow;

use anyhow::anyhow;
use online_forests::preprocessing::LabelEncoder;
use online_forests::{
    AnyLearner, Classification, OnlineLearner as _, Pipeline, Regression, Schema, Task, argmax,
};
use serde::Serialize;
use tables::{Cell, TaskKind, short};

/// A value of a row of predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value<'a> {
    /// The name of a class.
    Class(&'a str),
    /// A number.
    Number(f64),
    /// The number of a row.
    Row(u64),
}

/// A task whose targets are in a table: class names or numbers.
pub trait TableTask: Task {
    /// The task, as it is written on a command line.
    const KIND: TaskKind;

    /// The name of the metric of predictions.
    const METRIC: &'static str;

    /// Returns the pipeline for a stream of this number of features, which `build` makes, with the names of the classes
    /// that these first targets have.
    ///
    /// # Errors
    /// Returns an error for 0 features and for too many classes, and the error of `build`.
    fn fit<'a>(
        features: usize,
        targets: impl Iterator<Item = Cell<'a>>,
        build: impl FnOnce(Schema<Self>) -> anyhow::Result<Pipeline<AnyLearner<Self>>>,
    ) -> anyhow::Result<Pipeline<AnyLearner<Self>>>;

    /// Checks that the cell is a target, known before or not.
    ///
    /// # Errors
    /// Returns the reason why it is not a target.
    fn check_cell(cell: &Cell<'_>) -> Result<(), String>;

    /// Returns the target that a cell holds; a new class is named after the cell.
    ///
    /// # Errors
    /// Returns the reason why it is not a target.
    fn target(
        cell: Cell<'_>,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<Self::Target, String>;

    /// Returns the number of classes known; 0 for numbers.
    fn classes(schema: &Schema<Self>) -> usize;

    /// Returns the loss of a prediction: 1 for a wrong class, or the squared error.
    fn loss(values: &[f64], target: Self::Target) -> f64;

    /// Returns the metric of predictions with this mean loss: accuracy, or the root of the mean squared error.
    fn metric(mean_loss: f64) -> f64;

    /// Returns the class of a target; `None` for a number.
    fn class(target: Self::Target) -> Option<usize>;

    /// Returns the prediction that a row of the learner's predictions stands for.
    fn prediction<'a>(values: &[f64], names: &'a LabelEncoder) -> Value<'a>;
}

impl TableTask for Classification {
    const KIND: TaskKind = TaskKind::Classification;
    const METRIC: &'static str = "accuracy";

    fn fit<'a>(
        features: usize,
        targets: impl Iterator<Item = Cell<'a>>,
        build: impl FnOnce(Schema<Self>) -> anyhow::Result<Pipeline<AnyLearner<Self>>>,
    ) -> anyhow::Result<Pipeline<AnyLearner<Self>>> {
        let names = LabelEncoder::fit(targets.filter_map(Cell::class_name));
        let schema = Schema::<Self>::new(features)?;
        let most = schema.outputs().cap();
        if let Some(name) = names.name(most) {
            return Err(anyhow!(too_many_classes(name, most)));
        }
        let pipeline = build(schema.with_classes(names.len() as u32)?)?;
        Ok(pipeline.with_class_names(names)?)
    }

    fn check_cell(cell: &Cell<'_>) -> Result<(), String> {
        class_name(cell.clone()).map(drop)
    }

    fn target(cell: Cell<'_>, pipeline: &mut Pipeline<AnyLearner<Self>>) -> Result<u32, String> {
        let name = class_name(cell)?;
        let most = pipeline.schema().outputs().cap();
        let class = pipeline.class_named(&name);
        class.map_err(|_| too_many_classes(&name, most))
    }

    fn classes(schema: &Schema<Self>) -> usize {
        schema.width()
    }

    fn loss(values: &[f64], target: u32) -> f64 {
        // Before the first class, no prediction is right.
        let is_right = !values.is_empty() && argmax(values) == target as usize;
        f64::from(u8::from(!is_right))
    }

    fn metric(mean_loss: f64) -> f64 {
        1.0 - mean_loss
    }

    fn class(target: u32) -> Option<usize> {
        Some(target as usize)
    }

    fn prediction<'a>(values: &[f64], names: &'a LabelEncoder) -> Value<'a> {
        let name = names.name(argmax(values) as u32);
        Value::Class(name.expect("every class of a model has a name"))
    }
}

impl TableTask for Regression {
    const KIND: TaskKind = TaskKind::Regression;
    const METRIC: &'static str = "rmse";

    fn fit<'a>(
        features: usize,
        _: impl Iterator<Item = Cell<'a>>,
        build: impl FnOnce(Schema<Self>) -> anyhow::Result<Pipeline<AnyLearner<Self>>>,
    ) -> anyhow::Result<Pipeline<AnyLearner<Self>>> {
        build(Schema::new(features)?)
    }

    fn check_cell(cell: &Cell<'_>) -> Result<(), String> {
        number(cell).map(drop)
    }

    fn target(cell: Cell<'_>, _: &mut Pipeline<AnyLearner<Self>>) -> Result<f64, String> {
        number(&cell)
    }

    fn classes(_: &Schema<Self>) -> usize {
        0
    }

    fn loss(values: &[f64], target: f64) -> f64 {
        (values[0] - target).powi(2)
    }

    fn metric(mean_loss: f64) -> f64 {
        mean_loss.sqrt()
    }

    fn class(_: f64) -> Option<usize> {
        None
    }

    fn prediction<'a>(values: &[f64], _: &'a LabelEncoder) -> Value<'a> {
        Value::Number(values[0])
    }
}

fn class_name(cell: Cell<'_>) -> Result<Cow<'_, str>, String> {
    let reason =
        "the target is a number with a fraction, not a class; use --task regress to learn numbers";
    cell.class_name().ok_or_else(|| reason.to_owned())
}

fn too_many_classes(name: &str, most: u32) -> String {
    let name = short(name);
    format!(
        "`{name}` would be one class more than the {most} that a model can have; \
         is the target a number (--task regress)?"
    )
}

fn number(cell: &Cell<'_>) -> Result<f64, String> {
    match cell {
        Cell::Number(number) if Regression::is_target(*number) => Ok(*number),
        Cell::Number(number) => Err(format!(
            "the target {number:e} is beyond ±1e100; divide all targets by a constant first"
        )),
        Cell::Class(name) => Err(format!(
            "the target `{}` is not a number; --task classify learns words",
            short(name)
        )),
    }
}
