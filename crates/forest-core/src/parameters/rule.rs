//! Which values a parameter may have.

use std::fmt;
use std::ops::{Bound, RangeBounds as _};

/// Which values a parameter may have, as far as that depends on no other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A number between these bounds, the first of which is 0 or more.
    Number(Bound<f64>, Bound<f64>),
    /// A whole number, at least this.
    Count(u32),
    /// A whole number from the first to the second.
    CountFromTo(u64, u64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// Any text that is not blank; a comma ends it.
    Text,
    /// One or more, separated by this character, each accepted by this rule.
    List(char, &'static Rule),
    /// What this rule accepts, or one of these words.
    Or(&'static Rule, &'static [&'static str]),
}

impl Rule {
    /// A finite number, 0 or more.
    pub const NUMBER: Self = Self::Number(Bound::Included(0.0), Bound::Excluded(f64::INFINITY));
    /// A number, 0 or more, or `inf`.
    pub const NUMBER_OR_INFINITY: Self = Self::Number(Bound::Included(0.0), Bound::Unbounded);
    /// A finite number above 0.
    pub const POSITIVE: Self = Self::Number(Bound::Excluded(0.0), Bound::Excluded(f64::INFINITY));
    /// A number from 0 to 1.
    pub const SHARE: Self = Self::Number(Bound::Included(0.0), Bound::Included(1.0));
    /// Numbers, 0 or more, separated by `/`.
    pub const NUMBERS: Self = Self::List('/', &Self::NUMBER);

    /// Returns the value as the program would write it, if the rule accepts it.
    ///
    /// ```
    /// use forest_core::parameters::Rule;
    /// assert_eq!(Rule::NUMBER.canonical("0.50"), Some("0.5".to_string()));
    /// assert_eq!(Rule::POSITIVE.canonical("0"), None);
    /// assert_eq!(Rule::Count(1).canonical("0"), None);
    /// const WINDOWS: Rule = Rule::List('/', &Rule::Or(&Rule::Count(2), &["all", "change"]));
    /// assert_eq!(WINDOWS.canonical("050/all"), Some("50/all".to_string()));
    /// assert_eq!(WINDOWS.canonical("50//all"), None);
    /// ```
    pub fn canonical(&self, value: &str) -> Option<String> {
        match *self {
            Self::Number(low, high) => number(value, (low, high)).map(text),
            Self::Count(least) => count(value, u64::from(least), u32::MAX.into()).map(text),
            Self::CountFromTo(least, most) => count(value, least, most).map(text),
            Self::Words(words) => words.contains(&value).then(|| text(value)),
            Self::Text => (!value.trim().is_empty()).then(|| text(value.trim())),
            Self::List(separator, rule) => list(value, separator, rule),
            Self::Or(_, words) if words.contains(&value) => Some(text(value)),
            Self::Or(rule, _) => rule.canonical(value),
        }
    }

    /// Returns the first part of a value that breaks the rule, and the rule of that part; what is not a list is one part.
    pub fn broken_by<'a>(&'a self, value: &'a str) -> Option<(&'a Self, &'a str)> {
        match self {
            Self::List(separator, rule) => {
                let mut parts = value.split(*separator);
                parts.find_map(|part| rule.broken_by(part))
            }
            rule => rule.canonical(value).is_none().then_some((rule, value)),
        }
    }

    /// Returns the words that it accepts by themselves.
    pub fn words(&self) -> &'static [&'static str] {
        match *self {
            Self::Words(words) | Self::Or(_, words) => words,
            _ => &[],
        }
    }
}

fn number(value: &str, bounds: (Bound<f64>, Bound<f64>)) -> Option<f64> {
    let number: f64 = value.parse().ok()?;
    // `-0` is 0, and would come back as "-0".
    bounds.contains(&number).then(|| number.abs())
}

fn list(value: &str, separator: char, rule: &Rule) -> Option<String> {
    let parts = value.split(separator).map(|part| rule.canonical(part));
    let parts: Option<Vec<String>> = parts.collect();
    parts.map(|parts| parts.join(&separator.to_string()))
}

fn count(value: &str, least: u64, most: u64) -> Option<u64> {
    let count = value.parse().ok();
    count.filter(|count| (least..=most).contains(count))
}

fn text(value: impl fmt::Display) -> String {
    value.to_string()
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(Bound::Included(low), Bound::Included(high)) => {
                write!(f, "a number from {low} to {high}")
            }
            Self::Number(low, Bound::Excluded(f64::INFINITY)) => {
                write!(f, "a finite number {}", from(*low))
            }
            Self::Number(low, Bound::Unbounded) => write!(f, "a number {}, or inf", from(*low)),
            Self::Number(low, Bound::Included(high)) => {
                write!(f, "a number {} and at most {high}", from(*low))
            }
            Self::Number(low, Bound::Excluded(high)) => {
                write!(f, "a number {} and below {high}", from(*low))
            }
            Self::Count(least) => write!(f, "a whole number of at least {least}"),
            Self::CountFromTo(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Text => f.write_str("a text"),
            Self::List(separator, rule) => {
                write!(f, "{rule}; or several of these, separated by {separator}")
            }
            Self::Words(words) => write!(f, "one of {}", words.join(", ")),
            Self::Or(rule, words) => write!(f, "{rule}, or {}", words.join(", or ")),
        }
    }
}

fn from(low: Bound<f64>) -> String {
    match low {
        Bound::Included(low) => format!("of at least {low}"),
        Bound::Excluded(low) => format!("above {low}"),
        Bound::Unbounded => "of any size".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_broken_by_its_first_part_that_is_refused() {
        let list = Rule::List('/', &Rule::SHARE);
        assert_eq!(list.broken_by("0.5/2/3"), Some((&Rule::SHARE, "2")));
        assert_eq!(list.broken_by("0.5/1"), None);
    }

    #[test]
    fn bounds_hold_as_they_are_said() {
        const DISCOUNT: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));
        const SHARED: Rule = Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0));
        for (rule, said, accepted, refused) in [
            (Rule::NUMBER, "a finite number of at least 0", "-0", "inf"),
            (
                Rule::NUMBER_OR_INFINITY,
                "a number of at least 0, or inf",
                "inf",
                "-1",
            ),
            (Rule::POSITIVE, "a finite number above 0", "1e-9", "-0"),
            (Rule::SHARE, "a number from 0 to 1", "1", "1.1"),
            (DISCOUNT, "a number above 0 and at most 1", "1", "0"),
            (SHARED, "a number of at least 0 and below 1", "0", "1"),
        ] {
            assert_eq!(rule.to_string(), said);
            assert!(rule.canonical(accepted).is_some(), "{said}: {accepted}");
            assert!(rule.canonical(refused).is_none(), "{said}: {refused}");
            assert!(rule.canonical("NaN").is_none(), "{said}: NaN");
        }
    }
}
