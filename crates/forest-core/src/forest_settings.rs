//! The settings of every forest, whatever its algorithm.

use serde::{Deserialize, Serialize};

use crate::{Retention, SettingError};

/// How many trees a forest has, where their random numbers come from, and which samples it retains.
///
/// ```
/// use forest_core::{ForestSettings, Retention};
///
/// let fifty = ForestSettings::default().with_trees(50);
/// assert_eq!((fifty.seed, fifty.retention), (0, Retention::Everything));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ForestSettings {
    /// Number of trees, from 1 to [`ForestSettings::MOST_TREES`] ([`ForestSettings::TREES`] by default). Time and memory are proportional to it.
    pub trees: usize,
    /// Tree `i` draws its random numbers from stream `i` of this seed (0 by default): the same seed,
    /// settings and samples give the same forest, bit for bit.
    pub seed: u64,
    /// Which samples the forest retains (all that some tree holds, by default).
    pub retention: Retention,
}

impl Default for ForestSettings {
    fn default() -> Self {
        Self {
            trees: Self::TREES,
            seed: 0,
            retention: Retention::default(),
        }
    }
}

impl ForestSettings {
    /// The number of trees where none is given.
    pub const TREES: usize = 10;

    /// The maximum number of trees. A larger number is a typing mistake: the forest would run out of memory before its first sample.
    pub const MOST_TREES: usize = 100_000;

    /// Returns these settings with another number of trees.
    #[must_use]
    pub const fn with_trees(self, trees: usize) -> Self {
        Self { trees, ..self }
    }

    /// Returns these settings with another seed.
    #[must_use]
    pub const fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns these settings with another retention.
    #[must_use]
    pub const fn with_retention(self, retention: Retention) -> Self {
        Self { retention, ..self }
    }

    /// Checks the number of trees alone, before there is a forest.
    ///
    /// # Errors
    /// No trees, or more than [`ForestSettings::MOST_TREES`].
    pub fn check_trees(trees: usize) -> Result<(), SettingError> {
        match trees {
            1..=Self::MOST_TREES => Ok(()),
            0 => Err(SettingError::new("trees", "must be at least 1", 0)),
            _ => Err(SettingError::new("trees", "must be at most 100000", trees)),
        }
    }

    /// Checks the number of trees, and that trees can follow the retention.
    ///
    /// # Errors
    /// The setting that breaks its rule.
    pub fn check(&self, can_forget: bool) -> Result<(), SettingError> {
        Self::check_trees(self.trees)?;
        self.retention.check(can_forget)
    }
}
