//! Parameters of the learner.

use dynamic_forest::DynamicSettings;
use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{Declared as _, settings};
use forest_core::{Regression, Schema, SettingError, Settings};
use serde::{Deserialize, Serialize};

use crate::ChainSettings;

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResidualSettings {
    /// The chains, joined by `+`, each as [`ChainSettings`] are written.
    pub chains: String,
    /// K, the number of features considered at a node, 1 or more; `None`: all.
    pub max_features: Option<u32>,
    /// ε, from 0 to 1: the cut of a node is reconsidered when this share of its samples has changed
    /// ([`DynamicSettings::recheck`]).
    pub recheck: f64,
}

settings! {
    ResidualSettings {
        // Three chains that err in different ways: whole trees, stages from a mean, and stages from a linear function.
        chains: Parameter::new("chains", Rule::Text, "20x1/1+40x4/7/3/3+ridge/40x2/7/3/3",
            "chains joined by +: share of the trees x thresholds per feature / samples per side of each stage; ridge/ in front: start from a ridge regression");
        max_features: MAX_FEATURES, BY_TASK => None, Some;
        recheck: Parameter::new("recheck", Rule::SHARE, "0.5",
            "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0.7 for classes");
    }
}

/// K of both tasks.
pub(crate) const MAX_FEATURES: Parameter = Parameter::new(
    "max_features",
    Rule::Or(&Rule::Count(1), &[BY_TASK]),
    BY_TASK,
    "features considered at a node (K); by task: twice the root of the number of features for classes, all for numbers",
);

/// The word for a K that depends on the task.
pub(crate) const BY_TASK: &str = "by-task";

impl ResidualSettings {
    /// More chains, or more stages of a chain, cost a row as much as they take: a cube of stages, and a square of both.
    const MOST: usize = 16;

    /// Returns the chains; there is at least one.
    ///
    /// # Errors
    /// Returns an error for a text that is not a chain, or for too many chains.
    pub fn read_chains(&self) -> Result<Vec<ChainSettings>, SettingError> {
        let refuse = |rule| SettingError::new("chains", rule, &self.chains);
        let chains = self.chains.split('+').map(str::parse);
        let chains: Result<Vec<ChainSettings>, _> = chains.collect();
        let rule = "must be chains such as 20x1/1+ridge/40x2/7/3/3 (share of the trees, thresholds, samples a side for each stage)";
        let chains = chains.map_err(|_| refuse(rule))?;
        let few = |chain: &ChainSettings| chain.leaves.len() <= Self::MOST;
        if chains.len() > Self::MOST || !chains.iter().all(few) {
            return Err(refuse("must be at most 16 chains of at most 16 stages"));
        }
        Ok(chains)
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

    pub(crate) fn check(&self, schema: &Schema<Regression>) -> Result<(), SettingError> {
        self.check_rules()?;
        let chains = self.read_chains()?;
        let stages = |chain: &ChainSettings| {
            (0..chain.leaves.len()).try_for_each(|stage| self.of_stage(chain, stage).check(schema))
        };
        chains.iter().try_for_each(stages)
    }
}

/// Returns the trees of each stage of each chain: all trees, in proportion to the shares of chains, and evenly among the stages
/// of a chain. With few trees, some have none.
pub(crate) fn divide_trees(trees: usize, chains: &[ChainSettings]) -> Vec<Vec<usize>> {
    let all: u64 = chains.iter().map(|chain| u64::from(chain.share)).sum();
    let mut before = 0;
    let mut until = |chain: &ChainSettings| {
        let from = rounded(before, trees, all);
        before += u64::from(chain.share);
        from..rounded(before, trees, all)
    };
    let divide = |chain: &ChainSettings| evenly(until(chain).len(), chain.leaves.len());
    chains.iter().map(divide).collect()
}

/// Returns `part · trees / all`, rounded to the nearest.
fn rounded(part: u64, trees: usize, all: u64) -> usize {
    ((2 * part * trees as u64 + all) / (2 * all)) as usize
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
    fn each_stage_has_its_own_least_leaf() {
        let settings = ResidualSettings {
            chains: "1x4/10/3/2+ridge/2x5/7/1".to_owned(),
            ..ResidualSettings::default()
        };
        let leaves = settings.read_chains().unwrap().into_iter().map(|chain| {
            let stages = 0..chain.leaves.len();
            let of_stage = |stage| settings.of_stage(&chain, stage);
            let found = stages.map(of_stage);
            found
                .map(|found| (found.thresholds, found.min_samples_leaf))
                .collect::<Vec<_>>()
        });
        assert_eq!(
            leaves.collect::<Vec<_>>(),
            [vec![(4, 10), (4, 3), (4, 2)], vec![(5, 7), (5, 1)]]
        );
    }

    #[test]
    fn trees_are_divided_in_proportion_and_none_is_lost() {
        let chains = ResidualSettings::default().read_chains().unwrap();
        let divided = |trees| divide_trees(trees, &chains);
        assert_eq!(divided(100), [vec![20], vec![14, 13, 13], vec![14, 13, 13]]);
        assert_eq!(divided(10), [vec![2], vec![2, 1, 1], vec![2, 1, 1]]);
        assert_eq!(divided(1), [vec![0], vec![1, 0, 0], vec![0, 0, 0]]);
        for trees in 1..200 {
            let all: usize = divided(trees).iter().flatten().sum();
            assert_eq!(all, trees);
        }
    }
}
