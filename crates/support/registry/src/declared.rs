//! Settings that are declared as parameters.

use forest_core::Vote;
use parameters::{Field, Parameter, Values, field};

use crate::{VOTE, VOTES};

/// Settings that are declared as parameters: each has a name, a rule, a default and a meaning beside the place that holds it.
///
/// [`Default`] is what they are before anything is said. Settings that consist of parts say so by looking into them, too.
///
/// ```
/// use registry::Declared;
/// use registry::parameters::{Field, Parameter, Rule, field};
///
/// #[derive(Default)]
/// struct Settings {
///     depth: u32,
/// }
///
/// impl Declared for Settings {
///     const FIELDS: &'static [Field<Self>] = &[field!(
///         Parameter::new("depth", Rule::Count(0), "0", "levels of a tree"),
///         settings => settings.depth
///     )];
/// }
///
/// let mut settings = Settings::default();
/// assert!(settings.set("depth", "7") && !settings.set("width", "3"));
/// assert_eq!(settings.get("depth"), Some("7".to_owned()));
/// assert_eq!(settings.get("width"), None);
/// ```
pub trait Declared: Default + 'static {
    /// What these settings hold themselves.
    const FIELDS: &'static [Field<Self>];

    /// The parameters, those of parts included, in the order in which users see them.
    fn parameters() -> Vec<&'static Parameter> {
        Self::FIELDS.iter().map(|field| &field.parameter).collect()
    }

    /// The value of a parameter as text; `None` if there is none of this name.
    fn get(&self, name: &str) -> Option<String> {
        self.get_own(name)
    }

    /// Puts in a value that the parameter's rule accepts, and answers whether there is a parameter of this name.
    fn set(&mut self, name: &str, text: &str) -> bool {
        self.set_own(name, text)
    }

    /// [`Default`], with these values of parameters put in.
    fn with(values: &Values) -> Self {
        let mut settings = Self::default();
        values.iter().for_each(|(name, text)| {
            settings.set(name, text);
        });
        settings
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

/// No settings.
impl Declared for () {
    const FIELDS: &'static [Field<Self>] = &[];
}

/// A vote is all that is chosen.
impl Declared for Vote {
    const FIELDS: &'static [Field<Self>] = &[field!(VOTE, vote => *vote, VOTES)];
}
