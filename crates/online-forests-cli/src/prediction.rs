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
    /// There is none, for this reason.
    None(String),
}
