//! The format of numbers, and the words for missing values.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The format of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    /// The decimal separator.
    pub(crate) decimal: Decimal,
    /// The separator of groups of three digits, if there is one.
    pub(crate) thousands: Option<char>,
}

/// The decimal separator of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Decimal {
    /// 1.5
    #[default]
    Point,
    /// 1,5
    Comma,
}

impl Numbers {
    /// Parses the number in a cell, if it is one; `inf` and `nan` are numbers.
    pub(crate) fn parse(&self, cell: &str) -> Option<f64> {
        if *self == Self::default() {
            return cell.parse().ok();
        }
        let decimal = self.decimal_char();
        let end = cell.find([decimal, 'e', 'E']).unwrap_or(cell.len());
        let (whole, rest) = cell.split_at(end);
        let whole = match self.thousands {
            Some(separator) => ungrouped(whole, separator)?,
            None => Cow::Borrowed(whole),
        };
        let (point, rest) = match rest.strip_prefix(decimal) {
            Some(fraction) => (".", fraction),
            None => ("", rest),
        };
        // A point with another meaning would be parsed as a decimal point.
        if whole.contains('.') || rest.contains('.') {
            return None;
        }
        format!("{whole}{point}{rest}").parse().ok()
    }

    pub(crate) fn decimal_char(&self) -> char {
        match self.decimal {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        }
    }
}

/// Returns digits without the separator between groups of three.
fn ungrouped(whole: &str, separator: char) -> Option<Cow<'_, str>> {
    let Some((first, groups)) = whole.split_once(separator) else {
        return Some(Cow::Borrowed(whole));
    };
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let is_first = (1..=3).contains(&first.trim_start_matches(['-', '+']).len());
    let is_grouped = is_first && groups.split(separator).all(is_group);
    is_grouped.then(|| whole.replace(separator, "").into())
}

/// Returns the nearest finite `f32`.
pub(crate) fn saturated(value: f64) -> f32 {
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

/// Words for missing values in upper or lower case.
const IN_ANY_CASE: [&str; 13] = [
    "", "NA", "N/A", "?", "nan", "null", "-nan", "NaT", "-", "\\N", "#N/A", "#NA", "<NA>",
];

/// Words for missing values, by default those that
/// [`TableOptions::missing_values`](crate::TableOptions::missing_values) lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Lists", into = "Lists")]
pub struct MissingWords {
    lists: Lists,
    /// The first bytes of the words. Few cells begin with one of them, and only those are compared with the words:
    /// comparing all cells takes a sixth of the instructions of reading a table of numbers (callgrind,
    /// `xtask data show` of 120,000 rows).
    first_bytes: [bool; 256],
}

/// Words in any case of letters, and words as they are written.
type Lists = (Vec<String>, Vec<String>);

impl From<Lists> for MissingWords {
    fn from(lists: Lists) -> Self {
        let mut first_bytes = [false; 256];
        let words = lists.0.iter().chain(&lists.1);
        for first in words.filter_map(|word| word.bytes().next()) {
            first_bytes[usize::from(first.to_ascii_lowercase())] = true;
            first_bytes[usize::from(first.to_ascii_uppercase())] = true;
        }
        Self { lists, first_bytes }
    }
}

impl From<MissingWords> for Lists {
    fn from(words: MissingWords) -> Self {
        words.lists
    }
}

impl MissingWords {
    /// Returns the default words, with those of `more` as they are written, and without those of `fewer` in any case of
    /// letters.
    pub fn new(more: &[String], fewer: &[String]) -> Self {
        let stays = |word: &String| !fewer.iter().any(|other| other.eq_ignore_ascii_case(word));
        let in_any_case = IN_ANY_CASE.map(str::to_owned).into_iter().filter(stays);
        let none = Some("None".to_owned()).filter(stays);
        let as_written = more.iter().cloned().chain(none);
        Self::from((in_any_case.collect(), as_written.collect()))
    }

    /// Returns whether a cell has no value.
    pub fn is_missing(&self, cell: &str) -> bool {
        let first = cell.as_bytes().first();
        if first.is_some_and(|first| !self.first_bytes[usize::from(*first)]) {
            return false;
        }
        let (in_any_case, as_written) = &self.lists;
        let is_like = |word: &String| cell.eq_ignore_ascii_case(word);
        in_any_case.iter().any(is_like) || as_written.iter().any(|word| cell == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_format_that_is_stated() {
        let format = |decimal, thousands| Numbers { decimal, thousands };
        let english = format(Decimal::Point, Some(','));
        let german = format(Decimal::Comma, None);
        let swedish = format(Decimal::Comma, Some(' '));
        for (numbers, cell, number) in [
            (english, "1,234,567.5", Some(1_234_567.5)),
            (english, "-1,234", Some(-1234.0)),
            (english, "1234.5e3", Some(1_234_500.0)),
            (english, "12,34", None),
            (english, ",123", None),
            (english, "1,2345", None),
            (english, "1.5,000", None),
            (english, "red", None),
            (german, "-0,25e2", Some(-25.0)),
            (german, "7", Some(7.0)),
            (german, "1.5", None),
            (german, "1,5.5", None),
            (german, "1,5,5", None),
            (german, "1e1.5", None),
            (swedish, "12 345,5", Some(12345.5)),
        ] {
            assert_eq!(numbers.parse(cell), number, "{cell}");
        }
    }
}
