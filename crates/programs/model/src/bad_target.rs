//! Why a cell is not a target.

use thiserror::Error;

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
