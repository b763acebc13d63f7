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

impl Parameter {
    /// The parameter `name`, which accepts what `rule` says.
    ///
    /// ```
    /// use parameters::{Parameter, Rule};
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

    /// The same parameter with another default.
    #[must_use]
    pub const fn with_default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// Whether its rule accepts this value.
    pub fn accepts(&self, value: &str) -> bool {
        self.rule.canonical(value).is_some()
    }
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

/// A [`Field`] that holds its value as it is, as the word that [`Words`](crate::Words) have for it, or as a variant for
/// one word and another for all other texts.
///
/// What holds the value is written once, as an expression of settings.
///
/// ```
/// use parameters::{Field, Parameter, Rule, Words, field};
///
/// struct Settings {
///     depth: u32,
///     left: bool,
///     most: Option<u32>,
/// }
/// const SIDES: Words<bool, 2> = Words([("left", true), ("right", false)]);
/// const DEPTH: Field<Settings> = field!(
///     Parameter::new("depth", Rule::Count(1), "8", "levels of a tree"),
///     settings => settings.depth
/// );
/// const SIDE: Field<Settings> = field!(
///     Parameter::new("side", Rule::Words(&SIDES.names()), "left", "side of a tie"),
///     settings => settings.left, SIDES
/// );
/// const MOST: Field<Settings> = field!(
///     Parameter::new("most", Rule::CountOr(1, "all"), "all", "nodes of a tree"),
///     settings => settings.most, "all" => None, Some
/// );
///
/// let mut settings = Settings { depth: 8, left: true, most: None };
/// assert_eq!((MOST.get)(&settings), "all");
/// (DEPTH.set)(&mut settings, "3");
/// (SIDE.set)(&mut settings, "right");
/// (MOST.set)(&mut settings, "7");
/// assert_eq!((settings.depth, settings.left, settings.most), (3, false, Some(7)));
/// assert_eq!((DEPTH.get)(&settings), "3");
/// assert_eq!((SIDE.get)(&settings), "right");
/// assert_eq!((MOST.get)(&settings), "7");
/// ```
#[macro_export]
macro_rules! field {
    ($parameter:expr, $settings:ident => $place:expr) => {
        $crate::Field {
            parameter: $parameter,
            get: |$settings| $place.to_string(),
            set: |$settings, text| $place = $crate::parsed(text),
        }
    };
    ($parameter:expr, $settings:ident => $place:expr, $words:expr) => {
        $crate::Field {
            parameter: $parameter,
            get: |$settings| $words.word(&$place),
            set: |$settings, text| $place = $words.value(text),
        }
    };
    ($parameter:expr, $settings:ident => $place:expr, $word:expr => $none:path, $some:path) => {
        $crate::Field {
            parameter: $parameter,
            get: |$settings| match &$place {
                $none => $word.to_owned(),
                $some(value) => value.to_string(),
            },
            set: |$settings, text| {
                $place = match text == $word {
                    true => $none,
                    false => $some($crate::parsed(text)),
                }
            },
        }
    };
}

/// The value of a text that a parameter's rule has accepted.
///
/// # Panics
/// If the text does not parse: then the rule accepts too much for the type.
pub fn parsed<V: FromStr>(text: &str) -> V {
    let value = text.parse().ok();
    value.expect("the parameter's rule accepts only what parses")
}
