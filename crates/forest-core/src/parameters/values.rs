//! Values of parameters, given as text.

use std::fmt;
use std::str::FromStr;

use crate::parameters::error::described;
use crate::parameters::{Parameter, ParameterError, did_you_mean, parsed};

/// Values of parameters in canonical text, which their rules accept, in the order of the declarations.
///
/// [`Display`](fmt::Display) writes `key=value,…`, which [`Values::read`] reads back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<(&'static Parameter, String)>);

impl Values {
    /// Reads `key=value,…`, blanks around keys and values allowed. `owner` is named in errors.
    ///
    /// # Errors
    /// A piece that is not `key=value`, a parameter that is not `known` or given twice, or a value
    /// that its rule refuses.
    pub fn read(
        owner: &'static str,
        known: &[&'static Parameter],
        text: &str,
    ) -> Result<Self, ParameterError> {
        let pieces = text.split(',').map(str::trim);
        let pieces = pieces.filter(|piece| !piece.is_empty());
        let read = pieces.map(|piece| read_one(owner, known, piece));
        let mut values = read.collect::<Result<Vec<_>, _>>()?;
        values.sort_by_key(|(parameter, _)| place(known, parameter));
        let twice = values.windows(2).find(|pair| pair[0].0 == pair[1].0);
        match twice {
            None => Ok(Self(values)),
            Some(pair) => Err(ParameterError::GivenTwice {
                owner,
                parameter: pair[0].0.name,
            }),
        }
    }

    /// Returns the same values, and those of `others` whose parameters have none here.
    #[must_use]
    pub fn or(mut self, others: Self) -> Self {
        let is_new = |name: &str| self.text(name).is_none();
        let new: Vec<_> = others
            .0
            .into_iter()
            .filter(|(parameter, _)| is_new(parameter.name))
            .collect();
        self.0.extend(new);
        self
    }

    /// Returns the same values, and the defaults of those parameters of `known` that were not given.
    #[must_use]
    pub fn or_defaults(mut self, known: &[&'static Parameter]) -> Self {
        for parameter in known {
            if self.text(parameter.name).is_none() {
                self.0.push((parameter, parameter.default.to_owned()));
            }
        }
        self
    }

    /// Returns the bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        let texts: usize = self.0.iter().map(|(_, text)| text.capacity()).sum();
        texts + self.0.capacity() * size_of::<(&Parameter, String)>()
    }

    /// Returns the values of these parameters, in their order.
    pub(crate) fn in_order_of(&self, parameters: &[&'static Parameter]) -> Self {
        let value = |&parameter: &&'static Parameter| {
            let text = self.text(parameter.name)?;
            Some((parameter, text.to_owned()))
        };
        parameters.iter().filter_map(value).collect()
    }

    /// Puts a value in canonical text in the place of one that is there.
    pub(crate) fn replace(&mut self, parameter: &Parameter, text: String) {
        for (known, value) in &mut self.0 {
            if known.name == parameter.name {
                value.clone_from(&text);
            }
        }
    }

    /// Returns the name and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0
            .iter()
            .map(|(parameter, text)| (parameter.name, text.as_str()))
    }

    /// Returns the value of a parameter as text, if there is one.
    pub fn text(&self, name: &str) -> Option<&str> {
        let mut pairs = self.iter();
        pairs
            .find(|(known, _)| *known == name)
            .map(|(_, text)| text)
    }

    /// Returns the value of a parameter that was given, or has its default.
    ///
    /// # Panics
    /// If there is none, or it is not a `V`: both are faults of the declaration.
    pub fn value<V: FromStr>(&self, name: &str) -> V {
        let text = self.text(name);
        parsed(text.expect("parameters that are read are declared"))
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(&'static Parameter, String)> for Values {
    /// Values in canonical text, which the rules of their parameters accept.
    fn from_iter<I: IntoIterator<Item = (&'static Parameter, String)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, text)) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(f, "{separator}{name}={text}")?;
        }
        Ok(())
    }
}

fn read_one(
    owner: &'static str,
    known: &[&'static Parameter],
    piece: &str,
) -> Result<(&'static Parameter, String), ParameterError> {
    let no_value = || ParameterError::NoValue {
        owner,
        found: piece.to_owned(),
    };
    let (name, value) = piece.split_once('=').ok_or_else(no_value)?;
    let (name, value) = (name.trim(), value.trim());
    let parameter = known.iter().find(|parameter| parameter.name == name);
    let parameter = *parameter.ok_or_else(|| unknown(owner, known, name))?;
    let bad_value = || ParameterError::BadValue {
        owner,
        parameter: parameter.name,
        rule: parameter.rule,
        value: value.to_owned(),
    };
    let canonical = parameter.rule.canonical(value).ok_or_else(bad_value)?;
    Ok((parameter, canonical))
}

fn unknown(owner: &'static str, known: &[&Parameter], name: &str) -> ParameterError {
    let names = known.iter().map(|parameter| parameter.name);
    ParameterError::Unknown {
        owner,
        name: name.to_owned(),
        suggestion: did_you_mean(name, names),
        known: described(known),
    }
}

fn place(known: &[&Parameter], parameter: &Parameter) -> Option<usize> {
    known.iter().position(|other| other.name == parameter.name)
}
