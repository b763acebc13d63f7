//! Options of a table, which are saved with a model.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::input::encoding;
use crate::numbers::Numbers;
use crate::{Decimal, MAX_COLUMNS, MissingWords};

/// Options of a table. Those that are `None` or empty are not decided: properties are recognised, or have a default.
///
/// With the feature `clap` these are options of a command line: flatten them into its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Tables"))]
pub struct TableOptions {
    /// Separator of cells: a character, tab, or blanks [default: the one of , tab ; | that fits the first lines, else
    /// blanks]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR|tab|blanks"))]
    #[cfg_attr(feature = "clap", arg(value_parser = parse_delimiter))]
    pub delimiter: Option<char>,

    /// Whether the first line names the columns [default: decided by the rows below]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub header: Option<HeaderLine>,

    /// Skip lines that begin with this character [default: no line is a comment]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR", value_parser = parse_ascii))]
    pub comment: Option<char>,

    /// Read LIBSVM's format (`label index:value …`), with features of these indices [default: streams in LIBSVM's
    /// format are refused, since they do not say how many features there are]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FIRST-LAST", conflicts_with_all = ["delimiter", "header", "comment"])
    )]
    #[serde(with = "as_text")]
    pub indices: Option<Indices>,

    /// Decimal separator [default: point]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub decimal: Option<Decimal>,

    /// Separator of groups of three digits [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR"))]
    pub thousands: Option<char>,

    /// Treatment of missing values: empty cells, and those with a word of --missing-values [default: `refuse`; of
    /// `train`, `keep` if the algorithm takes missing values]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub missing: Option<Missing>,

    /// Additional words for missing values, besides the usual ones: `NA`, `N/A`, `?`, `nan`, `null`, `-nan`, `NaT`,
    /// `-`, `\N`, `#N/A`, `#NA` and `<NA>`, in capitals or not, and `None`
    #[cfg_attr(feature = "clap", arg(long, value_name = "WORD,…"))]
    #[cfg_attr(feature = "clap", arg(value_delimiter = ','))]
    #[cfg_attr(feature = "clap", arg(allow_hyphen_values = true))]
    pub missing_values: Vec<String>,

    /// Words to keep as values although they usually mean 'missing' (e.g. NA as a country code)
    #[cfg_attr(feature = "clap", arg(long, value_name = "WORD,…"))]
    #[cfg_attr(feature = "clap", arg(value_delimiter = ','))]
    #[cfg_attr(feature = "clap", arg(allow_hyphen_values = true))]
    pub not_missing: Vec<String>,

    /// Columns used as features, by name or number from 1, separated by commas [default: all but the target]
    #[cfg_attr(feature = "clap", arg(long))]
    #[cfg_attr(feature = "clap", arg(value_name = "COLUMN,…", value_delimiter = ','))]
    pub columns: Vec<String>,

    /// Columns not used as features
    #[cfg_attr(feature = "clap", arg(long, visible_alias = "ignore"))]
    #[cfg_attr(feature = "clap", arg(value_name = "COLUMN,…", value_delimiter = ','))]
    pub drop: Vec<String>,

    /// Columns of categories that look like numbers or dates
    #[cfg_attr(feature = "clap", arg(long))]
    #[cfg_attr(feature = "clap", arg(value_name = "COLUMN,…", value_delimiter = ','))]
    pub categorical: Vec<String>,

    /// Encoding of categories: as they are; a column of zeros and ones per value (at most LIMIT of them); the number of
    /// the value; or N columns shared by the hash of the value [default: `one-hot:1024`; of `train`, `native` if the
    /// algorithm takes categories]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "native|one-hot[:LIMIT]|ordinal|hash:N")
    )]
    #[serde(with = "as_text")]
    pub categories: Option<Categories>,

    /// Format of dates: `auto` recognises ISO 8601, %Y/%m/%d and %d.%m.%Y, `text` takes dates as text; or a pattern
    /// such as %d/%m/%Y [default: auto]
    #[cfg_attr(feature = "clap", arg(long, value_name = "auto|text|PATTERN"))]
    #[cfg_attr(feature = "clap", arg(value_parser = parse_dates))]
    pub dates: Option<String>,

    /// Encoding of the text, such as utf-16le or latin-1 [default: that of its byte order mark, else utf-8]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[cfg_attr(feature = "clap", arg(value_parser = parse_encoding))]
    pub encoding: Option<String>,
}

impl TableOptions {
    pub(crate) fn numbers(&self) -> Numbers {
        Numbers {
            decimal: self.decimal.unwrap_or_default(),
            thousands: self.thousands,
        }
    }

    /// Returns the treatment of missing values; without one, they are refused.
    pub fn missing(&self) -> Missing {
        self.missing.unwrap_or_default()
    }

    /// Returns words for missing values.
    pub fn missing_words(&self) -> MissingWords {
        MissingWords::new(&self.missing_values, &self.not_missing)
    }
}

/// The treatment of missing cells of features. A missing target is always an error, or its row dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// Refuse the table, and say how many cells are missing in which columns.
    #[default]
    Refuse,
    /// Fill in the median of the rows fitted on; in a column of words, the most frequent one.
    Median,
    /// Fill in as with the median, and add a column of zeros and ones called `NAME is missing` for every column with
    /// missing values.
    Indicator,
    /// Leave the row out.
    Drop,
    /// Leave the cell missing, for algorithms that take missing values.
    Keep,
}

/// Whether the first line names the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum HeaderLine {
    /// The first line names the columns.
    Yes,
    /// The first line is a row.
    No,
}

/// Parses one ASCII character, for the option `--comment`.
///
/// # Errors
/// Returns what is expected, for any other text, a quote or a line end.
pub fn parse_ascii(text: &str) -> Result<char, &'static str> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !b"\n\r\"".contains(byte) => Ok(char::from(*byte)),
        _ => Err("expected one ASCII character"),
    }
}

/// Any number of blanks and tabs between cells.
pub(crate) const BLANKS: char = ' ';

/// Parses the option `--delimiter`: an ASCII character, of which a blank means any number of blanks and tabs.
///
/// # Errors
/// Returns what is expected, for any other text.
pub fn parse_delimiter(text: &str) -> Result<char, &'static str> {
    match text {
        "tab" | "\\t" => Ok('\t'),
        "blanks" | "space" => Ok(BLANKS),
        _ => parse_ascii(text).map_err(|_| "expected one ASCII character, `tab` or `blanks`"),
    }
}

/// Parses the option `--encoding`: a name that the WHATWG's standard of encodings gives, or `latin-1`.
///
/// # Errors
/// Returns examples, for any other text.
pub fn parse_encoding(text: &str) -> Result<String, &'static str> {
    match encoding(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("expected the name of an encoding, such as utf-8, utf-16le or latin-1"),
    }
}

/// The indices that features of LIBSVM's format may have, from the first to the last: `1-126`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices(u32, u32);

impl Indices {
    /// Returns the indices from `first` to `last`; `None` if they are in the wrong order or too many.
    pub(crate) fn new(first: u32, last: u32) -> Option<Self> {
        // The label is a column, too.
        let is_valid = last.checked_sub(first)? < MAX_COLUMNS as u32 - 1;
        is_valid.then_some(Self(first, last))
    }

    pub(crate) fn range(self) -> RangeInclusive<u32> {
        self.0..=self.1
    }
}

impl FromStr for Indices {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = text.split_once('-').unwrap_or_default();
        let numbers = first.parse().ok().zip(last.parse().ok());
        numbers
            .and_then(|(first, last)| Self::new(first, last))
            .ok_or("expected FIRST-LAST, whole numbers such as 1-126, of at most 1048575 features")
    }
}

impl Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

/// The encoding of a column of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Categories {
    /// A column `NAME=VALUE` of zeros and ones per value, of which there are at most as many; all zeros for a value
    /// that was not there when fitted.
    OneHot(usize),
    /// The number of the value: 0, 1, … in alphabetical or declared order, and −1 for a value that was not there.
    Ordinal,
    /// This number of columns `NAME#I` of zeros and ones; a value is in the one given by its hash, known or not.
    Hashing(u32),
    /// A category, for algorithms that take categories; a value that was not there is one, too, by its hash.
    Native,
}

/// More hashed columns than this are refused: they would be longer than any list of categories.
pub(crate) const MAX_BUCKETS: u32 = 1 << 16;

impl Default for Categories {
    fn default() -> Self {
        Self::OneHot(1024)
    }
}

impl FromStr for Categories {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (word, number) = match text.split_once(':') {
            Some((word, number)) => (word, Some(number.parse())),
            None => (text, None),
        };
        match (word, number) {
            ("one-hot", None) => Ok(Self::default()),
            ("one-hot", Some(Ok(limit @ 1..))) => Ok(Self::OneHot(limit as usize)),
            ("ordinal", None) => Ok(Self::Ordinal),
            ("native", None) => Ok(Self::Native),
            ("hash", Some(Ok(buckets @ 1..=MAX_BUCKETS))) => Ok(Self::Hashing(buckets)),
            _ => Err("expected one-hot, one-hot:LIMIT, ordinal, native, or hash:N, at most 65536"),
        }
    }
}

impl Display for Categories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneHot(limit) => write!(f, "one-hot:{limit}"),
            Self::Ordinal => f.write_str("ordinal"),
            Self::Native => f.write_str("native"),
            Self::Hashing(buckets) => write!(f, "hash:{buckets}"),
        }
    }
}

/// Parses the option `--dates`: formats are recognised, dates are words, or columns nearly all of whose cells fit a
/// pattern of `strptime` are dates, and no others.
#[cfg(feature = "clap")]
fn parse_dates(text: &str) -> Result<String, &'static str> {
    if text == "auto" || text == "text" || text.contains('%') {
        Ok(text.to_owned())
    } else {
        Err("expected auto, text, or a pattern such as %d/%m/%Y")
    }
}

/// Saves an option as the word of the command line.
mod as_text {
    use super::*;

    pub(super) fn serialize<V, S>(value: &Option<V>, to: S) -> Result<S::Ok, S::Error>
    where
        V: Display,
        S: Serializer,
    {
        value.as_ref().map(V::to_string).serialize(to)
    }

    pub(super) fn deserialize<'de, V, D>(from: D) -> Result<Option<V>, D::Error>
    where
        V: FromStr<Err = &'static str>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(from)?;
        let value = text.map(|text| text.parse());
        value.transpose().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_nothing_are_refused() {
        for text in ["", ";;", "é", "\"", "\n"] {
            assert!(parse_delimiter(text).is_err(), "{text:?}");
        }
        for text in "- hash hash:0 hash:65537 one-hot:0 one-hot:x one-hot: ordinal:3".split(' ') {
            assert!(text.parse::<Categories>().is_err(), "{text}");
        }
        assert!("1-1048575".parse::<Indices>().is_ok());
        for text in ["1-1048576", "0-4294967295", "5", "-5", "1-", "a-b", "2-1"] {
            assert!(text.parse::<Indices>().is_err(), "{text}");
        }
    }
}
