//! Rows of a table, one after another, from any input.

mod first_lines;
mod look_ahead;
mod open;
mod separator;

use std::io::Read;

use csv::StringRecord;

use look_ahead::Ahead;
pub use open::TableFormat;
pub(crate) use open::read_as_row;

use crate::{Fault, Header, Record, RowError, TableError, TableOptions, Warning};

/// Where rows come from.
pub(crate) trait Source: Send {
    /// Reads the next row; returns `false` at the end. After an error the next row can be read.
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError>;

    /// Sets the number of cells of a row from now on, where that helps to find the end of a row.
    fn expect(&mut self, _cells: usize) {}

    /// Returns warnings of what was left out of the rows so far.
    fn left_out(&self) -> Option<Warning> {
        None
    }

    /// Selects the columns that are used; from the first row on, cells of others may be empty.
    fn keep(&mut self, _columns: &[usize]) {}
}

/// The rows of a table, one after another.
///
/// The input may be packed with gzip, bzip2, xz or (with the feature `columnar`) Zstandard, and in any
/// [`Encoding`](crate::Encoding). One row is held at a time, of at most [`MAX_ROW`](crate::MAX_ROW) bytes. To tell a header
/// from a row, up to 20 rows are held where the first one holds numbers and words, and up to 1000 rows where only words have
/// been seen; where a quote has no end, up to 100 lines behind it are held; Parquet and
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
/// assert_eq!(error.to_string(), "line 3: 3 cells instead of 2");
/// assert_eq!(&rows.next().unwrap()?.cells[1], "light, blue");
/// assert!(rows.next().is_none());
/// # Ok::<(), tables::TableError>(())
/// ```
pub struct Records<'a> {
    header: Header,
    /// The line that names the columns, as it was written.
    names: Option<StringRecord>,
    /// Whether the first line begins with `#`.
    is_remark: bool,
    source: Box<dyn Source + 'a>,
    /// Rows that were read to recognise the header.
    ahead: Ahead,
    warnings: Vec<Warning>,
    ended: bool,
}

impl<'a> Records<'a> {
    /// Reads rows in the format that the first bytes and lines show.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, or a required header is missing.
    pub fn new(input: impl Read + Send + 'a, options: &TableOptions) -> Result<Self, TableError> {
        Self::open(input, None, options, None)
    }

    /// Reads rows of a table like one that is known: if it is not stated whether the first row names the columns, it does if
    /// at least half of its cells are names of known columns.
    ///
    /// # Errors
    /// Returns an error as [`Records::new`].
    pub fn like(
        known: &Header,
        input: impl Read + Send + 'a,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        Self::open(input, None, options, Some(known))
    }

    /// Reads rows in a known format.
    ///
    /// # Errors
    /// Returns an error as [`Records::new`].
    pub fn in_format(
        input: impl Read + Send + 'a,
        format: TableFormat,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        Self::open(input, Some(format), options, None)
    }

    /// Returns the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns warnings of guesses about the format, and of what was left out of the rows so far.
    pub fn warnings(&self) -> Vec<Warning> {
        let left_out = self.source.left_out();
        self.warnings.iter().cloned().chain(left_out).collect()
    }

    /// Selects the columns that are used, by their index, before the first row is read. Cells of other columns may be empty; of
    /// Parquet and Arrow files they are not decoded.
    pub fn keep(&mut self, columns: &[usize]) {
        self.source.keep(columns);
    }

    /// Reads the next row into `record`, reusing its memory; returns `false` at the end.
    ///
    /// # Errors
    /// Returns an error for a row that cannot be read or has another number of cells; the next call reads the row after it.
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

    /// Returns why a row does not belong to this table.
    fn fault_of(&self, record: &Record) -> Option<Fault> {
        let (expected, found) = (self.header.columns.len(), record.cells.len());
        if found > 1 && self.names.as_ref() == Some(&record.cells) {
            return Some(Fault::new("repeats the header line; remove it"));
        }
        if expected == found {
            return None;
        }
        let begins = |cell: &str| cell.starts_with('#');
        let ragged = Fault::ragged(expected, found);
        if self.is_remark || record.cells.get(0).is_some_and(begins) {
            return Some(Fault::new(format!(
                "{ragged}; if lines that begin with `#` are comments, use --comment '#'"
            )));
        }
        Some(ragged)
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
