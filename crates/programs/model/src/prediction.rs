//! Predictions for rows of a table.

use serde::Serialize;

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
