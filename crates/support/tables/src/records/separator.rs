//! What stands between cells, guessed: what the first lines have as often as each other.

use std::iter;

use crate::separated::words;
use crate::{Delimiter, TableOptions};

/// Separators that occur on the first line, and how they fit the lines behind it.
pub(super) struct Guess {
    candidates: Vec<Candidate>,
    lines: usize,
    /// Whether a quoted cell continues after a line, so that lines are not rows.
    is_blocked: bool,
}

struct Candidate {
    delimiter: Delimiter,
    /// Cells of the first line.
    cells: usize,
    /// Lines behind it with as many cells.
    agreeing: usize,
    /// Cells of these lines that look like numbers.
    numeric: usize,
    /// Cells of these lines.
    all: usize,
}

impl Guess {
    pub(super) fn from_first(line: &str, options: &TableOptions) -> Self {
        let bytes = options.likely_separators().map(Delimiter::Byte);
        let mut candidates: Vec<Candidate> = bytes
            .map(|delimiter| Candidate::new(delimiter, line))
            .filter(|candidate| candidate.cells > 1)
            .collect();
        // Tabs may stand among blanks where columns are aligned.
        let has_tab = |candidate: &Candidate| candidate.delimiter == Delimiter::Byte(b'\t');
        if candidates.is_empty() || candidates.iter().any(has_tab) && line.contains(' ') {
            candidates.push(Candidate::new(Delimiter::Blanks, line));
        }
        Self {
            candidates,
            lines: 0,
            is_blocked: is_open(line),
        }
    }

    /// Returns whether another line could decide.
    pub(super) fn is_open(&self) -> bool {
        let whole = |candidate: &&Candidate| candidate.agreeing == self.lines;
        let is_decided = self.lines > 0 && self.candidates.iter().filter(whole).count() == 1;
        self.candidates.len() > 1 && !self.is_blocked && !is_decided
    }

    pub(super) fn add(&mut self, line: &str) {
        self.is_blocked |= is_open(line);
        if !self.is_blocked {
            self.lines += 1;
            self.candidates.iter_mut().for_each(|it| it.add(line));
        }
    }

    /// Returns the separator that most lines agree on, by which most cells are numbers, that occurs most, the likeliest; and
    /// another one that fits as well.
    pub(super) fn best(mut self) -> (Delimiter, Option<Delimiter>) {
        // Stable: of equals, the likelier stays before the other.
        self.candidates
            .sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        let mut best = self.candidates.into_iter();
        let first = best
            .next()
            .expect("blanks are taken if nothing else is there");
        let fits = |other: &Candidate| other.agreeing == self.lines;
        let other = best.next().filter(fits).map(|other| other.delimiter);
        (first.delimiter, other)
    }
}

impl Candidate {
    fn new(delimiter: Delimiter, line: &str) -> Self {
        Self {
            delimiter,
            cells: cells(line, delimiter).count(),
            agreeing: 0,
            numeric: 0,
            all: 0,
        }
    }

    fn add(&mut self, line: &str) {
        let count = cells(line, self.delimiter).count();
        if count == self.cells {
            self.agreeing += 1;
            self.all += count;
            self.numeric += cells(line, self.delimiter)
                .filter(|it| looks_numeric(it))
                .count();
        }
    }

    /// Agreement before numbers before the number of cells.
    fn rank(&self) -> f64 {
        let share = self.numeric as f64 / self.all.max(1) as f64;
        let few = 1.0 - 1.0 / self.cells as f64;
        4.0 * self.agreeing as f64 + 2.0 * share + few
    }
}

/// Returns the cells of a line, by separators outside of quotes.
pub(super) fn cells(line: &str, delimiter: Delimiter) -> Box<dyn Iterator<Item = &str> + '_> {
    match delimiter {
        Delimiter::Blanks => Box::new(words(line)),
        Delimiter::Byte(byte) => Box::new(separated(line, char::from(byte))),
    }
}

fn separated(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    iter::from_fn(move || {
        let line = rest?;
        let mut is_quoted = false;
        let end = line.find(|char| {
            is_quoted ^= char == '"';
            char == separator && !is_quoted
        });
        let (cell, behind) = line.split_at(end.unwrap_or(line.len()));
        rest = end.map(|_| &behind[1..]);
        Some(cell.trim())
    })
}

/// Returns whether a cell is a number, with a point or a comma before its fraction.
pub(super) fn looks_numeric(cell: &str) -> bool {
    cell.replace(',', ".").parse::<f64>().is_ok()
}

/// Returns whether a quote of the line is not closed on it.
fn is_open(line: &str) -> bool {
    line.matches('"').count() % 2 == 1
}
