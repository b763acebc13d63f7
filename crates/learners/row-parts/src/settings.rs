//! Parameters of the learner.

use forest_core::{ForestSettings, SettingError, TreeRng};
use serde::{Deserialize, Serialize};

/// What is chosen before the first sample, number of trees and seed aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPartsSettings {
    /// The learner of each part, an algorithm's name or `name:key=value;key=value`.
    pub base: String,
    /// Number of parts, 1 or more.
    pub parts: u32,
}

impl Default for RowPartsSettings {
    fn default() -> Self {
        Self {
            base: "mondrian".to_owned(),
            parts: 4,
        }
    }
}

impl RowPartsSettings {
    pub(crate) fn check(&self, forest: &ForestSettings) -> Result<(), SettingError> {
        let parts = self.parts;
        SettingError::require(parts > 0, "parts", "must be at least 1", parts)?;
        ForestSettings::check_trees(forest.trees)?;
        let few = forest.trees.saturating_mul(parts as usize) <= ForestSettings::MOST_TREES;
        let rule = "must be few enough for at most 100000 trees in all";
        SettingError::require(few, "parts", rule, parts)
    }
}

/// The settings with the seed of a part.
pub(crate) fn seeded(forest: ForestSettings, number: u32) -> ForestSettings {
    let seed = TreeRng::new(forest.seed, number as usize).bits();
    forest.with_seed(seed)
}
