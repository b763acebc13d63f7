//! Which notation nearly all cells of a column share.

use std::collections::BTreeMap;

use super::split::{APOSTROPHES, NARROW_BLANKS, Split};
use super::{Decimal, Notation, Numbers, Unit};
use crate::dates::CELLS_PER_MISS;

/// The notation that nearly all cells share and that leaves no doubt; `None` if there is none, or if it is that of `numbers`.
///
/// A unit is one that at least half of the cells have. Digits are grouped by apostrophes, by blanks that do not break a line, and
/// by commas if one cell shows that they are no decimal commas (`1,234.5`, `1,234,567`).
pub(crate) fn notation(cells: &[&str], numbers: Numbers) -> Option<Notation> {
    let unit = common_unit(cells).unwrap_or_default();
    let decimal = |numbers| Notation::Decimal {
        numbers,
        unit: unit.clone(),
    };
    let has_unit = unit != Unit::default();
    let plain = has_unit.then_some(numbers);
    let written = plain.into_iter().chain(grouped(cells, numbers));
    let mut known = written.map(decimal).chain([Notation::Hexadecimal]);
    known.find(|notation| nearly_all(cells, |cell| notation.parse(cell).is_some()))
}

/// The units of a column nearly all cells of which are numbers with one, the most frequent first.
pub(crate) fn units(cells: &[&str]) -> Vec<Unit> {
    let has_unit = |cell: &str| Split::of(cell).is_some_and(|split| !split.is_bare());
    if !nearly_all(cells, has_unit) {
        return Vec::new();
    }
    let mut counts: Vec<(Unit, usize)> = counted(cells).into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(unit, _)| unit).collect()
}

pub(crate) fn nearly_all(cells: &[&str], fits: impl Fn(&str) -> bool) -> bool {
    let most = cells.len() / CELLS_PER_MISS;
    let misses = cells.iter().filter(|cell| !fits(cell));
    !cells.is_empty() && misses.take(most + 1).count() <= most
}

/// The unit that at least half of the cells have.
fn common_unit(cells: &[&str]) -> Option<Unit> {
    let half = cells.len().div_ceil(2);
    let mut counts = counted(cells).into_iter();
    counts
        .find(|(_, count)| *count >= half)
        .map(|(unit, _)| unit)
}

fn counted(cells: &[&str]) -> BTreeMap<Unit, usize> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let splits = cells.iter().filter_map(|cell| Split::of(cell));
    for split in splits.filter(|split| !split.is_bare()) {
        *counts.entry((split.before, split.behind)).or_default() += 1;
    }
    let unit = |(before, behind): (&str, &str)| Unit {
        before: before.to_owned(),
        behind: behind.to_owned(),
    };
    let counts = counts.into_iter();
    counts.map(|(parts, count)| (unit(parts), count)).collect()
}

/// Numbers with groups of digits, by separators that the cells have. Where a separator was given, there is nothing to find.
fn grouped(cells: &[&str], numbers: Numbers) -> Vec<Numbers> {
    if numbers.thousands.is_some() {
        return Vec::new();
    }
    let unbreakable = APOSTROPHES.into_iter().chain(NARROW_BLANKS);
    let has = |separator: &char| cells.iter().any(|cell| cell.contains(*separator));
    let commas = (numbers.decimal == Decimal::Point && commas_group(cells)).then_some(',');
    let with = |separator| Numbers {
        thousands: Some(separator),
        ..numbers
    };
    let separators = unbreakable.filter(has).chain(commas);
    separators.map(with).collect()
}

/// Whether a cell has two commas or a point behind one, as no number with a decimal comma has.
fn commas_group(cells: &[&str]) -> bool {
    let splits = cells.iter().filter_map(|cell| Split::of(cell));
    let mut numbers = splits.map(|split| split.number);
    numbers.any(|number| match number.split_once(',') {
        Some((_, behind)) => behind.contains([',', '.']),
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cells: &[&str]) -> Option<(Vec<f64>, String)> {
        let notation = notation(cells, Numbers::default())?;
        let numbers = cells
            .iter()
            .map(|cell| notation.parse(cell).unwrap_or(f64::NAN));
        Some((
            numbers.collect(),
            notation.unit().map_or(String::new(), Unit::to_string),
        ))
    }

    #[test]
    fn what_leaves_no_doubt_is_found() {
        for (cells, numbers, unit) in [
            (["5%", "7 %", "-0.5%"], [5.0, 7.0, -0.5], "%"),
            (["$1.50", "-$2", "$1,234.5"], [1.5, -2.0, 1234.5], "$"),
            (["3 kg", "4kg", "5"], [3.0, 4.0, 5.0], "kg"),
            (["1'000", "12'345.5", "7"], [1000.0, 12345.5, 7.0], ""),
            (["1’000", "2’000", "3’000"], [1000.0, 2000.0, 3000.0], ""),
            (["1\u{a0}000", "2", "3"], [1000.0, 2.0, 3.0], ""),
            (["1\u{202f}000 €", "2 €", "3 €"], [1000.0, 2.0, 3.0], "€"),
            (["1,234", "1,234,567", "5"], [1234.0, 1_234_567.0, 5.0], ""),
            (["0x1F", "0xff", "0X0"], [31.0, 255.0, 0.0], ""),
            // Letters alone would be a unit.
            (["0xff", "0xff", "0xff"], [255.0, 255.0, 255.0], ""),
        ] {
            assert_eq!(
                found(&cells),
                Some((numbers.to_vec(), unit.to_owned())),
                "{cells:?}"
            );
        }
    }

    #[test]
    fn what_is_in_doubt_is_not() {
        for cells in [
            &["3 kg", "4 g"][..],
            &["1,000", "2,000"],
            &["1,5", "2,25"],
            &["1 000", "2 000"],
            &["1.000", "2.000"],
            &["red", "5 kg"],
            &["0x1F", "31"],
            &["1'00", "2'000"],
            &[],
        ] {
            assert_eq!(found(cells), None, "{cells:?}");
        }
        let listed = units(&["3 kg", "4 g", "5 kg"]);
        let listed: Vec<String> = listed.iter().map(Unit::to_string).collect();
        assert_eq!(listed, ["kg", "g"]);
        assert_eq!(units(&["3 kg", "red"]), []);
    }
}
