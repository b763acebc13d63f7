//! Rows of a table, one after another, from any input.

use std::collections::VecDeque;
use std::io::Read;

use csv::StringRecord;

use crate::arff::Arff;
use crate::error::{MAX_ROW, Result, Warning, listed};
use crate::input::{self, Lines};
use crate::libsvm::Libsvm;
use crate::record::Source;
use crate::separated::Separated;
use crate::sniff::{FirstLines, ROWS_BELOW_VALUES, ROWS_BELOW_WORDS, first_row};
use crate::{Header, HeaderLine, Record, TableError, TableOptions, columnar};

/// The rows of a table, one after another.
///
/// The format is the one that the first bytes and lines show. The input may be packed with gzip, bzip2, xz or (with the
/// feature `columnar`) Zstandard, and in any encoding. One row is held at a time, of at most
/// [`MAX_ROW`](crate::MAX_ROW) bytes. To tell a header from a row, up to 20 rows are held where the first one holds
/// numbers and words, and up to 1000 rows where only words have been seen; after a quote without an end up to 100 lines
/// are held; Parquet and Arrow files are held whole, and of an Arrow stream one batch.
///
/// A row that cannot be read is an error, and the next one is read after it.
pub struct Records<'a> {
    header: Header,
    delimiter: Option<char>,
    /// The cells of the header line.
    names: Option<StringRecord>,
    source: Box<dyn Source + 'a>,
    /// Rows that were read to recognise the header.
    ahead: VecDeque<Result<Record>>,
    warnings: Vec<Warning>,
    ended: bool,
}

impl<'a> Records<'a> {
    /// Reads the first bytes and lines.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read, is not a table, or a required header is missing.
    pub fn new(input: impl Read + Send + 'a, options: &TableOptions) -> Result<Self> {
        let (head, bytes) = input::peek(input::unpacked(input)?)?;
        input::check_format(&head)?;
        let encoding = options.encoding.as_deref();
        if let Some(indices) = options.indices {
            let lines = Lines::new(bytes, encoding)?;
            return Ok(Self::of(Libsvm::open(lines, indices)));
        }
        if columnar::is_columnar(&head) {
            return Ok(Self::of(columnar::open(&head, Box::new(bytes))?));
        }
        input::check_text(&head, encoding)?;
        let mut lines = Lines::new(bytes, encoding)?;
        let mut first = FirstLines::read(&mut lines, options)?;
        if first.declares_arff() {
            first.put_back(&mut lines);
            return Ok(Self::of(Arff::open(lines)?));
        }
        first.check()?;
        let (delimiter, doubt) = first.delimiter(&mut lines, options)?;
        first.put_back(&mut lines);
        let rows = Separated {
            lines,
            delimiter,
            comment: options.comment,
            expected: None,
            row: String::new(),
        };
        let mut records = Self::of((Header::default(), Box::new(rows)));
        records.delimiter = Some(delimiter);
        records.warnings.extend(doubt);
        records.read_first_row(options)?;
        Ok(records)
    }

    /// Returns the rows of a source with these columns.
    fn of((header, source): (Header, Box<dyn Source + 'a>)) -> Self {
        Self {
            header,
            delimiter: None,
            names: None,
            source,
            ahead: VecDeque::new(),
            warnings: Vec::new(),
            ended: false,
        }
    }

    /// Reads the first row as the header, or as a row like the others.
    fn read_first_row(&mut self, options: &TableOptions) -> Result {
        let mut first = Record::default();
        if !self.source.read(&mut first)? {
            return Err(TableError::empty());
        }
        self.source.expect(first.cells.len());
        let mut are_names = options.header == Some(HeaderLine::Yes);
        let mut is_guess = false;
        if options.header.is_none() {
            let mut bytes = 0;
            for rows in [0, 1, ROWS_BELOW_VALUES, ROWS_BELOW_WORDS] {
                while self.ahead.len() < rows && bytes < MAX_ROW && self.read_ahead() {
                    let latest = self.ahead.back().and_then(|row| row.as_ref().ok());
                    bytes += latest.map_or(0, |row| row.cells.as_slice().len());
                }
                let below: Vec<&Record> = self.ahead.iter().flatten().collect();
                let enough;
                (are_names, is_guess, enough) = first_row(&first, &below, options);
                if enough <= self.ahead.len() {
                    break;
                }
            }
        }
        if is_guess {
            let guess = if are_names {
                "the names of the columns; if it is a row, use --header no, otherwise --header yes"
            } else {
                "a row; if it names the columns, use --header yes, otherwise --header no"
            };
            let cells = listed(&first.cells);
            let text = format!("the first line ({cells}) is read as {guess}");
            self.warnings.push(Warning::new(text));
        }
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
        let read = self.source.read(&mut row);
        let has_more = may_follow(&read);
        if read != Ok(false) {
            self.ahead.push_back(read.map(|_| row));
        }
        has_more
    }

    /// Returns the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the options of a table that is written like this one, whose separator and header are decided.
    pub fn decided(&self, options: &TableOptions) -> TableOptions {
        let header = if self.header.is_named {
            HeaderLine::Yes
        } else {
            HeaderLine::No
        };
        TableOptions {
            delimiter: options.delimiter.or(self.delimiter),
            header: options.indices.is_none().then_some(header),
            ..options.clone()
        }
    }

    /// Returns warnings of guesses about the format.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Selects the columns that are used, by their index, before the first row is read. Cells of other columns may be
    /// empty; of Parquet and Arrow files they are not decoded.
    pub fn keep(&mut self, columns: &[usize]) {
        self.source.keep(columns);
    }

    /// Reads the next row into `record`, reusing its memory; returns `false` at the end.
    ///
    /// # Errors
    /// Returns an error for a row that cannot be read or has another number of cells; the next call reads the row after
    /// it.
    pub fn read(&mut self, record: &mut Record) -> Result<bool> {
        match self.ahead.pop_front() {
            Some(row) => *record = row?,
            None if self.source.read(record)? => {}
            None => return Ok(false),
        }
        let expected = self.header.columns.len();
        let found = record.cells.len();
        if found > 1 && self.names.as_ref() == Some(&record.cells) {
            return Err(TableError::new("repeats the header line; remove it").at(record.line));
        }
        if expected == found {
            return Ok(true);
        }
        let is_remark = |cell: &str| cell.starts_with('#');
        let first = self.header.columns.first().map(|column| &*column.name);
        let hint = if record.cells.get(0).into_iter().chain(first).any(is_remark) {
            "; if lines that begin with `#` are comments, use --comment '#'"
        } else if found == expected + 1 && self.names.is_some() {
            "; if it is the first column that has no name, give it one (in R, col.names = NA)"
        } else {
            ""
        };
        let text = TableError::ragged(expected, found).to_string() + hint;
        Err(TableError::new(text).at(record.line))
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut record = Record::default();
        let read = self.read(&mut record);
        self.ended = !may_follow(&read);
        read.map(|has_row| has_row.then_some(record)).transpose()
    }
}

/// Returns whether there may be another row after one that was read, or could not be read.
fn may_follow(read: &Result<bool>) -> bool {
    match read {
        Ok(has_row) => *has_row,
        Err(error) => !error.ends_the_table(),
    }
}
