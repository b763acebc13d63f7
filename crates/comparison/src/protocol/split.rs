//! Splits of rows: those that the hold-out learns and those it is tested on.

use std::fmt;
use std::str::FromStr;

use datasets::Dataset;
use forest_core::TreeRng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::SetupError;

/// The share of rows that are learned by default.
const DEFAULT: TrainSize = TrainSize::Fraction(0.7);

/// A stream of draws that no tree has.
const SHUFFLE_STREAM: usize = usize::MAX;

/// How many rows are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainSize {
    /// This many.
    Rows(usize),
    /// A share of them, between 0 and 1.
    Fraction(f64),
}

/// How the hold-out divides the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Splitting {
    /// By the standard split of the data where there is one, else by a shuffle for every seed.
    #[default]
    Standard,
    /// By a shuffle for every seed.
    Repeated,
    /// The first rows are learned, and the later ones tested.
    Chronological,
}

/// A split of the rows of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Split {
    /// The first rows of the standard training part, and the standard test part.
    Standard {
        /// Rows that are learned.
        train: usize,
        /// The first row of the test part.
        test_from: usize,
    },
    /// The first rows of a shuffle, and its other rows.
    Shuffled {
        /// Rows that are learned.
        train: usize,
    },
    /// The first rows, and the later ones.
    Chronological {
        /// Rows that are learned.
        train: usize,
    },
}

/// The error of a text that is neither rows nor a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a number of rows (1, 2, …) or a fraction between 0 and 1")]
pub struct TrainSizeError;

impl TrainSize {
    /// Returns the number of rows it is of so many: a share is rounded to the nearest, and at least 1.
    fn of(self, rows: usize) -> usize {
        match self {
            Self::Rows(count) => count,
            Self::Fraction(share) => ((share * rows as f64).round() as usize).max(1),
        }
    }
}

impl FromStr for TrainSize {
    type Err = TrainSizeError;

    fn from_str(text: &str) -> Result<Self, TrainSizeError> {
        match (text.parse::<usize>(), text.parse::<f64>()) {
            (Ok(rows), _) if rows > 0 => Ok(Self::Rows(rows)),
            (Err(_), Ok(share)) if 0.0 < share && share < 1.0 => Ok(Self::Fraction(share)),
            _ => Err(TrainSizeError),
        }
    }
}

impl fmt::Display for TrainSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(count) => count.fmt(f),
            Self::Fraction(share) => share.fmt(f),
        }
    }
}

impl Split {
    /// Returns the split of a data set; of a standard training part, at most all rows are learned.
    ///
    /// # Errors
    /// Returns an error for more rows than there are.
    pub fn new(
        dataset: &Dataset,
        asked: Option<TrainSize>,
        splitting: Splitting,
    ) -> Result<Self, SetupError> {
        if let (Splitting::Standard, Some(test_from)) = (splitting, dataset.split) {
            return Ok(Self::standard(test_from, asked));
        }
        let rows = dataset.rows();
        let train = match asked.unwrap_or(DEFAULT) {
            TrainSize::Rows(count) => count,
            share => share.of(rows).min(rows - 1),
        };
        if train >= rows {
            let message = format!(
                "{train} training rows: `{}` has {rows} rows and no standard split; choose at most {}",
                dataset.name,
                rows - 1
            );
            return Err(SetupError::of_option("--train", message));
        }
        Ok(match splitting {
            Splitting::Chronological => Self::Chronological { train },
            Splitting::Standard | Splitting::Repeated => Self::Shuffled { train },
        })
    }

    fn standard(test_from: usize, asked: Option<TrainSize>) -> Self {
        let train = asked
            .map_or(test_from, |size| size.of(test_from))
            .min(test_from);
        Self::Standard { train, test_from }
    }

    /// Returns a remark if more rows are asked for than a standard training part has.
    pub(crate) fn remark(
        dataset: &Dataset,
        asked: Option<TrainSize>,
        splitting: Splitting,
    ) -> Option<String> {
        let standard = dataset.split.filter(|_| splitting == Splitting::Standard)?;
        let name = &dataset.name;
        (asked?.of(standard) > standard).then(|| {
            format!("{name}: the standard training part has only {standard} rows; all are learned")
        })
    }

    /// Returns how many rows are learned and tested.
    pub(crate) fn sizes(&self, rows: usize) -> (usize, usize) {
        match *self {
            Self::Standard { train, test_from } => (train, rows - test_from),
            Self::Shuffled { train } | Self::Chronological { train } => (train, rows - train),
        }
    }

    /// Returns the rows that are learned and those that are tested.
    pub fn rows(&self, rows: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
        match *self {
            Self::Standard { train, test_from } => {
                ((0..train).collect(), (test_from..rows).collect())
            }
            Self::Shuffled { train } => {
                let mut order = shuffled(rows, seed);
                let test = order.split_off(train);
                (order, test)
            }
            Self::Chronological { train } => ((0..train).collect(), (train..rows).collect()),
        }
    }
}

/// Returns for each fold the rows that it learns, and those that it is tested on.
pub(super) fn folds(rows: usize, folds: usize, seed: u64) -> Vec<(Vec<usize>, Vec<usize>)> {
    let order = shuffled(rows, seed);
    let fold = |fold: usize| {
        let test = fold * rows / folds..(fold + 1) * rows / folds;
        (
            [&order[..test.start], &order[test.end..]].concat(),
            order[test].to_vec(),
        )
    };
    (0..folds).map(fold).collect()
}

/// Returns the rows in the random order of a seed.
pub fn shuffled(rows: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    shuffle(&mut order, seed);
    order
}

pub(super) fn shuffle(rows: &mut [usize], seed: u64) {
    TreeRng::new(seed, SHUFFLE_STREAM).shuffle(rows);
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Standard { train, test_from } if train == test_from => {
                f.write_str("standard split in file order")
            }
            Self::Standard { train, test_from } => write!(
                f,
                "first {train} of the {test_from} standard training rows, standard test part"
            ),
            Self::Shuffled { .. } => f.write_str("a shuffle per seed"),
            Self::Chronological { .. } => {
                f.write_str("the first rows learned, the later ones tested")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_train_size_is_rows_or_a_share_that_is_rounded() {
        for text in ["15000", "0.25"] {
            assert_eq!(text.parse::<TrainSize>().unwrap().to_string(), text);
        }
        for text in ["0", "1.0", "0.0", "-3", "nan", "many", ""] {
            assert!(text.parse::<TrainSize>().is_err(), "{text}");
        }
        for (rows, train) in [
            (10, 7),
            (194, 136),
            (195, 137),
            (196, 137),
            (197, 138),
            (1, 1),
        ] {
            assert_eq!(DEFAULT.of(rows), train, "70 % of {rows}");
        }
        assert_eq!(TrainSize::Fraction(0.001).of(100), 1);
    }

    #[test]
    fn splits_have_their_rows_once() {
        let split = Split::standard(7494, Some(TrainSize::Rows(15000)));
        assert_eq!(split.sizes(7494 + 3498), (7494, 3498));
        let (train, test) = Split::standard(4, Some(TrainSize::Fraction(0.5))).rows(6, 0);
        assert_eq!((train, test), (vec![0, 1], vec![4, 5]));
        let split = Split::Chronological { train: 7 };
        assert_eq!(split.rows(10, 1), ((0..7).collect(), (7..10).collect()));
        let split = Split::Shuffled { train: 70 };
        let (train, test) = split.rows(100, 1);
        assert_ne!(train, split.rows(100, 2).0);
        let mut all = [train, test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn folds_test_every_row_once_and_learn_all_others() {
        for (rows, count) in [(10, 3), (7, 7), (100, 2)] {
            let folds = folds(rows, count, 1);
            let mut tested: Vec<usize> = folds.iter().flat_map(|fold| fold.1.clone()).collect();
            tested.sort_unstable();
            assert_eq!(tested, (0..rows).collect::<Vec<_>>());
            for (train, test) in &folds {
                assert!(test.len().abs_diff(rows / count) <= 1);
                let mut all = [&train[..], test].concat();
                all.sort_unstable();
                assert_eq!(all, (0..rows).collect::<Vec<_>>());
            }
        }
        assert_ne!(folds(100, 2, 1), folds(100, 2, 2));
    }
}
