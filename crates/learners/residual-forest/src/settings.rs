//! Parameters of the learner, and its chains.

use dynamic_forest::DynamicSettings;
use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::{Classification, Regression, SettingError, Task as _};
use serde::{Deserialize, Serialize};

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResidualSettings {
    /// K, the number of features considered at a node, 1 or more; `None`: all.
    pub max_features: Option<u32>,
    /// ε, from 0 to 1: the cut of a node is reconsidered when this share of its samples has changed
    /// ([`DynamicSettings::recheck`]).
    pub recheck: f64,
}

impl Default for ResidualSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(&PARAMETERS[..2]))
    }
}

/// The parameters, of which `recheck` is that of numbers, and then that of classes.
pub(crate) const PARAMETERS: [Parameter; 4] = [
    Parameter::new("max_features", Rule::Or(&Rule::Count(1), &[BY_TASK]), BY_TASK,
        "features considered at a node (K); by task: twice the root of the number of features for classes, all for numbers"),
    Parameter::new("recheck", Rule::SHARE, "0.5",
        "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0.7 for classes")
        .of(Regression::NAME),
    Parameter::new("recheck", Rule::SHARE, "0.7",
        "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0.5 for numbers")
        .of(Classification::NAME),
    Parameter::new("recent", Rule::Or(&Rule::List('/', &Rule::Count(1)), &[NO_WINDOWS]), NO_WINDOWS,
        "latest rows that, with the last label, help to predict the next row, separated by /: for streams whose neighbouring rows are alike or \
         whose concept drifts (40/400), not for tables, each of whose rows is predicted as the next one")
        .of(Classification::NAME),
];

/// The word for predictions from all rows alone.
pub(crate) const NO_WINDOWS: &str = "none";

/// The word for a K that depends on the task.
pub(crate) const BY_TASK: &str = "by-task";

/// A chain of stages.
#[derive(Debug)]
pub(crate) struct ChainSettings {
    /// Whether a ridge regression comes before the forests.
    pub(crate) has_ridge: bool,
    /// Its share of the trees: chains get trees in proportion.
    pub(crate) share: usize,
    /// Thresholds of each feature, among which a node takes the best.
    pub(crate) thresholds: u32,
    /// For each forest, in order, the minimum number of samples that a cut leaves on each side.
    pub(crate) leaves: &'static [u32],
}

/// They err in different ways: whole trees, stages from a mean, and stages from a linear function.
pub(crate) const CHAINS: [ChainSettings; 3] = [
    ChainSettings {
        has_ridge: false,
        share: 20,
        thresholds: 1,
        leaves: &[1],
    },
    ChainSettings {
        has_ridge: false,
        share: 40,
        thresholds: 4,
        leaves: &[7, 3, 3],
    },
    ChainSettings {
        has_ridge: true,
        share: 40,
        thresholds: 2,
        leaves: &[7, 3, 3],
    },
];

impl ResidualSettings {
    /// Returns the settings that these values state.
    pub(crate) fn of(v: &mut Values) -> Self {
        Self {
            max_features: v.unless("max_features", BY_TASK),
            recheck: v.get("recheck"),
        }
    }

    /// Returns the settings of the trees of a stage.
    pub(crate) fn of_stage(&self, chain: &ChainSettings, stage: usize) -> DynamicSettings {
        DynamicSettings {
            max_features: self.max_features,
            min_samples_split: 2,
            min_samples_leaf: chain.leaves[stage],
            thresholds: chain.thresholds,
            recheck: self.recheck,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        let features = or_word(self.max_features, BY_TASK);
        check(
            &PARAMETERS,
            &[("max_features", &features), ("recheck", &self.recheck)],
        )
    }
}

/// Returns the trees of each stage of each chain: all trees, in proportion to the shares of chains, and evenly among the stages
/// of a chain. With few trees, some have none.
pub(crate) fn divide_trees(trees: usize) -> Vec<Vec<usize>> {
    let all: usize = CHAINS.iter().map(|chain| chain.share).sum();
    let (mut before, mut divided) = (0, Vec::new());
    for chain in &CHAINS {
        let [from, until] = [before, before + chain.share].map(|part| rounded(part, trees, all));
        divided.push(evenly(until - from, chain.leaves.len()));
        before += chain.share;
    }
    divided
}

/// Returns `part · trees / all`, rounded to the nearest.
fn rounded(part: usize, trees: usize, all: usize) -> usize {
    (2 * part * trees + all) / (2 * all)
}

fn evenly(trees: usize, stages: usize) -> Vec<usize> {
    let until = |stage: usize| (trees * stage).div_ceil(stages);
    (0..stages)
        .map(|stage| until(stage + 1) - until(stage))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_divided_in_proportion_and_none_is_lost() {
        assert_eq!(
            divide_trees(100),
            [vec![20], vec![14, 13, 13], vec![14, 13, 13]]
        );
        assert_eq!(divide_trees(10), [vec![2], vec![2, 1, 1], vec![2, 1, 1]]);
        assert_eq!(divide_trees(1), [vec![0], vec![1, 0, 0], vec![0, 0, 0]]);
        for trees in 1..200 {
            let all: usize = divide_trees(trees).iter().flatten().sum();
            assert_eq!(all, trees);
        }
    }
}
