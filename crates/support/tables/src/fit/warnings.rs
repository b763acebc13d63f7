//! Finds what was guessed about columns, and what may be unintended.

use super::Fit;
use crate::column_cells::ColumnCells;
use crate::columns::{Fitted, TargetKind};
use crate::feature::{Feature, Meaning, Origin};
use crate::records::read_as_row;
use crate::{Categories, Dates, Numbers, Warning, listed, short};

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// Minimum number of rows to conclude from equal values.
const FEW_ROWS: usize = 3;

/// Fewer rows than this say nothing about how many classes there are.
const FEW_ROWS_OF_CLASSES: usize = 10;

impl Fit<'_> {
    /// Returns all warnings of features, and of the table as a whole.
    pub(super) fn warnings(&self, fitted: &Fitted, found: &[super::Found]) -> Vec<Warning> {
        let target = self.cells(self.chosen.target);
        let mut warnings = Vec::new();
        for (feature, found) in fitted.features.iter().zip(found) {
            let cells = self.cells(feature.column);
            let name = short(&feature.name);
            match &feature.meaning {
                Meaning::Date(format)
                    if found.is_guessed_date && self.options.dates == Dates::Auto =>
                {
                    warnings.push(Warning::new(format!(
                        "column `{name}` looks like dates (`{}`), and is read as days since 1970 ({}); choose with --dates PATTERN, \
                         or --dates text for categories",
                        example(cells),
                        format.as_str()
                    )));
                }
                Meaning::Number | Meaning::Date(_) => {}
                Meaning::OneHot(values) | Meaning::Ordinal(values) | Meaning::Native(values)
                    if values.are_declared => {}
                _ => warnings.extend(self.about_words(feature, cells)),
            }
            if let Some(found) = found.resolution {
                let (distinct, kept) = (found.distinct, found.kept);
                if found.origin != Origin::NONE {
                    warnings.push(Warning::new(format!(
                        "column `{name}` is read as `{}`: features have 24 bits (f32), which hold only {} of {distinct} different \
                         numbers; if it is an identifier, leave it out with --drop, or use \
                         --categorical {name}",
                        short(&feature.names()[0]),
                        found.kept_without
                    )));
                }
                if found.merges(kept) {
                    warnings.push(Warning::new(format!(
                        "column `{name}` has {distinct} different numbers, but only {kept} as features, which have 24 bits (f32); \
                         write it with fewer digits, use --categorical {name}, or leave it out with --drop"
                    )));
                }
            }
            if self.repeats_target(cells, target) {
                warnings.push(Warning::new(format!(
                    "column `{name}` is the target `{}` in every row; leave it out with --drop",
                    short(&target.column().name)
                )));
            }
        }
        warnings.extend(one_target(target));
        let is_date = |feature: &Feature| matches!(feature.meaning, Meaning::Date(_));
        if let Dates::Pattern(pattern) = &self.options.dates
            && !fitted.features.iter().any(is_date)
        {
            warnings.push(Warning::new(format!(
                "no column has dates of the format --dates {} (in 95 % of its cells, which must be text); leave --dates out to have \
                 them recognised",
                short(pattern)
            )));
        }
        warnings.extend(self.first_row(fitted));
        for index in &self.chosen.index {
            let name = short(&self.header.columns[*index].name);
            warnings.push(Warning::new(format!(
                "column `{name}` looks like a row index and is not used as a feature; if it is a feature, list all features with \
                 --columns; otherwise leave it out with --drop {name}"
            )));
        }
        warnings
    }

    /// Warns of a first row that is read as a row, though it has a number above words.
    fn first_row(&self, fitted: &Fitted) -> Option<Warning> {
        let words = fitted.features.iter();
        let words = words.filter(|feature| !feature.meaning.is_number());
        let target = fitted.target.kind == TargetKind::Words;
        let mut words = words
            .map(|feature| feature.column)
            .chain(target.then_some(fitted.target.column));
        let numbers = self.options.numbers();
        let may_be_names = words.any(|index| self.cells(index).may_begin_with_name(numbers));
        may_be_names.then(|| Warning::new(read_as_row(&listed(&self.rows[0].cells))))
    }

    fn repeats_target(&self, cells: ColumnCells<'_>, target: ColumnCells<'_>) -> bool {
        let numbers = self.options.numbers();
        let is_same = |(cell, target): (&str, &str)| {
            let number = |cell| numbers.parse(cell);
            cell == target || number(cell).is_some_and(|value| number(target) == Some(value))
        };
        cells.rows.len() >= FEW_ROWS && cells.all().zip(target.all()).all(is_same)
    }

    /// Returns the first warning of a column of words; of a column declared as words, only that it has many values.
    fn about_words(&self, feature: &Feature, cells: ColumnCells<'_>) -> Option<Warning> {
        let is_default = self.options.categories == Categories::default();
        let is_chosen = self.is_categorical(cells);
        if !is_chosen && let Some(warning) = numbers_among_words(cells, self.options.numbers()) {
            return Some(warning);
        }
        let values = cells.distinct().len();
        if values > MANY_CATEGORIES && is_default {
            let name = short(&feature.name);
            return Some(Warning::new(format!(
                "column `{name}` is text with {values} different values in {} rows: {} columns; if it is an identifier, leave it out \
                 with --drop; else choose with --categories one-hot:LIMIT, ordinal or hash:N",
                cells.present().count(),
                feature.width()
            )));
        }
        digits_in_words(cells)
            .filter(|_| !is_chosen)
            .map(Warning::new)
    }
}

pub(super) fn example(cells: ColumnCells<'_>) -> String {
    short(cells.present().next().unwrap_or_default())
}

/// Warns of numbers that are fewer than the words among them. One in the first row alone may be the name of the column, which is another
/// warning.
pub(super) fn numbers_among_words(cells: ColumnCells<'_>, numbers: Numbers) -> Option<Warning> {
    let is_number = |cell: &&str| numbers.parse(cell).is_some();
    let number = cells.present().find(is_number)?;
    let word = short(cells.present().find(|cell| !is_number(cell))?);
    let name = short(&cells.column().name);
    (!cells.may_begin_with_name(numbers)).then(|| {
        Warning::new(format!(
            "{} of {} cells of column `{name}` are numbers (`{}`) and the others are not (`{word}`), so every value is a \
             category; if `{word}` means a missing value, use --missing-values {word}; if all of them are categories, use \
             --categorical {name}",
            cells.numbers(numbers).count(),
            cells.present().count(),
            short(number)
        ))
    })
}

/// Says of text most cells of which contain digits that it may be numbers or dates that are written in another way.
pub(super) fn digits_in_words(cells: ColumnCells<'_>) -> Option<String> {
    let has_digit = |cell: &&str| cell.contains(|c: char| c.is_ascii_digit());
    let example = short(cells.present().find(has_digit)?);
    let (rows, with_digits) = (
        cells.present().count(),
        cells.present().filter(has_digit).count(),
    );
    let name = short(&cells.column().name);
    (2 * with_digits > rows).then(|| {
        format!(
            "column `{name}` is text, but {with_digits} of {rows} cells contain digits (`{example}`), and each of its values is a \
             category; if they are numbers, write digits alone, or use --decimal comma or --thousands CHAR; if they are dates, \
             use --dates PATTERN, such as %d/%m/%Y; if they are categories, use --categorical {name}"
        )
    })
}

/// Returns whether most cells begin with a digit, a sign or a currency, as names of classes seldom do.
pub(super) fn begin_like_numbers(cells: &[&str]) -> bool {
    let is_start = |c: char| c.is_ascii_digit() || "+-.$£€¥".contains(c);
    let starts = cells.iter().filter(|cell| cell.starts_with(is_start));
    2 * starts.count() > cells.len()
}

/// Warns of a constant target.
fn one_target(target: ColumnCells<'_>) -> Option<Warning> {
    let mut cells = target.present();
    let value = cells.next()?;
    let is_constant = cells.all(|cell| cell == value) && target.rows.len() >= FEW_ROWS;
    is_constant.then(|| {
        Warning::new(format!(
            "the target `{}` is `{}` in all of {} rows, from which nothing else can be learned; is it the right column (--target)?",
            short(&target.column().name),
            short(value),
            target.rows.len()
        ))
    })
}

/// Warns of a target of text with more classes than half of its rows.
pub(super) fn many_classes(cells: ColumnCells<'_>) -> Option<Warning> {
    let (classes, rows) = (cells.distinct().len(), cells.present().count());
    (rows >= FEW_ROWS_OF_CLASSES && 2 * classes > rows).then(|| {
        Warning::new(format!(
            "the target `{}` is text (`{}`) with {classes} classes in {rows} rows; if these are not classes, choose another column \
             with --target; if they are, use --task classify",
            short(&cells.column().name),
            example(cells)
        ))
    })
}
