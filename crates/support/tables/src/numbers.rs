//! Which cells are numbers, and which have no value.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The format of numbers.
///
/// ```
/// use tables::{Decimal, Numbers};
/// let german = Numbers { decimal: Decimal::Comma, thousands: Some('.') };
/// assert_eq!(german.parse("1.234,5"), Some(1234.5));
/// assert_eq!(german.parse("12.34"), None); // a point has three digits behind it
/// assert_eq!(Numbers::default().parse("1e-3"), Some(0.001));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// What stands before the fraction.
    pub decimal: Decimal,
    /// What stands between groups of three digits, if anything does.
    pub thousands: Option<char>,
}

/// What stands before the fraction of a number.
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
    /// Parses the number in a cell, if it is one; `inf` and `nan` are.
    pub fn parse(&self, cell: &str) -> Option<f64> {
        if *self == Self::default() {
            return cell.parse().ok();
        }
        let decimal = self.decimal_char();
        let end = cell.find([decimal, 'e', 'E']);
        let (whole, rest) = cell.split_at(end.unwrap_or(cell.len()));
        let whole = match self.thousands {
            Some(separator) => ungrouped(whole, separator)?,
            None => Cow::Borrowed(whole),
        };
        let (point, rest) = match rest.strip_prefix(decimal) {
            Some(fraction) => (".", fraction),
            None => ("", rest),
        };
        // A point that is neither the decimal nor a group would be read as a decimal point.
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

/// Digits without the separator between groups of three.
fn ungrouped(whole: &str, separator: char) -> Option<Cow<'_, str>> {
    let Some((first, groups)) = whole.split_once(separator) else {
        return Some(Cow::Borrowed(whole));
    };
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.trim_start_matches(['-', '+']).len());
    (is_grouped && groups.split(separator).all(is_group))
        .then(|| whole.replace(separator, "").into())
}

/// In any case of letters.
const IN_ANY_CASE: [&str; 13] = [
    "", "NA", "N/A", "?", "nan", "null", "-nan", "NaT", "-", "\\N", "#N/A", "#NA", "<NA>",
];

/// Words for missing values.
///
/// By default these are, in any case of letters: nothing at all, `NA`, `N/A`, `?`, `nan`, `null`, `-nan`, `NaT`, `-`,
/// `\N`, `#N/A`, `#NA` and `<NA>`; and `None` as Python writes it. The options `--missing-values` and `--not-missing` change the list.
///
/// ```
/// use tables::MissingWords;
/// let words = MissingWords::default();
/// assert!(["", "?", "Na", "n/a", "NaN", "NULL", "None", "-", "\\N"].iter().all(|cell| words.is_missing(cell)));
/// assert!(!words.is_missing("none")); // often a category
///
/// let words = MissingWords::new(&["missing".to_owned()], &["NA".to_owned()]);
/// assert!(words.is_missing("missing") && words.is_missing("N/A") && !words.is_missing("NA"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Lists", into = "Lists")]
pub struct MissingWords {
    lists: Lists,
    /// Bytes with which some word begins: few cells begin like one, and only those are compared with all words. Without this,
    /// comparing took a sixth of the instructions of reading a table of numbers (callgrind, `xtask data show` of 120,000 rows).
    first_bytes: [bool; 256],
}

/// The words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lists {
    in_any_case: Vec<String>,
    as_written: Vec<String>,
}

impl From<Lists> for MissingWords {
    fn from(lists: Lists) -> Self {
        let mut first_bytes = [false; 256];
        for word in lists.in_any_case.iter().chain(&lists.as_written) {
            if let Some(first) = word.as_bytes().first() {
                first_bytes[usize::from(first.to_ascii_lowercase())] = true;
                first_bytes[usize::from(first.to_ascii_uppercase())] = true;
            }
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
    /// Returns the default words, with those of `more` as they are written, and without those of `fewer` in any case of letters.
    pub fn new(more: &[String], fewer: &[String]) -> Self {
        let stays = |word: &String| !fewer.iter().any(|other| other.eq_ignore_ascii_case(word));
        let as_written = more
            .iter()
            .cloned()
            .chain(["None".to_owned()].into_iter().filter(stays));
        Self::from(Lists {
            in_any_case: IN_ANY_CASE
                .map(str::to_owned)
                .into_iter()
                .filter(stays)
                .collect(),
            as_written: as_written.collect(),
        })
    }

    /// Returns whether a cell has no value.
    pub fn is_missing(&self, cell: &str) -> bool {
        let Lists {
            in_any_case,
            as_written,
        } = &self.lists;
        cell.as_bytes()
            .first()
            .is_none_or(|first| self.first_bytes[usize::from(*first)])
            && (in_any_case
                .iter()
                .any(|word| cell.eq_ignore_ascii_case(word))
                || as_written.iter().any(|word| cell == word))
    }
}

impl Default for MissingWords {
    fn default() -> Self {
        Self::new(&[], &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_format_that_is_stated() {
        let format = |decimal, thousands| Numbers { decimal, thousands };
        let (english, german) = (
            format(Decimal::Point, Some(',')),
            format(Decimal::Comma, None),
        );
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
            (german, "1,5", Some(1.5)),
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
