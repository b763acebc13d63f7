//! Chains as text: `20x1/1+40x4/7/3/3+ridge/40x2/7/3/3`.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use thiserror::Error;

/// A chain of stages, as it is written.
///
/// ```
/// use residual_forest::{ChainSettings, Start};
///
/// let chain: ChainSettings = "ridge/40x2/7/3/3".parse()?;
/// assert_eq!((chain.start, chain.share, chain.thresholds), (Start::Ridge, 40, 2));
/// assert_eq!(chain.leaves, [7, 3, 3]);
/// assert_eq!(chain.to_string(), "ridge/40x2/7/3/3");
/// # Ok::<(), residual_forest::ChainError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSettings {
    /// What comes before the forests.
    pub start: Start,
    /// Its share of the trees, 1 or more: chains get trees in proportion.
    pub share: u32,
    /// Thresholds of each feature, among which a node takes the best; 1 or more.
    pub thresholds: u32,
    /// For each forest, in order, the minimum number of samples that a cut leaves on each side.
    pub leaves: Vec<u32>,
}

/// What a chain starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Its first forest learns the targets.
    Forest,
    /// The ridge regression of the whole learner predicts first.
    Ridge,
}

/// A text that is not a chain.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a chain: write `20x4/10/3`, for a share of 20 trees, 4 thresholds per feature, and forests with at least 10 and 3 samples per side, \
     with `ridge/` before it if a ridge regression comes first"
)]
pub struct ChainError(String);

impl FromStr for ChainSettings {
    type Err = ChainError;

    fn from_str(text: &str) -> Result<Self, ChainError> {
        read(text).ok_or_else(|| ChainError(text.to_owned()))
    }
}

fn read(text: &str) -> Option<ChainSettings> {
    let (start, text) = match text.strip_prefix("ridge/") {
        Some(rest) => (Start::Ridge, rest),
        None => (Start::Forest, text),
    };
    let (share, rest) = text.split_once('x')?;
    let mut numbers = rest.split('/').map(count);
    let thresholds = numbers.next()??;
    let leaves: Vec<u32> = numbers.collect::<Option<_>>()?;
    (!leaves.is_empty()).then_some(ChainSettings {
        start,
        share: count(share)?,
        thresholds,
        leaves,
    })
}

/// Returns a number from 1 to a million.
fn count(text: &str) -> Option<u32> {
    let number = text.parse().ok();
    number.filter(|number| (1..=1_000_000).contains(number))
}

impl Display for ChainSettings {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.start == Start::Ridge {
            f.write_str("ridge/")?;
        }
        write!(f, "{}x{}", self.share, self.thresholds)?;
        self.leaves.iter().try_for_each(|leaf| write!(f, "/{leaf}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_not_chains_are_refused() {
        for text in [
            "", "20", "20x", "20x1", "0x1/1", "2x0/1", "2x1/0", "2x1/1/", "ridge", "2x1/-1",
        ] {
            let said = text.parse::<ChainSettings>().unwrap_err().to_string();
            assert!(
                said.starts_with(&format!("`{text}` is not a chain")),
                "{said}"
            );
        }
    }
}
