//! Errors: invalid input, invalid settings, violated invariants (only after a file was corrupted).

use std::borrow::Cow;
use std::fmt::Display;

use thiserror::Error;

/// Why rows, targets or weights were refused; the learner is unchanged. Rows are counted from 0 within the batch.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// Rows of a wrong width, or different numbers of rows, targets and weights.
    #[error("{0}")]
    Shape(String),
    /// A feature, target or weight that is not accepted, and its row.
    #[error("{0}")]
    Value(String),
    /// The learner takes no weights.
    #[error("this learner takes no weights; leave them out, or use one that does")]
    NoWeights,
    /// The learner has no room for so many samples.
    #[error("{0}")]
    Full(String),
    /// The learner failed, which learners outside of this library may. Its state is unknown.
    #[error("{0}")]
    Failed(String),
}

impl InputError {
    /// Checks the number of features of rows.
    ///
    /// # Errors
    /// Returns an error if it is not `expected`.
    pub fn check_width(got: usize, expected: usize) -> Result<(), Self> {
        if got == expected {
            return Ok(());
        }
        let got = counted(got, "feature");
        Err(Self::Shape(format!(
            "a row has {got}, but this learner was made for {expected}"
        )))
    }

    /// Checks that there are as many of these, such as "target", as rows.
    ///
    /// # Errors
    /// Returns an error if there are more or fewer.
    pub fn check_number(what: &str, number: usize, rows: usize) -> Result<(), Self> {
        if number == rows {
            return Ok(());
        }
        let number = counted(number, what);
        let rows = counted(rows, "row");
        Err(Self::Shape(format!(
            "{number} for {rows}: each row needs exactly one"
        )))
    }

    /// Checks that `rows` more samples fit into a store that holds `stored` of `limit`.
    ///
    /// # Errors
    /// Returns an error if they do not.
    pub fn check_room(rows: usize, stored: usize, limit: usize) -> Result<(), Self> {
        if rows <= limit.saturating_sub(stored) {
            return Ok(());
        }
        Err(Self::Full(format!(
            "{rows} more samples do not fit: the store holds {stored} of at most {limit}"
        )))
    }
}

/// Returns a number with its noun: `1 row`, `2 rows`.
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
    /// The rule: "must be …".
    pub rule: Cow<'static, str>,
    /// The value that breaks it.
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
    /// Returns an error if `holds` is false.
    pub fn require(
        holds: bool,
        parameter: &'static str,
        rule: &'static str,
        value: impl Display,
    ) -> Result<(), Self> {
        if holds {
            return Ok(());
        }
        Err(Self::new(parameter, rule, value))
    }
}

/// An invariant of a learner's data does not hold: a bug, or a snapshot that was altered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct InvariantError {
    /// Where: a tree, a node, the store.
    pub place: String,
    /// What does not hold.
    pub what: String,
}

impl InvariantError {
    /// Returns the error that `what` does not hold at `place`.
    pub fn new(place: impl Display, what: impl Display) -> Self {
        Self {
            place: place.to_string(),
            what: what.to_string(),
        }
    }

    /// Returns the same error with the place around its own.
    #[must_use]
    pub fn inside(self, place: impl Display) -> Self {
        Self::new(format_args!("{place}, {}", self.place), self.what)
    }

    /// Returns the error unless `holds`. Composed texts may be `format_args!`, which are formatted only then.
    ///
    /// # Errors
    /// Returns an error if `holds` is false.
    pub fn require(holds: bool, place: impl Display, what: impl Display) -> Result<(), Self> {
        if holds {
            return Ok(());
        }
        Err(Self::new(place, what))
    }
}
