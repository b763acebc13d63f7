//! Options of a table.

mod categories;
mod dates;
mod delimiter;
mod encoding;
mod indices;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use categories::Categories;
pub(crate) use categories::MAX_BUCKETS;
pub use dates::Dates;
pub use delimiter::{Delimiter, parse_ascii};
pub use encoding::Encoding;
pub use indices::Indices;

use crate::missing::MissingRule;
use crate::{Decimal, Missing, MissingWords, Numbers};

/// Options of a table. With the `Default`, properties are recognised.
///
/// They are saved with a model. With the feature `clap` these are options of a command line: flatten them into its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Tables"))]
pub struct TableOptions {
    /// Separator of cells: a character, tab, or blanks [default: the one of , tab ; | that fits the first lines, or the one
    /// of a line `sep=;`, else blanks]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR|tab|blanks"))]
    pub delimiter: Option<Delimiter>,

    /// Whether the first line names the columns
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub header: HeaderLine,

    /// Skip lines that begin with this character [default: no line is a comment]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR", value_parser = parse_ascii))]
    pub comment: Option<u8>,

    /// Read LIBSVM's format (`label index:value …`), with features of these indices [default: streams in LIBSVM's format
    /// are refused, since they do not say how many features there are]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FIRST-LAST", conflicts_with_all = ["delimiter", "header", "comment"])
    )]
    pub indices: Option<Indices>,

    /// Decimal separator
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub decimal: Decimal,

    /// Separator of groups of three digits [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR"))]
    pub thousands: Option<char>,

    /// Treatment of missing values: empty cells, and those with a word of --missing-values
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub missing: Missing,

    /// Additional words for missing values, besides the usual ones: `NA`, `N/A`, `?`, `nan`, `null`, `-nan`, `NaT`, `-`,
    /// `\N`, `#N/A`, `#NA` and `<NA>`, in capitals or not, and `None`
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            alias = "gap",
            value_name = "WORD,…",
            value_delimiter = ',',
            allow_hyphen_values = true
        )
    )]
    pub missing_values: Vec<String>,

    /// Words to keep as values although they usually mean 'missing' (e.g. NA as a country code)
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            alias = "no-gap",
            value_name = "WORD,…",
            value_delimiter = ',',
            allow_hyphen_values = true
        )
    )]
    pub not_missing: Vec<String>,

    /// Columns used as features, by name or number from 1, separated by commas [default: all but the target]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "COLUMN,…", value_delimiter = ',')
    )]
    pub columns: Vec<String>,

    /// Columns not used as features
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

    /// Columns of categories that look like numbers or dates
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "COLUMN,…", value_delimiter = ',')
    )]
    pub categorical: Vec<String>,

    /// Encoding of categories: a column of zeros and ones per value (at most LIMIT of them), the number of the value, or N
    /// columns shared by the hash of the value
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "one-hot[:LIMIT]|ordinal|hash:N|native",
            default_value_t
        )
    )]
    pub categories: Categories,

    /// Format of dates: `auto` recognises ISO 8601, %Y/%m/%d and %d.%m.%Y, `text` takes dates as text; or a pattern such
    /// as %d/%m/%Y
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "auto|text|PATTERN", default_value_t)
    )]
    pub dates: Dates,

    /// Encoding of the text [default: that of its byte order mark, else utf-8]
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub encoding: Option<Encoding>,
}

impl TableOptions {
    /// Returns the format of numbers.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            decimal: self.decimal,
            thousands: self.thousands,
        }
    }

    /// Returns words for missing values.
    pub fn missing_words(&self) -> MissingWords {
        MissingWords::new(&self.missing_values, &self.not_missing)
    }

    /// Returns the option that makes features values which are not numbers, if there is one: missing values or categories.
    pub fn kept(&self) -> Option<&'static str> {
        let keeps_missing = (self.missing == Missing::Keep).then_some("--missing keep");
        let is_native = self.categories == Categories::Native;
        keeps_missing.or(is_native.then_some("--categories native"))
    }

    pub(crate) fn missing_rule(&self) -> MissingRule {
        MissingRule {
            missing: self.missing,
            words: self.missing_words(),
        }
    }

    /// Returns whether columns are chosen, which some formats cannot follow.
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

/// Whether the first line names the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum HeaderLine {
    /// Decided by the rows below.
    #[default]
    Auto,
    /// The first line names the columns.
    Yes,
    /// The first line is a row.
    No,
}

/// A word on the command line that means nothing there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct OptionError(&'static str);

impl OptionError {
    pub(crate) fn new(expected: &'static str) -> Self {
        Self(expected)
    }
}
