//! What the two tasks make of a table's target, and of an answer.

use std::borrow::Cow;

use online_forests::preprocessing::{LabelEncoder, PipelineError};
use online_forests::{
    AnyLearner, Classification, NamedTask, OnlineLearner as _, Pipeline, Regression, Schema, argmax,
};
use tables::Cell;
use thiserror::Error;

use crate::CommandError;
use crate::prediction::Prediction;

/// A task whose targets stand in a table: class names or numbers.
pub trait TableTask: NamedTask {
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
    #[cfg(feature = "distributed")]
    fn sent(targets: Vec<Self::Target>) -> crate::shards::Targets;

    /// Targets that were sent, if they are of this task.
    #[cfg(feature = "distributed")]
    fn received(targets: &crate::shards::Targets) -> Option<&[Self::Target]>;

    /// Takes note of the name of a class that another process has met.
    ///
    /// # Errors
    /// One class too many.
    #[cfg(feature = "distributed")]
    fn add_class(
        name: &str,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<(), online_forests::InputError>;

    /// How wrong an answer was: 1 for another class, or the squared error.
    #[cfg(feature = "distributed")]
    fn answer_loss(answer: &[f64], target: Self::Target) -> f64;

    /// The mean of losses as people read it.
    #[cfg(feature = "distributed")]
    fn score(mean_loss: f64) -> String;

    /// What is answered, of a row of the learner's answers.
    fn prediction<'a>(answer: &[f64], names: &'a LabelEncoder) -> Prediction<'a>;
}

/// Why a cell is no target.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadTarget {
    /// A word where numbers are learned.
    #[error("the target `{0}` is not a number; --task classify learns words")]
    Word(String),
    /// A number with a fraction where classes are learned.
    #[error("the target is a number with a fraction, and no class; --task regress learns numbers")]
    Fraction,
    /// A number beyond what learners take.
    #[error("the target {0:e} is beyond ±1e100; divide all targets by a constant first")]
    TooLarge(f64),
    /// One class too many.
    #[error(
        "`{0}` would be one class more than the {1} that a model can have; is the target a number (--task regress)?"
    )]
    TooManyClasses(String, u32),
}

impl TableTask for Classification {
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

    #[cfg(feature = "distributed")]
    fn sent(targets: Vec<u32>) -> crate::shards::Targets {
        crate::shards::Targets::Classes(targets)
    }

    #[cfg(feature = "distributed")]
    fn received(targets: &crate::shards::Targets) -> Option<&[u32]> {
        match targets {
            crate::shards::Targets::Classes(targets) => Some(targets),
            crate::shards::Targets::Numbers(_) => None,
        }
    }

    #[cfg(feature = "distributed")]
    fn add_class(
        name: &str,
        pipeline: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<(), online_forests::InputError> {
        pipeline.class_named(name).map(drop)
    }

    #[cfg(feature = "distributed")]
    fn answer_loss(answer: &[f64], target: u32) -> f64 {
        let is_right = !answer.is_empty() && argmax(answer) as u32 == target;
        f64::from(u8::from(!is_right))
    }

    #[cfg(feature = "distributed")]
    fn score(mean_loss: f64) -> String {
        format!("accuracy {:.4}", 1.0 - mean_loss)
    }

    fn prediction<'a>(answer: &[f64], names: &'a LabelEncoder) -> Prediction<'a> {
        let name = names.name(argmax(answer) as u32);
        Prediction::Class(name.expect("every class of a model has a name"))
    }
}

impl TableTask for Regression {
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

    #[cfg(feature = "distributed")]
    fn sent(targets: Vec<f64>) -> crate::shards::Targets {
        crate::shards::Targets::Numbers(targets)
    }

    #[cfg(feature = "distributed")]
    fn received(targets: &crate::shards::Targets) -> Option<&[f64]> {
        match targets {
            crate::shards::Targets::Classes(_) => None,
            crate::shards::Targets::Numbers(targets) => Some(targets),
        }
    }

    #[cfg(feature = "distributed")]
    fn add_class(
        _: &str,
        _: &mut Pipeline<AnyLearner<Self>>,
    ) -> Result<(), online_forests::InputError> {
        Ok(())
    }

    #[cfg(feature = "distributed")]
    fn answer_loss(answer: &[f64], target: f64) -> f64 {
        (answer[0] - target).powi(2)
    }

    #[cfg(feature = "distributed")]
    fn score(mean_loss: f64) -> String {
        format!("RMSE {:.4}", mean_loss.sqrt())
    }

    fn prediction<'a>(answer: &[f64], _: &'a LabelEncoder) -> Prediction<'a> {
        Prediction::Number(answer[0])
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
