//! Parameters declared once, and texts `name:key=value,…` read by what was declared.
//!
//! A [`Parameter`] says how it is called, which values it accepts and what it means. [`Values`] are values that were given as text; what
//! can be wrong with a text is a [`ParameterError`], which names the nearest that exists.
//!
//! ```
//! use forest_core::parameters::{Parameter, Rule, Values};
//!
//! const DEPTH: &Parameter = &Parameter::new("depth", Rule::Count(0), "0", "levels of a tree");
//!
//! let values = Values::read("tree", &[DEPTH], "depth=7")?;
//! assert_eq!(values.value::<u32>("depth"), 7);
//!
//! let error = Values::read("tree", &[DEPTH], "dept=7").unwrap_err();
//! assert!(error.to_string().contains("did you mean `depth`?"));
//! # Ok::<(), forest_core::parameters::ParameterError>(())
//! ```

mod error;
mod numbers;
mod parameter;
mod rule;
mod similar;
mod values;
mod words;

pub use error::ParameterError;
pub use numbers::Numbers;
pub use parameter::{Parameter, parsed};
pub use rule::Rule;
pub use similar::did_you_mean;
pub use values::Values;
pub use words::Words;

/// Returns a text `name:key=value,…` as its name and what follows the colon.
///
/// ```
/// assert_eq!(forest_core::parameters::split("letter"), ("letter", ""));
/// assert_eq!(forest_core::parameters::split("friedman:d=10"), ("friedman", "d=10"));
/// ```
pub fn split(text: &str) -> (&str, &str) {
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    (name.trim(), values)
}
