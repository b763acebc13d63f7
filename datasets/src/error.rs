//! Why a data set cannot be opened.

use std::fmt::Display;
use std::path::Path;

use tables::{FaultKind, RowError, TableError};
use thiserror::Error;

/// Why a data set cannot be opened: a sentence that says what is wrong, in which file and line, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text}")]
pub struct DataError {
    text: String,
    not_built: Option<NotBuilt>,
}

/// What a program was built without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotBuilt {
    /// Parquet and Arrow files.
    Columnar,
    /// Downloads.
    Fetch,
}

impl DataError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let (text, not_built) = (text.into(), None);
        Self { text, not_built }
    }

    #[cfg(not(feature = "fetch"))]
    pub(crate) fn without(not_built: NotBuilt, text: String) -> Self {
        let not_built = Some(not_built);
        Self { text, not_built }
    }

    /// Returns the fault of a file as a whole.
    pub(crate) fn of(path: &Path, fault: tables::Fault) -> Self {
        Self::in_table(path, fault.into())
    }

    /// Returns the fault of a table, wherever it is.
    pub(crate) fn in_table(path: &Path, error: TableError) -> Self {
        let line = error.line.map(|line| format!(", line {line}"));
        let is_built = error.fault.kind() != FaultKind::NotBuilt;
        Self {
            text: format!(
                "{}{}: {}",
                path.display(),
                line.unwrap_or_default(),
                error.fault
            ),
            not_built: (!is_built).then_some(NotBuilt::Columnar),
        }
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
        Self {
            text: format!("{address}: {}", self.text),
            ..self
        }
    }

    /// Returns what the program was built without, if that is the reason.
    pub fn not_built(&self) -> Option<NotBuilt> {
        self.not_built
    }
}
