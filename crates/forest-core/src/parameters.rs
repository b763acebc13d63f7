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
mod parameter;
mod rule;
mod values;
mod words;

pub use error::ParameterError;
pub use parameter::{Parameter, parsed};
pub use rule::Rule;
pub use values::Values;
pub use words::{Numbers, Words};

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

/// Names at least this similar (Jaro and Winkler, 0 to 1) are suggested.
const SIMILAR: f64 = 0.8;

const MOST_SUGGESTIONS: usize = 3;

/// `" (did you mean `a` or `b`?)"`, the most similar first, or an empty text if no name is similar.
///
/// ```
/// use forest_core::parameters::did_you_mean;
/// let names = ["letter", "satimage", "pendigits"];
/// assert_eq!(did_you_mean("leter", names), " (did you mean `letter`?)");
/// assert_eq!(did_you_mean("qqq", names), "");
/// ```
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let wanted = wanted.to_lowercase();
    let similarity = |name: &str| strsim::jaro_winkler(&wanted, &name.to_lowercase());
    let scored = names.into_iter().map(|name| (similarity(name), name));
    let mut similar: Vec<_> = scored.filter(|(score, _)| *score >= SIMILAR).collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    similar.truncate(MOST_SUGGESTIONS);
    let quoted: Vec<_> = similar
        .iter()
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!(" (did you mean {}?)", quoted.join(" or "))
    }
}
