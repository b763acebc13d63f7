//! Errors inside a file, and where they are.

use std::fmt;
use std::path::PathBuf;

use tables::{RowError, TableError};
use thiserror::Error;

/// A fault in a file: which file, which line, what.
#[derive(Debug, Error)]
#[error("{}{}: {fault}", path.display(), Line(*line))]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1 after decompression; `None` when the fault is not on one line.
    pub line: Option<u64>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong inside a file.
#[derive(Debug, Error)]
pub enum Fault {
    /// A fault that any table may have.
    #[error(transparent)]
    Table(#[from] tables::Fault),
    /// IDX images and labels that do not belong together.
    #[error("{labels} labels for {images} images; the two files do not belong together")]
    LabelCount {
        /// Images in the image file.
        images: usize,
        /// Labels in the label file.
        labels: usize,
    },
    /// More numbers than are reasonable to hold in memory.
    #[error(
        "{rows} rows of {columns} columns do not fit in memory; reduce the file, or check its largest column index"
    )]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns after encoding.
        columns: usize,
    },
}

impl ReadError {
    /// Returns the fault of a file as a whole.
    pub(crate) fn of(path: impl Into<PathBuf>, fault: impl Into<Fault>) -> Self {
        Self {
            path: path.into(),
            line: None,
            fault: fault.into(),
        }
    }

    /// Returns the fault of a table, wherever it is.
    pub(crate) fn from_table(path: impl Into<PathBuf>, error: TableError) -> Self {
        Self {
            path: path.into(),
            line: error.line,
            fault: error.fault.into(),
        }
    }

    /// Returns the fault of a row.
    pub(crate) fn from_row(path: impl Into<PathBuf>, error: RowError) -> Self {
        Self::from_table(path, error.into())
    }
}

struct Line(Option<u64>);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, ", line {line}"))
    }
}
