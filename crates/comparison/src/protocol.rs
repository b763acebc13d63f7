//! How rows are divided or ordered, preprocessed, learned and tested.

mod preprocess;
mod samples;
mod schedule;
mod split;

pub use crate::record::{Order, Validation};
pub use preprocess::{Preprocessing, PreprocessingError, Weights};
pub use samples::{Samples, Table};
pub(crate) use schedule::{Course, Rows, Step};
pub use split::{Split, Splitting, TrainSize, TrainSizeError, shuffled};

/// What a user decides about protocols.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// The order of streams and of the rows that are learned; `None` leaves streams as they are and training rows as a split draws them.
    pub order: Option<Order>,
    /// Rows that a hold-out learns: 70 % by default, or a standard training part.
    pub train: Option<TrainSize>,
    /// How a hold-out divides the rows.
    pub splitting: Splitting,
    /// Parts of a k-fold cross-validation; learners of prequential k-fold validation.
    pub folds: usize,
    /// Which rows each learner of prequential k-fold validation learns.
    pub validation: Validation,
    /// Rows that arrive before the label of a row does, in the protocol with delayed labels.
    pub delay: usize,
    /// What is done to features.
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
