//! What is worth a warning.

use super::Warning;
use crate::column_cells::ColumnCells;
use crate::feature::{Feature, Meaning};
use crate::{Categories, DateFormat, Dates, Decimal, Numbers, TableOptions, short};

/// A column of words with more values than this may be a list of names.
const MANY_CATEGORIES: usize = 100;

/// A share of different numbers that become equal, above which it is said.
const MERGED_SHARE: f64 = 0.01;

/// Fewer rows than this say nothing about values that are equal.
const FEW_ROWS: usize = 3;

/// Everything worth saying about a feature.
pub(crate) fn of_feature(
    feature: &Feature,
    cells: ColumnCells<'_>,
    target: ColumnCells<'_>,
    dates: &[DateFormat],
    options: &TableOptions,
) -> Vec<Warning> {
    let about_meaning = match &feature.meaning {
        Meaning::Date(_) if options.dates != Dates::Auto => None,
        Meaning::Date(format) => Some(read_as_dates(cells, format, dates)),
        Meaning::Number => merged(cells, options.numbers()),
        Meaning::OneHot(values) | Meaning::Ordinal(values) if values.are_declared => None,
        Meaning::OneHot(_) | Meaning::Ordinal(_) | Meaning::Hashed { .. } => {
            numbers_as_words(cells, options).or_else(|| many_categories(feature, cells, options))
        }
    };
    let repeats = repeats_target(cells, target, options.numbers());
    about_meaning.into_iter().chain(repeats).collect()
}

fn name(cells: ColumnCells<'_>) -> String {
    short(&cells.column.name)
}

fn example(cells: ColumnCells<'_>) -> String {
    short(cells.present().next().unwrap_or_default())
}

fn read_as_dates(cells: ColumnCells<'_>, format: &DateFormat, fitting: &[DateFormat]) -> Warning {
    Warning::Dates {
        column: name(cells),
        example: example(cells),
        format: format.clone(),
        other: fitting.iter().find(|other| *other != format).cloned(),
    }
}

/// Where categories are hashed or numbered they were chosen, but not for an identifier.
fn many_categories(
    feature: &Feature,
    cells: ColumnCells<'_>,
    options: &TableOptions,
) -> Option<Warning> {
    let is_chosen = options.categories != Categories::default();
    let values = cells.distinct().len();
    (values > MANY_CATEGORIES && !is_chosen).then(|| Warning::ManyCategories {
        column: name(cells),
        values,
        rows: cells.present().count(),
        features: feature.width(),
    })
}

fn numbers_as_words(cells: ColumnCells<'_>, options: &TableOptions) -> Option<Warning> {
    let with = |decimal, thousands| Numbers { decimal, thousands };
    let others = [
        with(Decimal::Point, None),
        with(Decimal::Comma, None),
        with(Decimal::Point, Some(',')),
        with(Decimal::Comma, Some('.')),
        with(Decimal::Comma, Some(' ')),
        with(Decimal::Point, Some(' ')),
    ];
    let fits = |numbers: &Numbers| cells.present().all(|cell| numbers.parse(cell).is_some());
    let is_other = |numbers: &Numbers| *numbers != options.numbers();
    let numbers = others
        .into_iter()
        .find(|numbers| is_other(numbers) && fits(numbers))?;
    Some(Warning::NumbersAsWords {
        column: name(cells),
        example: example(cells),
        numbers,
    })
}

/// Different numbers that are the same feature.
fn merged(cells: ColumnCells<'_>, numbers: Numbers) -> Option<Warning> {
    let mut values: Vec<f64> = cells
        .numbers(numbers)
        .filter(|value| value.is_finite())
        .collect();
    if values
        .iter()
        .all(|value| f64::from(*value as f32) == *value)
    {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let distinct = values.len();
    values.dedup_by_key(|value| *value as f32);
    let kept = values.len();
    ((distinct - kept) as f64 > MERGED_SHARE * distinct as f64).then(|| Warning::Merged {
        column: name(cells),
        distinct,
        kept,
    })
}

fn repeats_target(
    cells: ColumnCells<'_>,
    target: ColumnCells<'_>,
    numbers: Numbers,
) -> Option<Warning> {
    let is_same = |(cell, target): (&str, &str)| {
        let number = |cell| numbers.parse(cell);
        cell == target || number(cell).is_some_and(|value| number(target) == Some(value))
    };
    let repeats = cells.rows.len() >= FEW_ROWS && cells.all().zip(target.all()).all(is_same);
    repeats.then(|| Warning::RepeatsTarget {
        column: name(cells),
        target: name(target),
    })
}

/// A target that tells nothing.
pub(crate) fn of_target(target: ColumnCells<'_>) -> Option<Warning> {
    let mut cells = target.present();
    let value = cells.next()?;
    let is_constant = cells.all(|cell| cell == value) && target.rows.len() >= FEW_ROWS;
    is_constant.then(|| Warning::OneTarget {
        target: name(target),
        value: short(value),
        rows: target.rows.len(),
    })
}
