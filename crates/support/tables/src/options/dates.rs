//! Treatment of dates.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::OptionError;

/// What becomes of a column of dates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dates {
    /// Formats are recognised, and dates become days since 1970-01-01, the time of day a fraction of one; a time without a
    /// date is the fraction alone.
    #[default]
    Auto,
    /// They are words like others.
    Text,
    /// Columns nearly all of whose cells fit this pattern of `strptime` are dates, and no others.
    Pattern(String),
}

impl FromStr for Dates {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        match text {
            "auto" => Ok(Dates::Auto),
            "text" => Ok(Dates::Text),
            pattern if pattern.contains('%') => Ok(Dates::Pattern(pattern.to_owned())),
            _ => Err(OptionError("auto, text, or a pattern such as %d/%m/%Y")),
        }
    }
}

impl fmt::Display for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dates::Auto => "auto",
            Dates::Text => "text",
            Dates::Pattern(pattern) => pattern,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_dates_has_a_percent_sign() {
        assert_eq!("%d.%m.%Y".parse(), Ok(Dates::Pattern("%d.%m.%Y".into())));
        assert!("dmy".parse::<Dates>().is_err());
    }
}
