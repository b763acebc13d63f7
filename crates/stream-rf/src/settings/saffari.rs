//! The parameters of Saffari et al., with the rule of each.

use std::num::NonZeroU32;

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{Declared as _, MAX_NODES, UNLIMITED, VOTE, VOTES, settings};
use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use super::rules::M;
use crate::features::{Axes, FeatureSpace};

/// Settings of the online forest of Saffari et al.; defaults are those that Denil et al. compare
/// with (section 5.2), and the depth limit of their code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SaffariSettings<S: FeatureSpace = Axes> {
    /// Features that a leaf draws for its tests; all there are if they are fewer.
    pub tests: u32,
    /// Thresholds for each of them, 1 to 255: the values of the leaf's first points.
    pub m: u32,
    /// Points that a leaf needs before it may be split.
    pub min_samples: u32,
    /// Gain that a split must exceed. For numbers, the share of the leaf's
    /// variance that the split explains.
    pub min_gain: f64,
    /// Depth at which leaves are split no more.
    pub max_depth: u32,
    /// What a tree votes with; means nothing to numbers.
    pub vote: Vote,
    /// The most nodes of a tree; no limit if `None`. A tree that has no room for another split keeps no statistics
    /// about candidate splits any more, and continues to count labels in its leaves: constant memory.
    pub max_nodes: Option<NonZeroU32>,
    /// What the tests are drawn from.
    pub features: S,
}

settings! {
    [S: FeatureSpace] SaffariSettings<S> {
        tests: Parameter::new("tests", Rule::CountFromTo(1, 1_000_000), "10", "features that a leaf draws for its tests");
        m: Parameter::new("m", M, "10", "thresholds for each of them");
        min_samples: Parameter::new("min_samples", Rule::Count(0), "50", "points that a leaf needs before it may be split");
        min_gain: Parameter::new("min_gain", Rule::NUMBER, "0.1", "gain that a split must exceed; for classes in bits");
        max_depth: Parameter::new("max_depth", Rule::Count(0), "50", "depth at which leaves are split no more");
        max_nodes: MAX_NODES, UNLIMITED => None, Some;
        vote: VOTE, VOTES;
        features = S::default();
    }
}

impl<T: Task, S: FeatureSpace> Settings<T> for SaffariSettings<S> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        self.check_rules()?;
        self.features.check(schema.features())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Classification;

    use super::*;

    /// Returns the parameter that `change` makes the default settings be refused for.
    fn refused(change: impl FnOnce(&mut SaffariSettings)) -> &'static str {
        let mut settings = SaffariSettings::<Axes>::default();
        change(&mut settings);
        let schema = Schema::<Classification>::new(3).unwrap();
        settings
            .check(&schema)
            .map_or_else(|error| error.parameter, |()| "nothing")
    }

    #[test]
    fn a_broken_rule_is_reported_by_name() {
        assert_eq!(refused(|_| ()), "nothing");
        assert_eq!(refused(|s| s.tests = 0), "tests");
        assert_eq!(refused(|s| s.tests = 1_000_001), "tests");
        assert_eq!(refused(|s| s.m = 0), "m");
        assert_eq!(refused(|s| s.min_gain = -1.0), "min_gain");
    }
}
