//! A part of a grid of runs, for one machine or one job of a scheduler.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One of several parts of a grid. The parts are disjoint, together they have all runs, and a part has at most one run more than
/// another.
///
/// ```
/// use comparison::Part;
///
/// let part: Part = "2/3".parse()?;
/// let runs: Vec<usize> = (0..9).filter(|run| part.has(*run, 3)).collect();
/// assert_eq!(runs, [1, 3, 8]);
/// # Ok::<(), comparison::NoPart>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Part {
    of: usize,
    /// From 0.
    index: usize,
}

/// The error for a text that is not a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a part such as 1/4, from 1/4 to 4/4")]
pub struct NoPart;

impl Part {
    /// All runs.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Returns whether run number `run`, from 0, is in this part. `block` is the number of runs per seed: they go to another
    /// part with each seed, so that no part has one algorithm with all seeds, where the number of parts divides `block`.
    pub fn has(self, run: usize, block: usize) -> bool {
        let turn = run / least_common_multiple(block.max(1), self.of);
        (run + turn) % self.of == self.index
    }
}

impl Part {
    /// Returns the parts that are missing among these, separately for each grid.
    pub fn missing(parts: &BTreeSet<Self>) -> Vec<Self> {
        let grids: BTreeSet<usize> = parts.iter().map(|part| part.of).collect();
        let all = grids
            .into_iter()
            .flat_map(|of| (0..of).map(move |index| Self { of, index }));
        all.filter(|part| !parts.contains(part)).collect()
    }
}

impl From<Part> for String {
    fn from(part: Part) -> Self {
        part.to_string()
    }
}

impl TryFrom<String> for Part {
    type Error = NoPart;

    fn try_from(text: String) -> Result<Self, NoPart> {
        text.parse()
    }
}

impl Default for Part {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Part {
    type Err = NoPart;

    fn from_str(text: &str) -> Result<Self, NoPart> {
        let (number, of) = text.split_once('/').ok_or(NoPart)?;
        let read = |text: &str| text.parse::<usize>().map_err(|_| NoPart);
        let (number, of) = (read(number)?, read(of)?);
        if (1..=of).contains(&number) {
            Ok(Self {
                index: number - 1,
                of,
            })
        } else {
            Err(NoPart)
        }
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let divides = |multiple: &usize| multiple.is_multiple_of(b);
    (1..=b)
        .map(|times| a * times)
        .find(divides)
        .unwrap_or(a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(index: usize, of: usize) -> Part {
        Part { index, of }
    }

    #[test]
    fn every_run_is_in_one_part_and_parts_are_of_one_size() {
        for (runs, block, of) in [
            (40, 8, 4),
            (41, 8, 4),
            (7, 3, 2),
            (12, 1, 5),
            (3, 3, 4),
            (60, 6, 4),
        ] {
            let sizes = (0..of).map(|index| {
                (0..runs)
                    .filter(|run| part(index, of).has(*run, block))
                    .count()
            });
            let sizes: Vec<usize> = sizes.collect();
            assert_eq!(sizes.iter().sum::<usize>(), runs, "{runs} runs, {of} parts");
            let [least, most] =
                [sizes.iter().min(), sizes.iter().max()].map(|size| *size.unwrap_or(&0));
            assert!(most - least <= 1, "{runs} runs, {of} parts: {sizes:?}");
            for run in 0..runs {
                let owners = (0..of).filter(|index| part(*index, of).has(run, block));
                assert_eq!(owners.count(), 1, "run {run}");
            }
        }
    }

    #[test]
    fn an_algorithm_goes_to_all_parts_in_turn() {
        let runs = (0..8 * 4)
            .filter(|run| part(1, 4).has(*run, 8))
            .map(|run| run % 8);
        let mut algorithms: Vec<usize> = runs.collect();
        algorithms.sort_unstable();
        assert_eq!(algorithms, (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn parts_that_are_missing_are_those_of_their_own_grid() {
        let found = [part(0, 3), part(2, 3), part(1, 2)].into();
        assert_eq!(Part::missing(&found), [part(0, 2), part(1, 3)]);
        assert_eq!(Part::missing(&[Part::WHOLE].into()), []);
        let json = serde_json::to_string(&part(1, 3)).unwrap();
        assert_eq!(json, "\"2/3\"");
        assert_eq!(serde_json::from_str::<Part>(&json).unwrap(), part(1, 3));
    }

    #[test]
    fn invalid_parts_are_rejected() {
        for text in ["", "1", "0/2", "3/2", "1/0", "a/2", "1/2/3"] {
            assert_eq!(text.parse::<Part>(), Err(NoPart), "{text}");
        }
        assert_eq!(
            "4/4".parse::<Part>().map(|part| part.to_string()),
            Ok("4/4".to_owned())
        );
    }
}
