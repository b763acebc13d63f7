//! What can be wrong with a table, and where.

use std::fmt;
use std::io;

use thiserror::Error;

use crate::quote::{listed, short};

/// A fault of a table, perhaps on one line.
#[derive(Debug, Error)]
#[error("{}{fault}", Prefix(*line))]
pub struct TableError {
    /// The line, counted from 1 after decompression; `None` when the fault is not on one line.
    pub line: Option<u64>,
    /// What is wrong.
    pub fault: Fault,
}

/// A fault of one row. The rows after it can be read, unless [`RowError::ends_the_table`].
#[derive(Debug, Error)]
#[error("line {line}: {fault}")]
pub struct RowError {
    /// The line on which the row begins, counted from 1 after decompression; in Parquet and Arrow files the number
    /// of the row.
    pub line: u64,
    /// What is wrong.
    pub fault: Fault,
}

impl RowError {
    /// Whether nothing can be read behind this row: the input itself failed.
    pub fn ends_the_table(&self) -> bool {
        matches!(self.fault, Fault::Io(_) | Fault::Compressed { .. })
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

/// What is wrong. Cells and names are cut to 40 characters.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// Compressed data that end too early or are damaged.
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
    /// Bytes that are no text in the encoding they are read in.
    #[error(
        "is not text (UTF-8); if it is text in another encoding, say --encoding latin-1 or --encoding utf-16le"
    )]
    NotText,
    /// A row of too many bytes.
    #[error(
        "a row of more than {} MiB; is the quote at its end missing, or is this no table?",
        crate::MAX_ROW >> 20
    )]
    RowTooLong,
    /// A cell of too many bytes.
    #[error("a cell of more than {} MiB", crate::MAX_CELL >> 20)]
    CellTooLong,
    /// A row of too many cells.
    #[error("more than {} columns", crate::MAX_COLUMNS)]
    TooManyColumns,
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
        "`{text}` in column `{column}` is not a number, but other rows of that column are; correct it, remove the row, \
         or take the column for categories with --categorical"
    )]
    NotANumber {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
    },
    /// A cell that is no date of the column's format.
    #[error(
        "`{text}` in column `{column}` is not a date like the others ({format}); correct it, or say --dates text"
    )]
    NotADate {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
        /// The format of the column.
        format: String,
    },
    /// An infinity, or a number no `f32` (features) or `f64` (targets) can hold.
    #[error(
        "`{text}` in column `{column}` is not a finite number; remove the row or fill in a value"
    )]
    NotFinite {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
    },
    /// A missing cell in a row, where none is accepted.
    #[error("no value in column `{column}`; remove the row or fill in a value")]
    Missing {
        /// Name of the column.
        column: String,
    },
    /// Missing cells in the rows of a table, where none are accepted.
    #[error("{}", describe_missing(columns, *rows, *place))]
    MissingValues {
        /// Every column that has gaps.
        columns: Vec<Gaps>,
        /// Rows in all.
        rows: usize,
        /// Where they are.
        place: GapsIn,
    },
    /// A column without a single value, which says nothing about what to fill in.
    #[error("no row has a value in column `{column}`; leave it out with --drop {column}")]
    NoValues {
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
    /// A text column with more values than one-hot columns are allowed.
    #[error(
        "text column `{column}` has more than {limit} different values, too many to encode; leave it out with --drop, \
         or say --categories hash:64, --categories ordinal or --categories one-hot:LIMIT"
    )]
    TooManyCategories {
        /// Name of the column.
        column: String,
        /// The most accepted.
        limit: usize,
    },
    /// A column that is not there.
    #[error("no column `{wanted}`{nearest}; columns: {columns}")]
    NoColumn {
        /// What was asked for.
        wanted: String,
        /// `" (did you mean …?)"` or nothing.
        nearest: String,
        /// What exists (the first few).
        columns: String,
    },
    /// A header without names can only be matched by position.
    #[error(
        "{found} columns without names where {expected} are expected; give the file a header line, or the same columns"
    )]
    OtherWidth {
        /// Columns of the table that the columns were fitted on.
        expected: usize,
        /// Columns of this table.
        found: usize,
    },
    /// Nothing but a target.
    #[error("no features: the target is the only column")]
    NoFeatures,
    /// A line that does not follow its format.
    #[error("{0}")]
    Syntax(String),
    /// A format that this program was built without.
    #[error("is a {0} file; this program was built without the feature `columnar`, which reads it")]
    NotBuilt(&'static str),
}

impl Fault {
    /// The fault at a line.
    pub(crate) fn at(self, line: u64) -> RowError {
        RowError { line, fault: self }
    }

    pub(crate) fn no_column(wanted: &str, names: &[String]) -> Self {
        let nearest = match wanted.len() > 200 {
            true => String::new(),
            false => parameters::did_you_mean(wanted, names.iter().map(String::as_str)),
        };
        Fault::NoColumn {
            wanted: short(wanted),
            nearest,
            columns: listed(names.iter().map(String::as_str)),
        }
    }
}

impl From<io::Error> for Fault {
    /// Damage that a decoder reported is told from what the operating system says.
    fn from(error: io::Error) -> Self {
        match error.downcast::<Damage>() {
            Ok(Damage { codec, cause }) => Fault::Compressed { codec, cause },
            Err(error) => Fault::Io(error),
        }
    }
}

/// What a decoder found, on its way through `io::Error`.
#[derive(Debug, Error)]
#[error("{codec}: {cause}")]
pub(crate) struct Damage {
    pub(crate) codec: &'static str,
    pub(crate) cause: String,
}

/// Missing cells of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Name of the column.
    pub column: String,
    /// Rows without a value.
    pub rows: usize,
    /// The line of the first of them.
    pub first_line: u64,
}

/// Where values are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapsIn {
    /// In features, or in features and the target.
    Anywhere,
    /// In the target, which cannot be filled in.
    Target,
}

fn describe_missing(columns: &[Gaps], rows: usize, place: GapsIn) -> String {
    let one = |gaps: &Gaps| {
        format!(
            "{} in column `{}` (first on line {})",
            gaps.rows, gaps.column, gaps.first_line
        )
    };
    let counts: Vec<String> = columns.iter().map(one).collect();
    let remedy = match place {
        GapsIn::Target => "a target cannot be filled in: say --missing drop to leave the rows out",
        GapsIn::Anywhere => {
            "say --missing mean, median, indicator or drop, or leave columns out with --drop COLUMN"
        }
    };
    format!(
        "missing values in {rows} rows: {}; {remedy}",
        counts.join(", ")
    )
}

struct Prefix(Option<u64>);

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, "line {line}: "))
    }
}
