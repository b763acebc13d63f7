//! Protocols: how rows are divided or ordered, preprocessed, learned and tested.

mod preprocess;

use std::fmt;

use clap::{Args, ValueEnum};
use datasets::{Dataset, Target};
use forest_core::TreeRng;
use serde::{Deserialize, Serialize};

use crate::SetupError;
pub use preprocess::{Preprocessing, Weights};

/// How rows are learned and tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each part of the rows after having learned all others.
    KFold,
    /// Test on each row of the stream, then learn it.
    Prequential,
    /// The same, by several learners, each of which learns some of the rows.
    #[serde(rename = "prequential-kfold")]
    PrequentialKFold,
    /// The same, but the label of a row arrives some rows later.
    Delayed,
}

impl Protocol {
    /// Returns whether rows are tested and learned along a stream.
    pub fn is_stream(self) -> bool {
        !matches!(self, Self::Holdout | Self::KFold)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holdout => "hold-out",
            Self::KFold => "k-fold",
            Self::Prequential => "prequential",
            Self::PrequentialKFold => "prequential k-fold",
            Self::Delayed => "delayed labels",
        })
    }
}

/// How rows are divided, ordered and preprocessed; the first paragraph of each field is its help on a command line. By
/// default features stay as they are; `cargo xtask compare` and Python's `compare` scale them to [0, 1].
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, Args)]
pub struct Design {
    /// Order in which rows are learned: as the file has them (stream), shuffled per seed, or sorted by the target,
    /// upwards or downwards [default: stream for streams; else shuffled, or as a standard or chronological split has
    /// them]
    #[arg(long, value_enum)]
    pub order: Option<Order>,

    /// Training rows of the hold-out, as a number or a fraction between 0 and 1 [default: the
    /// set's standard training part; else 0.7]
    #[arg(long, value_name = "N|FRACTION", value_parser = train_size)]
    pub train: Option<f64>,

    /// Split of the rows, in the hold-out [default: standard]
    #[arg(long, value_enum)]
    pub split: Option<Splitting>,

    /// Number of folds, with --protocol kfold or prequential-kfold [default: 10]
    #[arg(long, value_name = "K")]
    pub folds: Option<usize>,

    /// Rows that each of the K learners of --protocol prequential-kfold learns: each row by all but one (cross), by one
    /// (split), or a Poisson(1) number of times by each (bootstrap) [default: cross]
    #[arg(
        long,
        hide_possible_values = true,
        value_name = "cross|split|bootstrap"
    )]
    pub validation: Option<Validation>,

    /// Rows between a row and its label, with --protocol delayed [default: 100]
    #[arg(long, value_name = "N")]
    pub delay: Option<usize>,

    /// What is done to features.
    #[command(flatten)]
    #[serde(flatten)]
    pub preprocessing: Preprocessing,
}

/// The order of a stream, or of the rows that a hold-out or a fold learns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As the file or the generator has them.
    #[default]
    Stream,
    /// Shuffled again for every seed.
    Shuffled,
    /// Sorted by the target: the first class, or the least value, comes first.
    Sorted,
    /// Sorted by the target: the last class, or the greatest value, comes first.
    SortedDescending,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stream => "in stream order",
            Self::Shuffled => "shuffled per seed",
            Self::Sorted => "sorted by the target",
            Self::SortedDescending => "sorted by the target, downwards",
        })
    }
}

/// The rows that each of k learners of a stream learns; all are tested on every row. These are the distributed folds of
/// A. Bifet, G. De Francisci Morales, J. Read, G. Holmes, B. Pfahringer, *Efficient online evaluation of big data
/// stream classifiers*, KDD 2015. As in the authors' implementation in MOA, every learner is tested on every row before
/// it may learn it; in the paper, on those that it does not learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Validation {
    /// Each row is learned by all learners but one, drawn uniformly.
    #[default]
    Cross,
    /// Each row is learned by one learner, drawn uniformly.
    Split,
    /// Each row is learned a Poisson(1) number of times by each learner.
    Bootstrap,
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cross => "cross-validation",
            Self::Split => "split-validation",
            Self::Bootstrap => "bootstrap validation",
        })
    }
}

/// The share of the rows that a hold-out learns by default.
const DEFAULT_TRAIN: f64 = 0.7;

/// The sizes of a training part that are valid, for readers.
pub(crate) const TRAIN_SIZE: &str = "a number of rows (1, 2, …) or a fraction between 0 and 1";

pub(crate) fn is_train_size(size: f64) -> bool {
    0.0 < size && size < 1.0 || size >= 1.0 && size.fract() == 0.0
}

/// Parses the size of a training part.
fn train_size(text: &str) -> Result<f64, String> {
    let size = text.parse().ok().filter(|&size| is_train_size(size));
    size.ok_or_else(|| format!("expected {TRAIN_SIZE}"))
}

/// Returns the number of rows of a training part: `size`, or below 1 this share of the rows, rounded, but at least 1.
pub(crate) fn train_rows(size: f64, rows: usize) -> usize {
    if size < 1.0 {
        return ((size * rows as f64).round() as usize).max(1);
    }
    size as usize
}

/// How the hold-out divides the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Splitting {
    /// By the standard split of the data where there is one, else by a shuffle for every seed.
    #[default]
    Standard,
    /// By a shuffle for every seed.
    #[serde(rename = "shuffled", alias = "repeated")]
    Repeated,
    /// The first rows are learned, and the later ones tested.
    Chronological,
}

/// A split of the rows of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// How it was made: by the standard only where there is one.
    pub kind: Splitting,
    /// Rows that are learned: the first ones, of a shuffle if there is one.
    pub train: usize,
    /// The first row of the standard test part; other splits test all later rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_from: Option<usize>,
}

impl Split {
    /// Returns the split of a data set; of a standard training part, at most all rows are learned.
    ///
    /// # Errors
    /// Returns an error for more rows than there are.
    pub fn new(dataset: &Dataset, design: &Design) -> Result<Self, SetupError> {
        let kind = design.split.unwrap_or_default();
        if let (Splitting::Standard, Some(all)) = (kind, dataset.split) {
            let train = design.train.map_or(all, |size| train_rows(size, all));
            return Ok(Self {
                kind,
                train: train.min(all),
                test_from: Some(all),
            });
        }
        let rows = dataset.rows();
        let train = match design.train.unwrap_or(DEFAULT_TRAIN) {
            share if share < 1.0 => train_rows(share, rows).min(rows - 1),
            count => count as usize,
        };
        if train >= rows {
            let message = format!(
                "{train} training rows: `{}` has {rows} rows and no standard split; choose at most {}",
                dataset.name,
                rows - 1
            );
            return Err(SetupError::new(Some("--train"), message));
        }
        let kind = match kind {
            Splitting::Standard => Splitting::Repeated,
            given => given,
        };
        Ok(Self {
            kind,
            train,
            test_from: None,
        })
    }

    pub(crate) fn first_tested(&self) -> usize {
        self.test_from.unwrap_or(self.train)
    }

    /// Returns the rows that are learned and those that are tested, of all `rows`.
    pub fn rows(&self, rows: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
        let mut order = match self.kind {
            Splitting::Repeated => shuffled(rows, seed),
            Splitting::Standard | Splitting::Chronological => (0..rows).collect(),
        };
        let test = order.split_off(self.first_tested());
        order.truncate(self.train);
        (order, test)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let train = self.train;
        match (self.kind, self.test_from) {
            (Splitting::Standard, Some(all)) if all != train => write!(
                f,
                "first {train} of the {all} standard training rows, standard test part"
            ),
            (Splitting::Standard, _) => f.write_str("standard split in file order"),
            (Splitting::Repeated, _) => f.write_str("a shuffle per seed"),
            (Splitting::Chronological, _) => {
                f.write_str("the first rows learned, the later ones tested")
            }
        }
    }
}

/// A random stream that no tree uses.
const SHUFFLE_STREAM: usize = usize::MAX;

/// Returns the numbers of rows in the random order of a seed.
pub fn shuffled(rows: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    TreeRng::new(seed, SHUFFLE_STREAM).shuffle(&mut order);
    order
}

/// Arranges the rows that are learned; without an order, they stay as they are.
pub fn arrange(rows: &mut [usize], order: Option<Order>, target: &Target, seed: u64) {
    let value = |row: &usize| match target {
        Target::Classes { labels, .. } => f64::from(labels[*row]),
        Target::Values { values, .. } => values[*row],
    };
    match order {
        None => (),
        Some(Order::Stream) => rows.sort_unstable(),
        // A split that shuffles has done so.
        Some(Order::Shuffled) if !rows.is_sorted() => (),
        Some(Order::Shuffled) => TreeRng::new(seed, SHUFFLE_STREAM).shuffle(rows),
        Some(Order::Sorted) => rows.sort_by(|a, b| value(a).total_cmp(&value(b))),
        Some(Order::SortedDescending) => rows.sort_by(|a, b| value(b).total_cmp(&value(a))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_rows_is_rounded() {
        for (rows, train) in [(10, 7), (194, 136), (195, 137), (198, 139), (1, 1)] {
            assert_eq!(train_rows(DEFAULT_TRAIN, rows), train, "70 % of {rows}");
        }
        let wrong = ["1.5", "0", "-1", "inf"];
        assert!(wrong.iter().all(|text| train_size(text).is_err()));
    }
}
