//! Parameters declared once, and texts `name:key=value,…` read by what was declared.
//!
//! A [`Parameter`] states its name, the values that it accepts and what it means; [`Values`] are what was given.
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

mod rule;
mod values;

use std::fmt::Display;

use thiserror::Error;

use crate::SettingError;

pub use rule::Rule;
pub use values::Values;

/// A parameter as users see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key in `name:key=value`.
    pub name: &'static str,
    /// The value that is used if none is given, as text; a formula if it depends on the stream.
    pub default: &'static str,
    /// What it does, in one line.
    pub meaning: &'static str,
    /// The values that are accepted.
    pub rule: Rule,
    /// The name of the task that has it, if only one does.
    pub task: Option<&'static str>,
    /// Another parameter, and those of its values with which this one has an effect; with every value if `None`.
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

    /// Returns the same parameter, which only this task has.
    #[must_use]
    pub const fn of(mut self, task: &'static str) -> Self {
        self.task = Some(task);
        self
    }

    /// Returns the same parameter, which has an effect only with these values of another one.
    #[must_use]
    pub const fn beside(mut self, other: &'static str, values: &'static [&'static str]) -> Self {
        self.beside = Some((other, values));
        self
    }

    /// Returns the same parameters, which have an effect only with these values of another one.
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
///
/// # Errors
/// Returns an error if the value breaks the rule.
pub fn check(known: &[Parameter], name: &str, value: impl Display) -> Result<(), SettingError> {
    match known.iter().find(|known| known.name == name) {
        Some(Parameter { name, rule, .. }) if rule.canonical(&value.to_string()).is_none() => {
            Err(SettingError::new(name, format!("must be {rule}"), value))
        }
        _ => Ok(()),
    }
}

/// Declares parameters as a table: name, rule, default and meaning of each, and the task that has it, if only one does.
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

/// Returns the text of a value, or `word` for `None`.
pub fn or_word<V: Display>(value: Option<V>, word: &str) -> String {
    value.map_or(word.to_owned(), |value| value.to_string())
}

/// Why a text does not name an algorithm, or give values of parameters: a sentence that names their owner.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ParameterError(pub(crate) String);

/// Returns a text `name:key=value,…` as its name and what follows the colon.
pub fn split(text: &str) -> (&str, &str) {
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    (name.trim(), values)
}

/// Returns `" (did you mean `a` or `b`?)"` with up to three names of a similarity (Jaro and Winkler) of 0.8 or more,
/// the most similar first; an empty text without any.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let wanted = wanted.to_lowercase();
    let mut similar = Vec::new();
    for name in names {
        let similarity = strsim::jaro_winkler(&wanted, &name.to_lowercase());
        if similarity >= 0.8 {
            similar.push((similarity, name));
        }
    }
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    let nearest = similar.iter().take(3);
    let quoted: Vec<_> = nearest.map(|(_, name)| format!("`{name}`")).collect();
    if quoted.is_empty() {
        return String::new();
    }
    format!(" (did you mean {}?)", quoted.join(" or "))
}
