//! Splits of rows: those that the hold-out learns and those it is tested on.

use std::fmt;
use std::str::FromStr;

use datasets::Dataset;
use forest_core::TreeRng;
use thiserror::Error;

use crate::SetupError;

/// The share of rows to learn from where a set has no standard split.
const DEFAULT: TrainSize = TrainSize::Fraction(0.7);

/// The number of the random stream of the shuffle: one that no tree uses.
const SHUFFLE_STREAM: usize = usize::MAX;

/// How many rows are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrainSize {
    /// This number of rows.
    Rows(usize),
    /// A share of the rows, strictly between 0 and 1.
    Fraction(f64),
}

/// How a hold-out uses a standard split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Splitting {
    /// The standard split of the data set; a set without one is shuffled again for every seed.
    #[default]
    Standard,
    /// Ignores the standard split: every data set is shuffled again for every seed.
    Repeated,
    /// Does not shuffle: the first rows are learned, the later ones tested.
    Chronological,
}

/// How a data set is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Split {
    /// The first `train` rows of the standard training part, and all of the standard test part,
    /// which begins at row `test_from`.
    Standard {
        /// Rows learned.
        train: usize,
        /// The first test row.
        test_from: usize,
    },
    /// `train` rows of a shuffle that the seed determines, and all others.
    Shuffled {
        /// Rows learned.
        train: usize,
    },
    /// The first `train` rows, and all later ones.
    Chronological {
        /// Rows learned.
        train: usize,
    },
}

impl TrainSize {
    /// Returns the number of rows, out of `rows`.
    fn of(self, rows: usize) -> usize {
        match self {
            Self::Rows(count) => count,
            Self::Fraction(share) => ((share * rows as f64).round() as usize).max(1),
        }
    }
}

/// The error for a text that is neither a number of rows nor a fraction of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a number of rows (1, 2, …) or a fraction between 0 and 1")]
pub struct TrainSizeError;

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
    /// Chooses a split: by default the standard one, else 70 % to learn from.
    ///
    /// # Errors
    /// Returns an error if no row is left to test on.
    pub fn new(
        dataset: &Dataset,
        asked: Option<TrainSize>,
        splitting: Splitting,
    ) -> Result<Self, SetupError> {
        let train = || train_rows(dataset, asked.unwrap_or(DEFAULT));
        match (splitting, dataset.split) {
            (Splitting::Standard, Some(standard)) => Ok(Self::standard(standard, asked)),
            (Splitting::Standard, None) | (Splitting::Repeated, _) => {
                train().map(|train| Self::Shuffled { train })
            }
            (Splitting::Chronological, _) => train().map(|train| Self::Chronological { train }),
        }
    }

    /// Keeps the standard test part whole, so that results stay comparable with published ones.
    fn standard(test_from: usize, asked: Option<TrainSize>) -> Self {
        let asked = asked.map_or(test_from, |size| size.of(test_from));
        let train = asked.min(test_from);
        Self::Standard { train, test_from }
    }

    /// Returns a remark if fewer rows are learned than requested.
    pub fn remark(
        dataset: &Dataset,
        asked: Option<TrainSize>,
        splitting: Splitting,
    ) -> Option<String> {
        let standard = dataset.split.filter(|_| splitting == Splitting::Standard)?;
        let asked = asked?;
        let name = &dataset.name;
        let remark = || {
            format!("{name}: the standard training part has only {standard} rows; all are learned")
        };
        (asked.of(standard) > standard).then(remark)
    }

    /// Returns the numbers of rows to learn from and to test on, out of `rows`.
    pub fn sizes(&self, rows: usize) -> (usize, usize) {
        match *self {
            Self::Standard { train, test_from } => (train, rows - test_from),
            Self::Shuffled { train } | Self::Chronological { train } => (train, rows - train),
        }
    }

    /// Returns the rows to learn from and the rows to test on, each in the order they are visited.
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

/// Returns the number of training rows of a set that is not divided as its standard split says.
fn train_rows(dataset: &Dataset, size: TrainSize) -> Result<usize, SetupError> {
    let rows = dataset.rows();
    let train = match size {
        TrainSize::Rows(count) => count,
        TrainSize::Fraction(_) => size.of(rows).min(rows - 1),
    };
    if train < rows {
        Ok(train)
    } else {
        let message = format!(
            "{train} training rows: `{}` has {rows} rows and no standard split; choose at most {}",
            dataset.name,
            rows - 1
        );
        Err(SetupError::of_option("--train", message))
    }
}

/// Returns, for each fold of a shuffle that the seed determines, the rows to learn from and the rows to test on. Every
/// row is tested once.
pub(crate) fn folds(rows: usize, folds: usize, seed: u64) -> Vec<(Vec<usize>, Vec<usize>)> {
    let order = shuffled(rows, seed);
    let start = |fold: usize| fold * rows / folds;
    let fold = |fold: usize| {
        let (before, rest) = order.split_at(start(fold));
        let (test, after) = rest.split_at(start(fold + 1) - start(fold));
        ([before, after].concat(), test.to_vec())
    };
    (0..folds).map(fold).collect()
}

/// Returns `0..rows` in an order that the seed determines.
pub fn shuffled(rows: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    shuffle(&mut order, seed);
    order
}

/// Brings rows into an order that the seed determines.
pub(crate) fn shuffle(rows: &mut [usize], seed: u64) {
    TreeRng::new(seed, SHUFFLE_STREAM).shuffle(rows);
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Standard { train, test_from } if train == test_from => {
                write!(f, "standard split in file order")
            }
            Self::Standard { train, test_from } => write!(
                f,
                "first {train} of the {test_from} standard training rows, standard test part"
            ),
            Self::Shuffled { .. } => write!(f, "a shuffle per seed"),
            Self::Chronological { .. } => {
                write!(f, "the first rows learned, the later ones tested")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_train_size_is_rows_or_a_fraction() {
        assert_eq!(
            "15000".parse::<TrainSize>().unwrap(),
            TrainSize::Rows(15000)
        );
        assert_eq!(
            "0.25".parse::<TrainSize>().unwrap(),
            TrainSize::Fraction(0.25)
        );
        for text in ["0", "1.0", "0.0", "-3", "nan", "many", ""] {
            assert!(text.parse::<TrainSize>().is_err(), "{text}");
        }
        for text in ["15000", "0.25"] {
            assert_eq!(text.parse::<TrainSize>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_share_of_the_rows_is_rounded_to_the_nearest() {
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
    fn a_standard_split_is_never_exceeded() {
        let split = Split::standard(7494, Some(TrainSize::Rows(15000)));
        assert_eq!(split.sizes(7494 + 3498), (7494, 3498));
        let (train, test) = Split::standard(4, Some(TrainSize::Fraction(0.5))).rows(6, 0);
        assert_eq!((train, test), (vec![0, 1], vec![4, 5]));
    }

    #[test]
    fn a_chronological_split_tests_on_the_last_rows_whatever_the_seed() {
        let split = Split::Chronological { train: 7 };
        for seed in [0, 1] {
            assert_eq!(split.rows(10, seed), ((0..7).collect(), (7..10).collect()));
        }
        assert_eq!(split.sizes(10), (7, 3));
    }

    #[test]
    fn folds_test_every_row_once_and_learn_all_others() {
        for (rows, count) in [(10, 3), (7, 7), (100, 2)] {
            let folds = folds(rows, count, 1);
            assert_eq!(folds.len(), count);
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

    #[test]
    fn a_shuffle_visits_every_row_once_and_differs_between_seeds() {
        let split = Split::Shuffled { train: 70 };
        let (train, test) = split.rows(100, 1);
        assert_ne!(train, split.rows(100, 2).0);
        let mut all = [train, test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }
}
