//! The values of a column of categories, each with its number.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Different words in a given order, found in logarithmic time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct Words {
    values: Vec<String>,
    /// Indices into `values`, in alphabetical order.
    sorted: Vec<u32>,
}

/// A list of words in which one comes twice.
#[derive(Debug, Error)]
#[error("the category `{0}` is named twice")]
pub(crate) struct Twice(String);

impl Words {
    /// Returns distinct words in the order of their first occurrence.
    pub(crate) fn distinct(mut values: Vec<String>) -> Self {
        let mut sorted = sorted(&values);
        sorted.dedup_by(|a, b| values[*a as usize] == values[*b as usize]);
        if sorted.len() < values.len() {
            sorted.sort_unstable();
            values = sorted.iter().map(|i| values[*i as usize].clone()).collect();
            sorted = self::sorted(&values);
        }
        Self { values, sorted }
    }

    pub(crate) fn values(&self) -> &[String] {
        &self.values
    }

    pub(crate) fn index(&self, word: &str) -> Option<usize> {
        let found = self
            .sorted
            .binary_search_by(|i| self.values[*i as usize].as_str().cmp(word));
        found.ok().map(|at| self.sorted[at] as usize)
    }
}

/// Indices of words in alphabetical order; of equals the first first.
fn sorted(values: &[String]) -> Vec<u32> {
    let mut sorted: Vec<u32> = (0..values.len() as u32).collect();
    sorted.sort_by_key(|i| &values[*i as usize]);
    sorted
}

impl TryFrom<Vec<String>> for Words {
    type Error = Twice;

    fn try_from(values: Vec<String>) -> Result<Self, Twice> {
        let sorted = sorted(&values);
        let twice = sorted
            .windows(2)
            .find(|pair| values[pair[0] as usize] == values[pair[1] as usize]);
        match twice {
            Some(pair) => Err(Twice(crate::short(&values[pair[0] as usize]))),
            None => Ok(Self { values, sorted }),
        }
    }
}

impl From<Words> for Vec<String> {
    fn from(words: Words) -> Self {
        words.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_order_and_are_found() {
        let words = ["z", "a", "m", "a"].map(str::to_owned).to_vec();
        assert!(Words::try_from(words.clone()).is_err());
        let words = Words::distinct(words);
        assert_eq!(words.values(), ["z", "a", "m"]);
        let found = ["z", "a", "m", "b"].map(|word| words.index(word));
        assert_eq!(found, [Some(0), Some(1), Some(2), None]);
    }
}
