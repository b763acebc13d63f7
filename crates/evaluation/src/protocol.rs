//! How rows are divided or ordered, preprocessed, learned and tested.

pub(crate) mod measure;
mod preprocess;
pub(crate) mod rows;
mod split;

pub use preprocess::{Preprocessing, Weights};
pub use split::{Split, TrainSize, TrainSizeError};

/// What is done alike with every data set. The default: the standard split or 70 %, rows in stream order, raw features.
#[derive(Clone, Copy, Debug, Default)]
pub struct Design {
    /// The order in which the prequential protocol visits the rows.
    pub order: Order,
    /// Rows the hold-out learns from; none: the standard training part, else 70 %.
    pub train: Option<TrainSize>,
    /// What is done to the features.
    pub preprocessing: Preprocessing,
}

/// The order of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the file or the generator has them.
    #[default]
    Stream,
    /// Shuffled, anew for every seed.
    Shuffled,
}
