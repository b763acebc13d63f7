//! Which values a parameter may have.

use std::fmt;

/// Which values a parameter may have, as far as that depends on no other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A finite number, 0 or more.
    Number,
    /// A number, 0 or more, or `inf`.
    NumberOrInfinity,
    /// A number, 0 or more, or `inf`, or a word.
    NumberOrInfinityOr(&'static str),
    /// A finite number, 0 or more, or a word.
    NumberOr(&'static str),
    /// A whole number, at least this.
    Count(u32),
    /// A whole number from the first to the second.
    CountFromTo(u64, u64),
    /// A whole number, at least this, or a word that stands for no limit.
    CountOr(u32, &'static str),
    /// A whole number, at least this, or one of these words.
    CountOrWords(u32, &'static [&'static str]),
    /// Numbers, 0 or more, separated by `/`, or one of these words.
    NumbersOr(&'static [&'static str]),
    /// One of these words.
    Words(&'static [&'static str]),
    /// Any text that is not blank; a comma ends it.
    Text,
    /// One or more, separated by this character, each accepted by this rule.
    List(char, &'static Rule),
}

impl Rule {
    /// The value as the program would write it, if the rule accepts it.
    ///
    /// ```
    /// use parameters::Rule;
    /// assert_eq!(Rule::Number.canonical("0.50"), Some("0.5".to_string()));
    /// assert_eq!(Rule::Count(1).canonical("0"), None);
    /// const WINDOWS: Rule = Rule::List('/', &Rule::CountOrWords(2, &["all", "change"]));
    /// assert_eq!(WINDOWS.canonical("050/all"), Some("50/all".to_string()));
    /// assert_eq!(WINDOWS.canonical("50//all"), None);
    /// ```
    pub fn canonical(&self, value: &str) -> Option<String> {
        match *self {
            Self::Number => number(value).filter(|n| n.is_finite()).map(text),
            Self::NumberOrInfinity => number(value).map(text),
            Self::NumberOr(word) | Self::NumberOrInfinityOr(word) if value == word => {
                Some(text(word))
            }
            Self::NumberOrInfinityOr(_) => Self::NumberOrInfinity.canonical(value),
            Self::NumberOr(_) => Self::Number.canonical(value),
            Self::Count(least) => count(value, least).map(text),
            Self::CountFromTo(least, most) => {
                let count = value.parse().ok();
                count
                    .filter(|count| (least..=most).contains(count))
                    .map(text)
            }
            Self::CountOr(_, word) if value == word => Some(text(word)),
            Self::CountOr(least, _) => count(value, least).map(text),
            Self::CountOrWords(_, words) if words.contains(&value) => Some(text(value)),
            Self::CountOrWords(least, _) => count(value, least).map(text),
            Self::NumbersOr(words) if words.contains(&value) => Some(text(value)),
            Self::NumbersOr(_) => numbers(value),
            Self::Words(words) => words.contains(&value).then(|| text(value)),
            Self::Text => (!value.trim().is_empty()).then(|| text(value.trim())),
            Self::List(separator, rule) => list(value, separator, rule),
        }
    }
}

fn number(value: &str) -> Option<f64> {
    let number: f64 = value.parse().ok()?;
    // `-0` is 0, and would come back as "-0".
    (number >= 0.0).then(|| number.abs())
}

fn numbers(value: &str) -> Option<String> {
    let numbers = value
        .split('/')
        .map(|part| number(part).filter(|n| n.is_finite()));
    let texts: Option<Vec<String>> = numbers.map(|number| number.map(text)).collect();
    texts.map(|texts| texts.join("/"))
}

fn list(value: &str, separator: char, rule: &Rule) -> Option<String> {
    let parts = value.split(separator).map(|part| rule.canonical(part));
    let parts: Option<Vec<String>> = parts.collect();
    parts.map(|parts| parts.join(&separator.to_string()))
}

fn count(value: &str, least: u32) -> Option<u32> {
    value.parse().ok().filter(|count| *count >= least)
}

fn text(value: impl fmt::Display) -> String {
    value.to_string()
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number => f.write_str("a finite number of at least 0"),
            Self::NumberOrInfinity => f.write_str("a number of at least 0, or inf"),
            Self::NumberOr(word) => write!(f, "{}, or {word}", Self::Number),
            Self::NumberOrInfinityOr(word) => write!(f, "{}, or {word}", Self::NumberOrInfinity),
            Self::Count(least) => write!(f, "a whole number of at least {least}"),
            Self::CountFromTo(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::CountOr(least, word) => {
                write!(f, "a whole number of at least {least}, or {word}")
            }
            Self::CountOrWords(least, words) => {
                write!(
                    f,
                    "a whole number of at least {least}, or {}",
                    words.join(", or ")
                )
            }
            Self::NumbersOr(words) => {
                let words = words.join(", or ");
                write!(f, "numbers of at least 0, separated by /, or {words}")
            }
            Self::Text => f.write_str("a text"),
            Self::List(separator, rule) => {
                write!(f, "{rule}; or several of these, separated by {separator}")
            }
            Self::Words(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}
