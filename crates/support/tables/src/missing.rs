//! Missing cells and their treatment.

mod missing_words;

use serde::{Deserialize, Serialize};

pub use missing_words::MissingWords;

/// The treatment of missing cells of features. A missing target is always an error, or its row dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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

/// The words for missing values and their treatment, as saved with columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MissingRule {
    pub(crate) missing: Missing,
    pub(crate) words: MissingWords,
}
