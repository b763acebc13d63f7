//! The target column, and the task that its numbers suggest.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Result, Warning, short};
use crate::{Header, TableError};

impl Header {
    /// Returns the column that is `first` or `last` of those that do not number or name the rows, or has this name or,
    /// if no column has it, this number, counted from 1.
    ///
    /// # Errors
    /// Returns an error that names the nearest names.
    pub fn target(&self, wanted: &str) -> Result<usize> {
        let mut columns = self.columns.iter();
        let found = match wanted {
            "first" => columns.position(|column| !column.is_index()),
            "last" => columns.rposition(|column| !column.is_index()),
            _ => None,
        };
        found.map_or_else(|| find_column(wanted, &self.names()), Ok)
    }
}

/// Returns the column of this name or, if no column has it, of this number, counted from 1.
///
/// # Errors
/// Returns an error that names the nearest names.
pub fn find_column(wanted: &str, names: &[String]) -> Result<usize> {
    if let Some(named) = names.iter().position(|name| name == wanted) {
        return Ok(named);
    }
    match wanted.parse() {
        Ok(number) if (1..=names.len()).contains(&number) => Ok(number - 1),
        _ => Err(TableError::no_column(wanted, names)),
    }
}

/// The two tasks. Written `classify` and `regress` on a command line.
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

/// Returns the task that the numbers of a target suggest: classification for whole numbers of at most 100 different
/// values, else regression. For whole numbers, which may be either, also returns a warning.
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
    let (task, noun) = match distinct.len() {
        ..=100 => (TaskKind::Classification, "classes"),
        _ => (TaskKind::Regression, "measurements"),
    };
    let mut warning = Warning::new(format!(
        "the target `{}` has {} different whole numbers, which are treated as {noun}; choose with --task classify or \
         --task regress",
        short(target),
        distinct.len()
    ));
    warning.is_about_task = true;
    (task, Some(warning))
}
