//! Rows of a table, one after another, from any input.

use std::collections::VecDeque;
use std::io::Read;

use csv::StringRecord;

use crate::arff::Arff;
use crate::input::{self, Lines};
use crate::libsvm::Libsvm;
use crate::separated::Separated;
use crate::sniff::{FirstLines, first_row};
use crate::{
    Delimiter, Header, HeaderLine, MAX_ROW, Record, TableError, TableOptions, Warning, columnar,
    listed,
};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Cells between separators or blanks, one row a line, with or without a header line (RFC 4180 quoting).
    Csv,
    /// Weka's Attribute-Relation File Format, dense or sparse rows.
    Arff,
    /// Parquet, and Arrow's IPC files and streams (Feather version 2). Files are read whole before the first row.
    Columnar,
}

/// Where rows come from.
pub(crate) trait Source: Send {
    /// Reads the next row; returns `false` at the end. After an error the next row can be read.
    fn read(&mut self, record: &mut Record) -> Result<bool, TableError>;

    /// Sets the number of cells of a row from now on, where that helps to find the end of a row.
    fn expect(&mut self, _cells: usize) {}

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
/// assert_eq!(error.to_string(), "line 3: 3 cells instead of 2; if it is the first column that has no name, give it one (in R, col.names = NA)");
/// assert_eq!(&rows.next().unwrap()?.cells[1], "light, blue");
/// assert!(rows.next().is_none());
/// # Ok::<(), tables::TableError>(())
/// ```
pub struct Records<'a> {
    header: Header,
    delimiter: Option<Delimiter>,
    /// The line that names the columns, as it was written.
    names: Option<StringRecord>,
    /// Whether the first line begins with `#`.
    is_remark: bool,
    source: Box<dyn Source + 'a>,
    /// Rows that were read to recognise the header.
    ahead: VecDeque<Result<Record, TableError>>,
    warnings: Vec<Warning>,
    ended: bool,
}

impl<'a> Records<'a> {
    /// Reads rows in the format that the first bytes and lines show.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, or a required header is missing.
    pub fn new(input: impl Read + Send + 'a, options: &TableOptions) -> Result<Self, TableError> {
        Self::open(input, None, options)
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
        Self::open(input, Some(format), options)
    }

    fn open(
        input: impl Read + Send + 'a,
        format: Option<TableFormat>,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let unpacked = input::unpacked(input)?;
        let (head, bytes) = input::peek(unpacked)?;
        input::check_format(&head)?;
        if options.indices.is_none()
            && (format == Some(TableFormat::Columnar) || columnar::is_columnar(&head))
        {
            let (header, source) = columnar::open(&head, Box::new(bytes))?;
            return Ok(Self::of(header, source));
        }
        if options.indices.is_none() {
            input::check_text(&head, options.encoding)?;
        }
        let mut lines = Lines::unpacked(bytes, options.encoding)?;
        if let Some(indices) = options.indices {
            let (header, source) = Libsvm::open(lines, indices);
            return Ok(Self::of(header, Box::new(source)));
        }
        let mut first = FirstLines::read(&mut lines, options)?;
        if format == Some(TableFormat::Arff) || format.is_none() && first.declare_arff() {
            first.put_back(&mut lines);
            let (header, source) = Arff::open(lines)?;
            return Ok(Self::of(header, Box::new(source)));
        }
        if format.is_none() {
            first.check_libsvm()?;
        }
        first.check_line_ends()?;
        let (delimiter, doubt) = first.delimiter(&mut lines, options)?;
        first.put_back(&mut lines);
        let source = Separated::new(lines, delimiter, options.comment);
        let mut records = Self::of(Header::default(), Box::new(source));
        records.delimiter = Some(delimiter);
        records.warnings.extend(doubt);
        records.read_first_row(options)?;
        Ok(records)
    }

    fn of(header: Header, source: Box<dyn Source + 'a>) -> Self {
        Self {
            header,
            source,
            delimiter: None,
            names: None,
            is_remark: false,
            ahead: VecDeque::new(),
            warnings: Vec::new(),
            ended: false,
        }
    }

    /// Reads the first row as the header, or as a row like the others.
    fn read_first_row(&mut self, options: &TableOptions) -> Result<(), TableError> {
        let mut first = Record::default();
        if !self.source.read(&mut first)? {
            return Err(TableError::empty());
        }
        self.source.expect(first.cells.len());
        let (mut are_names, mut is_guess) = (options.header == Some(HeaderLine::Yes), false);
        if options.header.is_none() {
            let mut bytes = 0;
            for rows in [0, 1, 20, 1000] {
                while self.ahead.len() < rows && bytes < MAX_ROW && self.read_ahead() {
                    bytes += self.ahead.back().map_or(0, |row| {
                        row.as_ref().map_or(0, |it| it.cells.as_slice().len())
                    });
                }
                let below: Vec<&Record> = self.ahead.iter().flatten().collect();
                let found = first_row(&first, &below, options);
                (are_names, is_guess) = (found.are_names, found.is_guess);
                if found.enough <= self.ahead.len() {
                    break;
                }
            }
        }
        let cells = listed(&first.cells);
        if is_guess {
            self.warnings.push(Warning::new(if are_names {
                format!(
                    "the first line ({cells}) is read as the names of the columns; if it is a row, use --header no, otherwise \
                     --header yes"
                )
            } else {
                format!(
                    "the first line ({cells}) is read as a row; if it names the columns, use --header yes, otherwise --header no"
                )
            }));
        }
        self.is_remark = first.cells.get(0).is_some_and(|cell| cell.starts_with('#'));
        if are_names {
            self.header = Header::named(&first.cells);
            self.names = Some(first.cells);
        } else {
            self.header = Header::numbered(first.cells.len());
            self.ahead.push_front(Ok(first));
        }
        Ok(())
    }

    /// Reads one more row ahead; `false` if none can be read.
    fn read_ahead(&mut self) -> bool {
        let mut row = Record::default();
        match self.source.read(&mut row) {
            Ok(false) => false,
            Ok(true) => {
                self.ahead.push_back(Ok(row));
                true
            }
            Err(error) => {
                let has_more = !error.ends_the_table();
                self.ahead.push_back(Err(error));
                has_more
            }
        }
    }

    /// Returns the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the options of a table that is written like this one, whose separator and header are decided.
    pub fn decided(&self, options: &TableOptions) -> TableOptions {
        let names = if self.header.is_named {
            HeaderLine::Yes
        } else {
            HeaderLine::No
        };
        TableOptions {
            delimiter: options.delimiter.or(self.delimiter),
            header: options.indices.is_none().then_some(names),
            ..options.clone()
        }
    }

    /// Returns warnings of guesses about the format.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
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
    pub fn read(&mut self, record: &mut Record) -> Result<bool, TableError> {
        match self.ahead.pop_front() {
            Some(row) => *record = row?,
            None if self.source.read(record)? => {}
            None => return Ok(false),
        }
        let (expected, found) = (self.header.columns.len(), record.cells.len());
        if found > 1 && self.names.as_ref() == Some(&record.cells) {
            return Err(TableError::new("repeats the header line; remove it").at(record.line));
        }
        if expected == found {
            return Ok(true);
        }
        let mut text = TableError::ragged(expected, found).to_string();
        if self.is_remark
            || record
                .cells
                .get(0)
                .is_some_and(|cell| cell.starts_with('#'))
        {
            text += "; if lines that begin with `#` are comments, use --comment '#'";
        } else if found == expected + 1 && self.names.is_some() {
            text +=
                "; if it is the first column that has no name, give it one (in R, col.names = NA)";
        }
        Err(TableError::new(text).at(record.line))
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut record = Record::default();
        match self.read(&mut record) {
            Ok(true) => Some(Ok(record)),
            Ok(false) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = error.ends_the_table();
                Some(Err(error))
            }
        }
    }
}
