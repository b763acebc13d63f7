//! How rows are divided or ordered, preprocessed, learned and tested.

mod batches;
mod folds;
pub(crate) mod measure;
pub(crate) mod online;
mod preprocess;
pub(crate) mod rows;
mod split;
mod stream;
pub(crate) mod trained;
mod trial;
pub(crate) mod watch;

pub use crate::record::{Order, Validation};
pub use preprocess::{Preprocessing, PreprocessingError, Weights};
pub use rows::{Fold, Part, Table};
pub use split::{Split, Splitting, TrainSize, TrainSizeError, shuffled};
pub use trained::Trained;
pub use watch::Limits;

/// Settings that hold for every data set. The default: the standard split or 70 %, ten folds, labels a hundred rows late,
/// rows in stream order, raw features.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// The order of a stream, by default its own; and of the rows that a hold-out or a fold learns, by default as they
    /// were divided: shuffled, unless the split is a standard or chronological one.
    pub order: Option<Order>,
    /// Rows that the hold-out learns from; by default the standard training part, else 70 %.
    pub train: Option<TrainSize>,
    /// How the hold-out uses a standard split.
    pub splitting: Splitting,
    /// Folds of k-fold cross-validation, and learners of prequential k-fold validation.
    pub folds: usize,
    /// The rows that each learner of prequential k-fold validation learns.
    pub validation: Validation,
    /// Rows that arrive before the label of a row does, under the delayed protocol.
    pub delay: usize,
    /// What is done to the features.
    pub preprocessing: Preprocessing,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            order: None,
            train: None,
            splitting: Splitting::default(),
            folds: 10,
            validation: Validation::default(),
            delay: 100,
            preprocessing: Preprocessing::default(),
        }
    }
}
