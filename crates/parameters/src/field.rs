//! What a parameter is called, may be and means, and where it is held.

use std::str::FromStr;

use crate::Rule;

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

/// A parameter and the place in settings `S` that holds it.
#[derive(Debug)]
pub struct Field<S: 'static> {
    /// The parameter.
    pub parameter: Parameter,
    /// Its value in settings, as text that its rule accepts.
    pub get: fn(&S) -> String,
    /// Puts a value into settings, from a text that its rule accepts.
    pub set: fn(&mut S, &str),
}

impl<S> Field<S> {
    /// The same field where the default is another.
    pub const fn with_default(self, default: &'static str) -> Self {
        let parameter = Parameter {
            default,
            ..self.parameter
        };
        Self { parameter, ..self }
    }
}

/// The value of a text that a parameter's rule has accepted.
///
/// # Panics
/// If the text does not parse: then the rule accepts too much for the type.
pub fn parsed<V: FromStr>(text: &str) -> V {
    let value = text.parse().ok();
    value.expect("the parameter's rule accepts only what parses")
}
