//! Which values a parameter may have.

use std::fmt::{self, Display};
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
    /// assert_eq!(Rule::Count(1).canonical("0"), None);
    /// const WINDOWS: Rule = Rule::List('/', &Rule::Or(&Rule::Count(2), &["all", "change"]));
    /// assert_eq!(WINDOWS.canonical("050/all"), Some("50/all".to_string()));
    /// assert_eq!(WINDOWS.canonical("50//all"), None);
    /// ```
    pub fn canonical(&self, value: &str) -> Option<String> {
        let count = |least: u64, most: u64| {
            let count: u64 = value.parse().ok()?;
            (least..=most).contains(&count).then(|| count.to_string())
        };
        match *self {
            Self::Number(low, high) => {
                let number = value.parse::<f64>().ok()?;
                // `-0` is 0, and would come back as "-0".
                let holds = (low, high).contains(&number);
                holds.then(|| number.abs().to_string())
            }
            Self::Count(least) => count(least.into(), u32::MAX.into()),
            Self::CountFromTo(least, most) => count(least, most),
            Self::Words(words) => words.contains(&value).then(|| value.to_owned()),
            Self::Text => Some(value.trim().to_owned()).filter(|text| !text.is_empty()),
            Self::List(separator, rule) => {
                let parts = value.split(separator).map(|part| rule.canonical(part));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(parts.join(&separator.to_string()))
            }
            Self::Or(_, words) if words.contains(&value) => Some(value.to_owned()),
            Self::Or(rule, _) => rule.canonical(value),
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

impl Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(Bound::Included(low), Bound::Included(high)) => {
                write!(f, "a number from {low} to {high}")
            }
            Self::Number(low, high) => {
                let finite = match high {
                    Bound::Excluded(f64::INFINITY) => "finite ",
                    _ => "",
                };
                match low {
                    Bound::Included(low) => write!(f, "a {finite}number of at least {low}")?,
                    Bound::Excluded(low) => write!(f, "a {finite}number above {low}")?,
                    Bound::Unbounded => write!(f, "a {finite}number of any size")?,
                }
                match high {
                    Bound::Unbounded => f.write_str(", or inf"),
                    Bound::Excluded(f64::INFINITY) => Ok(()),
                    Bound::Excluded(high) => write!(f, " and below {high}"),
                    Bound::Included(high) => write!(f, " and at most {high}"),
                }
            }
            Self::Count(least) => write!(f, "a whole number of at least {least}"),
            Self::CountFromTo(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::Text => f.write_str("a text"),
            Self::List(by, rule) => write!(f, "{rule}; or several of these, separated by {by}"),
            Self::Words(words) => write!(f, "one of {}", words.join(", ")),
            Self::Or(rule, words) => write!(f, "{rule}, or {}", words.join(", or ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Parameter, check};

    #[test]
    fn bounds_hold_as_they_are_said() {
        const DISCOUNT: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));
        const SHARED: Rule = Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0));
        const INF: Rule = Rule::NUMBER_OR_INFINITY;
        for (rule, said, accepted, refused) in [
            (Rule::NUMBER, "a finite number of at least 0", "-0", "inf"),
            (INF, "a number of at least 0, or inf", "inf", "-1"),
            (Rule::POSITIVE, "a finite number above 0", "1e-9", "-0"),
            (Rule::SHARE, "a number from 0 to 1", "1", "1.1"),
            (DISCOUNT, "a number above 0 and at most 1", "1", "0"),
            (SHARED, "a number of at least 0 and below 1", "0", "1"),
        ] {
            assert_eq!(rule.to_string(), said);
            let known = [Parameter::new("rate", rule, "0", "")];
            assert!(check(&known, "rate", accepted).is_ok(), "{said}");
            for value in [refused, "NaN"] {
                let error = check(&known, "rate", value).unwrap_err().to_string();
                assert_eq!(error, format!("rate must be {said}, but is {value}"));
            }
        }
    }
}
