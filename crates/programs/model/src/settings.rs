//! What is chosen before the first row.

use online_forests::preprocessing::FeatureScaling;
use serde::{Deserialize, Serialize};
use tables::TableOptions;

/// What is chosen before the first row, besides the columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The algorithm as it was given; the learner knows it with every parameter stated.
    pub algorithm: String,
    /// The format of the table and what its columns become.
    pub table: TableOptions,
    /// The number of trees of the forest.
    pub trees: u64,
    /// The seed of its random numbers.
    pub seed: u64,
    /// How features are scaled, by the rows that the columns were fitted on.
    pub scale: FeatureScaling,
    /// The most rows that columns and scale were fitted on.
    pub fit_rows: u64,
    /// The number of rows that the scale was fitted on.
    pub fitted_rows: u64,
}
