//! The cells of one column, as evidence about its first one.

use std::collections::BTreeMap;

use super::FirstRow;
use crate::Numbers;
use crate::missing::MissingWords;

/// Minimum number of cells to conclude that a word does not recur.
const FEW: usize = 10;

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Look {
    /// A missing value.
    Missing,
    /// A finite number.
    Number(f64),
    /// Digits, but no letters: a date, or a number that is written in another way.
    Figures,
    Word,
}

impl Look {
    pub(super) fn of(cell: &str, numbers: &Numbers, missing_words: &MissingWords) -> Self {
        let has = |kind: fn(char) -> bool| cell.contains(kind);
        match numbers.parse(cell).filter(|number| number.is_finite()) {
            _ if missing_words.is_missing(cell) => Self::Missing,
            Some(number) => Self::Number(number),
            None if has(|c| c.is_ascii_digit()) && !has(char::is_alphabetic) => Self::Figures,
            None => Self::Word,
        }
    }

    pub(super) fn is_value(self) -> bool {
        matches!(self, Self::Number(_) | Self::Figures)
    }

    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// What stands below the first cell of a column.
pub(super) struct Below {
    first: Look,
    recurs: bool,
    numbers: usize,
    figures: usize,
    low: f64,
    high: f64,
    words: BTreeMap<String, usize>,
    word_cells: usize,
    /// Words that came once.
    single_words: usize,
}

impl Below {
    pub(super) fn new(first: Look) -> Self {
        Self {
            first,
            recurs: false,
            numbers: 0,
            figures: 0,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            words: BTreeMap::new(),
            word_cells: 0,
            single_words: 0,
        }
    }

    pub(super) fn add(&mut self, first: &str, cell: &str, look: Look) {
        self.recurs |= look != Look::Missing && first == cell;
        match look {
            Look::Missing => {}
            Look::Figures => self.figures += 1,
            Look::Number(number) => {
                self.numbers += 1;
                self.low = self.low.min(number);
                self.high = self.high.max(number);
            }
            Look::Word => self.add_word(cell),
        }
    }

    fn add_word(&mut self, word: &str) {
        self.word_cells += 1;
        let times = self.words.entry(word.to_owned()).or_default();
        *times += 1;
        match *times {
            1 => self.single_words += 1,
            2 => self.single_words -= 1,
            _ => {}
        }
    }

    /// Returns whether a word stands above numbers or dates.
    pub(super) fn is_name_above_values(&self) -> bool {
        self.first == Look::Word && (self.are_most(self.numbers) || self.are_most(self.figures))
    }

    pub(super) fn vote(&self) -> Option<FirstRow> {
        let numbers = self.are_most(self.numbers);
        let figures = self.are_most(self.figures);
        let of_words = || {
            if self.recurs {
                Some(FirstRow::Row)
            } else {
                self.words_come_again().then_some(FirstRow::Names)
            }
        };
        match self.first {
            Look::Missing => None,
            Look::Word | Look::Figures if numbers => Some(FirstRow::Names),
            Look::Figures if figures => Some(FirstRow::Row),
            Look::Word if figures => Some(FirstRow::Names),
            Look::Number(first) if numbers => self.judge_number(first),
            _ => of_words(),
        }
    }

    /// Votes by a number: one as far from all others as they are from each other is a name. Just outside, it may be the
    /// first of numbers that grow.
    fn judge_number(&self, first: f64) -> Option<FirstRow> {
        let distance = (self.low - first).max(first - self.high);
        if distance <= 0.0 {
            return Some(FirstRow::Row);
        }
        let is_far = self.numbers >= FEW && distance > self.high - self.low;
        is_far.then_some(FirstRow::Names)
    }

    fn are_most(&self, cells: usize) -> bool {
        let all = self.numbers + self.figures + self.word_cells;
        cells > 0 && 10 * cells >= 9 * all
    }

    /// Returns whether a word that comes once would be unlikely: the share of such words is small (Good, *Biometrika* 1953).
    fn words_come_again(&self) -> bool {
        self.word_cells >= FEW && 10 * self.single_words <= self.word_cells
    }
}
