//! Parameters, and the definition of the chains.

use dynamic_forest::DynamicSettings;
use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::{Classification, Regression, SettingError};
use serde::{Deserialize, Serialize};

/// The parameters; the first `recheck` is for numbers, the second for classes.
pub(crate) const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "max_features": Rule::Or(&Rule::Count(1), &[BY_TASK]), BY_TASK,
        "features considered at a node (K); by task: twice the root of the number of features for \
         classes, all for numbers";
    "recheck": Rule::SHARE, "0.5",
        "share of a node's samples that must arrive or leave before its split is chosen again (ε); \
         0.7 for classes", for Regression;
    "recheck": Rule::SHARE, "0.7",
        "share of a node's samples that must arrive or leave before its split is chosen again (ε); \
         0.5 for numbers", for Classification;
    "recent": Rule::Or(&Rule::List('/', &Rule::Count(1)), &[NO_WINDOWS]), NO_WINDOWS,
        "latest rows that, with the last label, help to predict the next row, separated by /: for \
         streams whose neighbouring rows are alike or whose concept drifts (40/400), not for \
         tables, each of whose rows is predicted as the next one", for Classification;
};

/// The word for predictions from all rows alone.
pub(crate) const NO_WINDOWS: &str = "none";

/// The word for a K that depends on the task.
const BY_TASK: &str = "by-task";

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResidualSettings {
    /// K, the number of features considered at a node, 1 or more; `None`: all for numbers, ⌊2√d⌋ of d for classes.
    pub max_features: Option<u32>,
    /// ε, from 0 to 1: how lazily splits are reconsidered ([`DynamicSettings::recheck`]).
    pub recheck: f64,
    /// For classes the windows, of 1 row or more, of small forests that help to predict the next row.
    pub recent: Vec<u32>,
}

impl ResidualSettings {
    /// Returns the default settings for classes.
    pub fn of_classes() -> Self {
        Self {
            recheck: 0.7,
            ..Self::of_numbers()
        }
    }

    /// Returns the default settings for numbers.
    pub fn of_numbers() -> Self {
        Self::of(&mut Values::defaults(&PARAMETERS[..2]), Vec::new())
    }

    pub(crate) fn of(v: &mut Values, recent: Vec<u32>) -> Self {
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
        for rows in &self.recent {
            check(PARAMETERS, "recent", rows)?;
        }
        Ok(())
    }

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
    /// Its share of the trees, relative to the sum over all chains.
    share: usize,
    /// The number of thresholds of each feature that are candidates of a node.
    pub(crate) thresholds: u32,
    /// For each forest, in order, the minimum number of samples that a split leaves on each side.
    pub(crate) leaves: &'static [u32],
}

/// The chains, which err in different ways: unpruned trees, stages after a mean, and stages after a linear function.
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

/// Returns the number of trees of each forest of each chain: trees are divided in proportion to the shares of chains,
/// and evenly among the forests of a chain. With few trees, some forests have none.
pub(crate) fn divide_trees(trees: usize) -> Vec<Vec<usize>> {
    let all: usize = CHAINS.iter().map(|chain| chain.share).sum();
    // Rounded to the nearest.
    let until = |share: usize| (2 * share * trees + all) / (2 * all);
    let mut divided = Vec::new();
    let mut before = 0;
    for chain in &CHAINS {
        let trees = until(before + chain.share) - until(before);
        before += chain.share;
        let forests = chain.leaves.len();
        let evenly = |forest| trees / forests + usize::from(forest < trees % forests);
        divided.push((0..forests).map(evenly).collect());
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
