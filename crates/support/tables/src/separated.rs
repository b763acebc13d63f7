//! Cells between separators, quoted as in RFC 4180, or between runs of blanks.
//!
//! A row is a line. If a quoted cell is open at its end, the lines after it are joined to it, at most a hundred. If
//! such a cell is closed within a cell, or its row has another number of cells than the rows before, the first line is
//! a bad row and the lines after it are read again: otherwise a quote without an end would include the rows after it.

use std::iter;

use crate::error::{MAX_CELL, MAX_COLUMNS, MAX_ROW, Result, refuse};
use crate::input::Lines;
use crate::options::BLANKS;
use crate::record::Source;
use crate::{Record, TableError};

/// The largest number of lines of a row.
const MOST_LINES: usize = 100;

pub(crate) struct Separated<'a> {
    pub(crate) lines: Lines<'a>,
    pub(crate) delimiter: char,
    pub(crate) comment: Option<char>,
    /// The number of cells of a row, if it is known.
    pub(crate) expected: Option<usize>,
    /// The lines of a row with quotes.
    pub(crate) row: String,
}

impl Separated<'_> {
    /// Skips blank lines and comments; returns `false` at the end.
    fn find_row(&mut self) -> Result<bool> {
        while self.lines.advance()? {
            // A tab may stand behind an empty cell.
            let has_tabs = self.delimiter == '\t';
            let is_visible = |byte: &u8| !byte.is_ascii_whitespace() || has_tabs && *byte == b'\t';
            let first = self.lines.bytes.iter().copied().find(is_visible);
            let is_row = first.is_some_and(|byte| Some(char::from(byte)) != self.comment);
            if is_row && !self.lines.states_separator() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads the cells of the row that begins with the latest line.
    fn cells(&mut self, record: &mut Record) -> Result {
        let number = self.lines.number;
        let line = self.lines.latest()?;
        if self.delimiter == BLANKS {
            words(line).for_each(|cell| record.cells.push_field(cell));
            return Ok(());
        }
        let separator = self.delimiter;
        if !line.as_bytes().contains(&b'"') {
            for cell in without_end(line).split(separator) {
                push(cell, record)?;
            }
            return Ok(());
        }
        self.row.clear();
        self.row.push_str(line);
        let first_line = self.row.len();
        let mut joined = 1;
        // The start of the quoted cell that does not end.
        let culprit = loop {
            record.cells.clear();
            let split = split(without_end(&self.row), separator, record)?;
            let cells = record.cells.len();
            match split {
                // The cell may end on a later line.
                Split::Open(start) => {
                    let is_full = self.expected.is_some_and(|it| cells >= it);
                    if is_full || joined == MOST_LINES || self.row.len() > MAX_ROW {
                        break start;
                    }
                    let has_line = self.lines.advance();
                    if has_line == Ok(false) {
                        break start;
                    }
                    match has_line.and_then(|_| self.lines.latest()) {
                        Ok(line) => self.row.push_str(line),
                        Err(fault) => {
                            // The lines before are read again, with an empty one in place of the bad one.
                            self.row.push('\n');
                            self.lines.put_back(self.row.as_bytes());
                            return Err(fault);
                        }
                    }
                    joined += 1;
                }
                Split::Closed(start) => break start,
                Split::Spanning(start) if self.expected.is_some_and(|it| it != cells) => {
                    break start;
                }
                Split::Spanning(_) | Split::Whole => return Ok(()),
            }
        };
        let opening = match self.row[..culprit].matches('\n').count() as u64 {
            0 => "this line".to_owned(),
            lines => format!("line {}", number + lines),
        };
        self.lines.put_back(&self.row.as_bytes()[first_line..]);
        refuse!(
            "the quoted cell that begins on {opening} does not end where a cell should; close it, or double its quotes"
        );
    }
}

impl Source for Separated<'_> {
    fn expect(&mut self, cells: usize) {
        self.expected = Some(cells);
    }

    fn read(&mut self, record: &mut Record) -> Result<bool> {
        record.cells.clear();
        if !self.find_row()? {
            return Ok(false);
        }
        record.line = self.lines.number;
        self.cells(record).map_err(|fault| fault.at(record.line))?;
        Ok(true)
    }
}

fn without_end(row: &str) -> &str {
    let row = row.strip_suffix('\n').unwrap_or(row);
    row.strip_suffix('\r').unwrap_or(row)
}

fn push(cell: &str, record: &mut Record) -> Result {
    if cell.len() > MAX_CELL {
        refuse!("a cell of more than 1 MiB");
    }
    if record.cells.len() == MAX_COLUMNS {
        return Err(TableError::too_many_columns());
    }
    record.cells.push_field(cell.trim());
    Ok(())
}

/// The outcome of splitting a row with quotes, with the start of the cell in question.
enum Split {
    /// No cell contains a line end.
    Whole,
    /// The first quoted cell that contains a line end.
    Spanning(usize),
    /// The row ends in this quoted cell.
    Open(usize),
    /// This quoted cell contains a line end, and is closed where no cell ends.
    Closed(usize),
}

/// Splits a row with quotes; text after a closing quote belongs to the cell.
fn split(row: &str, separator: char, record: &mut Record) -> Result<Split> {
    let mut start = 0;
    let mut outcome = Split::Whole;
    loop {
        let mut at = start;
        let mut cell = String::new();
        if row[at..].starts_with('"') {
            at += 1;
            loop {
                let Some(quote) = row[at..].find('"') else {
                    return Ok(Split::Open(start));
                };
                cell.push_str(&row[at..at + quote]);
                at += quote + 1;
                if !row[at..].starts_with('"') {
                    break;
                }
                cell.push('"');
                at += 1;
            }
            if cell.contains('\n') {
                if matches!(outcome, Split::Whole) {
                    outcome = Split::Spanning(start);
                }
                let behind = &row[at..];
                if !behind.starts_with(separator) && !without_end(behind).is_empty() {
                    return Ok(Split::Closed(start));
                }
            }
        }
        let end = row[at..].find(separator);
        cell.push_str(&row[at..end.map_or(row.len(), |end| at + end)]);
        push(&cell, record)?;
        match end {
            Some(end) => start = at + end + separator.len_utf8(),
            None => return Ok(outcome),
        }
    }
}

/// Returns the cells of a line between runs of blanks, which are ignored at either end. A cell in quotes may hold
/// blanks.
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
            // It ends after a quote that is followed by a blank or the end of the line.
            let mut quotes = inner.match_indices('"').map(|(at, _)| at + 2);
            let is_end = |end: &usize| rest[*end..].chars().next().is_none_or(blank);
            end = quotes.find(is_end).unwrap_or(end);
        }
        let (cell, behind) = rest.split_at(end);
        rest = behind;
        Some(cell.trim_matches('"'))
    })
}
