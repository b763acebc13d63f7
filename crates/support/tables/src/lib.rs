//! Converts records of text to rows of numbers, independent of data sets and learners.
//!
//! # From a file or a pipe to features
//!
//! [`Records`] reads rows of text, one after another: CSV and its relatives, ARFF, LIBSVM, Parquet, Arrow; packed or
//! not. [`Columns`] converts every column to numbers. It is fitted on all rows of a table or on the first of a stream,
//! then turns every row into features, and is saved with the model.
//!
//! ```
//! use tables::{Cell, Columns, Missing, Record, Records, TableOptions};
//!
//! let text = "area,garden,built,price\n70.5,yes,1990-05-01,210000.5\nNA,no,2003-11-20,180000\n120,yes,1974-01-02,350000\n";
//! let options = TableOptions { missing: Some(Missing::Median), ..TableOptions::default() };
//! let rows = Records::new(text.as_bytes(), &options)?;
//! let header = rows.header().clone();
//! let rows: Vec<Record> = rows.collect::<Result<_, _>>()?;
//! let (columns, warnings) = Columns::fit(&header, &rows, "last", None, &options)?;
//! assert_eq!(columns.feature_names(), ["area", "garden=no", "garden=yes", "built"]);
//! assert!(warnings[0].to_string().starts_with("column `built` looks like dates"));
//! assert_eq!(columns.target(&columns.own_layout(), &rows[0])?, Some(Cell::Number(210000.5)));
//!
//! // Another table: its columns in another order, no target, and a garden nobody has seen.
//! let mut later = Records::new("built,area,garden\n1970-01-02,80,perhaps\n".as_bytes(), &options)?;
//! let layout = columns.layout(later.header())?;
//! let mut features = Vec::new();
//! let unseen = columns.features(&layout, &later.next().unwrap()?, &mut features)?;
//! assert_eq!((unseen, &features[..]), (Some(1), &[80.0, 0.0, 0.0, 1.0][..]));
//! # Ok::<(), tables::TableError>(())
//! ```
//!
//! # What is guessed
//!
//! The separator, the header, packing, the byte order mark, numbers, dates, words, and the task: each guess has one
//! option of [`TableOptions`] that decides, and where it may be wrong, a [`Warning`] names it. `docs/tables.md` has the
//! rules.
//!
//! Features are `f32`, with 24 bits: whole numbers are exact up to 16 777 216, days with the time of day to about three
//! minutes. Where more than a hundredth of the different numbers of a column would become equal, the whole number (of
//! dates the day) below their median is subtracted before rounding, if that keeps them apart. The name of the feature
//! states it: `id - 10000000000`.
//!
//! Rows, cells and columns are bounded ([`MAX_ROW`], [`MAX_CELL`], [`MAX_COLUMNS`]), so that no input exhausts memory.

mod arff;
mod columnar;
mod columns;
mod dates;
mod error;
mod feature;
mod fit;
mod input;
mod libsvm;
mod numbers;
mod options;
pub mod preprocessing;
mod record;
mod records;
mod separated;
mod sniff;
mod target;

pub use columnar::is_columnar;
pub use columns::{Cell, Columns};
pub use error::{MAX_CELL, MAX_COLUMNS, MAX_CONTENT, MAX_ROW, TableError, Warning, listed, short};
pub use feature::category_of_word;
pub use input::{check_format, is_packed, unpacked};
pub use libsvm::looks_like_libsvm;
pub use numbers::{Decimal, MissingWords};
pub use options::{
    Categories, HeaderLine, Indices, Missing, TableOptions, parse_ascii, parse_delimiter,
    parse_encoding,
};
pub use record::{Header, Layout, Record};
pub use records::Records;
pub use target::{TaskKind, find_column, guess_task};
