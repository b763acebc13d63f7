//! What is guessed of a table of cells: what stands between them, and whether the first row names the columns.

use crate::input::Lines;
use crate::libsvm::looks_like_libsvm;
use crate::record::Record;
use crate::separated::words;
use crate::{Decimal, Delimiter, MAX_ROW, TableError, TableOptions, Warning};

/// Lines that are looked at where the first one fits several separators.
const MOST_LINES: usize = 20;

/// The first lines that are neither blank nor comments, and everything that was read to find them, which has to be put back.
#[derive(Default)]
pub(crate) struct FirstLines {
    bytes: Vec<u8>,
    lines: Vec<String>,
    /// What a line such as `sep=;` says.
    stated: Option<char>,
}

impl FirstLines {
    /// Reads up to the first line that says how the table is written.
    pub(crate) fn read(lines: &mut Lines<'_>, options: &TableOptions) -> Result<Self, TableError> {
        let mut first = Self::default();
        while first.declaration().is_none() && first.add(lines, options)? {}
        Ok(first)
    }

    /// Reads one more line; `false` if there is none, or enough was read.
    fn add(&mut self, lines: &mut Lines<'_>, options: &TableOptions) -> Result<bool, TableError> {
        if !lines.advance()? {
            return Ok(false);
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(lines.bytes());
        let line = String::from_utf8_lossy(lines.bytes());
        let trimmed = line.trim();
        if trimmed.is_empty()
            || options
                .comment
                .is_some_and(|comment| trimmed.starts_with(comment))
        {
            return Ok(true);
        }
        let stated =
            stated_separator(&line).filter(|_| self.lines.is_empty() && self.stated.is_none());
        if stated.is_some() {
            self.stated = stated;
            // Made empty, so that the lines behind it keep their numbers.
            for byte in self.bytes[start..]
                .iter_mut()
                .take_while(|byte| **byte != b'\n')
            {
                *byte = b'\r';
            }
        } else {
            self.lines.push(trimmed.to_owned());
        }
        Ok(self.bytes.len() < MAX_ROW)
    }

    /// Returns the first line that is not a comment of ARFF.
    fn declaration(&self) -> Option<&String> {
        self.lines.iter().find(|line| !line.starts_with('%'))
    }

    pub(crate) fn declare_arff(&self) -> bool {
        let word = self
            .declaration()
            .and_then(|line| line.split_whitespace().next());
        let is = |keyword: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(keyword));
        is("@relation") || is("@attribute")
    }

    /// Refuses LIBSVM's format, in which a stream cannot be read as it is.
    pub(crate) fn check_libsvm(&self) -> Result<(), TableError> {
        match self.lines.first() {
            Some(line) if looks_like_libsvm(line) => Err(TableError::new(
                "looks like LIBSVM, which does not state the number of features; state it with --indices 1-LAST, where LAST is \
                 the largest index of all rows to come (0-LAST if indices count from 0)",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses line ends of the first Macintosh.
    pub(crate) fn check_line_ends(&self) -> Result<(), TableError> {
        match self.lines.first() {
            Some(line) if line.contains('\r') && !line.contains('"') => Err(TableError::new(
                "ends its lines with a carriage return alone; convert it with tr '\\r' '\\n'",
            )),
            _ => Ok(()),
        }
    }

    /// Returns what stands between cells: as stated, else what the first lines have as often as each other.
    ///
    /// Of several that fit, the one by which most cells are numbers is taken, or one that seldom stands within cells; another is reported.
    pub(crate) fn delimiter(
        &mut self,
        lines: &mut Lines<'_>,
        options: &TableOptions,
    ) -> Result<(Delimiter, Option<Warning>), TableError> {
        if let Some(stated) = options.delimiter.or(self.stated.map(Delimiter::Char)) {
            return Ok((stated, None));
        }
        let first = self.lines.first().cloned().unwrap_or_default();
        let mut candidates = Vec::new();
        for separator in ['\t', ';', '|', ','] {
            let candidate = Candidate::new(Delimiter::Char(separator), &first);
            if candidate.cells > 1 && !(separator == ',' && options.decimal == Some(Decimal::Comma))
            {
                candidates.push(candidate);
            }
        }
        // Tabs may stand among blanks where columns are aligned.
        let has_tab = candidates
            .first()
            .is_some_and(|found| found.delimiter == Delimiter::Char('\t'));
        if candidates.is_empty() || has_tab && first.contains(' ') {
            candidates.push(Candidate::new(Delimiter::Blanks, &first));
        }
        let (mut at, mut looked_at) = (1, 0);
        // A quoted cell that continues behind a line says that lines are not rows.
        let is_open = |line: &str| line.matches('"').count() % 2 == 1;
        let mut may_decide = candidates.len() > 1 && !is_open(&first);
        while may_decide && at < MOST_LINES {
            if at == self.lines.len() && !self.add(lines, options)? {
                break;
            }
            let Some(line) = self.lines.get(at) else {
                continue;
            };
            at += 1;
            may_decide = !is_open(line);
            if may_decide {
                looked_at += 1;
                candidates
                    .iter_mut()
                    .for_each(|candidate| candidate.add(line));
                may_decide = candidates
                    .iter()
                    .filter(|found| found.agreeing == looked_at)
                    .count()
                    != 1;
            }
        }
        // Stable: of equals, the first stays before the others.
        candidates.sort_by_key(|found| {
            std::cmp::Reverse((found.agreeing, 100 * found.numbers / found.all.max(1)))
        });
        let taken = candidates[0].delimiter;
        let other = candidates
            .get(1)
            .filter(|other| other.agreeing == looked_at);
        let doubt = other.map(|other| {
            Warning::new(format!(
                "cells are separated by `{taken}`, but `{}` fits the first lines, too; choose with --delimiter",
                other.delimiter
            ))
        });
        Ok((taken, doubt))
    }

    /// Puts back what was read.
    pub(crate) fn put_back(self, lines: &mut Lines<'_>) {
        lines.put_back(&self.bytes);
    }
}

/// Returns the separator of a line such as `sep=;`, which Excel reads.
fn stated_separator(line: &str) -> Option<char> {
    let line = line.trim_end_matches(['\r', '\n']).trim_matches('"');
    let (key, separator) = line.split_at_checked("sep=".len())?;
    match separator.as_bytes() {
        [byte] if key.eq_ignore_ascii_case("sep=") && byte.is_ascii() => Some(char::from(*byte)),
        _ => None,
    }
}

/// A separator of the first line.
struct Candidate {
    delimiter: Delimiter,
    /// Cells of the first line.
    cells: usize,
    /// Lines behind it with as many cells, how many these are, and how many of them are numbers.
    agreeing: usize,
    all: usize,
    numbers: usize,
}

impl Candidate {
    fn new(delimiter: Delimiter, line: &str) -> Self {
        let (cells, agreeing, all, numbers) = (cells(line, delimiter).len(), 0, 0, 0);
        Self {
            delimiter,
            cells,
            agreeing,
            all,
            numbers,
        }
    }

    fn add(&mut self, line: &str) {
        let cells = cells(line, self.delimiter);
        if cells.len() == self.cells {
            // With a point or a comma before the fraction.
            let is_number = |cell: &&&str| cell.trim().replace(',', ".").parse::<f64>().is_ok();
            self.agreeing += 1;
            self.all += cells.len();
            self.numbers += cells.iter().filter(is_number).count();
        }
    }
}

/// Returns the cells of a line, by separators outside of quotes.
fn cells(line: &str, delimiter: Delimiter) -> Vec<&str> {
    match delimiter {
        Delimiter::Blanks => words(line).collect(),
        Delimiter::Char(separator) => {
            let mut is_quoted = false;
            let is_end = |char| {
                is_quoted ^= char == '"';
                char == separator && !is_quoted
            };
            line.split(is_end).collect()
        }
    }
}

/// Whether the first row names the columns.
pub(crate) struct FirstRow {
    pub(crate) are_names: bool,
    pub(crate) is_guess: bool,
    /// Rows below it that are enough to decide.
    pub(crate) enough: usize,
}

/// Decides by the rows below whether the first row names the columns.
///
/// 1. A word above a column of numbers or dates is a name: `age` above `31`. If the row has numbers, too, that is a guess.
/// 2. Else a row that has a number or a date is a row: `31,Paris`. If no word of it recurs, that is a guess: years may be names.
/// 3. Else there are words only, such as `cap,odour` above `flat,foul`. If half of them recur in their columns, it is a row;
///    else it is taken for names, which is a guess.
pub(crate) fn first_row(first: &Record, below: &[&Record], options: &TableOptions) -> FirstRow {
    let (numbers, missing) = (options.numbers(), options.missing_words());
    let is_value = |cell: &str| {
        let has_digits = cell.contains(|c: char| c.is_ascii_digit());
        has_digits && !cell.contains(char::is_alphabetic)
            || numbers.parse(cell).is_some_and(f64::is_finite)
    };
    let (mut has_values, mut has_name, mut words, mut recurring) = (false, false, 0, 0);
    for (column, cell) in first.cells.iter().enumerate() {
        // No column is called `?`: it is a value that is missing.
        if cell == "?" || !missing.is_missing(cell) && is_value(cell) {
            has_values = true;
        } else if !missing.is_missing(cell) {
            words += 1;
            let (mut values, mut others, mut recurs) = (0, 0, false);
            // A row that repeats the header is not one.
            for row in below.iter().filter(|row| row.cells != first.cells) {
                match row.cells.get(column) {
                    Some(other) if missing.is_missing(other) => {}
                    Some(other) if is_value(other) => values += 1,
                    Some(other) => {
                        others += 1;
                        recurs |= other == cell;
                    }
                    None => {}
                }
            }
            has_name |= values > 0 && values >= 9 * others;
            recurring += usize::from(recurs);
        }
    }
    let is_half_recurring = 2 * recurring >= first.cells.len();
    let (are_names, is_guess) = match (has_name, has_values || words == 0) {
        (true, _) => (true, has_values),
        (false, true) => (false, words > 0 && recurring == 0),
        (false, false) => (!is_half_recurring, !is_half_recurring),
    };
    let enough = match (words, has_values) {
        (0, _) => 0,
        (_, true) => 20,
        _ if has_name || is_half_recurring => 0,
        // Rows of words may differ from names in a single column.
        _ => 1000,
    };
    FirstRow {
        are_names,
        is_guess,
        enough,
    }
}
