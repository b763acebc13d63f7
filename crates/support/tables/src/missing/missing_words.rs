//! Words for missing values.

use serde::{Deserialize, Serialize};

/// In any case of letters.
const IN_ANY_CASE: [&str; 13] = [
    "", "NA", "N/A", "?", "nan", "null", "-nan", "NaT", "-", "\\N", "#N/A", "#NA", "<NA>",
];

/// As Python writes it; in other spellings it is often a category.
const AS_WRITTEN: [&str; 1] = ["None"];

/// Words for missing values.
///
/// By default these are, in any case of letters: nothing at all, `NA`, `N/A`, `?`, `nan`, `null`, `-nan`, `NaT`, `-`,
/// `\N`, `#N/A`, `#NA` and `<NA>`; and `None` as Python writes it. The options `--missing-values` and `--not-missing` change the list.
///
/// ```
/// use tables::MissingWords;
/// let words = MissingWords::default();
/// assert!(["", "?", "Na", "n/a", "NaN", "NULL", "None", "-", "\\N"].iter().all(|cell| words.is_missing(cell)));
/// assert!(!words.is_missing("none"));
///
/// let words = MissingWords::new(&["missing".to_owned()], &["NA".to_owned()]);
/// assert!(words.is_missing("missing") && words.is_missing("N/A") && !words.is_missing("NA"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Lists", into = "Lists")]
pub struct MissingWords {
    lists: Lists,
    /// Bytes with which some word begins: few cells begin like one, and only those are compared with all words. Without this,
    /// comparing took a sixth of the instructions of reading a table of numbers (callgrind, `xtask data show` of 120,000 rows).
    first_bytes: [bool; 256],
}

/// The words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lists {
    in_any_case: Vec<String>,
    as_written: Vec<String>,
}

impl From<Lists> for MissingWords {
    fn from(lists: Lists) -> Self {
        let mut first_bytes = [false; 256];
        let words = lists.in_any_case.iter().chain(&lists.as_written);
        for first in words.filter_map(|word| word.as_bytes().first()) {
            first_bytes[usize::from(first.to_ascii_lowercase())] = true;
            first_bytes[usize::from(first.to_ascii_uppercase())] = true;
        }
        Self { lists, first_bytes }
    }
}

impl From<MissingWords> for Lists {
    fn from(words: MissingWords) -> Self {
        words.lists
    }
}

impl MissingWords {
    /// Returns the default words, with those of `more` as they are written, and without those of `fewer` in any case of letters.
    pub fn new(more: &[String], fewer: &[String]) -> Self {
        let Lists {
            mut in_any_case,
            mut as_written,
        } = Self::default().lists;
        let stays = |word: &String| !fewer.iter().any(|other| other.eq_ignore_ascii_case(word));
        as_written.extend(more.iter().cloned());
        in_any_case.retain(stays);
        as_written.retain(stays);
        Self::from(Lists {
            in_any_case,
            as_written,
        })
    }

    /// Returns whether a cell has no value.
    pub fn is_missing(&self, cell: &str) -> bool {
        let may_be = |first: &u8| self.first_bytes[usize::from(*first)];
        cell.as_bytes().first().is_none_or(may_be) && self.lists.contain(cell)
    }
}

impl Lists {
    fn contain(&self, cell: &str) -> bool {
        let in_any_case = |word: &String| cell.eq_ignore_ascii_case(word);
        self.in_any_case.iter().any(in_any_case) || self.as_written.iter().any(|word| cell == word)
    }
}

impl Default for MissingWords {
    fn default() -> Self {
        Self::from(Lists {
            in_any_case: IN_ANY_CASE.map(str::to_owned).to_vec(),
            as_written: AS_WRITTEN.map(str::to_owned).to_vec(),
        })
    }
}
