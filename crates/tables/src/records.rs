//! Rows of a table, one after another, from any input.

mod first_lines;
mod look_ahead;

use std::collections::VecDeque;
use std::io::{Cursor, Read};

use first_lines::FirstLines;
pub use first_lines::looks_like_libsvm;
use look_ahead::is_header;

use crate::arff::Arff;
use crate::blanks::Blanks;
use crate::input::{self, Bytes, Text};
use crate::separated::Separated;
use crate::{
    Delimiter, Fault, Header, HeaderLine, Record, RowError, TableError, TableOptions, columnar,
};

/// Where rows come from.
pub(crate) trait Source: Send {
    /// The next row; `false` at the end. After an error the next row can be read.
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError>;
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Cells between separators or blanks, one row a line, with or without a header line (RFC 4180 quoting).
    Csv,
    /// Weka's Attribute-Relation File Format, dense or sparse rows.
    Arff,
    /// Parquet, and Arrow's IPC files and streams (Feather version 2). They are read whole before the first row.
    Columnar,
}

/// The rows of a table, one after another.
///
/// The input may be packed with gzip or bzip2, and in any [`Encoding`](crate::Encoding). One row is held at a time,
/// none of more than [`MAX_ROW`](crate::MAX_ROW) bytes. Only where nothing but words have been
/// seen, up to 1000 rows are held to tell a header from a row; and Parquet and Arrow files are held whole.
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

    fn open(
        input: impl Read + Send + 'a,
        format: Option<TableFormat>,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let unpacked = input::unpacked(input).map_err(Fault::from)?;
        let (magic, bytes) = input::peek(unpacked).map_err(Fault::from)?;
        let is_columnar = columnar::is_columnar(&magic);
        match format.or(is_columnar.then_some(TableFormat::Columnar)) {
            Some(TableFormat::Columnar) => {
                let (header, source) = columnar::open(Box::new(bytes))?;
                Ok(Self::with_header(header, source))
            }
            format => Self::of_text(Box::new(bytes), format, options),
        }
    }

    fn of_text(
        bytes: Bytes<'a>,
        format: Option<TableFormat>,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let mut text = input::text(bytes, options.encoding).map_err(Fault::from)?;
        let first = FirstLines::read(&mut text, options).map_err(Fault::from)?;
        if format.is_none() {
            first.check()?;
        }
        let is_arff = match format {
            None => first.declare_arff(),
            Some(format) => format == TableFormat::Arff,
        };
        let delimiter = options
            .delimiter
            .unwrap_or_else(|| first.delimiter(options));
        let text: Text<'a> = Box::new(Cursor::new(first.bytes).chain(text));
        if is_arff {
            let (header, source) = Arff::open(text)?;
            return Ok(Self::with_header(header, Box::new(source)));
        }
        let source: Box<dyn Source + 'a> = match delimiter {
            Delimiter::Blanks => Box::new(Blanks::new(text, options.comment_char())),
            Delimiter::Byte(byte) => Box::new(Separated::new(text, byte, options.comment)),
        };
        Self::with_first_row(source, options)
    }

    fn with_header(header: Header, source: Box<dyn Source + 'a>) -> Self {
        Self {
            header,
            source,
            ahead: VecDeque::new(),
            ended: false,
        }
    }

    /// The first row is the header, or a row like the others.
    fn with_first_row(
        mut source: Box<dyn Source + 'a>,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let mut first = Record::default();
        if !source.read(&mut first)? {
            return Err(Fault::Empty.into());
        }
        let mut ahead = VecDeque::new();
        let is_header = match options.header {
            HeaderLine::Yes => true,
            HeaderLine::No => false,
            HeaderLine::Auto => is_header(&first, source.as_mut(), &mut ahead, options),
        };
        let header = if is_header {
            Header::named(&first.cells)
        } else {
            let header = Header::numbered(first.cells.len());
            ahead.push_front(Ok(first));
            header
        };
        Ok(Self {
            ahead,
            ..Self::with_header(header, source)
        })
    }

    /// The columns.
    pub fn header(&self) -> &Header {
        &self.header
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
