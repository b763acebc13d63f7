//! What a user may say about a table.

mod categories;
mod dates;
mod delimiter;
mod encoding;
mod indices;

use thiserror::Error;

pub use categories::Categories;
pub(crate) use categories::MAX_BUCKETS;
pub use dates::Dates;
pub use delimiter::{Delimiter, parse_ascii};
pub use encoding::Encoding;
pub use indices::Indices;

use crate::missing::GapRule;
use crate::{Decimal, GapWords, Missing, Numbers};

/// What a user may say about a table; `Default` says nothing, and what can be recognised is.
///
/// With the feature `clap` these are options of a command line: flatten them into its arguments.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Tables"))]
pub struct TableOptions {
    /// What stands between cells: a character, tab, or blanks [default: the one of , tab ; | that fits the first lines,
    /// or what a line `sep=;` says, else blanks]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR|tab|blanks"))]
    pub delimiter: Option<Delimiter>,

    /// Whether the first line names the columns
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub header: HeaderLine,

    /// Lines that begin with this character are left out [default: none but those that begin with # before the first
    /// row and have another number of cells]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR", value_parser = parse_ascii))]
    pub comment: Option<u8>,

    /// The table is LIBSVM's (`label index:value …`), and features have these indices [default: LIBSVM is refused where
    /// rows come one after another, since nothing else says how many features there are]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FIRST-LAST", conflicts_with_all = ["delimiter", "header", "comment"])
    )]
    pub indices: Option<Indices>,

    /// What stands before the fraction of a number
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub decimal: Decimal,

    /// What stands between groups of three digits [default: nothing]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHAR"))]
    pub thousands: Option<char>,

    /// What is done about cells without a value: empty, or a word that stands for nothing (--gap)
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub missing: Missing,

    /// Words that stand in cells without a value, besides the usual ones: NA, N/A, ?, nan, null, -nan, NaT, -, \\N, #N/A,
    /// #NA and <NA>, in capitals or not, and None
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "WORD,…",
            value_delimiter = ',',
            allow_hyphen_values = true
        )
    )]
    pub gap: Vec<String>,

    /// Words that are values although they are among those that stand for nothing: NA may be a country
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "WORD,…",
            value_delimiter = ',',
            allow_hyphen_values = true
        )
    )]
    pub no_gap: Vec<String>,

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

    /// Words that stand in cells without a value.
    pub fn gaps(&self) -> GapWords {
        GapWords::new(&self.gap, &self.no_gap)
    }

    pub(crate) fn gap_rule(&self) -> GapRule {
        GapRule {
            missing: self.missing,
            words: self.gaps(),
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

/// Whether the first line names the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum HeaderLine {
    /// It does if the columns and rows below it make that likely.
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It is a row.
    No,
}

/// A word on the command line that means nothing there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct OptionError(&'static str);
