//! What every forest is told, whatever its algorithm.

use serde::{Deserialize, Serialize};

use crate::SettingError;

/// How many trees a forest has, and where their random numbers come from.
///
/// ```
/// use forest_core::ForestSettings;
///
/// let fifty = ForestSettings { trees: 50, ..ForestSettings::default() };
/// assert_eq!(fifty, ForestSettings { trees: 50, seed: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForestSettings {
    /// Number of trees, at least 1 (10 unless told). Time and memory are proportional to it.
    pub trees: usize,
    /// Tree `i` draws its random numbers from stream `i` of this seed (0 unless told): the same seed,
    /// settings and samples give the same forest, bit for bit.
    pub seed: u64,
}

impl Default for ForestSettings {
    fn default() -> Self {
        Self { trees: 10, seed: 0 }
    }
}

impl ForestSettings {
    /// Checks that there are trees.
    ///
    /// # Errors
    /// If there are none.
    pub fn check(&self) -> Result<(), SettingError> {
        match self.trees {
            0 => Err(SettingError::new("trees", "must be at least 1", 0)),
            _ => Ok(()),
        }
    }
}
