//! Converts records of text to rows of numbers, independent of data sets and learners.
//!
//! # From a file or a pipe to features
//!
//! [`Records`] reads rows of text, one after another: CSV and its relatives, ARFF, LIBSVM, Parquet, Arrow;
//! packed or not.
//! [`Columns`] converts every column to numbers. It is fitted on all rows of a table or on the first of a stream,
//! then turns every row into features, and is saved with the model.
//!
//! ```
//! use tables::{Cell, Columns, Missing, Record, Records, Row, TableOptions, TargetColumn, TaskKind};
//!
//! let text = "area,garden,built,price\n\
//!     70.5,yes,1990-05-01,210000\n\
//!     NA,no,2003-11-20,180000\n\
//!     120,yes,1974-01-02,350000\n";
//! let options = TableOptions { missing: Missing::Median, ..TableOptions::default() };
//! let rows = Records::new(text.as_bytes(), &options)?;
//! let header = rows.header().clone();
//! let rows: Vec<Record> = rows.collect::<Result<_, _>>()?;
//! let task = Some(TaskKind::Regression);
//! let (columns, warnings) = Columns::fit(&header, &rows, &TargetColumn::Last, task, &options)?;
//!
//! assert_eq!(columns.feature_names(), ["area", "garden=no", "garden=yes", "built"]);
//! assert!(warnings[0].to_string().starts_with("column `built` looks like dates"));
//!
//! // Another table: its columns in another order, no target, and a garden nobody has seen.
//! let mut later = Records::new("built,area,garden\n1970-01-02,80,perhaps\n".as_bytes(), &options)?;
//! let layout = columns.layout(later.header())?;
//! let mut features = Vec::new();
//! let row = columns.features(&layout, &later.next().unwrap()?, &mut features)?;
//! assert_eq!(row, Row::Encoded { unseen: 1 });
//! assert_eq!(features, [80.0, 0.0, 0.0, 1.0]);
//!
//! let layout = columns.layout(&header)?;
//! assert_eq!(columns.target(&layout, &rows[0])?, Some(Cell::Number(210000.0)));
//! # Ok::<(), tables::TableError>(())
//! ```
//!
//! # Conversion of cells
//!
//! | column | features | option |
//! |---|---|---|
//! | numbers (at least half of the cells) | one; `1.234,5` with its options | `decimal`, `thousands` |
//! | dates (nearly all cells) | one: days since 1970-01-01, of a time of day its part of a day | `dates` |
//! | words | one per value; one; or a few that values share | `categories`, `categorical` |
//! | with missing cells | refused; filled in; filled in and marked by a feature; or the row left out | `missing` |
//!
//! Little is guessed: numbers with units, with groups of digits or in hexadecimal, and dates that could be read in two ways are words, and
//! a [`Warning`] names the options that make numbers of them. As the target they are refused, unless it is said that they are classes.
//!
//! Dates are recognised as ISO 8601 and as `2014/05/02` and `02.05.2014`, with a time of 24 hours or without; others with a pattern of
//! `strptime`. Years of two digits (`%y`) are those of POSIX: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068.
//!
//! Names of classes are text. Where all of them are whole numbers, a sign `+` and a fraction of zeros do not count: `+1`, `1.0` and `1`
//! are one class, `01` is another, and labels of any number of digits stay apart ([`class_name`]).
//!
//! Features are `f32`, with 24 bits: whole numbers are exact up to 16 777 216, days with the time of day to about three minutes.
//! Where more than a hundredth of the different numbers of a column would become equal, the whole number (of dates the day) below
//! their median is subtracted before rounding, if that keeps them apart. The name of the feature states it: `id - 10000000000`,
//! `when - 2026-11-25` (in days). Where numbers merge all the same, a [`Warning`] says so.
//!
//! # Guesses are reported
//!
//! Unstated properties are recognised: the separator, the header, packing, the byte order mark, dates.
//! Where a guess may be wrong, [`Records::warnings`] and [`Columns::fit`] return a [`Warning`], whose text names the option
//! that decides.
//!
//! # Invalid input
//!
//! A row that is wrong is a [`RowError`] with its line, and the next row can be read. Rows, cells and columns are
//! bounded ([`MAX_ROW`], [`MAX_CELL`], [`MAX_COLUMNS`]), so that no input exhausts memory, and messages cut long cells
//! ([`short`]).
//!
//! ARFF has its own reader here, since the `arff` crate (0.3.0) has not been released since 2019 and does not distinguish a nominal
//! value from a string. Text is decoded by `encoding_rs`, dates by
//! `jiff`, Parquet and Arrow by the crates of these names (feature `columnar`).

mod arff;
mod column_cells;
mod columnar;
mod columns;
mod dates;
mod error;
mod feature;
mod fit;
mod header;
mod input;
mod layout;
mod libsvm;
mod limits;
mod missing;
mod numbers;
mod options;
mod packed;
pub mod preprocessing;
mod quote;
mod record;
mod records;
mod separated;
mod signatures;
mod target_column;
mod task;
mod warning;

pub use columnar::is_columnar;
pub use columns::{Cell, Columns, Row, class_name};
pub use dates::DateFormat;
pub use error::{Fault, RowError, TableError};
pub use feature::category_of_word;
pub use input::Lines;
pub use layout::Layout;
pub use libsvm::{LibsvmRow, looks_like_libsvm};
pub use limits::{MAX_CELL, MAX_COLUMNS, MAX_CONTENT, MAX_ROW};
pub use missing::{Missing, MissingWords};
pub use numbers::{Decimal, Numbers};
pub use options::{
    Categories, Dates, Delimiter, Encoding, HeaderLine, Indices, OptionError, TableOptions,
    parse_ascii,
};
pub use packed::{is_packed, unpacked};
pub use quote::{listed, short};
pub use record::{Column, Header, Kind, Record};
pub use records::{Records, TableFormat};
pub use signatures::check_format;
pub use target_column::TargetColumn;
pub use task::{TaskKind, guess_task};
pub use warning::Warning;
