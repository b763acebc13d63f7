//! What can be wrong inside a file, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

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
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A compressed file that ends too early or is damaged.
    #[error("{codec} data is damaged or cut short ({cause}); fetch or copy the file again")]
    Compressed {
        /// `gzip` or `bzip2`.
        codec: &'static str,
        /// What the decoder says.
        cause: String,
    },
    /// No rows.
    #[error("holds no rows of data")]
    Empty,
    /// Bytes that are no UTF-8 text where a text format is read.
    #[error("is not text (UTF-8); expected CSV, ARFF or LIBSVM here")]
    NotText,
    /// A row with another number of cells than the rest.
    #[error("{found} cells where {expected} are expected")]
    Ragged {
        /// Cells of the first row or the header.
        expected: usize,
        /// Cells of this row.
        found: usize,
    },
    /// A word in a column of numbers.
    #[error(
        "`{text}` in column `{column}` is not a number, but other rows of that column are; correct it or remove the row"
    )]
    NotANumber {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
    },
    /// NaN, an infinity, or a number no `f32` (features) or `f64` (targets) can hold.
    #[error(
        "`{text}` in column `{column}` is not a finite number; remove the row or fill in a value"
    )]
    NotFinite {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
    },
    /// An empty cell or `?`.
    #[error("no value in column `{column}`; remove the row or fill in a value")]
    Missing {
        /// Name of the column.
        column: String,
    },
    /// A nominal value that was not declared.
    #[error("`{text}` is not among the declared values of column `{column}`: {declared}")]
    Undeclared {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
        /// The declared values.
        declared: String,
    },
    /// A text column with so many values that one-hot columns make no sense.
    #[error(
        "text column `{column}` has more than {limit} different values, too many to encode; remove the column"
    )]
    TooManyCategories {
        /// Name of the column.
        column: String,
        /// The most accepted.
        limit: usize,
    },
    /// A line that does not follow its format.
    #[error("{0}")]
    Syntax(String),
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

impl Fault {
    /// The fault at a line of a file.
    pub(crate) fn at(self, path: impl Into<PathBuf>, line: u64) -> ReadError {
        ReadError {
            path: path.into(),
            line: Some(line),
            fault: self,
        }
    }

    /// The fault of a file as a whole.
    pub(crate) fn of(self, path: impl Into<PathBuf>) -> ReadError {
        ReadError {
            path: path.into(),
            line: None,
            fault: self,
        }
    }
}

struct Line(Option<u64>);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, ", line {line}"))
    }
}
