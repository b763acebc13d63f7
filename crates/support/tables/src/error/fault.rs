//! Faults of tables.

use std::io;

use thiserror::Error;

use super::Damage;
use super::missing_cells::{MissingCells, MissingIn, describe};
use crate::quote::{listed, short};
use crate::{Indices, RowError, Warning};

/// A fault of a table. Cells and names in messages are cut to 40 characters.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Fault {
    /// An error of the operating system.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// Compressed data that end too early or are damaged.
    #[error("{codec} data is damaged or cut short ({cause}); fetch or copy the file again")]
    Compressed {
        /// `gzip`, `bzip2`, `xz` or `Zstandard`.
        codec: &'static str,
        /// The message of the decoder.
        cause: String,
    },
    /// A Parquet or Arrow file that is damaged, cut short, or written in a way that is not known here.
    #[error("cannot be read as Parquet or Arrow: {0}; fetch or write the file again")]
    Columnar(String),
    /// A Parquet file packed in a way that this program was built without.
    #[error(
        "is compressed with {0}, which this program cannot decompress; write it again, compressed with Zstandard, Snappy, gzip or LZ4, for \
         example in Python: pandas.read_parquet(FILE).to_parquet(FILE, compression='zstd')"
    )]
    Codec(String),
    /// A file of another format, by its first bytes.
    #[error("is {format}; {advice}")]
    OtherFormat {
        /// `a SQLite database`.
        format: &'static str,
        /// How to convert it to a table.
        advice: &'static str,
    },
    /// The table is empty.
    #[error("holds no rows of data")]
    Empty,
    /// Bytes that are not text in the encoding they are read in.
    #[error(
        "is not text (UTF-8); if it is text in another encoding, use --encoding latin-1 or --encoding utf-16le"
    )]
    NotText,
    /// Bytes that do not occur in text, although they may be UTF-8.
    #[error(
        "contains bytes that do not occur in text, and is neither a Parquet nor an Arrow file; export it as CSV or Parquet from the program \
         that wrote it; if it is text in UTF-16, use --encoding utf-16le or --encoding utf-16be"
    )]
    Binary,
    /// A row of too many bytes.
    #[error(
        "a row of more than {} MiB; is the quote at its end missing, or is this not a table?",
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
    #[error("{} instead of {expected}{}", cells(*found), separator_hint(*found, *expected))]
    Ragged {
        /// Cells of the first row or the header.
        expected: usize,
        /// Cells of this row.
        found: usize,
    },
    /// A row that begins with `#` and has another number of cells than the rest.
    #[error(
        "begins with `#` and has {} instead of {expected}; if such lines are comments, use --comment '#'",
        cells(*found)
    )]
    Comment {
        /// Cells of the first row or the header.
        expected: usize,
        /// Cells of this row.
        found: usize,
    },
    /// A quoted cell without an end, or with one where its row has another number of cells than the rest. The lines behind
    /// its first one are read as rows of their own.
    #[error(
        "the quoted cell that begins on {} does not end where a cell should{}; close its quote, or write a quote within a \
         quoted cell twice",
        opening(*opened),
        taken_in(*lines)
    )]
    OpenQuote {
        /// The line on which the quote opens; `None` if the row begins there.
        opened: Option<u64>,
        /// Lines behind it up to where the row would have ended.
        lines: u64,
    },
    /// Rows with one cell more than the header has names.
    #[error(
        "each row has one cell more than the header has names; give the first column a name, as write.csv does in R, or write.table \
         with col.names = NA"
    )]
    UnnamedColumn,
    /// A row that repeats the header.
    #[error("repeats the header line; remove it")]
    RepeatedHeader,
    /// Two columns of one name.
    #[error(
        "columns {first} and {second} are both called `{name}`; rename one of them, or leave one out by its number: \
         --drop {second}"
    )]
    EqualNames {
        /// Their name.
        name: String,
        /// Number of the first, from 1.
        first: usize,
        /// Number of the second, from 1.
        second: usize,
    },
    /// A column of a later table that could be either of two.
    #[error("column {number} is also called `{name}`; rename it or remove it")]
    ColumnTwice {
        /// Its name.
        name: String,
        /// Its number, from 1.
        number: usize,
    },
    /// A word in a column of numbers.
    #[error(
        "`{text}` in column `{column}` is not a number, but other rows of that column are; correct it, remove the row, \
         or treat the column as categories with --categorical"
    )]
    NotANumber {
        /// Name of the column.
        column: String,
        /// The cell.
        text: String,
    },
    /// A number with a fraction where classes are learned.
    #[error(
        "the target `{column}` is `{text}`, a number with a fraction, which is not a class; correct it, or learn numbers with \
         --task regress"
    )]
    Fraction {
        /// Name of the target.
        column: String,
        /// The cell.
        text: String,
    },
    /// Text as the target where numbers are learned.
    #[error(
        "the target `{column}` is text (`{text}`), which --task regress cannot learn; write it as numbers, learn classes with \
         --task classify, or choose another column with --target"
    )]
    TextTarget {
        /// Name of the target.
        column: String,
        /// The first cell.
        text: String,
    },
    /// Text as the target that looks like something else than names of classes.
    #[error(
        "the target would be learned as classes: {0}; if they are classes, use --task classify"
    )]
    TargetInDoubt(Box<Warning>),
    /// Dates as the target.
    #[error(
        "the target `{column}` looks like dates (`{text}`), which are not learned as numbers; write it as a number, such \
         as days since a date, or learn each as a class with --task classify"
    )]
    DateTarget {
        /// Name of the target.
        column: String,
        /// The first cell.
        text: String,
    },
    /// Two features of one name.
    #[error(
        "two features would be called `{name}`: the column of that name, and one that --missing indicator or --categories makes of \
         another column; rename the column, or leave it out with --drop '{name}'"
    )]
    EqualFeatures {
        /// Their name.
        name: String,
    },
    /// A cell that is not a date in the column's format.
    #[error(
        "`{text}` in column `{column}` is not a date like the others ({format}); correct it, or use --dates text"
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
    /// A column of values that are neither numbers nor text.
    #[error(
        "column `{column}` holds {values}, which are neither numbers nor text; leave it out with --drop {column}, or \
         flatten it into columns of numbers or text"
    )]
    UnreadableColumn {
        /// Name of the column.
        column: String,
        /// `lists`.
        values: String,
    },
    /// A value of Parquet or Arrow that cannot be written as text.
    #[error(
        "a value in column `{column}` {cause}; remove the row, write the column as text, or leave it out with \
         --drop {column}"
    )]
    UnreadableCell {
        /// Name of the column.
        column: String,
        /// `is not UTF-8`.
        cause: String,
    },
    /// A missing cell in a row, where none is accepted.
    #[error("no value in column `{column}`; remove the row or fill in a value")]
    Missing {
        /// Name of the column.
        column: String,
    },
    /// Missing cells in the rows of a table, where none are accepted.
    #[error("{}", describe(columns, *rows, *place))]
    MissingValues {
        /// Every column with missing values.
        columns: Vec<MissingCells>,
        /// The total number of rows.
        rows: usize,
        /// Where they are.
        place: MissingIn,
    },
    /// A column without any value, for which a filling cannot be computed.
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
         or use --categories hash:64, --categories ordinal, --categories native or --categories one-hot:LIMIT"
    )]
    TooManyCategories {
        /// Name of the column.
        column: String,
        /// The most accepted.
        limit: usize,
    },
    /// A column that does not exist.
    #[error("no column `{wanted}`{nearest}; columns: {columns}")]
    NoColumn {
        /// The requested name.
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
    /// The target is the only column.
    #[error("no features: the target is the only column")]
    NoFeatures,
    /// Rows in LIBSVM's format, whose number of features is unknown.
    #[error(
        "looks like LIBSVM, which does not state the number of features; state it with --indices 1-LAST, where LAST is \
         the largest index of all rows to come (0-LAST if indices count from 0)"
    )]
    NoIndices,
    /// A feature of LIBSVM's format beyond those that there are.
    #[error("index {index} is not one of {indices}, those of --indices")]
    NoSuchIndex {
        /// The index of the feature.
        index: u32,
        /// Those that there are.
        indices: Indices,
    },
    /// A line that does not follow its format.
    #[error("{0}")]
    Syntax(String),
    /// A format that this program was built without.
    #[error("is a {0} file; this program was built without the feature `columnar`, which reads it")]
    NotBuilt(&'static str),
}

fn cells(count: usize) -> String {
    match count {
        1 => "1 cell".to_owned(),
        _ => format!("{count} cells"),
    }
}

/// Returns a hint that the separator may be another one, for a row of a single cell.
fn separator_hint(found: usize, expected: usize) -> &'static str {
    if found == 1 || expected == 1 {
        "; if cells are separated by something else, set it with --delimiter"
    } else {
        ""
    }
}

fn taken_in(lines: u64) -> String {
    match lines {
        0 => String::new(),
        _ => format!(", and takes in {lines} more lines, which are read as rows instead"),
    }
}

fn opening(line: Option<u64>) -> String {
    line.map_or("this line".to_owned(), |line| format!("line {line}"))
}

impl Fault {
    /// Returns the fault at a line.
    pub(crate) fn at(self, line: u64) -> RowError {
        RowError { line, fault: self }
    }

    pub(crate) fn no_column(wanted: &str, names: &[String]) -> Self {
        let nearest = if wanted.len() > 200 {
            String::new()
        } else {
            parameters::did_you_mean(wanted, names.iter().map(String::as_str))
        };
        Fault::NoColumn {
            wanted: short(wanted),
            nearest,
            columns: listed(names.iter().map(String::as_str)),
        }
    }
}

impl From<io::Error> for Fault {
    /// Separates damage that a decoder reported from errors of the operating system.
    fn from(error: io::Error) -> Self {
        match error.downcast::<Damage>() {
            Ok(Damage { codec, cause }) => Fault::Compressed { codec, cause },
            Err(error) => Fault::Io(error),
        }
    }
}
