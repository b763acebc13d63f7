//! Whether the first row names the columns, by three rules.
//!
//! 1. A word above a column of numbers or dates is a name: `age` above `31`. If the row has numbers, too, that is a guess.
//! 2. Else a row that has a number or a date is a row: `31,Paris`. If no word of it recurs, that is a guess: years may be names.
//! 3. Else there are words only, such as `cap,odour` above `flat,foul`. If half of them recur in their columns, it is a row;
//!    else it is taken for names, which is a guess.

use crate::missing::MissingWords;
use crate::{Numbers, Record};

/// The interpretation of the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstRow {
    /// The names of the columns.
    Names,
    /// A row like the others.
    Row,
}

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Look {
    Missing,
    /// A number, or digits without letters: a date, or a number that is written in another way.
    Value,
    Word,
}

/// Rows that are compared with the first one.
const ROWS_BELOW: usize = 20;

/// Rows that are compared with a first row of words, which may differ in a single column.
const ROWS_BELOW_WORDS: usize = 1000;

/// The first row, compared with those behind it.
pub(crate) struct Weighing<'a> {
    first: &'a Record,
    looks: Vec<Look>,
    below: Vec<Below>,
    rows: usize,
}

/// What stands below the first cell of a column.
#[derive(Clone, Default)]
struct Below {
    values: usize,
    words: usize,
    recurs: bool,
}

impl<'a> Weighing<'a> {
    pub(crate) fn new(first: &'a Record, numbers: &Numbers, missing: &MissingWords) -> Self {
        // No column is called `?`: it is a value that is missing.
        let first_look = |cell| match cell {
            "?" => Look::Value,
            _ => look(cell, numbers, missing),
        };
        let looks: Vec<Look> = first.cells.iter().map(first_look).collect();
        Self {
            first,
            below: vec![Below::default(); looks.len()],
            looks,
            rows: 0,
        }
    }

    /// Takes note of another row.
    pub(crate) fn add(&mut self, row: &Record, numbers: &Numbers, missing: &MissingWords) {
        self.rows += 1;
        if row.cells == self.first.cells {
            return;
        }
        // R writes no name above the names of rows.
        let unnamed = usize::from(row.cells.len() == self.below.len() + 1);
        let cells = row.cells.iter().skip(unnamed).zip(&self.first.cells);
        for ((cell, first), below) in cells.zip(&mut self.below) {
            match look(cell, numbers, missing) {
                Look::Missing => {}
                Look::Value => below.values += 1,
                Look::Word => {
                    below.words += 1;
                    below.recurs |= cell == first;
                }
            }
        }
    }

    /// Returns whether another row would not change the verdict.
    pub(crate) fn is_decided(&self) -> bool {
        let has_values = self.looks.contains(&Look::Value);
        let has_words = self.looks.contains(&Look::Word);
        let is_known =
            |(look, below): (&Look, &Below)| *look != Look::Word || below.values + below.words > 0;
        if !has_words {
            true
        } else if has_values {
            let is_row = self.recurring() > 0 && self.looks.iter().zip(&self.below).all(is_known);
            self.rows >= ROWS_BELOW || is_row
        } else {
            self.rows >= ROWS_BELOW_WORDS || self.has_name() || self.is_half_recurring()
        }
    }

    /// Returns the verdict of the rows so far, and whether it is a guess.
    pub(crate) fn verdict(&self) -> (FirstRow, bool) {
        let has_values = self.looks.contains(&Look::Value);
        let has_words = self.looks.contains(&Look::Word);
        if self.has_name() {
            (FirstRow::Names, has_values)
        } else if has_values || !has_words {
            (FirstRow::Row, has_words && self.recurring() == 0)
        } else if self.is_half_recurring() {
            (FirstRow::Row, false)
        } else {
            (FirstRow::Names, true)
        }
    }

    /// Returns whether a word stands above a column nearly all of whose cells are values.
    fn has_name(&self) -> bool {
        let is_name = |(look, below): (&Look, &Below)| {
            *look == Look::Word && below.values > 0 && below.values >= 9 * below.words
        };
        self.looks.iter().zip(&self.below).any(is_name)
    }

    /// Counts the words that recur in their columns.
    fn recurring(&self) -> usize {
        self.below.iter().filter(|below| below.recurs).count()
    }

    fn is_half_recurring(&self) -> bool {
        2 * self.recurring() >= self.below.len()
    }
}

fn look(cell: &str, numbers: &Numbers, missing: &MissingWords) -> Look {
    let has = |kind: fn(char) -> bool| cell.contains(kind);
    if missing.is_missing(cell) {
        return Look::Missing;
    }
    let is_number = numbers.parse(cell).is_some_and(f64::is_finite);
    if is_number || has(|c| c.is_ascii_digit()) && !has(char::is_alphabetic) {
        Look::Value
    } else {
        Look::Word
    }
}
