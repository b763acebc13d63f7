//! The row of the table, parameters, and what the chains are.

use dynamic_forest::DynamicSettings;
use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::registry::{Built, Entry, WINDOW};
use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError, Task as _};
use serde::{Deserialize, Serialize};

use crate::{ResidualClassifier, ResidualForest};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// `residual-forest`: for numbers chains of residual stages of dynamic trees, for classes a mixture of the readings of one forest.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    paper: "ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001",
    limits: &[
        "with more than 300 classes it follows new ones more slowly, so that a row does not cost as much as their square",
    ],
    trees: 100,
    parameters: &[PARAMETERS, &[WINDOW]],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "residual-forest",
        "dynamic trees in an online mixture: for classes read at nodes of several sizes, beside a linear and a quadratic function; for numbers boosted row by row",
    )
};

fn classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let (settings, forest) = (ResidualClassifierSettings::of(v), v.window(forest));
    Ok(Box::new(ResidualClassifier::new(schema, settings, forest)?))
}

fn numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let (settings, forest) = (ResidualSettings::of(v), v.window(forest));
    Ok(Box::new(ResidualForest::new(schema, settings, forest)?))
}

/// The parameters, of which `recheck` is that of numbers, and then that of classes.
const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "max_features": Rule::Or(&Rule::Count(1), &[BY_TASK]), BY_TASK,
        "features considered at a node (K); by task: twice the root of the number of features for classes, all for numbers";
    "recheck": Rule::SHARE, "0.5",
        "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0.7 for classes", for Regression;
    "recheck": Rule::SHARE, "0.7",
        "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0.5 for numbers", for Classification;
    "recent": Rule::Or(&Rule::List('/', &Rule::Count(1)), &[NO_WINDOWS]), NO_WINDOWS,
        "latest rows that, with the last label, help to predict the next row, separated by /: for streams whose neighbouring rows are alike or whose concept drifts (40/400), not for tables, each of whose rows is predicted as the next one", for Classification;
};

/// The word for predictions from all rows alone.
const NO_WINDOWS: &str = "none";

/// The word for a K that depends on the task.
const BY_TASK: &str = "by-task";

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

impl ResidualSettings {
    /// Returns the settings that these values state.
    pub(crate) fn of(v: &mut Values) -> Self {
        Self {
            max_features: v.unless("max_features", BY_TASK),
            recheck: v.get("recheck"),
        }
    }

    /// Returns the settings of the trees of a stage.
    pub(crate) fn of_stage(&self, chain: &Chain, stage: usize) -> DynamicSettings {
        DynamicSettings {
            max_features: self.max_features,
            min_samples_split: 2,
            min_samples_leaf: chain.leaves[stage],
            thresholds: chain.thresholds,
            recheck: self.recheck,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check(
            PARAMETERS,
            "max_features",
            or_word(self.max_features, BY_TASK),
        )?;
        check(PARAMETERS, "recheck", self.recheck)
    }
}

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

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check(
            PARAMETERS,
            "max_features",
            or_word(self.max_features, BY_TASK),
        )?;
        check(PARAMETERS, "recheck", self.recheck)?;
        let mut windows = self.recent.iter();
        windows.try_for_each(|rows| check(PARAMETERS, "recent", rows))
    }

    /// Returns the settings of the trees.
    pub(crate) fn of_trees(&self) -> DynamicSettings {
        DynamicSettings {
            max_features: self.max_features,
            recheck: self.recheck,
            ..DynamicSettings::default()
        }
    }
}

/// A chain of stages.
#[derive(Debug)]
pub(crate) struct Chain {
    /// Whether a ridge regression comes before the forests.
    pub(crate) has_ridge: bool,
    /// Its share of the trees: chains get trees in proportion.
    share: usize,
    /// Thresholds of each feature, among which a node takes the best.
    thresholds: u32,
    /// For each forest, in order, the minimum number of samples that a cut leaves on each side.
    leaves: &'static [u32],
}

impl Chain {
    const fn new(share: usize, thresholds: u32, leaves: &'static [u32]) -> Self {
        Self {
            has_ridge: false,
            share,
            thresholds,
            leaves,
        }
    }

    const fn on_ridge(mut self) -> Self {
        self.has_ridge = true;
        self
    }
}

/// They err in different ways: whole trees, stages from a mean, and stages from a linear function.
pub(crate) const CHAINS: [Chain; 3] = [
    Chain::new(20, 1, &[1]),
    Chain::new(40, 4, &[7, 3, 3]),
    Chain::new(40, 2, &[7, 3, 3]).on_ridge(),
];

/// Returns the trees of each stage of each chain: all trees, in proportion to the shares of chains, and evenly among the stages
/// of a chain. With few trees, some have none.
pub(crate) fn divide_trees(trees: usize) -> Vec<Vec<usize>> {
    let all: usize = CHAINS.iter().map(|chain| chain.share).sum();
    // Rounded to the nearest.
    let until = |share: usize| (2 * share * trees + all) / (2 * all);
    let (mut before, mut divided) = (0, Vec::new());
    for Chain { share, leaves, .. } in &CHAINS {
        let (own, stages) = (until(before + share) - until(before), leaves.len());
        let until = |stage: usize| (own * stage).div_ceil(stages);
        let evenly = (0..stages).map(|stage| until(stage + 1) - until(stage));
        divided.push(evenly.collect());
        before += share;
    }
    divided
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
