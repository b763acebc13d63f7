//! Whether the first row names the columns: every column votes, by its first cell and the cells below it.
//!
//! A column votes for names if a word is above numbers, if a number is far from all numbers below it, or
//! if a word does not recur although the words below do. It votes for a row if the first cell recurs, or
//! is a number among those below it. So years may be names, and words may be rows.

mod below;

use std::collections::BTreeSet;

use below::{Below, Look};

use crate::missing::MissingWords;
use crate::{Header, Numbers, Record};

/// The interpretation of the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstRow {
    /// The names of the columns.
    Names,
    /// A row like the others.
    Row,
}

/// Whether the verdict is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Sure,
    Guess,
}

/// What the first row is, by what is known so far.
pub(crate) type Verdict = (FirstRow, Certainty);

/// Rows that are compared where the first one holds words only; they may differ in a single column.
const ROWS_BELOW_WORDS: usize = 1000;

/// Rows that are compared where the first one holds numbers.
const ROWS_BELOW_NUMBERS: usize = 20;

/// A majority that is this many times the minority leaves no doubt.
const CLEAR_MAJORITY: usize = 4;

/// The first row, compared with those behind it.
pub(crate) struct Weighing<'a> {
    first: &'a Record,
    columns: Vec<Below>,
    has_words: bool,
    has_numbers: bool,
    rows: usize,
    /// Rows that repeat the first one, cell by cell.
    copies: usize,
}

/// How many columns vote for what.
struct Votes {
    names: usize,
    row: usize,
}

impl<'a> Weighing<'a> {
    /// Starts weighing, or returns the verdict if the first row alone determines it.
    pub(crate) fn start(
        first: &'a Record,
        numbers: &Numbers,
        missing_words: &MissingWords,
        known: Option<&Header>,
    ) -> Result<Self, Verdict> {
        if known.is_some_and(|known| are_names_of(first, known)) {
            return Err((FirstRow::Names, Certainty::Sure));
        }
        let looks = first
            .cells
            .iter()
            .map(|cell| Look::of(cell, numbers, missing_words));
        let looks: Vec<Look> = looks.collect();
        let has_words = looks.contains(&Look::Word);
        if first.cells.iter().any(|cell| cell == "?") || !(has_words || may_be_scale(&looks)) {
            return Err((FirstRow::Row, Certainty::Sure));
        }
        Ok(Self {
            first,
            has_words,
            has_numbers: looks.iter().any(|look| look.is_value()),
            columns: looks.into_iter().map(Below::new).collect(),
            rows: 0,
            copies: 0,
        })
    }

    /// Takes note of another row.
    pub(crate) fn add(&mut self, row: &Record, numbers: &Numbers, missing_words: &MissingWords) {
        self.rows += 1;
        if row.cells == self.first.cells {
            self.copies += 1;
            return;
        }
        // R writes no name above the names of rows.
        let unnamed = usize::from(row.cells.len() == self.columns.len() + 1);
        let cells = row.cells.iter().skip(unnamed);
        for ((below, first), cell) in self.columns.iter_mut().zip(&self.first.cells).zip(cells) {
            below.add(first, cell, Look::of(cell, numbers, missing_words));
        }
    }

    /// Returns whether another row would not change the verdict.
    pub(crate) fn is_decided(&self) -> bool {
        let most = if self.has_numbers {
            ROWS_BELOW_NUMBERS
        } else {
            ROWS_BELOW_WORDS
        };
        let votes = self.votes();
        let is_half = |votes: usize| 2 * votes >= self.columns.len();
        let above_numbers = || self.columns.iter().any(Below::is_name_above_values);
        let are_names =
            votes.row == 0 && (is_half(votes.names) || !self.has_numbers && above_numbers());
        self.rows >= most || are_names || votes.names == 0 && is_half(votes.row)
    }

    /// Returns the verdict of the rows so far.
    pub(crate) fn verdict(&self) -> Verdict {
        let Votes { names, row } = self.votes();
        let is_row = row > names || row == names && (self.has_numbers || self.copies > 0);
        let (winner, loser) = (row.max(names), row.min(names));
        let is_close = CLEAR_MAJORITY * loser >= winner;
        let is_odd = !self.has_words || !is_row && self.has_numbers;
        let may_be_names = is_row && !self.has_numbers && are_different(self.first);
        let is_guess = is_odd || may_be_names || winner == loser || loser > 0 && is_close;
        (
            if is_row {
                FirstRow::Row
            } else {
                FirstRow::Names
            },
            if is_guess {
                Certainty::Guess
            } else {
                Certainty::Sure
            },
        )
    }

    fn votes(&self) -> Votes {
        let votes = || self.columns.iter().filter_map(Below::vote);
        Votes {
            names: votes().filter(|vote| *vote == FirstRow::Names).count(),
            row: votes().filter(|vote| *vote == FirstRow::Row).count(),
        }
    }
}

/// Returns whether no two cells are equal, as names of columns are not.
fn are_different(row: &Record) -> bool {
    let mut cells = BTreeSet::new();
    row.cells.iter().all(|cell| cells.insert(cell))
}

/// Returns whether at least half of the cells are names of known columns.
fn are_names_of(first: &Record, known: &Header) -> bool {
    let is_known = |cell: &&str| known.columns.iter().any(|column| column.name == **cell);
    known.is_named && 2 * first.cells.iter().filter(is_known).count() >= first.cells.len()
}

/// Returns whether numbers alone may be names: at least three, in equal steps, such as years.
fn may_be_scale(looks: &[Look]) -> bool {
    let numbers = looks.iter().map(|look| look.number());
    let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else {
        return false;
    };
    let steps: Vec<f64> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.len() >= 2 && steps.iter().all(|step| *step == steps[0] && *step > 0.0)
}
