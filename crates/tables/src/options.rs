//! What a user may say about a table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Decimal, Missing, Numbers};

/// What a user may say about a table; `Default` says nothing, and what can be recognised is.
///
/// With the feature `clap` these are options of a command line: flatten them into its arguments.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Tables"))]
pub struct TableOptions {
    /// What stands between cells: a character, tab, or blanks [default: the one of , tab ; | that occurs most on the
    /// first line, else blanks]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR|tab|blanks"))]
    pub delimiter: Option<Delimiter>,

    /// Whether the first line names the columns
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub header: HeaderLine,

    /// Lines that begin with this character are left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR", value_parser = parse_ascii))]
    pub comment: Option<u8>,

    /// What stands before the fraction of a number
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub decimal: Decimal,

    /// What stands between groups of three digits [default: nothing]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR"))]
    pub thousands: Option<char>,

    /// What is done about cells without a value: empty, NA, N/A, ?, nan, null
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub missing: Missing,

    /// The columns that are features, by name or number from 1, separated by commas [default: all but the target]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "COLUMN,…", value_delimiter = ',')
    )]
    pub columns: Vec<String>,

    /// Columns that are no features
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "COLUMN,…",
            value_delimiter = ',',
            visible_alias = "ignore"
        )
    )]
    pub drop: Vec<String>,

    /// Columns whose values are categories although they look like numbers or dates
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "COLUMN,…", value_delimiter = ',')
    )]
    pub categorical: Vec<String>,

    /// What becomes of words: a column of zeros and ones per value (and at most LIMIT of them), the number of the
    /// value, or N columns that values share by their hash
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "one-hot[:LIMIT]|ordinal|hash:N", default_value_t)
    )]
    pub categories: Categories,

    /// How dates are written: recognised, not at all (they are words), or as a pattern such as %d/%m/%Y
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "auto|text|PATTERN", default_value_t)
    )]
    pub dates: Dates,

    /// The encoding of the text [default: as its byte order mark says, else utf-8]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub encoding: Option<Encoding>,
}

impl TableOptions {
    /// How numbers are written.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            decimal: self.decimal,
            thousands: self.thousands,
        }
    }

    /// Whether columns are chosen, which some formats cannot follow.
    pub fn choose_columns(&self) -> bool {
        !(self.columns.is_empty() && self.drop.is_empty())
    }

    pub(crate) fn comment_char(&self) -> Option<char> {
        self.comment.map(char::from)
    }

    /// Separators worth counting, the likeliest first.
    pub(crate) fn likely_separators(&self) -> impl DoubleEndedIterator<Item = u8> + use<> {
        let is_decimal_comma = self.decimal == Decimal::Comma;
        let is_likely = move |byte: &u8| !(is_decimal_comma && *byte == b',');
        [b',', b'\t', b';', b'|'].into_iter().filter(is_likely)
    }
}

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// Any number of blanks and tabs.
    Blanks,
    /// One ASCII character.
    Byte(u8),
}

/// Whether the first line names the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum HeaderLine {
    /// It does if it has no number and its cells do not come again.
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It is a row.
    No,
}

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
    /// So many columns `NAME#I` of zeros and ones; a value is in the one that its hash tells, known or not.
    Hashing {
        /// Columns per column of words.
        buckets: u32,
    },
}

/// Values that one-hot encoding accepts unless told otherwise.
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

/// What becomes of a column of dates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Dates {
    /// Formats are recognised, and dates become days since 1970-01-01, the time of day a fraction of one.
    ///
    /// A feature is an `f32`, which near today tells times apart that are about three minutes apart.
    #[default]
    Auto,
    /// They are words like others.
    Text,
    /// Columns that fit this pattern of `strptime` are dates, and no others.
    Pattern(String),
}

/// How characters are written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Encoding {
    /// UTF-8.
    #[cfg_attr(feature = "clap", value(name = "utf-8"))]
    Utf8,
    /// UTF-16, the low byte first.
    #[cfg_attr(feature = "clap", value(name = "utf-16le", alias = "utf-16"))]
    Utf16Le,
    /// UTF-16, the high byte first.
    #[cfg_attr(feature = "clap", value(name = "utf-16be"))]
    Utf16Be,
    /// Latin-1, in its extension Windows-1252.
    #[cfg_attr(feature = "clap", value(name = "latin-1", alias = "windows-1252"))]
    Latin1,
}

impl Encoding {
    pub(crate) fn standard(self) -> &'static encoding_rs::Encoding {
        match self {
            Encoding::Utf8 => encoding_rs::UTF_8,
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
            Encoding::Latin1 => encoding_rs::WINDOWS_1252,
        }
    }
}

/// A word on the command line that means nothing there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct OptionError(&'static str);

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

/// One ASCII character, as the option `--comment` takes it.
///
/// # Errors
/// Anything else, a quote or a line end.
pub fn parse_ascii(text: &str) -> Result<u8, OptionError> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'\n' | b'\r' | b'"') => Ok(*byte),
        _ => Err(OptionError("one ASCII character")),
    }
}

impl FromStr for Categories {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (word, number) = match text.split_once(':') {
            None => (text, None),
            Some((word, number)) => (word, Some(number)),
        };
        let expected =
            OptionError("one-hot, one-hot:LIMIT, ordinal, or hash:N with N from 1 to 65536");
        match (word, number.map(str::parse::<u32>)) {
            ("one-hot", None) => Ok(Self::default()),
            ("one-hot", Some(Ok(limit @ 1..))) => Ok(Self::OneHot {
                limit: limit as usize,
            }),
            ("ordinal", None) => Ok(Self::Ordinal),
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
            Self::Hashing { buckets } => write!(f, "hash:{buckets}"),
        }
    }
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
    fn delimiters_have_names() {
        assert_eq!("tab".parse(), Ok(Delimiter::Byte(b'\t')));
        assert_eq!(";".parse(), Ok(Delimiter::Byte(b';')));
        assert_eq!("blanks".parse(), Ok(Delimiter::Blanks));
        for text in ["", ";;", "é", "\"", "\n"] {
            assert!(text.parse::<Delimiter>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn encodings_of_categories_are_written_as_they_are_read() {
        for text in ["one-hot:7", "ordinal", "hash:64"] {
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

    #[test]
    fn a_pattern_of_dates_has_a_percent_sign() {
        assert_eq!("%d.%m.%Y".parse(), Ok(Dates::Pattern("%d.%m.%Y".into())));
        assert!("dmy".parse::<Dates>().is_err());
    }
}
