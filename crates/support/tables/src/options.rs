//! Options of a table, which are saved with a model.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::{Decimal, MAX_COLUMNS, MissingWords, Numbers};

/// Options of a table. Those that are `None` or empty are not decided: properties are recognised, or have a default.
///
/// With the feature `clap` these are options of a command line: flatten them into its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Tables"))]
pub struct TableOptions {
    /// Separator of cells: a character, tab, or blanks [default: the one of , tab ; | that fits the first lines, or the one
    /// of a line `sep=;`, else blanks]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR|tab|blanks"))]
    #[serde(with = "as_text")]
    pub delimiter: Option<Delimiter>,

    /// Whether the first line names the columns [default: decided by the rows below]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub header: Option<HeaderLine>,

    /// Skip lines that begin with this character [default: no line is a comment]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR", value_parser = parse_ascii))]
    pub comment: Option<char>,

    /// Read LIBSVM's format (`label index:value …`), with features of these indices [default: streams in LIBSVM's format
    /// are refused, since they do not say how many features there are]
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

    /// Additional words for missing values, besides the usual ones: `NA`, `N/A`, `?`, `nan`, `null`, `-nan`, `NaT`, `-`,
    /// `\N`, `#N/A`, `#NA` and `<NA>`, in capitals or not, and `None`
    #[cfg_attr(feature = "clap", arg(long, value_name = "WORD,…"))]
    #[cfg_attr(
        feature = "clap",
        arg(value_delimiter = ',', allow_hyphen_values = true)
    )]
    pub missing_values: Vec<String>,

    /// Words to keep as values although they usually mean 'missing' (e.g. NA as a country code)
    #[cfg_attr(feature = "clap", arg(long, value_name = "WORD,…"))]
    #[cfg_attr(
        feature = "clap",
        arg(value_delimiter = ',', allow_hyphen_values = true)
    )]
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

    /// Encoding of categories: as they are; a column of zeros and ones per value (at most LIMIT of them); the number of the
    /// value; or N columns shared by the hash of the value [default: `one-hot:1024`; of `train`,
    /// `native` if the algorithm takes categories]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "native|one-hot[:LIMIT]|ordinal|hash:N")
    )]
    #[serde(with = "as_text")]
    pub categories: Option<Categories>,

    /// Format of dates: `auto` recognises ISO 8601, %Y/%m/%d and %d.%m.%Y, `text` takes dates as text; or a pattern such
    /// as %d/%m/%Y [default: auto]
    #[cfg_attr(feature = "clap", arg(long, value_name = "auto|text|PATTERN"))]
    #[serde(with = "as_text")]
    pub dates: Option<Dates>,

    /// Encoding of the text [default: that of its byte order mark, else utf-8]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub encoding: Option<Encoding>,
}

impl TableOptions {
    /// Returns the format of numbers.
    pub fn numbers(&self) -> Numbers {
        let decimal = self.decimal.unwrap_or_default();
        let thousands = self.thousands;
        Numbers { decimal, thousands }
    }

    /// Returns the treatment of missing values; without one, they are refused.
    pub fn missing(&self) -> Missing {
        self.missing.unwrap_or_default()
    }

    /// Returns words for missing values.
    pub fn missing_words(&self) -> MissingWords {
        MissingWords::new(&self.missing_values, &self.not_missing)
    }

    /// Returns the option that makes features values which are not numbers, if there is one: missing values or categories.
    pub fn kept(&self) -> Option<&'static str> {
        match (self.missing, self.categories) {
            (Some(Missing::Keep), _) => Some("--missing keep"),
            (_, Some(Categories::Native)) => Some("--categories native"),
            _ => None,
        }
    }

    /// Returns whether columns are chosen, which some formats cannot follow.
    pub fn choose_columns(&self) -> bool {
        !(self.columns.is_empty() && self.drop.is_empty())
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
    /// Fill in as with the median, and add a column of zeros and ones called `NAME is missing` for every column with missing values.
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

/// How characters are written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Encoding {
    /// UTF-8.
    #[cfg_attr(feature = "clap", value(name = "utf-8"))]
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, the low byte first.
    #[cfg_attr(feature = "clap", value(name = "utf-16le", alias = "utf-16"))]
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, the high byte first.
    #[cfg_attr(feature = "clap", value(name = "utf-16be"))]
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// Latin-1, in its extension Windows-1252.
    #[cfg_attr(feature = "clap", value(name = "latin-1", alias = "windows-1252"))]
    #[serde(rename = "latin-1")]
    Latin1,
}

/// A word on the command line that means nothing there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct OptionError(pub(crate) &'static str);

/// Parses one ASCII character, for the option `--comment`.
///
/// # Errors
/// Returns an error for any other text, a quote or a line end.
pub fn parse_ascii(text: &str) -> Result<char, OptionError> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !b"\n\r\"".contains(byte) => Ok(char::from(*byte)),
        _ => Err(OptionError("one ASCII character")),
    }
}

/// What stands between cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// Any number of blanks and tabs.
    Blanks,
    /// One ASCII character.
    Char(char),
}

impl FromStr for Delimiter {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        match text {
            "tab" | "\\t" => Ok(Self::Char('\t')),
            "blanks" | "space" | " " => Ok(Self::Blanks),
            "\"" | "\n" | "\r" => Err(OptionError("another character than a quote or a line end")),
            _ => parse_ascii(text)
                .map(Self::Char)
                .map_err(|_| OptionError("one ASCII character, `tab` or `blanks`")),
        }
    }
}

impl Display for Delimiter {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blanks => f.write_str("blanks"),
            Self::Char('\t') => f.write_str("tab"),
            Self::Char(char) => write!(f, "{char}"),
        }
    }
}

/// The indices that features of LIBSVM's format may have, from the first to the last: `1-126`.
///
/// ```
/// let indices: tables::Indices = "0-3".parse()?;
/// assert_eq!(indices.range(), 0..=3);
/// assert!("3-0".parse::<tables::Indices>().is_err());
/// # Ok::<(), tables::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        let expected =
            OptionError("FIRST-LAST, two whole numbers such as 1-126, at most 1048575 features");
        let (first, last) = text.split_once('-').ok_or(expected.clone())?;
        match (first.parse(), last.parse()) {
            // The label is a column, too.
            (Ok(first), Ok(last))
                if first <= last && ((last - first) as usize) < MAX_COLUMNS - 1 =>
            {
                Ok(Self { first, last })
            }
            _ => Err(expected),
        }
    }
}

impl Display for Indices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

/// What becomes of a column of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// More hashed columns than this are refused: they would be longer than any list of categories.
pub(crate) const MAX_BUCKETS: u32 = 1 << 16;

impl Default for Categories {
    fn default() -> Self {
        Categories::OneHot { limit: 1024 }
    }
}

impl FromStr for Categories {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (word, number) = text.split_once(':').unwrap_or((text, ""));
        match (word, number, number.parse::<u32>()) {
            ("one-hot", "", _) if word == text => Ok(Self::default()),
            ("one-hot", _, Ok(limit @ 1..)) => Ok(Self::OneHot {
                limit: limit as usize,
            }),
            ("ordinal", "", _) if word == text => Ok(Self::Ordinal),
            ("native", "", _) if word == text => Ok(Self::Native),
            ("hash", _, Ok(buckets @ 1..=MAX_BUCKETS)) => Ok(Self::Hashing { buckets }),
            _ => Err(OptionError(
                "one-hot, one-hot:LIMIT, ordinal, native, or hash:N with N from 1 to 65536",
            )),
        }
    }
}

impl Display for Categories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneHot { limit } => write!(f, "one-hot:{limit}"),
            Self::Ordinal => f.write_str("ordinal"),
            Self::Native => f.write_str("native"),
            Self::Hashing { buckets } => write!(f, "hash:{buckets}"),
        }
    }
}

/// What becomes of a column of dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dates {
    /// Formats are recognised, and dates become days since 1970-01-01, the time of day a fraction of one; a time without a
    /// date is the fraction alone.
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

impl Display for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dates::Auto => "auto",
            Dates::Text => "text",
            Dates::Pattern(pattern) => pattern,
        })
    }
}

/// Saves an option as the word of the command line.
mod as_text {
    use super::*;

    pub(super) fn serialize<V: Display, S: Serializer>(
        value: &Option<V>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(V::to_string).serialize(to)
    }

    pub(super) fn deserialize<'de, V, D>(from: D) -> Result<Option<V>, D::Error>
    where
        V: FromStr<Err = OptionError>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_saved_as_the_words_of_the_command_line() {
        let options = TableOptions {
            delimiter: "tab".parse().ok(),
            header: Some(HeaderLine::Yes),
            categories: "hash:64".parse().ok(),
            dates: "%d.%m.%Y".parse().ok(),
            encoding: Some(Encoding::Latin1),
            ..TableOptions::default()
        };
        let saved = serde_json::to_value(&options).unwrap();
        assert_eq!(
            serde_json::from_value::<TableOptions>(saved.clone()).unwrap(),
            options
        );
        for (key, word) in [
            ("delimiter", "tab"),
            ("header", "yes"),
            ("categories", "hash:64"),
            ("dates", "%d.%m.%Y"),
            ("encoding", "latin-1"),
        ] {
            assert_eq!(saved[key], word);
        }
    }

    #[test]
    fn words_that_mean_nothing_are_refused() {
        for text in ["", ";;", "é", "\"", "\n"] {
            assert!(text.parse::<Delimiter>().is_err(), "{text:?}");
        }
        for text in [
            "",
            "hash",
            "hash:0",
            "hash:65537",
            "one-hot:0",
            "one-hot:x",
            "one-hot:",
            "ordinal:3",
        ] {
            assert!(text.parse::<Categories>().is_err(), "{text}");
        }
        assert!("1-1048575".parse::<Indices>().is_ok());
        for text in ["1-1048576", "0-4294967295", "5", "-5", "1-", "a-b", "2-1"] {
            assert!(text.parse::<Indices>().is_err(), "{text}");
        }
        assert!("dmy".parse::<Dates>().is_err());
    }
}
