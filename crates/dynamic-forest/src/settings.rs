//! Parameters of the trees.

use forest_core::{Schema, SettingError, Settings};
use serde::{Deserialize, Serialize};

use crate::Labels;

/// What trees are built like, and how exactly they are kept so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DynamicSettings {
    /// K, the number of candidates of a node, 1 or more; `None`: √d, rounded down, for classes, d for numbers, where d is
    /// the number of features.
    pub max_features: Option<u32>,
    /// Nodes with fewer samples are leaves, 2 or more.
    pub min_samples_split: u32,
    /// ε, from 0 to 1. The cut of a node is looked at again when this share of its samples has changed; 0: it is always
    /// that of the batch tree.
    pub recheck: f64,
}

impl Default for DynamicSettings {
    fn default() -> Self {
        Self {
            max_features: None,
            min_samples_split: 2,
            recheck: 0.5,
        }
    }
}

impl DynamicSettings {
    /// K for `width` features.
    pub(crate) fn candidates<T: Labels>(&self, width: usize) -> usize {
        let few = |width: usize| {
            if T::FEW_CANDIDATES {
                width.isqrt()
            } else {
                width
            }
        };
        self.max_features
            .map_or_else(|| few(width), |count| count as usize)
    }
}

impl<T: Labels> Settings<T> for DynamicSettings {
    fn check(&self, _: &Schema<T>) -> Result<(), SettingError> {
        let some = self.max_features != Some(0);
        SettingError::require(some, "max_features", "must be at least 1", 0)?;
        let cuts = self.min_samples_split >= 2;
        let rule = "must be at least 2";
        SettingError::require(cuts, "min_samples_split", rule, self.min_samples_split)?;
        let share = (0.0..=1.0).contains(&self.recheck);
        SettingError::require(share, "recheck", "must be from 0 to 1", self.recheck)
    }
}
