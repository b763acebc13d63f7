//! Cells between separators, quoted as in RFC 4180, or between runs of blanks.
//!
//! A row is a line. If a quoted cell is open at its end, the lines behind it are joined to it, at most a hundred. Where such a cell does
//! not end where a cell should, or its row has another number of cells than the rows before, the first line is a bad row and the lines
//! behind it are read again: a quote that opens a cell and has no end would take in the rows behind it.

use std::iter;

use crate::input::Lines;
use crate::records::Source;
use crate::{Delimiter, MAX_CELL, MAX_COLUMNS, MAX_ROW, Record, TableError};

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
    pub(crate) fn new(lines: Lines<'a>, delimiter: Delimiter, comment: Option<char>) -> Self {
        let comment = comment.map(|comment| comment as u8);
        let (expected, row) = (None, String::new());
        Self {
            lines,
            delimiter,
            comment,
            expected,
            row,
        }
    }

    /// Passes over empty lines and comments; `false` at the end.
    fn find_row(&mut self) -> Result<bool, TableError> {
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
    fn cells(&mut self, record: &mut Record) -> Result<(), TableError> {
        let number = self.lines.number();
        let line = self.lines.latest()?;
        let separator = match self.delimiter {
            Delimiter::Blanks => {
                words(line).for_each(|cell| record.cells.push_field(cell));
                return Ok(());
            }
            Delimiter::Char(separator) => separator,
        };
        if !line.as_bytes().contains(&b'"') {
            for cell in without_end(line).split(separator) {
                push(cell, record)?;
            }
            return Ok(());
        }
        self.row.clear();
        self.row.push_str(line);
        let (first, mut joined) = (self.row.len(), 1);
        // Where the quoted cell begins that does not end.
        let culprit = loop {
            record.cells.clear();
            let split = split(without_end(&self.row), separator, record)?;
            let cells = record.cells.len();
            match split {
                // An open cell, in a row that could still have it.
                Err(open)
                    if !open.is_closed
                        && joined < MOST_LINES
                        && self.expected.is_none_or(|it| cells < it) =>
                {
                    if self.row.len() > MAX_ROW || !self.lines.advance()? {
                        break open.start;
                    }
                    self.row.push_str(self.lines.latest()?);
                    joined += 1;
                }
                Err(open) => break open.start,
                Ok(Some(spanning)) if self.expected.is_some_and(|it| it != cells) => {
                    break spanning;
                }
                Ok(_) => return Ok(()),
            }
        };
        let opening = match self.row[..culprit].matches('\n').count() as u64 {
            0 => "this line".to_owned(),
            lines => format!("line {}", number + lines),
        };
        self.lines.put_back(&self.row.as_bytes()[first..]);
        Err(TableError::new(format!(
            "the quoted cell that begins on {opening} does not end where a cell should; close its quote, or write a quote within a \
             quoted cell twice"
        )))
    }
}

impl Source for Separated<'_> {
    fn expect(&mut self, cells: usize) {
        self.expected = Some(cells);
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, TableError> {
        record.cells.clear();
        if !self.find_row()? {
            return Ok(false);
        }
        record.line = self.lines.number();
        self.cells(record).map_err(|fault| fault.at(record.line))?;
        Ok(true)
    }
}

fn without_end(row: &str) -> &str {
    let row = row.strip_suffix('\n').unwrap_or(row);
    row.strip_suffix('\r').unwrap_or(row)
}

fn push(cell: &str, record: &mut Record) -> Result<(), TableError> {
    if cell.len() > MAX_CELL {
        return Err(TableError::new("a cell of more than 1 MiB"));
    }
    if record.cells.len() == MAX_COLUMNS {
        return Err(TableError::too_many_columns());
    }
    record.cells.push_field(cell.trim());
    Ok(())
}

/// A quoted cell without an end, or one that holds a line end and is closed where no cell ends.
struct Open {
    start: usize,
    is_closed: bool,
}

/// Splits a row with quotes; what stands behind a closing quote belongs to the cell. Returns where the first quoted cell begins that
/// holds a line end.
fn split(
    row: &str,
    separator: char,
    record: &mut Record,
) -> Result<Result<Option<usize>, Open>, TableError> {
    let (mut start, mut spanning) = (0, None);
    loop {
        let (mut at, mut cell) = (start, String::new());
        if row[at..].starts_with('"') {
            at += 1;
            loop {
                let Some(quote) = row[at..].find('"') else {
                    return Ok(Err(Open {
                        start,
                        is_closed: false,
                    }));
                };
                cell.push_str(&row[at..at + quote]);
                at += quote + 1;
                if !row[at..].starts_with('"') {
                    break;
                }
                cell.push('"');
                at += 1;
            }
            let behind = &row[at..];
            if cell.contains('\n') {
                spanning.get_or_insert(start);
                let ends = behind.is_empty() || behind.starts_with(separator);
                if !ends && !without_end(behind).is_empty() {
                    return Ok(Err(Open {
                        start,
                        is_closed: true,
                    }));
                }
            }
        }
        let end = row[at..].find(separator);
        cell.push_str(&row[at..end.map_or(row.len(), |end| at + end)]);
        push(&cell, record)?;
        match end {
            Some(end) => start = at + end + 1,
            None => return Ok(Ok(spanning)),
        }
    }
}

/// Returns the cells of a line between runs of blanks, which are ignored at either end. A cell in quotes may hold blanks.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        if rest.is_empty() {
            return None;
        }
        let blank = |c: char| c.is_ascii_whitespace();
        let mut end = rest.find(blank).unwrap_or(rest.len());
        if let Some(inner) = rest.strip_prefix('"') {
            // It ends behind a quote before a blank or the end of the line.
            let mut quotes = inner.match_indices('"').map(|(at, _)| at + 2);
            end = quotes
                .find(|end| rest[*end..].chars().next().is_none_or(blank))
                .unwrap_or(end);
        }
        let (cell, behind) = rest.split_at(end);
        rest = behind;
        Some(cell.trim_matches('"'))
    })
}
