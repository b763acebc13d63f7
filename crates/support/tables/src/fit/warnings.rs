//! What was guessed about columns, and what may be unintended.

use super::{Fit, distinct, example};
use crate::feature::{Feature, Meaning, Origin, Resolution};
use crate::{Dates, Kind, Warning, short};

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// Minimum number of rows to conclude from equal values.
const FEW_ROWS: usize = 3;

/// Fewer rows than this say nothing about how many classes there are.
const FEW_ROWS_OF_CLASSES: usize = 10;

impl Fit<'_> {
    /// Warns about a feature.
    pub(super) fn of_a_feature(
        &self,
        feature: &Feature,
        present: &[&str],
        resolution: Option<Resolution>,
        warnings: &mut Vec<Warning>,
    ) {
        let mut warn = |text: String| warnings.push(Warning::new(text));
        let name = short(&feature.name);
        let is_declared = feature
            .meaning
            .values()
            .is_some_and(|values| values.are_declared);
        match &feature.meaning {
            Meaning::Date(format) => {
                let is_guessed = !matches!(self.column(feature.column).kind, Kind::Date(_));
                if is_guessed && matches!(self.options.dates, None | Some(Dates::Auto)) {
                    warn(format!(
                        "column `{name}` looks like dates (`{}`), and is read as days since 1970 ({}); choose with --dates PATTERN, \
                         or --dates text for categories",
                        example(present),
                        format.as_str()
                    ));
                }
            }
            Meaning::Number => {}
            _ if is_declared => {}
            _ => self.words(feature, present).into_iter().for_each(&mut warn),
        }
        if let Some(found) = resolution
            && (found.origin != Origin::NONE || found.merges())
        {
            warn(format!(
                "column `{name}` is read as `{}`: features have 24 bits (f32), which hold only {} of {} different \
                 numbers; if it is an identifier, leave it out with --drop, or use --categorical {name}",
                short(&feature.names()[0]),
                found.kept_without,
                found.distinct
            ));
        }
        let target = self.chosen.target;
        let is_same = |(cell, target): (&str, &str)| {
            cell == target
                || self
                    .numbers
                    .parse(cell)
                    .is_some_and(|it| self.numbers.parse(target) == Some(it))
        };
        if self.rows.len() >= FEW_ROWS
            && self
                .cells(feature.column)
                .zip(self.cells(target))
                .all(is_same)
        {
            warn(format!(
                "column `{name}` is the target `{}` in every row; leave it out with --drop",
                short(&self.column(target).name)
            ));
        }
    }

    /// Returns the first warning of a column of words; of a column declared as words, only that it has many values.
    fn words(&self, feature: &Feature, present: &[&str]) -> Option<String> {
        let is_chosen = self.is_categorical(feature.column);
        if !is_chosen && let Some(warning) = self.numbers_among_words(feature.column, present) {
            return Some(warning.to_string());
        }
        let values = distinct(present).len();
        if values > MANY_CATEGORIES && self.options.categories.is_none() {
            return Some(format!(
                "column `{}` is text with {values} different values in {} rows: {} columns; if it is an identifier, leave it out \
                 with --drop; else choose with --categories one-hot:LIMIT, ordinal or hash:N",
                short(&feature.name),
                present.len(),
                feature.width()
            ));
        }
        self.digits_in_words(feature.column, present)
            .filter(|_| !is_chosen)
    }

    /// Warns of numbers that are fewer than the words among them. One in the first row alone may be the name of the column.
    pub(super) fn numbers_among_words(&self, index: usize, present: &[&str]) -> Option<Warning> {
        let is_number = |cell: &&&str| self.numbers.parse(cell).is_some();
        let number = short(present.iter().find(is_number)?);
        let word = short(present.iter().find(|cell| !is_number(cell))?);
        let name = short(&self.column(index).name);
        let mut text = format!(
            "{} of {} cells of column `{name}` are numbers (`{number}`) and the others are not (`{word}`), so every value is a \
             category; if `{word}` means a missing value, use --missing-values {word}; if all of them are categories, use \
             --categorical {name}",
            self.count_numbers(present),
            present.len()
        );
        if !self.header.is_named {
            text += "; if the first line names the columns, use --header yes";
        }
        Some(Warning::new(text))
    }

    /// Says of text most cells of which contain digits that it may be numbers or dates that are written in another way.
    pub(super) fn digits_in_words(&self, index: usize, present: &[&str]) -> Option<String> {
        let has_digit = |cell: &&&str| cell.contains(|c: char| c.is_ascii_digit());
        let with_digits: Vec<&&str> = present.iter().filter(has_digit).collect();
        (2 * with_digits.len() > present.len()).then(|| {
            format!(
                "column `{name}` is text, but {} of {} cells contain digits (`{}`), and each of its values is a \
                 category; if they are numbers, write digits alone, or use --decimal comma or --thousands CHAR; if they are dates, \
                 use --dates PATTERN, such as %d/%m/%Y; if they are categories, use --categorical {name}",
                with_digits.len(),
                present.len(),
                short(with_digits[0]),
                name = short(&self.column(index).name)
            )
        })
    }

    /// Warns of a target of text with more classes than half of its rows.
    pub(super) fn many_classes(&self, present: &[&str]) -> Option<Warning> {
        let (classes, rows) = (distinct(present).len(), present.len());
        (rows >= FEW_ROWS_OF_CLASSES && 2 * classes > rows).then(|| {
            Warning::new(format!(
                "the target `{}` is text (`{}`) with {classes} classes in {rows} rows; if these are not classes, choose another column \
                 with --target; if they are, use --task classify",
                short(&self.column(self.chosen.target).name),
                example(present)
            ))
        })
    }

    /// Warns about the table as a whole.
    pub(super) fn of_the_table(&self, warnings: &mut Vec<Warning>) {
        let target = self.chosen.target;
        let mut warn = |text: String| warnings.push(Warning::new(text));
        let present = self.present(target);
        if self.rows.len() >= FEW_ROWS && present.windows(2).all(|pair| pair[0] == pair[1]) {
            warn(format!(
                "the target `{}` is `{}` in all of {} rows, from which nothing else can be learned; is it the right column (--target)?",
                short(&self.column(target).name),
                example(&present),
                self.rows.len()
            ));
        }
        for index in &self.chosen.index {
            let name = short(&self.column(*index).name);
            warn(format!(
                "column `{name}` looks like a row index and is not used as a feature; if it is a feature, list all features with \
                 --columns; otherwise leave it out with --drop {name}"
            ));
        }
    }
}
