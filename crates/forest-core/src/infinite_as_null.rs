//! Numbers that may be infinite, in formats for people: JSON has no infinity.
//!
//! With `#[serde(with = "forest_core::infinite_as_null")]` a field that may be infinite is `null` then, which is what
//! `serde_json` writes for it anyway, and `null` is read as infinite. Binary formats are unchanged.
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Settings {
//!     #[serde(with = "forest_core::infinite_as_null")]
//!     budget: f64,
//! }
//!
//! let text = serde_json::to_string(&Settings { budget: f64::INFINITY })?;
//! assert_eq!(text, r#"{"budget":null}"#);
//! assert_eq!(serde_json::from_str::<Settings>(&text)?.budget, f64::INFINITY);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the number.
///
/// # Errors
/// A number that the format cannot write.
pub fn serialize<F, S>(number: &F, serializer: S) -> Result<S::Ok, S::Error>
where
    F: Copy + PartialEq + From<f32> + Serialize,
    S: Serializer,
{
    if serializer.is_human_readable() {
        Some(*number)
            .filter(|number| *number != infinity())
            .serialize(serializer)
    } else {
        number.serialize(serializer)
    }
}

/// Reads the number.
///
/// # Errors
/// A value that is not a number.
pub fn deserialize<'de, F, D>(deserializer: D) -> Result<F, D::Error>
where
    F: From<f32> + Deserialize<'de>,
    D: Deserializer<'de>,
{
    if deserializer.is_human_readable() {
        Ok(Option::deserialize(deserializer)?.unwrap_or_else(infinity))
    } else {
        F::deserialize(deserializer)
    }
}

fn infinity<F: From<f32>>() -> F {
    f32::INFINITY.into()
}
