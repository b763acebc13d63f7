//! Finds warnings of columns of words.

use super::Warning;
use super::found::{example, name};
use crate::column_cells::ColumnCells;
use crate::dates::may_be_dates;
use crate::feature::Feature;
use crate::{Categories, Dates, Numbers, TableOptions, numbers, short};

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// Returns the first warning of a column of words; of a column declared as words, only that it has many values.
pub(super) fn about_words(
    feature: &Feature,
    cells: ColumnCells<'_>,
    is_chosen: bool,
    options: &TableOptions,
) -> Option<Warning> {
    let many = || many_categories(feature, cells).filter(|_| has_default(options));
    if is_chosen {
        return many();
    }
    let present: Vec<&str> = cells.present().collect();
    numbers_among_words(cells, options.numbers())
        .or_else(|| written_otherwise(cells, &present, options))
        .or_else(|| dates_as_words(cells, &present, options))
        .or_else(many)
        .or_else(|| digits_in_words(cells, &present).filter(|_| has_default(options)))
}

/// Where categories are hashed or numbered they were chosen.
fn has_default(options: &TableOptions) -> bool {
    options.categories == Categories::default()
}

fn many_categories(feature: &Feature, cells: ColumnCells<'_>) -> Option<Warning> {
    let values = cells.distinct().len();
    (values > MANY_CATEGORIES).then(|| Warning::ManyCategories {
        column: name(cells),
        values,
        rows: cells.present().count(),
        features: feature.width(),
    })
}

/// Warns of numbers that are fewer than the words among them. One in the first row alone may be the name of the column, which is another
/// warning.
pub(crate) fn numbers_among_words(cells: ColumnCells<'_>, numbers: Numbers) -> Option<Warning> {
    let is_number = |cell: &&str| numbers.parse(cell).is_some();
    let number = cells.present().find(is_number)?;
    let word = cells.present().find(|cell| !is_number(cell))?;
    (!cells.may_begin_with_name(numbers)).then(|| Warning::NumbersAmongWords {
        column: name(cells),
        numbers: cells.numbers(numbers).count(),
        cells: cells.present().count(),
        number: short(number),
        word: short(word),
    })
}

/// Warns of text that looks like numbers.
pub(crate) fn written_otherwise(
    cells: ColumnCells<'_>,
    present: &[&str],
    options: &TableOptions,
) -> Option<Warning> {
    let (column, example) = (name(cells), example(cells));
    numbers_as_words(cells, present, options).or_else(|| {
        if numbers::have_units(present) {
            Some(Warning::Units { column, example })
        } else if numbers::are_hexadecimal(present) {
            Some(Warning::Hexadecimal { column, example })
        } else {
            None
        }
    })
}

fn numbers_as_words(
    cells: ColumnCells<'_>,
    present: &[&str],
    options: &TableOptions,
) -> Option<Warning> {
    let fits = |numbers: &Numbers| present.iter().all(|cell| numbers.parse(cell).is_some());
    let mut fitting =
        numbers::notations().filter(|numbers| *numbers != options.numbers() && fits(numbers));
    let numbers = fitting.next()?;
    let differs = |other: &Numbers| {
        present
            .iter()
            .any(|cell| numbers.parse(cell) != other.parse(cell))
    };
    Some(Warning::NumbersAsWords {
        column: name(cells),
        example: example(cells),
        numbers,
        other: fitting.find(differs),
    })
}

fn dates_as_words(
    cells: ColumnCells<'_>,
    present: &[&str],
    options: &TableOptions,
) -> Option<Warning> {
    (options.dates != Dates::Text && may_be_dates(present)).then(|| Warning::DatesAsWords {
        column: name(cells),
        example: example(cells),
    })
}

fn digits_in_words(cells: ColumnCells<'_>, present: &[&str]) -> Option<Warning> {
    let has_digit = |cell: &&&str| cell.contains(|c: char| c.is_ascii_digit());
    let example = present.iter().find(has_digit)?;
    let with_digits = present.iter().filter(has_digit).count();
    (2 * with_digits > present.len()).then(|| Warning::DigitsInWords {
        column: name(cells),
        example: short(example),
        cells: with_digits,
        rows: present.len(),
        values: cells.distinct().len(),
    })
}
