//! Parameters declared once, and texts `name:key=value,…` read by what was declared.
//!
//! A [`Parameter`] says how it is called, which values it accepts and what it means. A [`Field`] ties it
//! to the place in typed settings that holds it; [`field!`] writes one. [`Values`] are values that were given as text; what
//! can be wrong with a text is a [`ParameterError`], which names the nearest that exists.
//!
//! ```
//! use parameters::{Field, Parameter, Rule, Values, field};
//!
//! #[derive(Default)]
//! struct Settings {
//!     depth: u32,
//! }
//! static FIELDS: [Field<Settings>; 1] = [field!(
//!     Parameter::new("depth", Rule::Count(0), "0", "levels of a tree"),
//!     settings => settings.depth
//! )];
//!
//! let known = FIELDS.iter().map(|field| &field.parameter).collect::<Vec<_>>();
//! let values = Values::read("tree", &known, "depth=7")?;
//! let mut settings = Settings::default();
//! values.set(&mut settings, &FIELDS);
//! assert_eq!(settings.depth, 7);
//!
//! let error = Values::read("tree", &known, "dept=7").unwrap_err();
//! assert!(error.to_string().contains("did you mean `depth`?"));
//! # Ok::<(), parameters::ParameterError>(())
//! ```

mod error;
mod field;
mod numbers;
mod rule;
mod similar;
mod values;
mod words;

pub use error::ParameterError;
pub use field::{Field, Parameter, parsed};
pub use numbers::Numbers;
pub use rule::Rule;
pub use similar::did_you_mean;
pub use values::Values;
pub use words::Words;

/// A text `name:key=value,…` as its name and what follows the colon.
///
/// ```
/// assert_eq!(parameters::split("letter"), ("letter", ""));
/// assert_eq!(parameters::split("friedman:d=10"), ("friedman", "d=10"));
/// ```
pub fn split(text: &str) -> (&str, &str) {
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    (name.trim(), values)
}

/// The example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeOfCrate;
