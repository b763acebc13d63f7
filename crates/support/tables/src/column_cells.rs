//! The cells of one column, before their meaning is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::Column;
use crate::{Header, MissingWords, Numbers, Record};

/// One column of some rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnCells<'a> {
    pub(crate) header: &'a Header,
    pub(crate) index: usize,
    pub(crate) rows: &'a [&'a Record],
    pub(crate) missing_words: &'a MissingWords,
}

impl<'a> ColumnCells<'a> {
    pub(crate) fn column(self) -> &'a Column {
        &self.header.columns[self.index]
    }

    /// Returns every cell, in the order of the rows.
    pub(crate) fn all(self) -> impl Iterator<Item = &'a str> {
        self.rows
            .iter()
            .map(move |row| row.cells.get(self.index).unwrap_or_default())
    }

    /// Returns every cell that is not missing.
    pub(crate) fn present(self) -> impl Iterator<Item = &'a str> {
        self.all()
            .filter(move |cell| !self.column().is_missing(cell, self.missing_words))
    }

    /// Returns every number.
    pub(crate) fn numbers(self, numbers: Numbers) -> impl Iterator<Item = f64> {
        self.present().filter_map(move |cell| numbers.parse(cell))
    }

    /// Returns whether the first row, which is not known to name the columns, may do so: its cell is a number, and no other cell is.
    pub(crate) fn may_begin_with_name(self, numbers: Numbers) -> bool {
        let is_number = |cell| numbers.parse(cell).is_some();
        let mut cells = self.all();
        !self.header.is_named && cells.next().is_some_and(is_number) && !cells.any(is_number)
    }

    /// Returns the distinct words, in alphabetical order.
    pub(crate) fn distinct(self) -> Vec<String> {
        let words: BTreeSet<&str> = self.present().collect();
        words.into_iter().map(str::to_owned).collect()
    }

    /// Returns the most frequent word; of ties the first in the alphabet.
    pub(crate) fn most_frequent(self) -> Option<&'a str> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        self.present()
            .for_each(|word| *counts.entry(word).or_default() += 1);
        // `max_by_key` takes the last of equals.
        counts
            .into_iter()
            .rev()
            .max_by_key(|(_, count)| *count)
            .map(|(word, _)| word)
    }

    /// Counts missing cells; returns their number, the line of the first and its word, or `None` without any.
    pub(crate) fn missing(self) -> Option<(usize, u64, &'a str)> {
        let mut missing = self
            .rows
            .iter()
            .zip(self.all())
            .filter(|(_, cell)| self.column().is_missing(cell, self.missing_words));
        let (first, word) = missing.next()?;
        Some((1 + missing.count(), first.line, word))
    }
}
