//! Settings that are declared as parameters.

use crate::SettingError;
use crate::parameters::{Parameter, Values, check};

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
        values.given().for_each(|(name, text)| {
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
        for parameter in Self::parameters() {
            let value = self.get(parameter.name).unwrap_or_default();
            check(&[*parameter], parameter.name, value)?;
        }
        Ok(())
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

/// Declares the fields of a struct of settings as parameters: name, rule, default and meaning, once.
///
/// [`Default`] and [`Declared`](crate::registry::Declared) follow, with [`check_rules`](crate::registry::Declared::check_rules), which checks every value
/// against its rule.
///
/// ```
/// use forest_core::parameters::{Parameter, Rule, Words};
/// use forest_core::registry::{Declared, settings};
///
/// struct Settings {
///     depth: u32,
///     left: bool,
///     most: Option<u32>,
///     growth: Growth,
/// }
/// struct Growth {
///     scale: f64,
/// }
///
/// const SIDES: Words<bool, 2> = Words([("left", true), ("right", false)]);
///
/// settings! {
///     Settings {
///         // A number or text:
///         depth: Parameter::new("depth", Rule::Count(1), "8", "levels of a tree");
///         // A word for each value:
///         left: Parameter::new("side", Rule::Words(&SIDES.names()), "left", "side of a tie"), SIDES;
///         // A word for one variant, numbers for the other:
///         most: Parameter::new("most", Rule::Or(&Rule::Count(1), &["all"]), "all", "nodes of a tree"), "all" => None, Some;
///         // Parameters in a field:
///         growth: Growth { scale: Parameter::new("scale", Rule::POSITIVE, "1", "of the root"); }
///     }
/// }
///
/// let mut settings = Settings::default();
/// assert_eq!(settings.values().to_string(), "depth=8,side=left,most=all,scale=1");
/// assert!(settings.set("most", "7") && settings.set("side", "right") && !settings.set("width", "3"));
/// assert_eq!((settings.left, settings.most), (false, Some(7)));
/// assert_eq!(settings.get("most"), Some("7".to_owned()));
///
/// settings.depth = 0;
/// let error = settings.check_rules().unwrap_err();
/// assert_eq!(error.to_string(), "depth must be a whole number of at least 1, but is 0");
/// ```
///
/// There are four more kinds of lines: `field: PARAMETER, text, value;` with functions from the value to its text and back;
/// `field = value;` for a field that is not a parameter; `..field: Type;` for a part, which is [`Declared`](crate::registry::Declared) itself and
/// whose parameters follow the others; and `[S: Bound] Settings<S> { … }` for settings with type parameters. Methods of
/// [`Declared`](crate::registry::Declared) that differ stand in braces behind the fields.
#[macro_export]
macro_rules! settings {
    // All fields are read.
    (@ [$($generics:tt)*] [$settings:ty] [$($fields:tt)*] [$($values:tt)*] [$($part:ident: $type:ty,)*] [$($methods:tt)*]) => {
        impl<$($generics)*> ::std::default::Default for $settings {
            fn default() -> Self {
                Self { $($values)* }
            }
        }

        impl<$($generics)*> $crate::registry::Declared for $settings {
            const FIELDS: &'static [$crate::registry::Field<Self>] = &[$($fields)*];
            $crate::settings!(@parts $($part: $type,)*);
            $($methods)*
        }
    };
    (@parts) => {};
    (@parts $($part:ident: $type:ty,)+) => {
        fn parameters() -> ::std::vec::Vec<&'static $crate::parameters::Parameter> {
            let own = Self::FIELDS.iter().map(|field| &field.parameter);
            own$(.chain(<$type as $crate::registry::Declared>::parameters()))+.collect()
        }

        fn get(&self, name: &str) -> ::std::option::Option<::std::string::String> {
            self.get_own(name)$(.or_else(|| self.$part.get(name)))+
        }

        fn set(&mut self, name: &str, text: &str) -> bool {
            self.set_own(name, text)$( || self.$part.set(name, text))+
        }
    };
    // One field after the other: as a `Field`, and as its value by default.
    (@ $generics:tt $settings:tt $fields:tt [$($values:tt)*] [$($parts:tt)*] $methods:tt
     ..$part:ident: $type:ty; $($rest:tt)*) => {
        $crate::settings! { @ $generics $settings $fields
            [$($values)* $part: ::std::default::Default::default(),]
            [$($parts)* $part: $type,] $methods $($rest)* }
    };
    (@ $generics:tt $settings:tt $fields:tt [$($values:tt)*] $parts:tt $methods:tt
     $field:ident = $value:expr; $($rest:tt)*) => {
        $crate::settings! { @ $generics $settings $fields [$($values)* $field: $value,] $parts $methods $($rest)* }
    };
    (@ $generics:tt $settings:tt [$($fields:tt)*] [$($values:tt)*] $parts:tt $methods:tt
     $field:ident: $group:ident { $($inner:ident: $parameter:expr $(, $words:expr $(=> $none:path, $some:path)?)?;)* } $($rest:tt)*) => {
        $crate::settings! { @ $generics $settings
            [$($fields)* $($crate::settings!(@field [$field.$inner] $parameter $(, $words $(=> $none, $some)?)?),)*]
            [$($values)* $field: $group {
                $($inner: $crate::settings!(@value $parameter $(, $words $(=> $none, $some)?)?),)*
            },]
            $parts $methods $($rest)* }
    };
    (@ $generics:tt $settings:tt [$($fields:tt)*] [$($values:tt)*] $parts:tt $methods:tt
     $field:ident: $parameter:expr $(, $words:expr $(=> $none:path, $some:path)? $(, $value:expr)?)?; $($rest:tt)*) => {
        $crate::settings! { @ $generics $settings
            [$($fields)* $crate::settings!(@field [$field] $parameter $(, $words $(=> $none, $some)? $(, $value)?)?),]
            [$($values)* $field: $crate::settings!(@value $parameter $(, $words $(=> $none, $some)? $(, $value)?)?),]
            $parts $methods $($rest)* }
    };
    (@field [$($place:tt)*] $parameter:expr) => {
        $crate::registry::Field {
            parameter: $parameter,
            get: |settings| settings.$($place)*.to_string(),
            set: |settings, text| settings.$($place)* = $crate::parameters::parsed(text),
        }
    };
    (@field [$($place:tt)*] $parameter:expr, $words:expr) => {
        $crate::registry::Field {
            parameter: $parameter,
            get: |settings| $words.word(&settings.$($place)*),
            set: |settings, text| settings.$($place)* = $words.value(text),
        }
    };
    (@field [$($place:tt)*] $parameter:expr, $word:expr => $none:path, $some:path) => {
        $crate::registry::Field {
            parameter: $parameter,
            get: |settings| match &settings.$($place)* {
                $none => $word.to_owned(),
                $some(value) => value.to_string(),
            },
            set: |settings, text| {
                settings.$($place)* = match text {
                    word if word == $word => $none,
                    value => $some($crate::parameters::parsed(value)),
                }
            },
        }
    };
    (@field [$($place:tt)*] $parameter:expr, $text:expr, $value:expr) => {
        $crate::registry::Field {
            parameter: $parameter,
            get: |settings| $text(&settings.$($place)*),
            set: |settings, text| settings.$($place)* = $value(text),
        }
    };
    (@value $parameter:expr) => {
        $crate::parameters::parsed($crate::settings!(@default $parameter))
    };
    (@value $parameter:expr, $words:expr) => {
        $words.value($crate::settings!(@default $parameter))
    };
    // A default that is not a number stands for the word.
    (@value $parameter:expr, $word:expr => $none:path, $some:path) => {
        match $crate::settings!(@default $parameter).parse() {
            ::std::result::Result::Ok(value) => $some(value),
            ::std::result::Result::Err(_) => $none,
        }
    };
    (@value $parameter:expr, $text:expr, $value:expr) => {
        $value($crate::settings!(@default $parameter))
    };
    (@default $parameter:expr) => {{
        const PARAMETER: $crate::parameters::Parameter = $parameter;
        PARAMETER.default
    }};
    ([$($generics:tt)*] $settings:ty { $($entries:tt)* } $({ $($methods:tt)* })?) => {
        $crate::settings! { @ [$($generics)*] [$settings] [] [] [] [$($($methods)*)?] $($entries)* }
    };
    ($settings:ty { $($entries:tt)* } $({ $($methods:tt)* })?) => {
        $crate::settings! { @ [] [$settings] [] [] [] [$($($methods)*)?] $($entries)* }
    };
}
