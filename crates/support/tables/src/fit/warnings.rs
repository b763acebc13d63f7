//! What was guessed about columns, and what may be unintended.

use super::{Fit, distinct, example};
use crate::error::{Warning, short};
use crate::feature::{Feature, Meaning, Merged};
use crate::record::Kind;

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// Minimum number of rows to conclude from equal values.
const FEW_ROWS: usize = 3;

impl Fit<'_> {
    fn warn(&mut self, text: String) {
        self.warnings.push(Warning::new(text));
    }

    pub(super) fn warn_of_feature(
        &mut self,
        feature: &Feature,
        present: &[&str],
        merged: Option<Merged>,
    ) {
        let index = feature.column;
        let name = short(&feature.name);
        match &feature.meaning {
            Meaning::Date(format) => {
                let is_declared = self.column(index).kind == Kind::Date;
                if !is_declared && matches!(self.options.dates.as_deref(), None | Some("auto")) {
                    self.warn(format!(
                        "column `{name}` looks like dates (`{}`), and is read as days since 1970 ({format}); choose \
                         with --dates PATTERN, or --dates text for categories",
                        example(present)
                    ));
                }
            }
            Meaning::Number => {}
            meaning if meaning.values().is_some_and(|values| values.are_declared) => {}
            _ => {
                let doubt = self.doubt_of_words(feature, present);
                self.warnings.extend(doubt.map(Warning::new));
            }
        }
        if let Some(Merged { distinct, kept, .. }) = merged {
            self.warn(format!(
                "column `{name}` is read as `{}`: features have 24 bits (f32), which hold only {kept} of {distinct} \
                 different numbers; if it is an identifier, leave it out with --drop, or use --categorical {name}",
                short(&feature.names()[0])
            ));
        }
        let number = |cell: &str| self.numbers.parse(cell);
        let is_same = |(cell, target): (&str, &str)| {
            cell == target || number(cell).is_some_and(|it| number(target) == Some(it))
        };
        let is_target = self.cells(index).zip(self.cells(self.target)).all(is_same);
        if self.rows.len() >= FEW_ROWS && is_target {
            self.warn(format!(
                "column `{name}` is the target `{}` in every row; leave it out with --drop",
                self.name(self.target)
            ));
        }
    }

    /// Returns the warning of a column of words; of a column declared as words, only that it has many values.
    fn doubt_of_words(&self, feature: &Feature, present: &[&str]) -> Option<String> {
        let index = feature.column;
        let doubt = self.digits_in_words(index, present);
        let doubt = doubt.filter(|_| !self.categorical.contains(&index));
        let values = distinct(present).len();
        let is_many = values > MANY_CATEGORIES && self.options.categories.is_none();
        if !is_many || doubt.is_some() && self.count_numbers(present) > 0 {
            return doubt;
        }
        Some(format!(
            "column `{}` is text with {values} different values in {} rows: {} columns; if it is an identifier, leave \
             it out with --drop; else choose with --categories one-hot:LIMIT, ordinal or hash:N",
            short(&feature.name),
            present.len(),
            feature.width()
        ))
    }

    /// Says of text that has numbers, or mostly cells with digits, that it may be numbers or dates. A number in the
    /// first row alone may be the name of the column.
    pub(super) fn digits_in_words(&self, index: usize, present: &[&str]) -> Option<String> {
        let has_digit = |cell: &&&str| cell.contains(|c: char| c.is_ascii_digit());
        let name = self.name(index);
        let all = present.len();
        let count = present.iter().filter(has_digit).count();
        if 2 * count <= all && self.count_numbers(present) == 0 {
            return None;
        }
        let digits = short(present.iter().find(has_digit)?);
        let mut words = present.iter().filter(|cell| !has_digit(cell));
        let missing = words.next().map_or(String::new(), |word| {
            let word = short(word);
            format!("; if `{word}` means a missing value, use --missing-values {word}")
        });
        let header = if self.header.is_named {
            ""
        } else {
            "; if the first line names the columns, use --header yes"
        };
        Some(format!(
            "column `{name}` is text, but {count} of {all} cells contain digits (`{digits}`), and each of its values \
             is a category; if they are numbers, write digits alone, or use --decimal comma or --thousands \
             CHAR{missing}; if dates, use --dates PATTERN, such as %d/%m/%Y; if categories, use --categorical \
             {name}{header}"
        ))
    }

    /// Warns about columns that number or name the rows.
    pub(super) fn warn_of_index(&mut self) {
        for index in self.index.clone() {
            let name = self.name(index);
            self.warn(format!(
                "column `{name}` looks like a row index and is not used as a feature; if it is a feature, list all \
                 features with --columns; otherwise leave it out with --drop {name}"
            ));
        }
    }
}
