//! How the numbers of one column are written, where that is more than digits.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::split::{Split, hexadecimal_digits};
use super::{Exact, Numbers};

/// How the numbers of one column are written.
///
/// ```
/// use tables::{Notation, Numbers, Unit};
/// let weights = Notation::Decimal {
///     numbers: Numbers::default(),
///     unit: Unit { before: String::new(), behind: "kg".to_owned() },
/// };
/// assert_eq!(weights.parse("2.5 kg"), Some(2.5));
/// assert_eq!(weights.parse("2.5"), Some(2.5)); // a bare number is in the same unit
/// assert_eq!(weights.parse("2.5 g"), None);
/// assert_eq!(Notation::Hexadecimal.parse("0x1F"), Some(31.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notation {
    /// Decimal digits, with or without the unit.
    Decimal {
        /// What stands between digits.
        numbers: Numbers,
        /// What stands around them.
        unit: Unit,
    },
    /// Hexadecimal digits behind `0x`.
    Hexadecimal,
}

/// What stands around a number, without blanks: a currency, a percent sign, a unit. Both are empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unit {
    /// Such as `$`.
    pub before: String,
    /// Such as `%` or `kg`.
    pub behind: String,
}

impl Notation {
    /// The number in a cell, if it is one. A number without the unit is one in that unit; one with another unit is none.
    pub fn parse(&self, cell: &str) -> Option<f64> {
        self.exact(cell).map(|number| number.nearest)
    }

    pub(crate) fn exact(&self, cell: &str) -> Option<Exact> {
        match self {
            Self::Decimal { numbers, unit } => numbers.exact(&bare(cell, unit)?),
            Self::Hexadecimal => numbers_of_hex(cell),
        }
    }

    pub(crate) fn unit(&self) -> Option<&Unit> {
        match self {
            Self::Decimal { unit, .. } if *unit != Unit::default() => Some(unit),
            Self::Decimal { .. } | Self::Hexadecimal => None,
        }
    }
}

/// The digits of a cell with this unit or none.
fn bare<'c>(cell: &'c str, unit: &Unit) -> Option<Cow<'c, str>> {
    let split = Split::of(cell)?;
    let is_unit = split.before == unit.before && split.behind == unit.behind;
    (split.is_bare() || is_unit).then(|| match split.is_negative {
        true => Cow::Owned(format!("-{}", split.number)),
        false => Cow::Borrowed(split.number),
    })
}

fn numbers_of_hex(cell: &str) -> Option<Exact> {
    let number = u64::from_str_radix(hexadecimal_digits(cell)?, 16).ok()?;
    Numbers::default().exact(&number.to_string())
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gap = match self.before.is_empty() || self.behind.is_empty() {
            true => "",
            false => " … ",
        };
        write!(f, "{}{gap}{}", self.before, self.behind)
    }
}

impl fmt::Display for Notation {
    /// `in %`, `in kg, with groups of digits`, `hexadecimal`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Decimal { numbers, .. } = self else {
            return f.write_str("hexadecimal");
        };
        let unit = self.unit().map(|unit| format!("in {unit}"));
        let groups = numbers
            .thousands
            .map(|_| "with groups of digits".to_owned());
        let parts: Vec<String> = unit.into_iter().chain(groups).collect();
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number in another currency is not a number of the column; one without any is.
    #[test]
    fn a_number_in_another_unit_is_refused() {
        let unit = |before: &str, behind: &str| Notation::Decimal {
            numbers: Numbers::default(),
            unit: Unit {
                before: before.to_owned(),
                behind: behind.to_owned(),
            },
        };
        for (cell, number) in [
            ("$5", Some(5.0)),
            ("5", Some(5.0)),
            ("€5", None),
            ("$5%", None),
            ("5%", None),
        ] {
            assert_eq!(unit("$", "").parse(cell), number, "{cell}");
        }
        for (cell, number) in [("5kg", Some(5.0)), ("5 g", None), ("$5kg", None)] {
            assert_eq!(unit("", "kg").parse(cell), number, "{cell}");
        }
    }
}
