//! Rows of a table, one after another, from any input.

mod first_lines;
mod look_ahead;
mod open;

use std::collections::VecDeque;
use std::io::Read;

pub use open::TableFormat;

use crate::{Fault, Header, Record, RowError, TableError, TableOptions};

/// Where rows come from.
pub(crate) trait Source: Send {
    /// The next row; `false` at the end. After an error the next row can be read.
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError>;

    /// From the first row on, cells of other columns may be empty.
    fn keep(&mut self, _columns: &[usize]) {}
}

/// The rows of a table, one after another.
///
/// The input may be packed with gzip, bzip2, xz or (with the feature `columnar`) Zstandard, and in any [`Encoding`](crate::Encoding). One row is held at a time,
/// none of more than [`MAX_ROW`](crate::MAX_ROW) bytes. Only where nothing but words have been
/// seen, up to 1000 rows are held to tell a header from a row; Parquet and Arrow files are held whole, and of an Arrow stream
/// one batch.
///
/// A row that cannot be read is an error, and the next one is read after it.
///
/// ```
/// use tables::{Records, TableOptions};
///
/// let text = "size,colour\n1.5,red\n2,blue,3\n2.5,\"light, blue\"\n";
/// let mut rows = Records::new(text.as_bytes(), &TableOptions::default())?;
/// assert_eq!(rows.header().names(), ["size", "colour"]);
/// assert_eq!(&rows.next().unwrap()?.cells[1], "red");
/// let error = rows.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "line 3: 3 cells where 2 are expected");
/// assert_eq!(&rows.next().unwrap()?.cells[1], "light, blue");
/// assert!(rows.next().is_none());
/// # Ok::<(), tables::TableError>(())
/// ```
pub struct Records<'a> {
    header: Header,
    source: Box<dyn Source + 'a>,
    /// Rows that were read to recognise the header.
    ahead: VecDeque<Result<Record, RowError>>,
    ended: bool,
}

impl<'a> Records<'a> {
    /// Rows in the format that the first bytes and lines show.
    ///
    /// # Errors
    /// An input that cannot be read, or no header where there must be one.
    pub fn new(input: impl Read + Send + 'a, options: &TableOptions) -> Result<Self, TableError> {
        Self::open(input, None, options)
    }

    /// Rows in a format that is known.
    ///
    /// # Errors
    /// As [`Records::new`].
    pub fn in_format(
        input: impl Read + Send + 'a,
        format: TableFormat,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        Self::open(input, Some(format), options)
    }

    /// The columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Says which columns are used, by their index, before the first row is read. Cells of other columns may be empty; of
    /// Parquet and Arrow files they are not decoded.
    pub fn keep(&mut self, columns: &[usize]) {
        self.source.keep(columns);
    }

    /// Reads the next row into `record`, whose memory is used again; `false` at the end.
    ///
    /// # Errors
    /// A row that cannot be read or has another number of cells; the next call reads the row after it.
    pub fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        let more = match self.ahead.pop_front() {
            Some(Ok(row)) => {
                *record = row;
                true
            }
            Some(Err(error)) => return Err(error),
            None => self.source.read(record)?,
        };
        let (expected, found) = (self.header.columns.len(), record.cells.len());
        match more && expected != found {
            true => Err(Fault::Ragged { expected, found }.at(record.line)),
            false => Ok(more),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut record = Record::default();
        let read = self.read(&mut record);
        self.ended = match &read {
            Ok(more) => !more,
            Err(error) => error.ends_the_table(),
        };
        match read {
            Ok(more) => more.then_some(Ok(record)),
            Err(error) => Some(Err(error)),
        }
    }
}
