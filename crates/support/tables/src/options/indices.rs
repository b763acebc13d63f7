//! Indices of the features of a LIBSVM file.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::OptionError;
use crate::MAX_COLUMNS;

/// The indices that features of LIBSVM's format may have, from the first to the last: `1-126`.
///
/// ```
/// let indices: tables::Indices = "0-3".parse()?;
/// assert_eq!(indices.range(), 0..=3);
/// assert!("3-0".parse::<tables::Indices>().is_err());
/// # Ok::<(), tables::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Indices {
    first: u32,
    last: u32,
}

impl Indices {
    /// Returns the range.
    pub fn range(self) -> RangeInclusive<u32> {
        self.first..=self.last
    }
}

impl FromStr for Indices {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let ends = text.split_once('-');
        let ends = ends.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
        match ends {
            // The label is a column, too.
            Some((first, last)) if first <= last && ((last - first) as usize) < MAX_COLUMNS - 1 => {
                Ok(Self { first, last })
            }
            _ => Err(OptionError(
                "FIRST-LAST, two whole numbers such as 1-126, at most 1048575 features",
            )),
        }
    }
}

impl TryFrom<String> for Indices {
    type Error = OptionError;

    fn try_from(text: String) -> Result<Self, OptionError> {
        text.parse()
    }
}

impl From<Indices> for String {
    fn from(indices: Indices) -> Self {
        indices.to_string()
    }
}

impl fmt::Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_features_than_columns_beside_the_label() {
        assert_eq!(MAX_COLUMNS, 1_048_576);
        assert!("1-1048575".parse::<Indices>().is_ok());
        for text in ["1-1048576", "0-4294967295", "5", "-5", "1-", "a-b", "2-1"] {
            assert!(text.parse::<Indices>().is_err(), "{text}");
        }
    }
}
