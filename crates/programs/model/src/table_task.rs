//! How the two tasks read a table's target and state a prediction.

use std::borrow::Cow;

use online_forests::preprocessing::{FitError, LabelEncoder};
use online_forests::{
    AnyLearner, Classification, OnlineLearner as _, Pipeline, Regression, Schema, Task, argmax,
};
use serde::Serialize;
use tables::Cell;
use thiserror::Error;

use crate::console::CommandError;

/// A task whose targets are in a table: class names or numbers.
pub trait TableTask: Task {
    /// The metric of the mean loss of predictions.
    const METRIC: Metric;

    /// Returns the schema of a stream with this number of features and these first targets.
    ///
    /// # Errors
    /// Returns an error if there are no features, or too many classes.
    fn schema<'a>(
        features: usize,
        targets: impl Iterator<Item = Cell<'a>>,
    ) -> Result<(Schema<Self>, LabelEncoder), CommandError>;

    /// Returns the pipeline, with these names of its classes.
    ///
    /// # Errors
    /// Returns an error if there are more or fewer names than classes.
    fn with_names(
        pipeline: Pipeline<AnyLearner<Self>>,
        names: LabelEncoder,
    ) -> Result<Pipeline<AnyLearner<Self>>, FitError>;

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

    /// Returns the class of a target; `None` for a number.
    fn class(target: Self::Target) -> Option<usize>;

    /// Returns the prediction that a row of the learner's predictions stands for.
    fn prediction<'a>(values: &[f64], names: &'a LabelEncoder) -> Prediction<'a>;
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

    fn with_names(
        pipeline: Pipeline<AnyLearner<Self>>,
        names: LabelEncoder,
    ) -> Result<Pipeline<AnyLearner<Self>>, FitError> {
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

    fn loss(values: &[f64], target: u32) -> f64 {
        let is_right = !values.is_empty() && argmax(values) == target as usize;
        f64::from(u8::from(!is_right))
    }

    fn class(target: u32) -> Option<usize> {
        Some(target as usize)
    }

    fn prediction<'a>(values: &[f64], names: &'a LabelEncoder) -> Prediction<'a> {
        let name = names.name(argmax(values) as u32);
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

    fn with_names(
        pipeline: Pipeline<AnyLearner<Self>>,
        _: LabelEncoder,
    ) -> Result<Pipeline<AnyLearner<Self>>, FitError> {
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

    fn loss(values: &[f64], target: f64) -> f64 {
        (values[0] - target).powi(2)
    }

    fn class(_: f64) -> Option<usize> {
        None
    }

    fn prediction<'a>(values: &[f64], _: &'a LabelEncoder) -> Prediction<'a> {
        Prediction::Number(values[0])
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

/// The prediction of a model for one row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Prediction<'m> {
    /// The name of a class.
    Class(&'m str),
    /// A number.
    Number(f64),
}

/// The result for one row.
#[derive(Clone, Debug, PartialEq)]
pub enum RowPrediction<'m> {
    /// The prediction, and the numbers that were requested besides.
    Known(Prediction<'m>, Vec<f64>),
    /// No prediction: a value is missing, and the model leaves such rows out.
    Missing,
    /// No prediction, for this reason.
    Bad(String),
}

/// The reason why a row with a missing value has no prediction.
const MISSING: &str = "a value is missing, and the model was trained with --missing drop";

impl RowPrediction<'_> {
    /// Returns the reason why there is no prediction, if there is none.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Known(..) => None,
            Self::Missing => Some(MISSING),
            Self::Bad(reason) => Some(reason),
        }
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

/// A metric of a mean loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The share of correct classes.
    Accuracy,
    /// The root of the mean squared error.
    Rmse,
}

impl Metric {
    /// Returns its name on the page of the service and in `/metrics`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Rmse => "rmse",
        }
    }

    /// Returns its value at a mean loss.
    pub fn of(self, mean_loss: f64) -> f64 {
        match self {
            Self::Accuracy => 1.0 - mean_loss,
            Self::Rmse => mean_loss.sqrt(),
        }
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
