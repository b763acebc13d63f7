//! Parameters of the learner of classes.

use dynamic_forest::DynamicSettings;
use forest_core::parameters::{Values, check, or_word};
use forest_core::{Regression, SettingError, Task as _};
use serde::{Deserialize, Serialize};

use crate::settings::{BY_TASK, NO_WINDOWS, PARAMETERS};

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResidualClassifierSettings {
    /// K, the number of features considered at a node, 1 or more; `None`: 2√d, rounded down, of d features.
    pub max_features: Option<u32>,
    /// ε, from 0 to 1: the cut of a node is reconsidered when this share of its samples has changed
    /// ([`DynamicSettings::recheck`]).
    pub recheck: f64,
    /// The windows of small forests that, with the last label, help to predict the next row, each of 1 row or more; none by default.
    pub recent: Vec<u32>,
}

impl Default for ResidualClassifierSettings {
    fn default() -> Self {
        let mut defaults = PARAMETERS.to_vec();
        defaults.retain(|parameter| parameter.task != Some(Regression::NAME));
        Self::of(&mut Values::defaults(&defaults))
    }
}

impl ResidualClassifierSettings {
    /// Returns the settings that these values state.
    pub(crate) fn of(v: &mut Values) -> Self {
        Self {
            max_features: v.unless("max_features", BY_TASK),
            recheck: v.get("recheck"),
            recent: v.list("recent", NO_WINDOWS),
        }
    }

    pub(super) fn check(&self) -> Result<(), SettingError> {
        let features = or_word(self.max_features, BY_TASK);
        check(
            &PARAMETERS,
            &[("max_features", &features), ("recheck", &self.recheck)],
        )?;
        let windows = self.recent.iter();
        windows
            .map(|rows| check(&PARAMETERS, &[("recent", rows)]))
            .collect()
    }

    /// Returns the settings of the trees.
    pub(super) fn of_trees(&self) -> DynamicSettings {
        DynamicSettings {
            max_features: self.max_features,
            recheck: self.recheck,
            ..DynamicSettings::default()
        }
    }
}
