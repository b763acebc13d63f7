//! Faults of tables: a sentence, and whether anything can be read behind it.

use std::{fmt, io};

use thiserror::Error;

use crate::quote::{listed, short};

/// A fault of a table: a sentence, in which cells and names are cut to 40 characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct Fault {
    text: String,
    /// Whether the input cannot be read, or is damaged or cut short.
    is_of_input: bool,
}

/// A fault of a table, perhaps on one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{fault}", Prefix(*line))]
pub struct TableError {
    /// The line, counted from 1 after decompression; `None` when the fault is not on one line.
    pub line: Option<u64>,
    /// The fault.
    pub fault: Fault,
}

/// A fault of one row. The rows after it can be read, unless [`RowError::ends_the_table`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct RowError {
    /// The line on which the row begins, counted from 1 after decompression; in Parquet and Arrow files the number
    /// of the row.
    pub line: u64,
    /// The fault.
    pub fault: Fault,
}

impl Fault {
    /// Returns a fault of the format, a row, a column, a cell or an option.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_of_input: false,
        }
    }

    /// Returns a fault behind which nothing can be read.
    pub(crate) fn of_input(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_of_input: true,
        }
    }

    /// Returns a table without rows.
    pub fn empty() -> Self {
        Self::new("holds no rows of data")
    }

    /// Returns a table whose only column is the target.
    pub fn no_features() -> Self {
        Self::new("no features: the target is the only column")
    }

    /// Returns a row of another number of cells than the rest.
    pub fn ragged(expected: usize, found: usize) -> Self {
        let cells = if found == 1 { "cell" } else { "cells" };
        let hint = if found == 1 || expected == 1 {
            "; if cells are separated by something else, set it with --delimiter"
        } else {
            ""
        };
        Self::new(format!("{found} {cells} instead of {expected}{hint}"))
    }

    pub(crate) fn not_built(format: &str) -> Self {
        Self::new(format!(
            "is a {format} file; this program was built without the feature `columnar`, which reads it"
        ))
    }

    pub(crate) fn no_column(wanted: &str, names: &[String]) -> Self {
        let nearest = if wanted.len() > 200 {
            String::new()
        } else {
            forest_core::parameters::did_you_mean(wanted, names.iter().map(String::as_str))
        };
        let columns = listed(names.iter().map(String::as_str));
        Self::new(format!(
            "no column `{}`{nearest}; columns: {columns}",
            short(wanted)
        ))
    }

    pub(crate) fn not_text() -> Self {
        Self::new(
            "is not text (UTF-8); if it is text in another encoding, use --encoding latin-1 or --encoding utf-16le",
        )
    }

    pub(crate) fn row_too_long() -> Self {
        Self::new(
            "a row of more than 16 MiB; is the quote at its end missing, or is this not a table?",
        )
    }

    pub(crate) fn too_many_columns() -> Self {
        Self::new(format!("more than {} columns", crate::MAX_COLUMNS))
    }

    /// Returns the fault at a line.
    pub(crate) fn at(self, line: u64) -> RowError {
        RowError { line, fault: self }
    }
}

impl RowError {
    /// Returns whether later rows cannot be read, since the input itself failed.
    pub fn ends_the_table(&self) -> bool {
        self.fault.is_of_input
    }
}

impl From<RowError> for TableError {
    fn from(error: RowError) -> Self {
        Self {
            line: Some(error.line),
            fault: error.fault,
        }
    }
}

impl From<Fault> for TableError {
    fn from(fault: Fault) -> Self {
        Self { line: None, fault }
    }
}

impl From<io::Error> for Fault {
    /// Separates damage that a decoder reported from errors of the operating system.
    fn from(error: io::Error) -> Self {
        let text = match error.downcast::<Damage>() {
            Ok(Damage { codec, cause }) => {
                format!(
                    "{codec} data is damaged or cut short ({cause}); fetch or copy the file again"
                )
            }
            Err(error) => format!("cannot be read: {error}"),
        };
        Self::of_input(text)
    }
}

/// An error of a decoder, on its way through `io::Error`.
#[derive(Debug, Error)]
#[error("{codec}: {cause}")]
pub(crate) struct Damage {
    pub(crate) codec: &'static str,
    pub(crate) cause: String,
}

struct Prefix(Option<u64>);

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, "line {line}: "))
    }
}
