//! Rows of a table, one after another, from any input.

mod first_lines;
mod look_ahead;
mod open;
mod separator;

use std::io::Read;

use csv::StringRecord;

use look_ahead::Ahead;
pub use open::TableFormat;

use crate::{Fault, Header, Record, RowError, TableError, TableOptions, Warning};

/// Where rows come from.
pub(crate) trait Source: Send {
    /// The next row; `false` at the end. After an error the next row can be read.
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError>;

    /// So many cells are a row from now on, where that helps to tell where a row ends.
    fn expect(&mut self, _cells: usize) {}

    /// What was left out of the rows so far.
    fn left_out(&self) -> Option<Warning> {
        None
    }

    /// From the first row on, cells of other columns may be empty.
    fn keep(&mut self, _columns: &[usize]) {}
}

/// The rows of a table, one after another.
///
/// The input may be packed with gzip, bzip2, xz or (with the feature `columnar`) Zstandard, and in any
/// [`Encoding`](crate::Encoding). One row is held at a time, none of more than [`MAX_ROW`](crate::MAX_ROW) bytes. To tell a header
/// from a row, up to 20 rows are held where the first one holds numbers and words, and up to 1000 rows where only words have
/// been seen; where a quote has no end, the lines behind it are held, up to [`MAX_ROW`](crate::MAX_ROW) bytes; Parquet and
/// Arrow files are held whole, and of an Arrow stream one batch.
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
    /// The line that names the columns, as it was written.
    names: Option<StringRecord>,
    source: Box<dyn Source + 'a>,
    /// Rows that were read to recognise the header.
    ahead: Ahead,
    warnings: Vec<Warning>,
    ended: bool,
}

impl<'a> Records<'a> {
    /// Rows in the format that the first bytes and lines show.
    ///
    /// # Errors
    /// An input that cannot be read, or no header where there must be one.
    pub fn new(input: impl Read + Send + 'a, options: &TableOptions) -> Result<Self, TableError> {
        Self::open(input, None, options, None)
    }

    /// Rows of a table like one that is known: where it is not stated whether the first row names the columns, it does if
    /// at least half of its cells are names of known columns.
    ///
    /// # Errors
    /// As [`Records::new`].
    pub fn like(
        known: &Header,
        input: impl Read + Send + 'a,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        Self::open(input, None, options, Some(known))
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
        Self::open(input, Some(format), options, None)
    }

    /// The columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was guessed about how the table is written, and what was left out of the rows that were read so far.
    pub fn warnings(&self) -> Vec<Warning> {
        let left_out = self.source.left_out();
        self.warnings.iter().cloned().chain(left_out).collect()
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
        match more.then(|| self.fault_of(record)).flatten() {
            Some(fault) => Err(fault.at(record.line)),
            None => Ok(more),
        }
    }

    /// Why a row is none of this table.
    fn fault_of(&self, record: &Record) -> Option<Fault> {
        let (expected, found) = (self.header.columns.len(), record.cells.len());
        if self.names.as_ref() == Some(&record.cells) {
            Some(Fault::RepeatedHeader)
        } else if expected == found {
            None
        } else if record
            .cells
            .get(0)
            .is_some_and(|cell| cell.starts_with('#'))
        {
            Some(Fault::Comment { expected, found })
        } else {
            Some(Fault::Ragged { expected, found })
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
