//! Errors of tables, with their line.

mod fault;
mod missing_cells;

use std::fmt;

use thiserror::Error;

pub use fault::Fault;
pub use missing_cells::{MissingCells, MissingIn};

/// A fault of a table, perhaps on one line.
#[derive(Debug, Error)]
#[error("{}{fault}", Prefix(*line))]
pub struct TableError {
    /// The line, counted from 1 after decompression; `None` when the fault is not on one line.
    pub line: Option<u64>,
    /// The fault.
    pub fault: Fault,
}

/// A fault of one row. The rows after it can be read, unless [`RowError::ends_the_table`].
#[derive(Debug, Error)]
#[error("line {line}: {fault}")]
pub struct RowError {
    /// The line on which the row begins, counted from 1 after decompression; in Parquet and Arrow files the number
    /// of the row.
    pub line: u64,
    /// The fault.
    pub fault: Fault,
}

impl RowError {
    /// Returns whether later rows cannot be read, since the input itself failed.
    pub fn ends_the_table(&self) -> bool {
        matches!(
            self.fault,
            Fault::Io(_) | Fault::Compressed { .. } | Fault::Columnar(_)
        )
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
