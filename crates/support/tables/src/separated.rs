//! Cells between separators, quoted as in RFC 4180, or between runs of blanks.
//!
//! A row is a line. If a quoted cell is open at its end, the lines behind it are joined to it, at most a hundred. Where such a cell does
//! not end where a cell should, or its row has another number of cells than the rows before, the first line is a bad row and the lines
//! behind it are read again: a quote that opens a cell and has no end would take in the rows behind it.

use std::iter;

use crate::input::{Lines, Text};
use crate::limits::{MAX_CELL, MAX_COLUMNS, MAX_ROW};
use crate::records::Source;
use crate::{Delimiter, Fault, Record, RowError};

/// Lines that a row may have.
const MOST_LINES: usize = 100;

pub(crate) struct Separated<'a> {
    lines: Lines<'a>,
    delimiter: Delimiter,
    comment: Option<u8>,
    /// Cells that a row should have.
    expected: Option<usize>,
    /// The lines of a row with quotes.
    row: String,
}

impl<'a> Separated<'a> {
    pub(crate) fn new(text: Text<'a>, delimiter: Delimiter, comment: Option<u8>) -> Self {
        Self {
            lines: Lines::of(text),
            delimiter,
            comment,
            expected: None,
            row: String::new(),
        }
    }

    /// Passes over empty lines and comments; `false` at the end.
    fn find_row(&mut self) -> Result<bool, RowError> {
        while self.lines.advance()? {
            let mut line = self.lines.bytes();
            if self.delimiter == Delimiter::Blanks {
                line = line.trim_ascii();
            }
            let first = line.first().filter(|byte| !b"\r\n".contains(byte));
            if first.is_some_and(|byte| Some(*byte) != self.comment) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the cells of the row that begins with the latest line.
    fn cells(&mut self, record: &mut Record) -> Result<(), RowError> {
        let number = self.lines.number();
        let line = self.lines.latest()?;
        let separator = match self.delimiter {
            Delimiter::Blanks => {
                words(line).for_each(|cell| record.cells.push_field(cell));
                return Ok(());
            }
            Delimiter::Byte(byte) => char::from(byte),
        };
        if !line.as_bytes().contains(&b'"') {
            let cells = without_end(line).split(separator);
            return push_all(cells, record).map_err(|fault| fault.at(number));
        }
        self.row.clear();
        self.row.push_str(line);
        let (first, mut joined) = (self.row.len(), 1);
        let mut quotes = Quotes::default();
        quotes.scan(&self.row, separator);
        let is_too_wide = |quotes: &Quotes| self.expected.is_some_and(|it| quotes.cells >= it);
        while quotes.is_open && joined < MOST_LINES && !is_too_wide(&quotes) {
            if self.row.len() > MAX_ROW || !self.lines.advance()? {
                break;
            }
            joined += 1;
            self.row.push_str(self.lines.latest()?);
            quotes.scan(&self.row, separator);
        }
        if !quotes.is_open && quotes.suspect.is_none() {
            push_all(quoted(without_end(&self.row), separator), record)
                .map_err(|fault| fault.at(number))?;
            if joined == 1 || self.expected.is_none_or(|it| it == record.cells.len()) {
                return Ok(());
            }
        }
        self.lines.put_back(&self.row[first..]);
        // One that is still open comes last.
        let closed = quotes
            .suspect
            .or(quotes.spanning.filter(|_| !quotes.is_open));
        let before = &self.row[..closed.unwrap_or(quotes.start)];
        let opening = match before.matches('\n').count() as u64 {
            0 => "this line".to_owned(),
            lines => format!("line {}", number + lines),
        };
        Err(Fault::new(format!(
            "the quoted cell that begins on {opening} does not end where a cell should; close its quote, or write a quote within a \
             quoted cell twice"
        ))
        .at(number))
    }
}

impl Source for Separated<'_> {
    fn expect(&mut self, cells: usize) {
        self.expected = Some(cells);
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        record.cells.clear();
        if !self.find_row()? {
            return Ok(false);
        }
        record.line = self.lines.number();
        self.cells(record)?;
        Ok(true)
    }
}

fn without_end(row: &str) -> &str {
    let row = row.strip_suffix('\n').unwrap_or(row);
    row.strip_suffix('\r').unwrap_or(row)
}

fn push_all<C: AsRef<str>>(
    cells: impl Iterator<Item = C>,
    record: &mut Record,
) -> Result<(), Fault> {
    for cell in cells {
        let cell = cell.as_ref();
        if cell.len() > MAX_CELL {
            return Err(Fault::new("a cell of more than 1 MiB"));
        }
        if record.cells.len() == MAX_COLUMNS {
            return Err(Fault::too_many_columns());
        }
        record.cells.push_field(cell.trim());
    }
    Ok(())
}

/// The quotes of a row whose lines come one after another.
#[derive(Default)]
struct Quotes {
    /// Where the part begins that was not looked at.
    at: usize,
    /// Separators before it.
    cells: usize,
    /// Whether a quoted cell is not closed.
    is_open: bool,
    /// Where the latest quoted cell begins.
    start: usize,
    /// Where the first quoted cell begins that holds a line end,
    spanning: Option<usize>,
    /// and the first such cell whose quote is closed where no cell ends.
    suspect: Option<usize>,
}

impl Quotes {
    /// Looks at what was added to the row.
    fn scan(&mut self, row: &str, separator: char) {
        loop {
            if !self.is_open && row[self.at..].starts_with('"') {
                self.is_open = true;
                self.start = self.at;
                self.at += 1;
            }
            while self.is_open {
                let Some(quote) = row[self.at..].find('"') else {
                    self.at = row.len();
                    return;
                };
                self.at += quote + 1;
                if row[self.at..].starts_with('"') {
                    self.at += 1;
                    continue;
                }
                self.is_open = false;
                if row[self.start..self.at].contains('\n') {
                    self.spanning.get_or_insert(self.start);
                    let rest = without_end(&row[self.at..]);
                    if !rest.is_empty() && !rest.starts_with(separator) {
                        self.suspect.get_or_insert(self.start);
                    }
                }
            }
            let Some(end) = row[self.at..].find(separator) else {
                self.at = row.len();
                return;
            };
            self.at += end + 1;
            self.cells += 1;
        }
    }
}

/// Returns the cells of a row with quotes. What stands behind a closing quote belongs to the cell.
fn quoted(row: &str, separator: char) -> impl Iterator<Item = String> {
    let mut rest = Some(row);
    iter::from_fn(move || {
        let mut text = rest?;
        let mut cell = String::new();
        if let Some(inner) = text.strip_prefix('"') {
            text = inner;
            while let Some(quote) = text.find('"') {
                cell.push_str(&text[..quote]);
                text = &text[quote + 1..];
                let Some(inner) = text.strip_prefix('"') else {
                    break;
                };
                cell.push('"');
                text = inner;
            }
        }
        let end = text.find(separator);
        cell.push_str(&text[..end.unwrap_or(text.len())]);
        rest = end.map(|end| &text[end + 1..]);
        Some(cell)
    })
}

/// Returns the cells of a line between runs of blanks, which are ignored at either end. A cell in quotes may hold blanks.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return None;
        }
        let end = quoted_end(rest).or_else(|| rest.find(|c: char| c.is_ascii_whitespace()));
        let (cell, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        Some(cell.trim_matches('"'))
    })
}

/// Where a cell ends that begins with a quote: behind a quote before a blank or the end of the line.
fn quoted_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let closes = |at: &usize| {
        let behind = inner[at + 1..].bytes().next();
        behind.is_none_or(|byte| byte.is_ascii_whitespace())
    };
    let mut quotes = inner.match_indices('"').map(|(at, _)| at);
    // One for the opening quote, one for this one.
    quotes.find(closes).map(|at| at + 2)
}
