//! How the two tasks read a table's target and state a prediction.

use std::borrow::Cow;

use online_forests::preprocessing::LabelEncoder;
use online_forests::{
    AnyLearner, Classification, OnlineLearner as _, Pipeline, Regression, Schema, Task, argmax,
};
use serde::Serialize;
use tables::Cell;
use thiserror::Error;

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
    /// The name of the metric of predictions.
    const METRIC: &'static str;

    /// Returns the pipeline for a stream of this number of features, which `build` makes, with the names of the classes
    /// that these first targets have.
    ///
    /// # Errors
    /// Returns an error if there are no features, or too many classes, and the error of `build`.
    fn fit<'a>(
        features: usize,
        targets: impl Iterator<Item = Cell<'a>>,
        build: impl FnOnce(Schema<Self>) -> anyhow::Result<Pipeline<AnyLearner<Self>>>,
    ) -> anyhow::Result<Pipeline<AnyLearner<Self>>>;

    /// Checks that the cell is a target, known before or not.
    ///
    /// # Errors
    /// Returns the reason why it is not a target.
    fn check_cell(cell: &Cell<'_>) -> Result<(), BadTarget>;

    /// Returns the target that a cell holds; a new class is named after the cell.
    ///
    /// # Errors
    /// Returns the reason why it is not a target.
    fn target(
        cell: Cell<'_>,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<Self::Target, BadTarget>;

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
            return Err(BadTarget::TooManyClasses(tables::short(name), most).into());
        }
        let pipeline = build(schema.with_classes(names.len() as u32)?)?;
        Ok(pipeline.with_class_names(names)?)
    }

    fn check_cell(cell: &Cell<'_>) -> Result<(), BadTarget> {
        class_name(cell.clone()).map(drop)
    }

    fn target(cell: Cell<'_>, pipeline: &mut Pipeline<AnyLearner<Self>>) -> Result<u32, BadTarget> {
        let (name, most) = (class_name(cell)?, pipeline.schema().outputs().cap());
        let class = pipeline.class_named(&name);
        class.map_err(|_| BadTarget::TooManyClasses(tables::short(&name), most))
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
    const METRIC: &'static str = "rmse";

    fn fit<'a>(
        features: usize,
        _: impl Iterator<Item = Cell<'a>>,
        build: impl FnOnce(Schema<Self>) -> anyhow::Result<Pipeline<AnyLearner<Self>>>,
    ) -> anyhow::Result<Pipeline<AnyLearner<Self>>> {
        build(Schema::new(features)?)
    }

    fn check_cell(cell: &Cell<'_>) -> Result<(), BadTarget> {
        number(cell).map(drop)
    }

    fn target(cell: Cell<'_>, _: &mut Pipeline<AnyLearner<Self>>) -> Result<f64, BadTarget> {
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

fn class_name(cell: Cell<'_>) -> Result<Cow<'_, str>, BadTarget> {
    cell.class_name().ok_or(BadTarget::Fraction)
}

fn number(cell: &Cell<'_>) -> Result<f64, BadTarget> {
    match cell {
        Cell::Number(number) if Regression::is_target(*number) => Ok(*number),
        Cell::Number(number) => Err(BadTarget::TooLarge(*number)),
        Cell::Class(name) => Err(BadTarget::Word(tables::short(name))),
    }
}

/// Why a cell is not a target.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadTarget {
    /// A word where numbers are learned.
    #[error("the target `{0}` is not a number; --task classify learns words")]
    Word(String),
    /// A number with a fraction where classes are learned.
    #[error(
        "the target is a number with a fraction, not a class; use --task regress to learn numbers"
    )]
    Fraction,
    /// A number outside the range of learners.
    #[error("the target {0:e} is beyond ±1e100; divide all targets by a constant first")]
    TooLarge(f64),
    /// One class too many.
    #[error(
        "`{0}` would be one class more than the {1} that a model can have; is the target a number (--task regress)?"
    )]
    TooManyClasses(String, u32),
}
