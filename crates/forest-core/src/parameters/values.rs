//! Values of parameters: those given as text, and those that were read.

use std::borrow::Borrow;
use std::fmt::{self, Display};
use std::str::FromStr;

use super::{Parameter, ParameterError, did_you_mean};

/// Values of parameters in canonical text, given or by default, in the order of their declarations.
///
/// The function that builds a learner reads them; the values that it has read are its identity, and a parameter that
/// was [given and not read](Values::unread) has no effect. [`Display`] writes what was given as `key=value,…`.
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
                values.0.push(Value {
                    name,
                    default,
                    given: None,
                    is_read: false,
                });
            }
        }
        values
    }

    /// Returns the same with what was given in `others`, of the parameters that are declared here.
    #[must_use]
    pub(crate) fn giving(mut self, others: &Self) -> Self {
        for value in &mut self.0 {
            let given = others.given().find(|(name, _)| *name == value.name);
            value.given = given.map(|(_, text)| text.to_owned());
        }
        self
    }

    /// Reads `key=value,…`, blanks around keys and values allowed. `owner` is named in errors.
    ///
    /// # Errors
    /// Returns an error if a piece is not `key=value`, a parameter is unknown or given twice, or its rule is broken.
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
            let name = name.trim();
            let value = value.trim();
            let Some(parameter) = known.iter().find(|known| known.name == name) else {
                let nearest = did_you_mean(name, known.iter().map(|known| known.name));
                let defaults = known
                    .iter()
                    .map(|known| format!("{}={}", known.name, known.default));
                let takes = defaults.collect::<Vec<_>>().join(", ");
                let takes = if takes.is_empty() { "none" } else { &takes };
                let what = format!("{owner} has no parameter `{name}`{nearest}; it takes: {takes}");
                return Err(ParameterError(what));
            };
            let rule = parameter.rule;
            let Some(text) = rule.canonical(value) else {
                return wrong(format!("{name} must be {rule}, but is `{value}`"));
            };
            if values.state(name, text).is_some() {
                return wrong(format!("{name} is given twice; give it once"));
            }
        }
        Ok(values)
    }

    /// Replaces the given value of a parameter, if it is declared; returns the one before.
    pub(crate) fn state(&mut self, name: &str, text: String) -> Option<String> {
        let value = self.0.iter_mut().find(|value| value.name == name)?;
        value.given.replace(text)
    }

    /// Returns the value of a parameter, given or by default, and marks it as read.
    /// Panics if the parameter was not declared, or the value does not parse: the rule accepts too much for the type.
    pub fn get<V: FromStr>(&mut self, name: &str) -> V {
        parsed(&self.text(name))
    }

    /// Returns the value of a parameter as text, and marks it as read. Panics if the parameter was not declared.
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

    /// Returns what the word stands for that is the value of a parameter. Panics if it is not among `words`.
    pub fn one_of<V: Copy>(&mut self, name: &str, words: &[(&str, V)]) -> V {
        let text = self.text(name);
        let found = words.iter().find(|(word, _)| *word == text);
        found.expect("the rule accepts only these words").1
    }

    /// Returns the value of a parameter; `None` if it is this word.
    pub fn unless<V: FromStr>(&mut self, name: &str, word: &str) -> Option<V> {
        let text = self.text(name);
        (text != word).then(|| parsed(&text))
    }

    /// Returns the values of a parameter, separated by `/` in the text; an empty list if it is this word.
    pub fn list<V: FromStr>(&mut self, name: &str, word: &str) -> Vec<V> {
        let text = self.text(name);
        let parts = text.split('/').filter(|_| text != word);
        parts.map(parsed).collect()
    }

    /// Returns the value of a parameter as [`Values::get`] does, or `default`, which depends on the stream, if the
    /// declared default is a formula or the parameter was not declared.
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

    /// Returns the value of a parameter without marking it. Panics as [`Values::get`].
    pub fn value<V: FromStr>(&self, name: &str) -> V {
        let text = self.peek(name);
        parsed(text.expect("parameters that are read are declared"))
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
    pub(crate) fn read_values(mut self) -> Self {
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

/// Returns the value of a text; panics if it does not parse: then the parameter's rule accepts too much.
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
