//! The two tasks, and which one the numbers of a target suggest.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{OptionError, Warning, short};

/// The two tasks. Written `classify` and `regress` on a command line.
///
/// ```
/// use tables::TaskKind;
/// assert_eq!("regress".parse(), Ok(TaskKind::Regression));
/// assert_eq!(TaskKind::Classification.to_string(), "classify");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum TaskKind {
    /// Predict one of finitely many classes.
    #[serde(rename = "classify")]
    #[cfg_attr(feature = "clap", value(name = "classify"))]
    Classification,
    /// Predict a number.
    #[serde(rename = "regress")]
    #[cfg_attr(feature = "clap", value(name = "regress"))]
    Regression,
}

impl fmt::Display for TaskKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TaskKind::Classification => "classify",
            TaskKind::Regression => "regress",
        })
    }
}

impl FromStr for TaskKind {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        match text {
            "classify" => Ok(TaskKind::Classification),
            "regress" => Ok(TaskKind::Regression),
            _ => Err(OptionError::new("classify or regress")),
        }
    }
}

/// Whole numbers of at most this many different values are taken for classes.
const MOST_CLASSES: usize = 100;

/// Returns the task that the numbers of a target suggest: whole numbers of at most 100 different values are classes, all others are
/// numbers. Whole numbers could be either, which the warning says.
///
/// ```
/// use tables::{TaskKind, guess_task};
/// assert_eq!(guess_task("y", [0.5, 1.0]), (TaskKind::Regression, None));
/// let (task, warning) = guess_task("y", [1.0, 2.0, 2.0]);
/// assert_eq!(task, TaskKind::Classification);
/// assert!(warning.is_some_and(|warning| warning.to_string().contains("--task regress")));
/// ```
pub fn guess_task(
    target: &str,
    numbers: impl IntoIterator<Item = f64>,
) -> (TaskKind, Option<Warning>) {
    let mut distinct = BTreeSet::new();
    for number in numbers {
        if number.fract() != 0.0 {
            return (TaskKind::Regression, None);
        }
        // Adding 0.0 turns -0 into 0.
        distinct.insert((number + 0.0).to_bits());
    }
    let values = distinct.len();
    let (task, noun) = if values > MOST_CLASSES {
        (TaskKind::Regression, "measurements")
    } else {
        (TaskKind::Classification, "classes")
    };
    let warning = format!(
        "the target `{}` has {values} different whole numbers, which are treated as {noun}; choose with --task classify or \
         --task regress",
        short(target)
    );
    (task, Some(Warning::about_task(warning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_different_whole_numbers_are_classes() {
        let task = |count: i32| guess_task("y", (0..count).map(f64::from)).0;
        assert_eq!(task(100), TaskKind::Classification);
        assert_eq!(task(101), TaskKind::Regression);
        assert_eq!(guess_task("y", [3.0, 0.5]), (TaskKind::Regression, None));
    }
}
