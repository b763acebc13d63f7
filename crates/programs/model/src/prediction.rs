//! An answer.

use serde::Serialize;

/// What a model says about one row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Prediction<'m> {
    /// The name of a class.
    Class(&'m str),
    /// A number.
    Number(f64),
}

/// What is written for one row.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<'m> {
    /// The prediction, and the numbers that were asked for besides.
    Known(Prediction<'m>, Vec<f64>),
    /// There is none, because a value is missing and such rows were left out when the model learned.
    Gap,
    /// There is none, for this reason.
    Bad(String),
}

/// Why a row without a needed value has no answer.
const GAP: &str = "a value is missing, and the model was trained with --missing drop";

impl Answer<'_> {
    /// Why there is none, if there is none.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Known(..) => None,
            Self::Gap => Some(GAP),
            Self::Bad(reason) => Some(reason),
        }
    }
}
