//! Cells without a value, and what is done about them.

use serde::{Deserialize, Serialize};

/// What a cell says that has no value; in any case of letters.
const WORDS: [&str; 6] = ["", "NA", "N/A", "?", "nan", "null"];

/// Whether a cell has no value: it is empty, `NA`, `N/A`, `?`, `nan` or `null`, in capitals or not.
///
/// ```
/// assert!(["", "?", "Na", "n/a", "NaN", "NULL"].iter().all(|cell| tables::is_missing(cell)));
/// assert!(!tables::is_missing("none"));
/// ```
pub fn is_missing(cell: &str) -> bool {
    WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// What is done about missing cells of features. A missing target is always refused, or its row dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Missing {
    /// Refuse the table, and say how many cells are missing in which columns.
    #[default]
    Refuse,
    /// Fill in the mean of the rows fitted on; in a column of words, the most frequent one.
    Mean,
    /// Fill in the median of the rows fitted on; in a column of words, the most frequent one.
    Median,
    /// Fill in as with the median, and add a column of zeros and ones called `NAME is missing` for every column with gaps.
    Indicator,
    /// Leave the row out.
    Drop,
}
