//! Guesses about text: the separator of cells, and whether the first row names the columns.

use std::cmp::Reverse;

use crate::error::{MAX_ROW, Result, Warning, refuse};
use crate::input::Lines;
use crate::libsvm::looks_like_libsvm;
use crate::options::BLANKS;
use crate::separated::words;
use crate::{Decimal, Record, TableOptions};

/// The number of lines that are examined if several separators fit the first one.
const MOST_LINES: usize = 20;

/// The number of rows that decide about a first row with numbers or dates.
pub(crate) const ROWS_BELOW_VALUES: usize = 20;

/// The number of rows that decide about a first row of words, which may differ from names in a single column.
pub(crate) const ROWS_BELOW_WORDS: usize = 1000;

/// The first lines that are neither blank nor comments, and all bytes that were read to find them, which have to be put
/// back.
#[derive(Default)]
pub(crate) struct FirstLines {
    bytes: Vec<u8>,
    lines: Vec<String>,
}

impl FirstLines {
    /// Reads up to the first line that shows the format.
    pub(crate) fn read(lines: &mut Lines<'_>, options: &TableOptions) -> Result<Self> {
        let mut first = Self::default();
        while first.declaration().is_none() && first.add(lines, options)? {}
        Ok(first)
    }

    /// Reads one more line; `false` at the end, or if enough was read.
    fn add(&mut self, lines: &mut Lines<'_>, options: &TableOptions) -> Result<bool> {
        if !lines.advance()? {
            return Ok(false);
        }
        self.bytes.extend_from_slice(&lines.bytes);
        let line = String::from_utf8_lossy(&lines.bytes);
        let trimmed = line.trim();
        let begins = |comment| trimmed.starts_with::<char>(comment);
        if trimmed.is_empty() || lines.states_separator() || options.comment.is_some_and(begins) {
            return Ok(true);
        }
        self.lines.push(trimmed.to_owned());
        Ok(self.bytes.len() < MAX_ROW)
    }

    /// Returns the first line that is not a comment of ARFF.
    fn declaration(&self) -> Option<&String> {
        self.lines.iter().find(|line| !line.starts_with('%'))
    }

    pub(crate) fn declares_arff(&self) -> bool {
        let line = self.declaration().map_or("", String::as_str);
        let word = line.split_whitespace().next().unwrap_or_default();
        let mut keywords = ["@relation", "@attribute", "@data"].into_iter();
        keywords.any(|keyword| word.eq_ignore_ascii_case(keyword))
    }

    /// Refuses LIBSVM's format, which does not state the number of features, and lines that end with a carriage return
    /// alone.
    pub(crate) fn check(&self) -> Result {
        let line = self.lines.first().map_or("", String::as_str);
        if looks_like_libsvm(line) {
            refuse!(
                "looks like LIBSVM, which does not state the number of features; state it with --indices 1-LAST, \
                 where LAST is the largest index of all rows to come (0-LAST if indices count from 0)"
            );
        }
        if line.contains('\r') && !line.contains('"') {
            refuse!("ends its lines with a carriage return alone; convert it with tr '\\r' '\\n'");
        }
        Ok(())
    }

    /// Returns the separator of cells: the stated one, else the one that all first lines contain equally often.
    ///
    /// If several fit, the one that splits most cells into numbers is taken, else the one that is rarest within cells,
    /// and the next one is reported.
    pub(crate) fn delimiter(
        &mut self,
        lines: &mut Lines<'_>,
        options: &TableOptions,
    ) -> Result<(char, Option<Warning>)> {
        if let Some(stated) = options.delimiter {
            return Ok((stated, None));
        }
        let first = self.lines.first().cloned().unwrap_or_default();
        let mut candidates = vec!['\t', ';', '|', ','];
        candidates.retain(|found| {
            let is_decimal = *found == ',' && options.decimal == Some(Decimal::Comma);
            cells(&first, *found).len() > 1 && !is_decimal
        });
        // Tabs may stand among blanks where columns are aligned.
        let has_tab = candidates.first() == Some(&'\t');
        if candidates.is_empty() || has_tab && first.contains(' ') {
            candidates.push(BLANKS);
        }
        // If a quoted cell continues on the next line, lines are not rows.
        let is_open = |line: &str| line.matches('"').count() % 2 == 1;
        let mut rows = 1;
        let mut may_decide = candidates.len() > 1 && !is_open(&first);
        while may_decide && rows < MOST_LINES {
            if rows == self.lines.len() && !self.add(lines, options)? {
                break;
            }
            let Some(line) = self.lines.get(rows) else {
                // The line that was read is blank or a comment.
                continue;
            };
            if is_open(line) {
                break;
            }
            rows += 1;
            let seen = &self.lines[..rows];
            let fitting = candidates.iter().filter(|found| fits(**found, seen));
            may_decide = fitting.count() != 1;
        }
        let seen = &self.lines[..rows.min(self.lines.len())];
        // Stable: of equals, the first stays before the others.
        candidates.sort_by_cached_key(|found| Reverse(agreement(*found, seen)));
        let taken = candidates[0];
        let other = candidates.get(1).filter(|other| fits(**other, seen));
        let doubt = other.map(|other| {
            Warning::new(format!(
                "cells are separated by {taken:?}, but {other:?} fits the first lines, too; choose with --delimiter"
            ))
        });
        Ok((taken, doubt))
    }

    pub(crate) fn put_back(self, lines: &mut Lines<'_>) {
        lines.put_back(&self.bytes);
    }
}

/// Returns whether all lines have as many cells as the first one.
fn fits(delimiter: char, lines: &[String]) -> bool {
    agreement(delimiter, lines).0 + 1 == lines.len()
}

/// Returns how many of the lines after the first one have as many cells as it, and how many in a hundred of their cells
/// are numbers.
fn agreement(delimiter: char, lines: &[String]) -> (usize, usize) {
    let (mut agreeing, mut numbers) = (0, 0);
    let mut lines = lines.iter().map(|line| cells(line, delimiter));
    let width = lines.next().unwrap_or_default().len();
    for cells in lines.filter(|cells| cells.len() == width) {
        // With a point or a comma before the fraction.
        let is_number = |cell: &&&str| cell.trim().replace(',', ".").parse::<f64>().is_ok();
        agreeing += 1;
        numbers += cells.iter().filter(is_number).count();
    }
    (agreeing, 100 * numbers / (agreeing * width).max(1))
}

/// Returns the cells of a line, by separators outside of quotes.
fn cells(line: &str, delimiter: char) -> Vec<&str> {
    if delimiter == BLANKS {
        return words(line).collect();
    }
    let mut is_quoted = false;
    let is_end = |char| {
        is_quoted ^= char == '"';
        char == delimiter && !is_quoted
    };
    line.split(is_end).collect()
}

/// Decides by the rows below whether the first row names the columns. Returns whether it does, whether that is a guess,
/// and how many rows below it are enough to decide.
///
/// 1. A word above a column of numbers or dates is a name: `age` above `31`. If the row has numbers, too, that is a
///    guess.
/// 2. Else a row that has a number or a date is a row: `31,Paris`. If no word of it recurs, that is a guess: years may
///    be names.
/// 3. Else there are words only, such as `cap,odour` above `flat,foul`. If half of them recur in their columns, it is a
///    row; else it is taken for names, which is a guess.
pub(crate) fn first_row(
    first: &Record,
    below: &[&Record],
    options: &TableOptions,
) -> (bool, bool, usize) {
    let numbers = options.numbers();
    let missing = options.missing_words();
    let is_value = |cell: &str| {
        let has_digits = cell.contains(|c: char| c.is_ascii_digit());
        has_digits && !cell.contains(char::is_alphabetic)
            || numbers.parse(cell).is_some_and(f64::is_finite)
    };
    let mut has_values = false;
    let mut has_name = false;
    let (mut words, mut recurring) = (0, 0);
    for (column, cell) in first.cells.iter().enumerate() {
        // No column is called `?`: it is a value that is missing.
        if cell == "?" || !missing.is_missing(cell) && is_value(cell) {
            has_values = true;
        } else if !missing.is_missing(cell) {
            words += 1;
            // A row that repeats the header is not one.
            let rows = below.iter().filter(|row| row.cells != first.cells);
            let others = rows.filter_map(|row| row.cells.get(column));
            let others: Vec<&str> = others.filter(|other| !missing.is_missing(other)).collect();
            let values = others.iter().filter(|other| is_value(other)).count();
            has_name |= values > 0 && values >= 9 * (others.len() - values);
            recurring += usize::from(others.contains(&cell));
        }
    }
    let rows = if has_values { ROWS_BELOW_VALUES } else { 0 };
    if words == 0 {
        (false, false, 0)
    } else if has_name {
        (true, has_values, rows)
    } else if has_values {
        (false, recurring == 0, rows)
    } else if 2 * recurring >= first.cells.len() {
        (false, false, 0)
    } else {
        (true, true, ROWS_BELOW_WORDS)
    }
}
