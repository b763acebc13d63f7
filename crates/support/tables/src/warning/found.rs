//! Finds warnings of features and targets.

use super::Warning;
use super::words::about_words;
use crate::column_cells::ColumnCells;
use crate::columns::Fitted;
use crate::feature::{Feature, Meaning, Origin};
use crate::fit::{Found, Resolution};
use crate::{DateFormat, Dates, Numbers, TableOptions, short};

/// A share of different numbers that become equal, above which it is said.
const MERGED_SHARE: f64 = 0.01;

/// Minimum number of rows to conclude from equal values.
const FEW_ROWS: usize = 3;

/// Returns all warnings of a feature.
pub(crate) fn feature_warnings(
    feature: &Feature,
    found: &Found,
    cells: ColumnCells<'_>,
    target: ColumnCells<'_>,
    is_chosen: bool,
    options: &TableOptions,
) -> Vec<Warning> {
    let about_meaning = match &feature.meaning {
        Meaning::Date(_) => {
            let guessed = found.guessed.as_ref();
            guessed.and_then(|format| read_as_dates(cells, format, options))
        }
        Meaning::Number => None,
        Meaning::OneHot(values) | Meaning::Ordinal(values) | Meaning::Native(values)
            if values.are_declared =>
        {
            None
        }
        Meaning::OneHot(_) | Meaning::Ordinal(_) | Meaning::Native(_) | Meaning::Hashed { .. } => {
            about_words(feature, cells, is_chosen, options)
        }
    };
    let resolution = found.resolution.into_iter();
    let about_resolution = resolution.flat_map(|found| resolution_warnings(feature, found));
    let repeats = repeats_target(cells, target, options.numbers());
    let all = about_meaning.into_iter().chain(about_resolution);
    all.chain(repeats).collect()
}

pub(super) fn name(cells: ColumnCells<'_>) -> String {
    short(&cells.column().name)
}

pub(crate) fn example(cells: ColumnCells<'_>) -> String {
    short(cells.present().next().unwrap_or_default())
}

/// Warns of dates that were neither declared nor requested.
fn read_as_dates(
    cells: ColumnCells<'_>,
    guessed: &DateFormat,
    options: &TableOptions,
) -> Option<Warning> {
    (options.dates == Dates::Auto).then(|| Warning::Dates {
        column: name(cells),
        example: example(cells),
        format: guessed.clone(),
    })
}

/// What is subtracted, and different numbers that are the same feature all the same.
fn resolution_warnings(feature: &Feature, found: Resolution) -> Vec<Warning> {
    let Resolution { distinct, kept, .. } = found;
    let column = || short(&feature.name);
    let origin = (found.origin != Origin::NONE).then(|| Warning::Origin {
        column: column(),
        feature: short(&feature.names()[0]),
        distinct,
        kept: found.kept_without,
    });
    let is_merged = (distinct - kept) as f64 > MERGED_SHARE * distinct as f64;
    let merged = is_merged.then(|| Warning::Merged {
        column: column(),
        distinct,
        kept,
    });
    origin.into_iter().chain(merged).collect()
}

/// Warns of a pattern of dates that no column has.
pub(crate) fn dates_without_column(fitted: &Fitted, options: &TableOptions) -> Option<Warning> {
    let Dates::Pattern(pattern) = &options.dates else {
        return None;
    };
    let is_date = |feature: &Feature| matches!(feature.meaning, Meaning::Date(_));
    (!fitted.features.iter().any(is_date)).then(|| Warning::NoSuchDates {
        pattern: short(pattern),
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

/// Warns of a constant target.
pub(crate) fn one_target(target: ColumnCells<'_>) -> Option<Warning> {
    let mut cells = target.present();
    let value = cells.next()?;
    let is_constant = cells.all(|cell| cell == value) && target.rows.len() >= FEW_ROWS;
    is_constant.then(|| Warning::OneTarget {
        target: name(target),
        value: short(value),
        rows: target.rows.len(),
    })
}
