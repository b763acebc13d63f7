//! Number formats.

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
pub enum Decimal {
    /// 1.5
    #[default]
    Point,
    /// 1,5
    Comma,
}

impl Decimal {
    pub(crate) fn char(self) -> char {
        match self {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        }
    }
}

impl Numbers {
    /// Parses the number in a cell, if it is one; `inf` and `nan` are.
    pub fn parse(&self, cell: &str) -> Option<f64> {
        if *self == Self::default() {
            cell.parse().ok()
        } else {
            self.rewritten(cell)?.parse().ok()
        }
    }

    /// Returns the number with a point and without groups.
    fn rewritten(&self, cell: &str) -> Option<String> {
        let decimal = self.decimal.char();
        let end = cell.find([decimal, 'e', 'E']);
        let (whole, rest) = cell.split_at(end.unwrap_or(cell.len()));
        let whole = match self.thousands {
            Some(separator) => ungrouped(whole, separator)?,
            None => Cow::Borrowed(whole),
        };
        // A point that is neither the decimal nor a group would be read as a decimal point below.
        let is_stray = |text: &str| text.contains('.');
        let rest = match rest.strip_prefix(decimal) {
            Some(fraction) if is_stray(fraction) => return None,
            Some(fraction) => format!(".{fraction}"),
            None if is_stray(rest) => return None,
            None => rest.to_owned(),
        };
        (!is_stray(&whole)).then(|| whole.into_owned() + &rest)
    }
}

/// Digits without the separator between groups of three.
fn ungrouped(whole: &str, separator: char) -> Option<Cow<'_, str>> {
    let mut groups = whole.split(separator);
    let first = groups.next()?.trim_start_matches(['-', '+']);
    let mut groups = groups.peekable();
    if groups.peek().is_none() {
        return Some(Cow::Borrowed(whole));
    }
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let is_grouped = (1..=3).contains(&first.len()) && groups.all(is_group);
    is_grouped.then(|| Cow::Owned(whole.replace(separator, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_three_digits() {
        let english = Numbers {
            thousands: Some(','),
            ..Numbers::default()
        };
        for (cell, number) in [
            ("1,234,567.5", Some(1_234_567.5)),
            ("-1,234", Some(-1234.0)),
            ("1234.5e3", Some(1_234_500.0)),
            ("12,34", None),
            (",123", None),
            ("1,2345", None),
            ("1.5,000", None),
            ("red", None),
        ] {
            assert_eq!(english.parse(cell), number, "{cell}");
        }
    }

    #[test]
    fn a_decimal_comma_leaves_no_other_point() {
        let comma = Numbers {
            decimal: Decimal::Comma,
            thousands: None,
        };
        for (cell, number) in [
            ("1,5", Some(1.5)),
            ("-0,25e2", Some(-25.0)),
            ("7", Some(7.0)),
            ("1.5", None),
            ("1,5.5", None),
            ("1,5,5", None),
            ("1e1.5", None),
        ] {
            assert_eq!(comma.parse(cell), number, "{cell}");
        }
    }

    #[test]
    fn blanks_group_digits() {
        let swedish = Numbers {
            decimal: Decimal::Comma,
            thousands: Some(' '),
        };
        assert_eq!(swedish.parse("12 345,5"), Some(12345.5));
    }
}
