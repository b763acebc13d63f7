//! What is chosen before the first row.

use clap::ValueEnum;
use online_forests::preprocessing::Scaling;
use serde::{Deserialize, Serialize};
use tables::TableOptions;

use super::table_options;

/// What is chosen before the first row, besides the columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The algorithm as it was given; the learner knows it with every parameter stated.
    pub algorithm: String,
    /// How the table is written and what its columns become, as options on a command line; without defaults.
    pub table: String,
    /// Trees of the forest.
    pub trees: u64,
    /// Where its random numbers come from.
    pub seed: u64,
    /// How features are scaled, by the rows that the columns were fitted on.
    pub scale: Scale,
    /// Rows that columns and scale were fitted on, at most.
    pub fit_rows: u64,
}

impl Settings {
    /// How the table is written and what its columns become.
    pub fn table_options(&self) -> TableOptions {
        table_options(&self.table).expect("a model with another text is not loaded")
    }
}

/// What is done to the features before anything learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The features as they are.
    None,
    /// Each feature to [0, 1], which finite budgets expect.
    Minmax,
    /// Each feature to mean 0 and variance 1.
    Standard,
    /// Each feature minus its median, divided by its interquartile range.
    Robust,
    /// Each value to its quantile among the values fitted on, in [0, 1].
    Quantile,
}

impl Scale {
    /// As a step of a pipeline.
    pub fn scaling(self) -> Option<Scaling> {
        match self {
            Self::None => None,
            Self::Minmax => Some(Scaling::MinMax),
            Self::Standard => Some(Scaling::Standard),
            Self::Robust => Some(Scaling::Robust),
            Self::Quantile => Some(Scaling::Quantile),
        }
    }

    /// As it is written on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minmax => "minmax",
            Self::Standard => "standard",
            Self::Robust => "robust",
            Self::Quantile => "quantile",
        }
    }
}
