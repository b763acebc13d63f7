//! A part of a grid of runs, for one machine or one job of a scheduler.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::SetupError;

/// Maximum number of parts: the least common multiple with a number of algorithms must not overflow.
const MOST_PARTS: usize = 100_000;

/// Part `i` of `n`, written `i/n`, from `1/n` to `n/n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct GridPart {
    of: usize,
    index: usize,
}

impl GridPart {
    /// The whole grid.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Returns whether run `run` belongs to it. Each of the `block` algorithms of a block goes to all parts in turn.
    pub fn has(self, run: usize, block: usize) -> bool {
        let block = block.max(1);
        let mut period = self.of;
        while !period.is_multiple_of(block) {
            period += self.of;
        }
        (run + run / period) % self.of == self.index
    }

    /// Returns the parts that are missing beside these, of their grids.
    pub fn missing(parts: &BTreeSet<Self>) -> Vec<Self> {
        let mut all = BTreeSet::new();
        for &Self { of, .. } in parts {
            all.extend((0..of).map(|index| Self { of, index }));
        }
        all.difference(parts).copied().collect()
    }
}

impl From<GridPart> for String {
    fn from(part: GridPart) -> Self {
        part.to_string()
    }
}

impl TryFrom<String> for GridPart {
    type Error = SetupError;

    fn try_from(text: String) -> Result<Self, SetupError> {
        text.parse()
    }
}

impl FromStr for GridPart {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let (number, of) = text.split_once('/').unwrap_or_default();
        if let (Ok(number), Ok(of)) = (number.parse::<usize>(), of.parse())
            && (1..=of).contains(&number)
            && of <= MOST_PARTS
        {
            let index = number - 1;
            return Ok(Self { of, index });
        }
        let message =
            format!("expected a part such as 1/4, from 1/4 to 4/4, of at most {MOST_PARTS}");
        Err(SetupError::new(Some("--part"), message))
    }
}

impl Display for GridPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_in_one_part_parts_are_of_one_size_and_algorithms_go_to_all() {
        for (runs, block, of) in [(40, 8, 4), (41, 8, 4), (7, 3, 2), (12, 1, 5), (3, 3, 4)] {
            let mut sizes = vec![0; of];
            for run in 0..runs {
                let has = |index: &usize| GridPart { of, index: *index }.has(run, block);
                let owners: Vec<usize> = (0..of).filter(has).collect();
                assert_eq!(owners.len(), 1, "run {run}");
                sizes[owners[0]] += 1;
            }
            let [least, most] = [sizes.iter().min().unwrap(), sizes.iter().max().unwrap()];
            assert!(most - least <= 1, "{runs} runs, {of} parts: {sizes:?}");
        }
        let part: GridPart = "2/4".parse().unwrap();
        let own = (0..32).filter(|run| part.has(*run, 8));
        assert_eq!(own.map(|run| run % 8).collect::<BTreeSet<_>>().len(), 8);
    }

    #[test]
    fn parts_are_read_and_those_that_are_missing_are_of_their_own_grid() {
        let found = ["1/3", "3/3", "2/2"].map(|text| text.parse().unwrap());
        let missing = GridPart::missing(&found.into());
        assert_eq!(
            missing.into_iter().map(String::from).collect::<Vec<_>>(),
            ["1/2", "2/3"]
        );
        assert_eq!(GridPart::missing(&[GridPart::WHOLE].into()), []);
        for text in " 1 0/2 3/2 1/0 a/2 1/2/3 1/18446744073709551615".split(' ') {
            assert!(text.parse::<GridPart>().is_err(), "{text}");
        }
        let part: GridPart = serde_json::from_str("\"2/3\"").unwrap();
        assert_eq!(serde_json::to_string(&part).unwrap(), "\"2/3\"");
    }
}
