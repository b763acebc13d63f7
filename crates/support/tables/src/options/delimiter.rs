//! Separators of cells.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::OptionError;

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Delimiter {
    /// Any number of blanks and tabs.
    Blanks,
    /// One ASCII character.
    Byte(u8),
}

impl FromStr for Delimiter {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        match text {
            "tab" | "\\t" => Ok(Delimiter::Byte(b'\t')),
            "blanks" | "space" | " " => Ok(Delimiter::Blanks),
            "\"" | "\n" | "\r" => Err(OptionError("another character than a quote or a line end")),
            _ => parse_ascii(text)
                .map(Delimiter::Byte)
                .map_err(|_| OptionError("one ASCII character, `tab` or `blanks`")),
        }
    }
}

impl fmt::Display for Delimiter {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delimiter::Blanks => f.write_str("blanks"),
            Delimiter::Byte(b'\t') => f.write_str("tab"),
            Delimiter::Byte(byte) => write!(f, "{}", char::from(*byte)),
        }
    }
}

/// Parses one ASCII character, for the option `--comment`.
///
/// # Errors
/// Returns an error for any other text, a quote or a line end.
pub fn parse_ascii(text: &str) -> Result<u8, OptionError> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | b'"') => Ok(*byte),
        _ => Err(OptionError("one ASCII character")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_have_names() {
        assert_eq!("tab".parse(), Ok(Delimiter::Byte(b'\t')));
        assert_eq!(";".parse(), Ok(Delimiter::Byte(b';')));
        assert_eq!("blanks".parse(), Ok(Delimiter::Blanks));
        for text in ["tab", ";", "blanks"] {
            let delimiter: Delimiter = text.parse().unwrap();
            assert_eq!(delimiter.to_string(), text);
        }
        for text in ["", ";;", "é", "\"", "\n"] {
            assert!(text.parse::<Delimiter>().is_err(), "{text:?}");
        }
    }
}
