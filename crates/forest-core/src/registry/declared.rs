//! Settings that are declared as parameters.

use crate::parameters::{Parameter, Values};
use crate::{SettingError, Vote};

use crate::registry::{VOTE, VOTES};

/// Settings that are declared as parameters: each has a name, a rule, a default and a meaning beside the place that holds it.
/// [`settings!`](crate::registry::settings) declares them; what follows from that is here.
pub trait Declared: Default + 'static {
    /// What these settings hold themselves.
    const FIELDS: &'static [Field<Self>];

    /// Returns the parameters, those of parts included, in the order in which users see them.
    fn parameters() -> Vec<&'static Parameter> {
        Self::FIELDS.iter().map(|field| &field.parameter).collect()
    }

    /// Returns the value of a parameter as text; `None` if there is not one of this name.
    fn get(&self, name: &str) -> Option<String> {
        self.get_own(name)
    }

    /// Puts in a value that the parameter's rule accepts, and returns whether there is a parameter of this name.
    fn set(&mut self, name: &str, text: &str) -> bool {
        self.set_own(name, text)
    }

    /// Returns [`Default`], with these values of parameters put in.
    fn with(values: &Values) -> Self {
        let mut settings = Self::default();
        values.iter().for_each(|(name, text)| {
            settings.set(name, text);
        });
        settings
    }

    /// Returns the value of each parameter.
    fn values(&self) -> Values {
        let value = |parameter: &'static Parameter| Some((parameter, self.get(parameter.name)?));
        Self::parameters().into_iter().filter_map(value).collect()
    }

    /// Checks every value against the rule of its parameter. What depends on several, or on the stream, is checked beside it.
    ///
    /// # Errors
    /// The first parameter whose rule does not accept its value.
    fn check_rules(&self) -> Result<(), SettingError> {
        let broken = |parameter: &'static Parameter| {
            let value = self.get(parameter.name);
            let value = value.filter(|value| value != parameter.default)?;
            let (rule, part) = parameter.rule.broken_by(&value)?;
            let rule = format!("must be {rule}");
            Some(SettingError::new(parameter.name, rule, part))
        };
        Self::parameters()
            .into_iter()
            .find_map(broken)
            .map_or(Ok(()), Err)
    }

    /// As [`Declared::get`], of [`Declared::FIELDS`] alone.
    fn get_own(&self, name: &str) -> Option<String> {
        field_named::<Self>(name).map(|field| (field.get)(self))
    }

    /// As [`Declared::set`], of [`Declared::FIELDS`] alone.
    fn set_own(&mut self, name: &str, text: &str) -> bool {
        let field = field_named::<Self>(name);
        field.map(|field| (field.set)(self, text)).is_some()
    }
}

fn field_named<S: Declared>(name: &str) -> Option<&'static Field<S>> {
    let mut fields = S::FIELDS.iter();
    fields.find(|field| field.parameter.name == name)
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

/// No settings.
impl Declared for () {
    const FIELDS: &'static [Field<Self>] = &[];
}

/// A vote is all that is chosen.
impl Declared for Vote {
    const FIELDS: &'static [Field<Self>] = &[Field {
        parameter: VOTE,
        get: |vote| VOTES.word(vote),
        set: |vote, text| *vote = VOTES.value(text),
    }];
}
