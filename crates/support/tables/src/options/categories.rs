//! Encodings of categories.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::OptionError;

/// What becomes of a column of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Categories {
    /// A column `NAME=VALUE` of zeros and ones per value; all zeros for a value that was not there when fitted.
    OneHot {
        /// The most values that a column may have.
        limit: usize,
    },
    /// The number of the value: 0, 1, … in alphabetical or declared order, and −1 for a value that was not there.
    Ordinal,
    /// This number of columns `NAME#I` of zeros and ones; a value is in the one given by its hash, known or not.
    Hashing {
        /// Columns per column of words.
        buckets: u32,
    },
    /// A category, for algorithms that take categories; a value that was not there is one, too, by its hash.
    Native,
}

/// Values that one-hot encoding accepts by default.
const ONE_HOT_LIMIT: usize = 1024;

/// More hashed columns than this are refused: they would be longer than any list of categories.
pub(crate) const MAX_BUCKETS: u32 = 1 << 16;

impl Default for Categories {
    fn default() -> Self {
        Categories::OneHot {
            limit: ONE_HOT_LIMIT,
        }
    }
}

impl FromStr for Categories {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (word, number) = match text.split_once(':') {
            None => (text, None),
            Some((word, number)) => (word, Some(number)),
        };
        let expected = OptionError(
            "one-hot, one-hot:LIMIT, ordinal, native, or hash:N with N from 1 to 65536",
        );
        match (word, number.map(str::parse::<u32>)) {
            ("one-hot", None) => Ok(Self::default()),
            ("one-hot", Some(Ok(limit @ 1..))) => Ok(Self::OneHot {
                limit: limit as usize,
            }),
            ("ordinal", None) => Ok(Self::Ordinal),
            ("native", None) => Ok(Self::Native),
            ("hash", Some(Ok(buckets @ 1..=MAX_BUCKETS))) => Ok(Self::Hashing { buckets }),
            _ => Err(expected),
        }
    }
}

impl fmt::Display for Categories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneHot { limit } => write!(f, "one-hot:{limit}"),
            Self::Ordinal => f.write_str("ordinal"),
            Self::Native => f.write_str("native"),
            Self::Hashing { buckets } => write!(f, "hash:{buckets}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_of_categories_are_written_as_they_are_read() {
        for text in ["one-hot:7", "ordinal", "native", "hash:64"] {
            assert_eq!(text.parse::<Categories>().unwrap().to_string(), text);
        }
        assert_eq!("one-hot".parse(), Ok(Categories::default()));
        for text in [
            "",
            "hash",
            "hash:0",
            "hash:65537",
            "one-hot:0",
            "one-hot:x",
            "ordinal:3",
        ] {
            let error = text.parse::<Categories>().unwrap_err().to_string();
            assert!(error.starts_with("expected one-hot"), "{text}: {error}");
        }
    }
}
