//! The parameters of Saffari et al., with the rule of each.

use std::num::NonZeroU32;

use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use super::rules::{check_gain, check_m};
use crate::features::{Axes, FeatureSpace};

/// Settings of the online forest of Saffari et al.; defaults are those that Denil et al. compare
/// with (section 5.2), and the depth limit of their code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SaffariSettings<S: FeatureSpace = Axes> {
    /// Features that a leaf draws for its tests; all there are if they are fewer. 10 by default.
    pub tests: u32,
    /// Thresholds for each of them, 1 to 255: the values of the leaf's first points. 10 by default.
    pub m: u32,
    /// Points that a leaf needs before it may be split; 50 by default.
    pub min_samples: u32,
    /// Gain that a split must exceed; 0.1 bits by default. For numbers, the share of the leaf's
    /// variance that the split explains.
    pub min_gain: f64,
    /// Depth at which leaves are split no more; 50 by default.
    pub max_depth: u32,
    /// What a tree votes with; means nothing to numbers.
    pub vote: Vote,
    /// The most nodes of a tree; no limit if `None`. A tree that has no room for another split keeps no statistics
    /// about candidate splits any more, and goes on counting labels in its leaves: constant memory.
    pub max_nodes: Option<NonZeroU32>,
    /// What the tests are drawn from.
    pub features: S,
}

impl<S: FeatureSpace> Default for SaffariSettings<S> {
    fn default() -> Self {
        Self {
            tests: 10,
            m: 10,
            min_samples: 50,
            min_gain: 0.1,
            max_depth: 50,
            vote: Vote::default(),
            max_nodes: None,
            features: S::default(),
        }
    }
}

impl<T: Task, S: FeatureSpace> Settings<T> for SaffariSettings<S> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        let drawable = (1..=1_000_000).contains(&self.tests);
        SettingError::require(drawable, "tests", "must be from 1 to 1000000", self.tests)?;
        check_m(self.m)?;
        check_gain("min_gain", self.min_gain)?;
        self.features.check(schema.features())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Classification;

    use super::*;

    /// The parameter that `change` makes the default settings be refused for.
    fn refused(change: impl FnOnce(&mut SaffariSettings)) -> &'static str {
        let mut settings = SaffariSettings::<Axes>::default();
        change(&mut settings);
        let schema = Schema::<Classification>::new(3).unwrap();
        settings
            .check(&schema)
            .map_or_else(|error| error.parameter, |()| "nothing")
    }

    #[test]
    fn a_broken_rule_is_told_by_name() {
        assert_eq!(refused(|_| ()), "nothing");
        assert_eq!(refused(|s| s.tests = 0), "tests");
        assert_eq!(refused(|s| s.tests = 1_000_001), "tests");
        assert_eq!(refused(|s| s.m = 0), "m");
        assert_eq!(refused(|s| s.min_gain = -1.0), "min_gain");
    }
}
