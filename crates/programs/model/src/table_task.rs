//! What the two tasks make of a table's target, and of an answer.

use std::borrow::Cow;

use online_forests::preprocessing::{LabelEncoder, PipelineError};
use online_forests::{
    AnyLearner, Classification, NamedTask, OnlineLearner as _, Pipeline, Regression, Schema, argmax,
};
use serde::{Deserialize, Serialize};
use tables::Cell;

use crate::bad_target::BadTarget;
use crate::error::CommandError;
use crate::metric::Metric;
use crate::prediction::Prediction;

/// A task whose targets stand in a table: class names or numbers.
pub trait TableTask: NamedTask {
    /// What the mean of the losses of predictions becomes, and its name.
    const METRIC: Metric;

    /// The schema of a stream with this number of features and these first targets.
    ///
    /// # Errors
    /// No features, or too many classes.
    fn schema<'a>(
        features: usize,
        targets: impl Iterator<Item = Cell<'a>>,
    ) -> Result<(Schema<Self>, LabelEncoder), CommandError>;

    /// The pipeline, with these names of its classes.
    ///
    /// # Errors
    /// Names of more or fewer classes than the pipeline knows.
    fn named(
        pipeline: Pipeline<AnyLearner<Self>>,
        names: LabelEncoder,
    ) -> Result<Pipeline<AnyLearner<Self>>, PipelineError>;

    /// Whether the cell is a target, known before or not.
    ///
    /// # Errors
    /// A cell that is no target.
    fn check_cell(cell: &Cell<'_>) -> Result<(), BadTarget>;

    /// The target that a cell holds; a class that is new gets the cell as its name.
    ///
    /// # Errors
    /// A cell that is no target.
    fn target(
        cell: Cell<'_>,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<Self::Target, BadTarget>;

    /// Classes known; 0 of numbers.
    fn classes(schema: &Schema<Self>) -> usize;

    /// Targets as they are sent to other processes.
    fn sent(targets: Vec<Self::Target>) -> Targets;

    /// Targets that were sent, if they are of this task.
    fn received(targets: &Targets) -> Option<&[Self::Target]>;

    /// Takes note of the name of a class that another process has met.
    ///
    /// # Errors
    /// One class too many.
    fn add_class(
        name: &str,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<(), online_forests::InputError>;

    /// How wrong a prediction was: 1 for another class, or the squared error.
    fn loss(answer: &[f64], target: Self::Target) -> f64;

    /// The class of a target; `None` of numbers.
    fn class(target: Self::Target) -> Option<usize>;

    /// What is answered, of a row of the learner's answers.
    fn prediction<'a>(answer: &[f64], names: &'a LabelEncoder) -> Prediction<'a>;
}

impl TableTask for Classification {
    const METRIC: Metric = Metric::Accuracy;

    fn schema<'a>(
        features: usize,
        targets: impl Iterator<Item = Cell<'a>>,
    ) -> Result<(Schema<Self>, LabelEncoder), CommandError> {
        let names = LabelEncoder::fit(targets.filter_map(Cell::class_name));
        let schema = Schema::<Self>::new(features)?;
        let most = schema.outputs().cap();
        if let Some(name) = names.name(most) {
            return Err(BadTarget::TooManyClasses(tables::short(name), most).into());
        }
        Ok((schema.with_classes(names.len() as u32)?, names))
    }

    fn named(
        pipeline: Pipeline<AnyLearner<Self>>,
        names: LabelEncoder,
    ) -> Result<Pipeline<AnyLearner<Self>>, PipelineError> {
        pipeline.with_class_names(names)
    }

    fn check_cell(cell: &Cell<'_>) -> Result<(), BadTarget> {
        class_name(cell.clone()).map(drop)
    }

    fn target(cell: Cell<'_>, pipeline: &mut Pipeline<AnyLearner<Self>>) -> Result<u32, BadTarget> {
        let name = class_name(cell)?;
        let most = pipeline.schema().outputs().cap();
        let class = pipeline.class_named(&name);
        class.map_err(|_| BadTarget::TooManyClasses(tables::short(&name), most))
    }

    fn classes(schema: &Schema<Self>) -> usize {
        schema.width()
    }

    fn sent(targets: Vec<u32>) -> Targets {
        Targets::Classes(targets)
    }

    fn received(targets: &Targets) -> Option<&[u32]> {
        match targets {
            Targets::Classes(targets) => Some(targets),
            Targets::Numbers(_) => None,
        }
    }

    fn add_class(
        name: &str,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<(), online_forests::InputError> {
        pipeline.class_named(name).map(drop)
    }

    fn loss(answer: &[f64], target: u32) -> f64 {
        let is_right = !answer.is_empty() && argmax(answer) == target as usize;
        f64::from(u8::from(!is_right))
    }

    fn class(target: u32) -> Option<usize> {
        Some(target as usize)
    }

    fn prediction<'a>(answer: &[f64], names: &'a LabelEncoder) -> Prediction<'a> {
        let name = names.name(argmax(answer) as u32);
        Prediction::Class(name.expect("every class of a model has a name"))
    }
}

impl TableTask for Regression {
    const METRIC: Metric = Metric::Rmse;

    fn schema<'a>(
        features: usize,
        _: impl Iterator<Item = Cell<'a>>,
    ) -> Result<(Schema<Self>, LabelEncoder), CommandError> {
        Ok((Schema::new(features)?, LabelEncoder::default()))
    }

    fn named(
        pipeline: Pipeline<AnyLearner<Self>>,
        _: LabelEncoder,
    ) -> Result<Pipeline<AnyLearner<Self>>, PipelineError> {
        Ok(pipeline)
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

    fn sent(targets: Vec<f64>) -> Targets {
        Targets::Numbers(targets)
    }

    fn received(targets: &Targets) -> Option<&[f64]> {
        match targets {
            Targets::Classes(_) => None,
            Targets::Numbers(targets) => Some(targets),
        }
    }

    fn add_class(
        _: &str,
        _: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<(), online_forests::InputError> {
        Ok(())
    }

    fn loss(answer: &[f64], target: f64) -> f64 {
        (answer[0] - target).powi(2)
    }

    fn class(_: f64) -> Option<usize> {
        None
    }

    fn prediction<'a>(answer: &[f64], _: &'a LabelEncoder) -> Prediction<'a> {
        Prediction::Number(answer[0])
    }
}

/// Targets of either task, as they are sent from process to process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Targets {
    /// Classes.
    Classes(Vec<u32>),
    /// Numbers.
    Numbers(Vec<f64>),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_the_first_class_no_prediction_is_right() {
        assert_eq!(Classification::loss(&[], 0), 1.0);
    }
}
