//! Parameters of the learner.

use forest_core::{ForestSettings, SettingError, TreeRng};
use registry::parameters::{Parameter, Rule};
use registry::{Declared as _, settings};
use serde::{Deserialize, Serialize};

/// What is chosen before the first sample, number of trees and seed aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPartsSettings {
    /// The learner of each part, an algorithm's name or `name:key=value;key=value`.
    pub base: String,
    /// Number of parts, 1 or more.
    pub parts: u32,
}

settings! {
    RowPartsSettings {
        base: Parameter::new("base", Rule::Text, "mondrian", "the learner of each part; its parameters by ; instead of ,");
        parts: Parameter::new("parts", Rule::Count(1), "4",
            "parts to which rows are distributed round-robin, for any number of processes");
    }
}

impl RowPartsSettings {
    pub(crate) fn check(&self, forest: &ForestSettings) -> Result<(), SettingError> {
        self.check_rules()?;
        ForestSettings::check_trees(forest.trees)?;
        let few = forest.trees.saturating_mul(self.parts as usize) <= ForestSettings::MOST_TREES;
        let rule = "must be few enough for at most 100000 trees in all";
        SettingError::require(few, "parts", rule, self.parts)
    }
}

/// Returns the settings with the seed of a part.
pub(crate) fn seeded(forest: ForestSettings, number: u32) -> ForestSettings {
    let seed = TreeRng::new(forest.seed, number as usize).bits();
    forest.with_seed(seed)
}
