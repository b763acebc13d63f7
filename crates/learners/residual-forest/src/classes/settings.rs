//! Parameters of the learner of classes.

use dynamic_forest::DynamicSettings;
use forest_core::SettingError;
use forest_core::parameters::{Parameter, Rule, parsed};
use forest_core::registry::{Declared as _, settings};
use serde::{Deserialize, Serialize};

use crate::settings::{BY_TASK, MAX_FEATURES};

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

settings! {
    ResidualClassifierSettings {
        max_features: MAX_FEATURES, BY_TASK => None, Some;
        recheck: Parameter::new("recheck", Rule::SHARE, "0.7",
            "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0.5 for numbers");
        recent: Parameter::new("recent", WINDOWS, NO_WINDOWS,
            "latest rows that, with the last label, help to predict the next row, separated by /: for streams whose neighbouring rows are alike or \
             whose concept drifts (40/400), not for tables, each of whose rows is predicted as the next one"), windows_as_text, windows_of_text;
    }
}

const WINDOWS: Rule = Rule::Or(&Rule::List('/', &Rule::Count(1)), &[NO_WINDOWS]);

/// The word for predictions from all rows alone.
const NO_WINDOWS: &str = "none";

fn windows_as_text(windows: &[u32]) -> String {
    if windows.is_empty() {
        return NO_WINDOWS.to_owned();
    }
    let windows: Vec<_> = windows.iter().map(u32::to_string).collect();
    windows.join("/")
}

fn windows_of_text(text: &str) -> Vec<u32> {
    if text == NO_WINDOWS {
        return Vec::new();
    }
    text.split('/').map(parsed).collect()
}

impl ResidualClassifierSettings {
    pub(super) fn check(&self) -> Result<(), SettingError> {
        self.check_rules()
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
