//! The metric as a word, and one type for the forests of all words.

use boundary_forest::{
    BoundaryForest, Cosine, Euclidean, Manhattan, Metric, Problem, SquaredEuclidean,
};
use serde::{Deserialize, Serialize};

use super::NamedProblem;
use crate::Named;

/// A boundary forest by any of the metrics that have a name.
///
/// The order of the variants is part of the snapshot format: new ones go last.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[non_exhaustive]
pub enum ByMetric<P: Problem> {
    /// `metric=euclidean`
    Euclidean(BoundaryForest<P, Euclidean>),
    /// `metric=squared-euclidean`
    SquaredEuclidean(BoundaryForest<P, SquaredEuclidean>),
    /// `metric=manhattan`
    Manhattan(BoundaryForest<P, Manhattan>),
    /// `metric=cosine`
    Cosine(BoundaryForest<P, Cosine>),
}

impl<P: NamedProblem> ByMetric<P> {
    /// Whichever it is.
    pub fn as_dyn(&self) -> &dyn Named<Task = P> {
        match self {
            Self::Euclidean(forest) => forest,
            Self::SquaredEuclidean(forest) => forest,
            Self::Manhattan(forest) => forest,
            Self::Cosine(forest) => forest,
        }
    }

    /// Whichever it is, to learn.
    pub fn as_dyn_mut(&mut self) -> &mut dyn Named<Task = P> {
        match self {
            Self::Euclidean(forest) => forest,
            Self::SquaredEuclidean(forest) => forest,
            Self::Manhattan(forest) => forest,
            Self::Cosine(forest) => forest,
        }
    }
}

/// A metric that has a name in `metric=…`.
pub trait NamedMetric: Metric {
    /// The word.
    const WORD: &'static str;
}

impl NamedMetric for Euclidean {
    const WORD: &'static str = "euclidean";
}

impl NamedMetric for SquaredEuclidean {
    const WORD: &'static str = "squared-euclidean";
}

impl NamedMetric for Manhattan {
    const WORD: &'static str = "manhattan";
}

impl NamedMetric for Cosine {
    const WORD: &'static str = "cosine";
}
