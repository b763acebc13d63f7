//! What was guessed about columns, and what may be unintended.

use super::{Fit, distinct, example};
use crate::Kind;
use crate::error::{Warning, short};
use crate::feature::{Feature, Meaning, Merged};

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// Minimum number of rows to conclude from equal values.
const FEW_ROWS: usize = 3;

/// Fewer rows than this say nothing about how many classes there are.
const FEW_ROWS_OF_CLASSES: usize = 10;

impl Fit<'_> {
    /// Adds warnings.
    pub(super) fn warn_all(&mut self, texts: impl IntoIterator<Item = String>) {
        self.warnings.extend(texts.into_iter().map(Warning::new));
    }

    /// Warns about a feature.
    pub(super) fn warn_of_feature(
        &mut self,
        feature: &Feature,
        present: &[&str],
        merged: Option<Merged>,
    ) {
        let (index, target, name) = (feature.column, self.target, short(&feature.name));
        match &feature.meaning {
            Meaning::Date(format) => {
                let is_declared = matches!(self.column(index).kind, Kind::Date(_));
                if !is_declared && matches!(self.options.dates.as_deref(), None | Some("auto")) {
                    self.warn_all([format!(
                        "column `{name}` looks like dates (`{}`), and is read as days since 1970 ({format}); choose with --dates PATTERN, \
                         or --dates text for categories",
                        example(present)
                    )]);
                }
            }
            Meaning::Number => {}
            meaning if meaning.values().is_some_and(|values| values.are_declared) => {}
            _ => self.warn_all(self.words(feature, present)),
        }
        if let Some(Merged { distinct, kept, .. }) = merged {
            self.warn_all([format!(
                "column `{name}` is read as `{}`: features have 24 bits (f32), which hold only {kept} of {distinct} different \
                 numbers; if it is an identifier, leave it out with --drop, or use --categorical {name}",
                short(&feature.names()[0])
            )]);
        }
        let number = |cell: &str| self.numbers.parse(cell);
        let is_same = |(cell, target): (&str, &str)| {
            cell == target || number(cell).is_some_and(|it| number(target) == Some(it))
        };
        if self.rows.len() >= FEW_ROWS && self.cells(index).zip(self.cells(target)).all(is_same) {
            self.warn_all([format!(
                "column `{name}` is the target `{}` in every row; leave it out with --drop",
                self.name(target)
            )]);
        }
    }

    /// Returns the first warning of a column of words; of a column declared as words, only that it has many values.
    fn words(&self, feature: &Feature, present: &[&str]) -> Option<String> {
        let (index, values) = (feature.column, distinct(present).len());
        let is_chosen = self.is_categorical(index);
        let doubt = self.numbers_among_words(index, present);
        let doubt = doubt.filter(|_| !is_chosen);
        if doubt.is_none() && values > MANY_CATEGORIES && self.options.categories.is_none() {
            return Some(format!(
                "column `{}` is text with {values} different values in {} rows: {} columns; if it is an identifier, leave it out \
                 with --drop; else choose with --categories one-hot:LIMIT, ordinal or hash:N",
                short(&feature.name),
                present.len(),
                feature.width()
            ));
        }
        doubt.or_else(|| self.digits_in_words(index, present).filter(|_| !is_chosen))
    }

    /// Says of numbers that they are fewer than the words among them. One in the first row alone may be the name of the column.
    pub(super) fn numbers_among_words(&self, index: usize, present: &[&str]) -> Option<String> {
        let is_number = |cell: &&&str| self.numbers.parse(cell).is_some();
        let number = short(present.iter().find(is_number)?);
        let word = short(present.iter().find(|cell| !is_number(cell))?);
        let (name, count) = (self.name(index), self.count_numbers(present));
        let hint = if self.header.is_named {
            ""
        } else {
            "; if the first line names the columns, use --header yes"
        };
        Some(format!(
            "{count} of {} cells of column `{name}` are numbers (`{number}`) and the others are not (`{word}`), so every value is a \
             category; if `{word}` means a missing value, use --missing-values {word}; if all of them are categories, use \
             --categorical {name}{hint}",
            present.len()
        ))
    }

    /// Says of text most cells of which contain digits that it may be numbers or dates that are written in another way.
    pub(super) fn digits_in_words(&self, index: usize, present: &[&str]) -> Option<String> {
        let has_digit = |cell: &&&str| cell.contains(|c: char| c.is_ascii_digit());
        let with_digits: Vec<_> = present.iter().filter(has_digit).collect();
        let (name, count, all) = (self.name(index), with_digits.len(), present.len());
        (2 * count > all).then(|| {
            format!(
                "column `{name}` is text, but {count} of {all} cells contain digits (`{}`), and each of its values is a \
                 category; if they are numbers, write digits alone, or use --decimal comma or --thousands CHAR; if they are dates, \
                 use --dates PATTERN, such as %d/%m/%Y; if they are categories, use --categorical {name}",
                short(with_digits[0])
            )
        })
    }

    /// Says of a target of text that it has more classes than half of its rows.
    pub(super) fn many_classes(&self, present: &[&str]) -> Option<String> {
        let (classes, rows) = (distinct(present).len(), present.len());
        let (name, example) = (self.name(self.target), example(present));
        (rows >= FEW_ROWS_OF_CLASSES && 2 * classes > rows).then(|| {
            format!(
                "the target `{name}` is text (`{example}`) with {classes} classes in {rows} rows; if these are not classes, choose \
                 another column with --target; if they are, use --task classify"
            )
        })
    }

    /// Warns about the table as a whole.
    pub(super) fn warn_of_the_table(&mut self) {
        let (target, rows) = (self.target, self.rows.len());
        let present = self.present(target);
        if rows >= FEW_ROWS && present.windows(2).all(|pair| pair[0] == pair[1]) {
            let (name, example) = (self.name(target), example(&present));
            self.warn_all([format!(
                "the target `{name}` is `{example}` in all of {rows} rows, from which nothing else can be learned; is it the right column (--target)?"
            )]);
        }
        for index in self.index.clone() {
            let name = self.name(index);
            self.warn_all([format!(
                "column `{name}` looks like a row index and is not used as a feature; if it is a feature, list all features with \
                 --columns; otherwise leave it out with --drop {name}"
            )]);
        }
    }
}
