//! Why a data set cannot be opened.

use std::fmt::Display;
use std::path::Path;

use tables::{RowError, TableError};
use thiserror::Error;

/// Why a data set cannot be opened: a sentence that says what is wrong, in which file and line, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DataError(String);

impl DataError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the fault of a file as a whole.
    pub(crate) fn of(path: &Path, fault: tables::Fault) -> Self {
        Self::in_table(path, fault.into())
    }

    /// Returns the fault of a table, wherever it is.
    pub(crate) fn in_table(path: &Path, error: TableError) -> Self {
        let line = error
            .line
            .map_or(String::new(), |line| format!(", line {line}"));
        Self(format!("{}{line}: {}", path.display(), error.fault))
    }

    /// Returns the fault of a row.
    pub(crate) fn in_row(path: &Path, error: RowError) -> Self {
        Self::in_table(path, error.into())
    }

    /// Returns more numbers than are reasonable to hold in memory.
    pub(crate) fn too_large(place: impl Display, rows: usize, columns: usize) -> Self {
        Self::new(format!(
            "{place}: {rows} rows of {columns} columns do not fit in memory; reduce the file, or check its largest column index"
        ))
    }

    /// Returns the same fault, of what this address names.
    pub(crate) fn of_address(self, address: &str) -> Self {
        Self(format!("{address}: {}", self.0))
    }
}
