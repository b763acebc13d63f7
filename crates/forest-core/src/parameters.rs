//! Parameters declared once, and texts `name:key=value,…` read by what was declared.
//!
//! A [`Parameter`] says how it is called, which values it accepts and what it means. [`Values`] are what was given as text; what
//! can be wrong with a text is a [`ParameterError`], which names the nearest that exists.
//!
//! ```
//! use forest_core::parameters::{Parameter, Rule, Values};
//!
//! const TREE: &[Parameter] = &[Parameter::new("depth", Rule::Count(0), "5", "levels of a tree")];
//!
//! let mut values = Values::read("tree", TREE, "depth=7")?;
//! assert_eq!(values.get::<u32>("depth"), 7);
//!
//! let error = Values::read("tree", TREE, "dept=7").unwrap_err();
//! assert!(error.to_string().contains("did you mean `depth`?"));
//! # Ok::<(), forest_core::parameters::ParameterError>(())
//! ```

use std::borrow::Borrow;
use std::fmt::{self, Display};
use std::ops::{Bound, RangeBounds as _};
use std::str::FromStr;

use thiserror::Error;

use crate::SettingError;

/// A parameter as users see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// What it is called in `name:key=value`.
    pub name: &'static str,
    /// The value that is used if none is given, as text; a formula if it depends on the stream.
    pub default: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// What values it may have.
    pub rule: Rule,
    /// The name of the task that knows it, if only one does.
    pub task: Option<&'static str>,
    /// Another parameter, and the values of it beside which this one means something; beside all, if there is none.
    pub beside: Option<(&'static str, &'static [&'static str])>,
}

impl Parameter {
    /// Returns the parameter `name`, which accepts what `rule` says.
    pub const fn new(
        name: &'static str,
        rule: Rule,
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            default,
            meaning,
            rule,
            task: None,
            beside: None,
        }
    }

    /// Returns the same parameter with another default.
    #[must_use]
    pub const fn with_default(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }

    /// Returns the same parameter, known to this task alone.
    #[must_use]
    pub const fn of(mut self, task: &'static str) -> Self {
        self.task = Some(task);
        self
    }

    /// Returns the same parameter, which means something beside these values of another one alone.
    #[must_use]
    pub const fn beside(mut self, other: &'static str, values: &'static [&'static str]) -> Self {
        self.beside = Some((other, values));
        self
    }

    /// Returns these parameters, which mean something beside these values of another one alone.
    #[must_use]
    pub const fn all_beside<const N: usize>(
        mut all: [Self; N],
        other: &'static str,
        values: &'static [&'static str],
    ) -> [Self; N] {
        let mut place = 0;
        while place < N {
            all[place] = all[place].beside(other, values);
            place += 1;
        }
        all
    }

    /// Returns whether its rule accepts this value.
    pub fn accepts(&self, value: &str) -> bool {
        self.rule.canonical(value).is_some()
    }
}

/// Checks a setting that was not read from a text against the rule of its parameter.
/// Errors: a value that breaks its rule.
pub fn check(known: &[Parameter], name: &str, value: impl Display) -> Result<(), SettingError> {
    match known.iter().find(|known| known.name == name) {
        Some(Parameter { name, rule, .. }) if rule.canonical(&value.to_string()).is_none() => {
            Err(SettingError::new(name, format!("must be {rule}"), value))
        }
        _ => Ok(()),
    }
}

/// Declares parameters as a table: name, rule, default and meaning of each, and the task that knows it, if only one does.
///
/// ```
/// use forest_core::Classification;
/// use forest_core::parameters::{Parameter, Rule};
///
/// const TREE: &[Parameter] = &forest_core::parameters! {
///     "depth": Rule::Count(0), "5", "levels of a tree";
///     "smoothing": Rule::NUMBER, "1", "added to each count", for Classification;
/// };
/// assert_eq!(TREE[1].task, Some("classification"));
/// ```
#[macro_export]
macro_rules! parameters {
    ($($name:literal: $rule:expr, $default:expr, $meaning:expr $(, for $task:ty)?;)*) => {
        [$($crate::parameters::Parameter::new($name, $rule, $default, $meaning)
            $(.of(<$task as $crate::Task>::NAME))?),*]
    };
}

/// Returns a value as the text of a parameter that has a word for none.
pub fn or_word<V: Display>(value: Option<V>, word: &str) -> String {
    value.map_or(word.to_owned(), |value| value.to_string())
}

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
                let finite = ["", "finite "][usize::from(*high == Bound::Excluded(f64::INFINITY))];
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

/// Values of parameters in canonical text, in the order of their declarations: those that were given, and those that were read,
/// given or not.
///
/// What makes a learner of them reads them; then [`Values::read_values`] are its identity, and what was [given and not
/// read](Values::unread) means nothing to it. [`Display`] writes what was given as `key=value,…`, which [`Values::read`] reads back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<Value>);

#[derive(Clone, Debug, PartialEq)]
struct Value {
    name: &'static str,
    default: &'static str,
    given: Option<String>,
    is_read: bool,
}

impl Value {
    fn text(&self) -> &str {
        self.given.as_deref().unwrap_or(self.default)
    }
}

impl Values {
    /// Returns the defaults of these parameters; of two of the same name that of the first.
    pub fn defaults<'a>(known: impl IntoIterator<Item = &'a Parameter>) -> Self {
        let mut values = Self::default();
        for &Parameter { name, default, .. } in known {
            if !values.knows(name) {
                let (given, is_read) = (None, false);
                values.0.push(Value {
                    name,
                    default,
                    given,
                    is_read,
                });
            }
        }
        values
    }

    /// Returns the same with what was given in `others`, of the parameters that are declared here.
    #[must_use]
    pub fn giving(mut self, others: &Self) -> Self {
        for value in &mut self.0 {
            let given = others.given().find(|(name, _)| *name == value.name);
            value.given = given.map(|(_, text)| text.to_owned());
        }
        self
    }

    /// Reads `key=value,…`, blanks around keys and values allowed. `owner` is named in errors. Errors: a piece that is
    /// not `key=value`, a parameter that is not `known` or given twice, or a value that its rule refuses.
    pub fn read<P: Borrow<Parameter>>(
        owner: &str,
        known: &[P],
        text: &str,
    ) -> Result<Self, ParameterError> {
        let known: Vec<Parameter> = known.iter().map(|parameter| *parameter.borrow()).collect();
        let wrong = |what: String| Err(ParameterError(format!("{owner}: {what}")));
        let mut values = Self::defaults(&known);
        let pieces = text.split(',').map(str::trim);
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            let Some((name, value)) = piece.split_once('=') else {
                let advice = format!("write `{owner}:key=value,…`");
                return wrong(format!("`{piece}` is not `key=value`; {advice}"));
            };
            let (name, value) = (name.trim(), value.trim());
            let Some(parameter) = known.iter().find(|known| known.name == name) else {
                let nearest = did_you_mean(name, known.iter().map(|known| known.name));
                let take = |known: &Parameter| format!("{}={}", known.name, known.default);
                let takes = known.iter().map(take).collect::<Vec<_>>().join(", ");
                let takes = if takes.is_empty() { "none" } else { &takes };
                let what = format!("{owner} has no parameter `{name}`{nearest}; it takes: {takes}");
                return Err(ParameterError(what));
            };
            let Some(text) = parameter.rule.canonical(value) else {
                let rule = parameter.rule;
                return wrong(format!("{name} must be {rule}, but is `{value}`"));
            };
            if values.state(name, text).is_some() {
                return wrong(format!("{name} is given twice; give it once"));
            }
        }
        Ok(values)
    }

    /// Takes a value of a parameter, if it is declared, as given; returns the one that was.
    pub(crate) fn state(&mut self, name: &str, text: String) -> Option<String> {
        let value = self.0.iter_mut().find(|value| value.name == name)?;
        value.given.replace(text)
    }

    /// Returns the value of a parameter, given or by default, and marks it as read.
    /// Panics if the parameter was not declared, or the value does not parse: the rule accepts too much for the type.
    pub fn get<V: FromStr>(&mut self, name: &str) -> V {
        parsed(&self.text(name))
    }

    /// Returns the same as text.
    pub fn text(&mut self, name: &str) -> String {
        let value = self.0.iter_mut().find(|value| value.name == name);
        let value = value.expect("parameters that are read are declared");
        value.is_read = true;
        value.text().to_owned()
    }

    /// Returns whether a parameter has this value, and marks it as read.
    pub fn is(&mut self, name: &str, word: &str) -> bool {
        self.text(name) == word
    }

    /// Returns what the word stands for that a parameter has for its value. Panics if the word is not among these.
    pub fn one_of<V: Copy>(&mut self, name: &str, words: &[(&str, V)]) -> V {
        let text = self.text(name);
        let found = words.iter().find(|(word, _)| *word == text);
        found.expect("the rule accepts only these words").1
    }

    /// Returns the value of a parameter, or nothing where it is this word.
    pub fn unless<V: FromStr>(&mut self, name: &str, word: &str) -> Option<V> {
        let text = self.text(name);
        (text != word).then(|| parsed(&text))
    }

    /// Returns the values of a parameter that are separated by `/`; none where it is this word.
    pub fn list<V: FromStr>(&mut self, name: &str, word: &str) -> Vec<V> {
        let text = self.text(name);
        let parts = text.split('/').filter(|_| text != word);
        parts.map(parsed).collect()
    }

    /// Returns the value of a parameter as [`Values::get`] does; this one, which depends on the stream, where its default is a formula or it was
    /// not declared.
    pub fn or<V: FromStr + Display>(&mut self, name: &str, default: V) -> V {
        match self.peek(name).map(str::parse::<V>) {
            None => return default,
            Some(Ok(_)) => {}
            Some(Err(_)) => drop(self.state(name, default.to_string())),
        }
        self.get(name)
    }

    /// Returns whether the parameter was declared.
    pub fn knows(&self, name: &str) -> bool {
        self.peek(name).is_some()
    }

    /// Returns the value of a parameter that was declared, given or by default, without marking it.
    pub fn peek(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter();
        Some(values.find(|value| value.name == name)?.text())
    }

    /// Returns the value of a parameter that was declared, given or by default, without marking it.
    /// Panics as [`Values::get`].
    pub fn value<V: FromStr>(&self, name: &str) -> V {
        let text = self.peek(name);
        parsed(text.expect("parameters that are read are declared"))
    }

    /// Returns whether none was given.
    pub fn is_empty(&self) -> bool {
        self.given().next().is_none()
    }

    /// Returns the name and value of each that was given.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let values = self.0.iter();
        values.filter_map(|value| Some((value.name, value.given.as_deref()?)))
    }

    /// Returns a parameter that was given and not read.
    pub fn unread(&self) -> Option<&'static str> {
        let mut values = self.0.iter();
        let unread = values.find(|value| value.given.is_some() && !value.is_read);
        unread.map(|value| value.name)
    }

    /// Returns the values that were read, as if they had been given, and nothing else.
    #[must_use]
    pub fn read_values(mut self) -> Self {
        self.0.retain(|value| value.is_read);
        for value in &mut self.0 {
            value.given = Some(value.text().to_owned());
            value.is_read = false;
        }
        self
    }

    /// Returns the bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        let given = self.0.iter().filter_map(|value| value.given.as_ref());
        given.map(String::capacity).sum::<usize>() + self.0.capacity() * size_of::<Value>()
    }
}

/// Returns the value of a text that a parameter's rule has accepted; panics if it does not parse: then the rule accepts too much for the type.
fn parsed<V: FromStr>(text: &str) -> V {
    let value = text.parse().ok();
    value.expect("the parameter's rule accepts only what parses")
}

impl Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.given().map(|(name, text)| format!("{name}={text}"));
        f.write_str(&pairs.collect::<Vec<_>>().join(","))
    }
}

/// Why a text does not give values of parameters: a sentence with the name of whose parameters they are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParameterError(pub(crate) String);

/// Returns a text `name:key=value,…` as its name and what follows the colon.
///
/// ```
/// assert_eq!(forest_core::parameters::split("friedman:d=10"), ("friedman", "d=10"));
/// ```
pub fn split(text: &str) -> (&str, &str) {
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    (name.trim(), values)
}

/// Returns `" (did you mean `a` or `b`?)"`, the most similar first and three at most, or an empty text if no name is similar: by Jaro and Winkler, 0.8 or more.
///
/// ```
/// use forest_core::parameters::did_you_mean;
/// let names = ["letter", "satimage", "pendigits"];
/// assert_eq!(did_you_mean("leter", names), " (did you mean `letter`?)");
/// assert_eq!(did_you_mean("qqq", names), "");
/// ```
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let wanted = wanted.to_lowercase();
    let similarity = |name: &str| strsim::jaro_winkler(&wanted, &name.to_lowercase());
    let scored = names.into_iter().map(|name| (similarity(name), name));
    let mut similar: Vec<_> = scored.filter(|(score, _)| *score >= 0.8).collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    let nearest = similar.iter().take(3);
    let quoted: Vec<_> = nearest.map(|(_, name)| format!("`{name}`")).collect();
    if quoted.is_empty() {
        return String::new();
    }
    format!(" (did you mean {}?)", quoted.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

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
