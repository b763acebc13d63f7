//! How rows are divided or ordered, preprocessed, learned and tested.

mod batches;
pub(crate) mod measure;
pub(crate) mod online;
mod preprocess;
pub(crate) mod rows;
mod split;
mod stream;
pub(crate) mod trained;
mod trial;
pub(crate) mod watch;

use serde::{Deserialize, Serialize};

pub use preprocess::{Preprocessing, Weights};
pub use rows::{Fold, Part};
pub use split::{Split, Splitting, TrainSize, TrainSizeError};
pub use trained::Trained;
pub use watch::Limits;

/// What is done alike with every data set. The default: the standard split or 70 %, ten folds, labels a hundred rows late,
/// rows in stream order, raw features.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// The order in which the prequential protocol visits the rows.
    pub order: Order,
    /// Rows the hold-out learns from; none: the standard training part, else 70 %.
    pub train: Option<TrainSize>,
    /// What the hold-out does with a standard split.
    pub splitting: Splitting,
    /// Folds of k-fold cross-validation.
    pub folds: usize,
    /// Rows that arrive before the label of a row does, under the delayed protocol.
    pub delay: usize,
    /// What is done to the features.
    pub preprocessing: Preprocessing,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            order: Order::default(),
            train: None,
            splitting: Splitting::default(),
            folds: 10,
            delay: 100,
            preprocessing: Preprocessing::default(),
        }
    }
}

/// The order of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Order {
    /// As the file or the generator has them.
    #[default]
    Stream,
    /// Shuffled, anew for every seed.
    Shuffled,
}
