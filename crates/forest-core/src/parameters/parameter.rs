//! What a parameter is called, may be and means.

use std::str::FromStr;

use crate::parameters::Rule;

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
}

impl Parameter {
    /// Returns the parameter `name`, which accepts what `rule` says.
    ///
    /// ```
    /// use forest_core::parameters::{Parameter, Rule};
    /// let depth = Parameter::new("depth", Rule::Count(1), "8", "levels of a tree");
    /// assert_eq!((depth.rule, depth.default), (Rule::Count(1), "8"));
    /// ```
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
        }
    }

    /// Returns the same parameter with another default.
    #[must_use]
    pub const fn with_default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// Returns whether its rule accepts this value.
    pub fn accepts(&self, value: &str) -> bool {
        self.rule.canonical(value).is_some()
    }
}

/// Returns the value of a text that a parameter's rule has accepted.
///
/// # Panics
/// If the text does not parse: then the rule accepts too much for the type.
pub fn parsed<V: FromStr>(text: &str) -> V {
    let value = text.parse().ok();
    value.expect("the parameter's rule accepts only what parses")
}
