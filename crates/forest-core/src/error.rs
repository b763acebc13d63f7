//! Errors: invalid input, invalid settings, violated invariants (only after a file was corrupted).

use std::borrow::Cow;
use std::fmt::Display;

use thiserror::Error;

/// The reason why a batch was refused; the learner is unchanged.
///
/// Rows are counted from 0 within the batch.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// The rows do not have as many features as the learner was made for.
    #[error("a row has {}, but this learner was made for {expected}", counted(*got, "feature"))]
    WrongWidth {
        /// Features the learner was made for.
        expected: usize,
        /// Features found.
        got: usize,
    },
    /// The number of targets differs from the number of rows.
    #[error("{} for {}: each row needs exactly one", counted(*targets, "target"), counted(*rows, "row"))]
    LengthMismatch {
        /// Rows of the batch.
        rows: usize,
        /// Targets of the batch.
        targets: usize,
    },
    /// The learner takes no weights.
    #[error("this learner takes no weights; leave them out, or use one that does")]
    NoWeights,
    /// The number of weights differs from the number of rows.
    #[error("{} for {}: each row needs exactly one", counted(*weights, "weight"), counted(*rows, "row"))]
    WeightsMismatch {
        /// Rows of the batch.
        rows: usize,
        /// Weights of the batch.
        weights: usize,
    },
    /// A weight is not between [`SampleWeight::MIN`](crate::SampleWeight::MIN) and
    /// [`SampleWeight::MAX`](crate::SampleWeight::MAX).
    #[error(
        "row {row}: the weight {value} is not between 2^-20 and 2^20; leave out samples of no weight, and \
         divide all weights by a constant if they are large"
    )]
    Weight {
        /// Row within the batch.
        row: usize,
        /// The value found.
        value: f64,
    },
    /// A feature is infinite, or NaN where the learner does not take missing values.
    #[error(
        "row {row}, feature {feature}: {value} is not a finite number; replace or drop it first{}",
        if value.is_nan() { ", or use a learner that takes missing values" } else { "" }
    )]
    NotFinite {
        /// Row within the batch.
        row: usize,
        /// Feature index.
        feature: usize,
        /// The value found.
        value: f32,
    },
    /// A regression target is NaN or infinite.
    #[error("row {row}: the target {value} is not a finite number; replace or drop it first")]
    TargetNotFinite {
        /// Row within the batch.
        row: usize,
        /// The value found.
        value: f64,
    },
    /// A regression target is beyond ±[`Regression::LARGEST_TARGET`](crate::Regression::LARGEST_TARGET).
    #[error(
        "row {row}: the target {value:e} is beyond ±1e100, so that sums of its squares could \
         overflow; divide all targets by a constant first"
    )]
    TargetTooLarge {
        /// Row within the batch.
        row: usize,
        /// The value found.
        value: f64,
    },
    /// A class label is not below the stated cap.
    #[error(
        "row {row}: class {class} is beyond the cap of {cap} classes; \
         if that many classes exist, raise the class cap (class_cap)"
    )]
    ClassBeyondCap {
        /// Row within the batch.
        row: usize,
        /// The label found.
        class: u32,
        /// Classes that may exist.
        cap: u32,
    },
    /// The forest's sample store has no identifiers left (they are 32-bit).
    #[error("{rows} more samples do not fit: the store holds {stored} of at most {limit}")]
    StoreFull {
        /// Rows of the batch.
        rows: usize,
        /// Samples stored.
        stored: usize,
        /// The most it can store.
        limit: usize,
    },
    /// The learner failed, as one outside of this library may. Its state is unknown.
    #[error("{reason}")]
    Failed {
        /// What it reports.
        reason: String,
    },
}

/// Returns a number with its noun: `1 row`, `2 rows`.
///
/// ```
/// assert_eq!(forest_core::counted(1, "feature"), "1 feature");
/// assert_eq!(forest_core::counted(0, "feature"), "0 features");
/// ```
pub fn counted(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// A setting that breaks its rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{parameter} {rule}, but is {value}")]
pub struct SettingError {
    /// The parameter's name.
    pub parameter: &'static str,
    /// What it must be.
    pub rule: Cow<'static, str>,
    /// What it is.
    pub value: String,
}

impl SettingError {
    /// Returns the error of `parameter`, which `rule` ("must be …") forbids to be `value`.
    pub fn new(
        parameter: &'static str,
        rule: impl Into<Cow<'static, str>>,
        value: impl Display,
    ) -> Self {
        Self {
            parameter,
            rule: rule.into(),
            value: value.to_string(),
        }
    }

    /// Returns the error of a learner that [cannot continue](crate::OnlineLearner::widen) with more features.
    pub fn no_more_features(features: usize) -> Self {
        let rule = "must be what they are, since this learner cannot continue with more";
        Self::new("features", rule, features)
    }

    /// Returns `Ok` if `holds`; otherwise the error of [`new`](Self::new).
    ///
    /// # Errors
    /// If `holds` is false.
    pub fn require(
        holds: bool,
        parameter: &'static str,
        rule: &'static str,
        value: impl Display,
    ) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self::new(parameter, rule, value))
        }
    }
}

/// A learner's data contradict themselves: a bug, or a snapshot that was altered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct InvariantError {
    /// Where: a tree, a node, the store.
    pub place: String,
    /// What does not hold.
    pub what: String,
}

impl InvariantError {
    /// States that `what` does not hold at `place`.
    pub fn new(place: impl Display, what: impl Display) -> Self {
        let (place, what) = (place.to_string(), what.to_string());
        Self { place, what }
    }

    /// Returns `Ok` if `holds`; otherwise the error. Pass composed texts as `format_args!`, so that they are formatted only then.
    ///
    /// # Errors
    /// If `holds` is false.
    pub fn require(holds: bool, place: impl Display, what: impl Display) -> Result<(), Self> {
        if holds {
            Ok(())
        } else {
            Err(Self::new(place, what))
        }
    }
}
