//! Text that looks like numbers.

use std::collections::BTreeSet;

use super::{Decimal, Numbers};
use crate::dates::nearly_all;

/// Separators of groups of digits, the likeliest first.
const GROUPS: [char; 9] = [
    ',', '.', ' ', '\'', '’', '\u{a0}', '\u{202f}', '\u{2009}', '\u{2007}',
];

/// Numbers with more different units are not measurements: `10 Main Street`.
const MOST_UNITS: usize = 10;

/// A longer text behind a number is not a unit.
const LONGEST_UNIT: usize = 20;

/// Returns every way of writing numbers that an option can state.
pub(crate) fn notations() -> impl Iterator<Item = Numbers> {
    let with = |decimal, thousands| Numbers { decimal, thousands };
    let plain = [with(Decimal::Point, None), with(Decimal::Comma, None)];
    let grouped = GROUPS.into_iter().flat_map(move |group| {
        let decimals = [Decimal::Comma, Decimal::Point].into_iter();
        let other = decimals.filter(move |decimal| decimal.char() != group);
        other.map(move |decimal| with(decimal, Some(group)))
    });
    plain.into_iter().chain(grouped)
}

/// Returns whether nearly all cells are numbers with a unit, such as `5%`, `$1.50` or `3 kg`.
pub(crate) fn have_units(cells: &[&str]) -> bool {
    let units: Vec<(&str, &str)> = cells.iter().filter_map(|cell| unit(cell)).collect();
    let different: BTreeSet<_> = units.iter().collect();
    let has_unit = |unit: &&(&str, &str)| **unit != ("", "");
    different.len() <= MOST_UNITS
        && 2 * units.iter().filter(has_unit).count() >= cells.len()
        && nearly_all(cells, |cell| unit(cell).is_some())
}

/// Returns whether nearly all cells are hexadecimal numbers.
pub(crate) fn are_hexadecimal(cells: &[&str]) -> bool {
    nearly_all(cells, |cell| {
        let digits = cell.strip_prefix("0x").or(cell.strip_prefix("0X"));
        digits.is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok())
    })
}

/// Returns the text before and after a number; `None` if the cell is something else.
fn unit(cell: &str) -> Option<(&str, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (start, end) = (cell.find(is_digit)?, cell.rfind(is_digit)? + 1);
    let before = cell[..start].trim_end_matches(['-', '+', '.']).trim();
    let (number, behind) = (&cell[start..end], cell[end..].trim());
    let is_number = number.contains(is_digit)
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || GROUPS.contains(&c));
    let starts = |c: char| c.is_alphabetic() || is_currency(c) || "%‰°/″′\"".contains(c);
    let is_behind =
        behind.is_empty() || behind.starts_with(starts) && behind.chars().count() <= LONGEST_UNIT;
    // `CHF 20`, but not `MAR1`.
    let is_code = || {
        let is_apart = cell[..start].ends_with(char::is_whitespace);
        is_apart && before.len() == 3 && before.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_before = matches!(before, "" | "-" | "+") || before.contains(is_currency) || is_code();
    (is_number && is_before && is_behind).then_some((before, behind))
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20a0}'..='\u{20cf}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_seen() {
        for cells in [
            &["5%", "7 %", "-0.5%"][..],
            &["$1.50", "-$2", "$1,234.5"],
            &["3 kg", "4kg", "5"],
            &["3 kg", "4 g"],
            &["1\u{202f}000 €", "2 €"],
            &["CHF 1'000", "CHF 2"],
        ] {
            assert!(have_units(cells), "{cells:?}");
        }
        for cells in [
            &["3", "4", "5 kg"][..],
            &["red", "5 kg"],
            &["k1", "Q2"],
            &["MAR1", "DEC2"],
            &["13:45", "13:46"],
            &["2014-05-02"],
            &[],
        ] {
            assert!(!have_units(cells), "{cells:?}");
        }
        let streets: Vec<String> = ('a'..='z').map(|c| format!("10 {c} street")).collect();
        let streets: Vec<&str> = streets.iter().map(String::as_str).collect();
        assert!(!have_units(&streets));
    }

    #[test]
    fn hexadecimal_numbers_are_seen() {
        assert!(are_hexadecimal(&["0x1F", "0XAB"]));
        assert!(!are_hexadecimal(&["0x1F", "31"]) && !are_hexadecimal(&["0xyz"]));
    }
}
