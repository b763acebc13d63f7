//! The error of a data set that cannot be opened.

use std::path::Path;

use tables::TableError;
use thiserror::Error;

/// The error of a data set that cannot be opened: a sentence with the fault, the file and line, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DataError(pub(crate) String);

pub(crate) type Result<V = (), E = DataError> = std::result::Result<V, E>;

/// Returns from the function with this error.
macro_rules! refuse {
    ($($sentence:tt)*) => { return Err($crate::DataError(format!($($sentence)*))) };
}
pub(crate) use refuse;

impl DataError {
    /// Returns the error of a file.
    pub(crate) fn of(path: &Path, error: impl Into<TableError>) -> Self {
        let error = error.into();
        let line = error.line().map(|line| format!(", line {line}"));
        let place = format!("{}{}", path.display(), line.unwrap_or_default());
        Self(format!("{place}: {}", error.text()))
    }

    /// Returns the same error, of what this address names.
    pub(crate) fn of_address(self, address: &str) -> Self {
        Self(format!("{address}: {}", self.0))
    }
}
