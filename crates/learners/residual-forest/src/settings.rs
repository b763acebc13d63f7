//! The row of the table, parameters, and what the chains are.

use dynamic_forest::DynamicSettings;
use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::registry::{Built, Entry, WINDOW};
use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError};
use serde::{Deserialize, Serialize};

use crate::{ResidualClassifier, ResidualForest};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// `residual-forest`: for numbers chains of residual stages of dynamic trees, for classes a mixture of the readings of one forest.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    paper: "ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001",
    limits: &[
        "a row takes time in proportion to the classes: of 3,000 about ten times as long as amf takes",
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

type Classes = Schema<Classification>;
type Numbers = Schema<Regression>;

fn classes(v: &mut Values, schema: Classes, forest: ForestSettings) -> Built<Classification> {
    let recent = v.list("recent", NO_WINDOWS);
    let (settings, forest) = (ResidualSettings::of(v, recent), v.window(forest));
    Ok(Box::new(ResidualClassifier::new(schema, settings, forest)?))
}

fn numbers(v: &mut Values, schema: Numbers, forest: ForestSettings) -> Built<Regression> {
    let (settings, forest) = (ResidualSettings::of(v, Vec::new()), v.window(forest));
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
    /// K, the number of features considered at a node, 1 or more; `None`: all for numbers, 2√d, rounded down, of d features for classes.
    pub max_features: Option<u32>,
    /// ε, from 0 to 1: the cut of a node is reconsidered when this share of its samples has changed
    /// ([`DynamicSettings::recheck`]).
    pub recheck: f64,
    /// For classes the windows of small forests that, with the last label, help to predict the next row, each of 1 row or more.
    pub recent: Vec<u32>,
}

impl ResidualSettings {
    /// Returns the settings by default for classes.
    pub fn of_classes() -> Self {
        let recheck = 0.7;
        Self {
            recheck,
            ..Self::of_numbers()
        }
    }

    /// Returns the settings by default for numbers.
    pub fn of_numbers() -> Self {
        Self::of(&mut Values::defaults(&PARAMETERS[..2]), Vec::new())
    }

    /// Returns the settings that these values state.
    fn of(v: &mut Values, recent: Vec<u32>) -> Self {
        Self {
            max_features: v.unless("max_features", BY_TASK),
            recheck: v.get("recheck"),
            recent,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        let max_features = or_word(self.max_features, BY_TASK);
        check(PARAMETERS, "max_features", max_features)?;
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
pub(crate) struct Chain {
    /// Whether a ridge regression comes before the forests.
    pub(crate) has_ridge: bool,
    /// Its share of the trees: chains get trees in proportion.
    share: usize,
    /// Thresholds of each feature, among which a node takes the best.
    pub(crate) thresholds: u32,
    /// For each forest, in order, the minimum number of samples that a cut leaves on each side.
    pub(crate) leaves: &'static [u32],
}

/// They err in different ways: whole trees, stages from a mean, and stages from a linear function.
pub(crate) const CHAINS: [Chain; 3] = [
    Chain {
        has_ridge: false,
        share: 20,
        thresholds: 1,
        leaves: &[1],
    },
    Chain {
        has_ridge: false,
        share: 40,
        thresholds: 4,
        leaves: &[7, 3, 3],
    },
    Chain {
        has_ridge: true,
        share: 40,
        thresholds: 2,
        leaves: &[7, 3, 3],
    },
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
