//! What only some learners can do, and why the others refuse.

use std::ops::Range;

use serde::Serialize;
use thiserror::Error;

use crate::{InputError, SettingError};

/// What only some learners can do, each by methods of [`OnlineLearner`](crate::OnlineLearner) that refuse by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// Samples can be taken out again ([`forget`](crate::OnlineLearner::forget)), if settings do not rule it out.
    Forget,
    /// Samples count as their weights say ([`learn_weighted`](crate::OnlineLearner::learn_weighted)).
    Weights,
    /// First rows are learned all at once ([`fit_at_once`](crate::OnlineLearner::fit_at_once)).
    AtOnce,
    /// Trees are plain data ([`export`](crate::OnlineLearner::export)).
    Explain,
    /// Leaves divide space ([`share_a_leaf`](crate::OnlineLearner::share_a_leaf)) up to a growing budget
    /// ([`refine`](crate::OnlineLearner::refine)).
    Partition,
    /// Predictions have variances ([`central_intervals`](crate::OnlineLearner::central_intervals)).
    Intervals,
}

/// Why a learner refused an operation that only some support; it is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The learner cannot do this with its settings.
    #[error("{0}")]
    Cannot(String),
    /// An argument: a sample that is not held, a tree that does not exist, a learner that does not match.
    #[error("{0}")]
    Argument(String),
    /// The rows, targets or weights.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A number that breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl Refused {
    /// Returns the error "this learner cannot …".
    pub fn cannot(what: &str) -> Self {
        Self::Cannot(format!("this learner cannot {what}"))
    }

    /// Returns the error of a learner whose trees are not plain data.
    pub fn explaining() -> Self {
        Self::cannot("explain its predictions")
    }

    /// Returns the error of a learner whose leaves do not divide space, or not the plane where they are to be drawn.
    pub fn partition() -> Self {
        Self::cannot(
            "be drawn, or report or refine the cells of leaves; tessellation forests can (drawing needs two features)",
        )
    }

    /// Returns the error of a learner whose predictions have no variances.
    pub fn intervals() -> Self {
        Self::cannot("report variances and intervals")
    }

    /// Returns the error of a learner that cannot forget samples.
    pub fn forgetting() -> Self {
        let what = "no sample can be forgotten: a sample that was learned cannot be taken out of this learner again; \
                    have a new one learn the others";
        Self::Cannot(what.to_owned())
    }

    /// Returns the error for sample number `arrival`, counted from 0, of `seen`, which is not among the `held` ones.
    pub fn not_held(arrival: u64, seen: u64, held: usize) -> Self {
        Self::Argument(format!(
            "sample {arrival} cannot be forgotten: of {seen} learned (counted from 0), it is not among the {held} held"
        ))
    }

    /// Returns the error for a tree that does not exist; `index` is counted from 0.
    pub fn no_tree(index: usize, trees: usize) -> Self {
        Self::Argument(format!(
            "there is no tree {index}: the forest has {trees}, counted from 0"
        ))
    }

    /// Returns the error for shards that were built with different `what`, and so are not of the same forest.
    pub fn different(what: &str) -> Self {
        Self::Argument(format!(
            "the shards were built with different {what}: build them with the same"
        ))
    }

    /// Returns the error of a learner that cannot be divided into shards.
    pub fn sharding() -> Self {
        Self::cannot("be sharded: only forests of independent trees can, with fitted preprocessing")
    }
}

/// Checks the probability with which an interval contains a target.
///
/// # Errors
/// Returns an error if it is not above 0 and below 1.
pub fn check_level(level: f64) -> Result<(), Refused> {
    if level > 0.0 && level < 1.0 {
        return Ok(());
    }
    let what = format!("the level of an interval must be above 0 and below 1, but is {level}");
    Err(Refused::Argument(what))
}

/// Some of the trees of a forest, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The trees, counted from 0.
    pub trees: Range<usize>,
    /// The number of trees of the whole forest.
    pub of: usize,
}

/// A point of the plane.
pub type Point = [f64; 2];

/// A node as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnNode {
    /// Whether the node is a leaf.
    pub is_leaf: bool,
    /// The convex hull of its points.
    pub hull: Vec<Point>,
    /// Where its cut crosses its cell; `None` for a leaf, or if it misses the window.
    pub cut: Option<[Point; 2]>,
}

/// A member of a mixture, or a rule by which it weights them, as it is now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixtureMember {
    /// The name of the member, or the parameters of the rule.
    pub name: String,
    /// The weight, from 0 to 1.
    pub weight: f64,
    /// The first row, counted from 0, after the last change that the member has found in the stream, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<u64>,
}
