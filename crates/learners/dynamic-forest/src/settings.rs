//! Parameters of the trees, and the rules that follow for a node.

use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::{Schema, SettingError, Settings, Task};
use serde::{Deserialize, Serialize};

use crate::Variant;

/// The parameters of the trees.
pub const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "max_features": Rule::Or(&Rule::Count(1), &[BY_TASK]), BY_TASK,
        "features considered at a node (K); by task: the root of the number of features for classes, all for numbers";
    "min_samples_split": Rule::Count(2), "2", "minimum number of samples of a node that is split";
    "min_samples_leaf": Rule::CountFromTo(1, 1_000_000_000), "1",
        "minimum number of samples on each side of a split";
    "thresholds": Rule::CountFromTo(1, 1000), "1", "thresholds tried for each of the K features";
    "recheck": Rule::SHARE, "0.5",
        "share of a node's samples that must arrive or leave before its cut is chosen again (ε); 0: cuts always equal those of a batch build";
};

/// The word for a K that depends on the task.
const BY_TASK: &str = "by-task";

/// How trees are built, and how exactly they are maintained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DynamicSettings {
    /// K, the number of candidates of a node, 1 or more; `None`: √d, rounded down, for classes, d for numbers, where d is
    /// the number of features.
    pub max_features: Option<u32>,
    /// Nodes with fewer samples are leaves, 2 or more.
    pub min_samples_split: u32,
    /// A cut leaves at least this many samples on each side, 1 or more. What is above 1 is kept by exact trees; in lazy ones samples
    /// that go may leave fewer until the cut is reconsidered.
    pub min_samples_leaf: u32,
    /// Thresholds of each of the K features, 1 or more: the best of all is the cut.
    pub thresholds: u32,
    /// ε, from 0 to 1. The cut of a node is reconsidered when this share of its samples has changed; 0: it is always
    /// that of the batch tree.
    pub recheck: f64,
}

impl DynamicSettings {
    /// Returns the settings that these values state; where `recheck` is not known, it has its default.
    pub fn of(v: &mut Values) -> Self {
        Self {
            max_features: v.unless("max_features", BY_TASK),
            min_samples_split: v.get("min_samples_split"),
            min_samples_leaf: v.get("min_samples_leaf"),
            thresholds: v.get("thresholds"),
            recheck: v.or("recheck", 0.5),
        }
    }

    /// Returns the rules for trees of points of `width` features.
    pub(crate) fn rules<V: Variant>(&self, width: usize) -> Rules {
        let given = self.max_features.map(|count| count as usize);
        Rules {
            features: given.unwrap_or_else(|| V::candidates(width)),
            thresholds: self.thresholds,
            side: self.min_samples_leaf,
            fewest: self.min_samples_split.max(2 * self.min_samples_leaf) as usize,
            recheck: self.recheck,
        }
    }
}

impl Default for DynamicSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(PARAMETERS))
    }
}

impl<T: Task> Settings<T> for DynamicSettings {
    fn check(&self, _: &Schema<T>) -> Result<(), SettingError> {
        let max_features = or_word(self.max_features, BY_TASK);
        check(PARAMETERS, "max_features", max_features)?;
        check(PARAMETERS, "min_samples_split", self.min_samples_split)?;
        check(PARAMETERS, "min_samples_leaf", self.min_samples_leaf)?;
        check(PARAMETERS, "thresholds", self.thresholds)?;
        check(PARAMETERS, "recheck", self.recheck)
    }
}

/// Which cuts of a node are considered, and when they are considered again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// K, the number of features that differ in the node.
    pub(crate) features: usize,
    /// Thresholds of each of them.
    pub(crate) thresholds: u32,
    /// What each side of a cut has at least.
    pub(crate) side: u32,
    /// Nodes with fewer samples are leaves.
    pub(crate) fewest: usize,
    /// ε; 0: every node is as in the batch tree.
    pub(crate) recheck: f64,
}

impl Rules {
    /// What a node watches that has no statistics of its candidates, of an exact tree.
    pub(crate) const NO_STATISTICS: u32 = u32::MAX;

    /// Returns which threshold of its feature candidate `index` is: those of a feature follow one another.
    #[inline]
    pub(crate) fn number(self, index: usize) -> u32 {
        index as u32 % self.thresholds
    }

    /// Returns whether a cut may leave this many samples on one side of all, which are enough for both sides.
    #[inline]
    pub(crate) fn allows(side: u32, left: u32, all: u32) -> bool {
        // From `side` to `all - side`, in one comparison.
        left.wrapping_sub(side) <= all.wrapping_sub(2 * side)
    }

    /// Returns whether a node of `count` samples keeps statistics: up to 32, choosing the cut again is cheaper, as measured.
    #[inline]
    pub(crate) fn counts_sides(self, count: usize) -> bool {
        self.recheck == 0.0 && count > self.fewest.max(32)
    }

    /// A leaf that has enough samples for a cut, and no cut that leaves enough on each side, is reconsidered when their number is a
    /// multiple of this.
    #[inline]
    pub(crate) fn leaf_step(self, count: usize) -> usize {
        ((self.recheck * count as f64 / 16.0) as usize).max(1)
    }

    /// Returns what a node without statistics watches, whose cut has just been chosen.
    #[inline]
    pub(crate) fn changes_until_recheck(self, count: usize) -> u32 {
        match self.recheck {
            0.0 => Self::NO_STATISTICS,
            share => (share * count as f64).ceil().max(1.0) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_core::{Classification, Regression};

    use super::*;
    use crate::Readings;

    /// √d rounded down for classes, d for numbers, and what is given for both; twice the root where trees are read at several sizes.
    #[test]
    fn candidates_are_the_root_of_the_features_rounded_down_or_all() {
        let settings = DynamicSettings::default();
        for width in 1..100usize {
            let root = (1..).take_while(|root| root * root <= width).count();
            assert_eq!(settings.rules::<Classification>(width).features, root);
            assert_eq!(settings.rules::<Regression>(width).features, width);
            let twice = (4 * width).isqrt().min(width);
            assert_eq!(settings.rules::<Readings>(width).features, twice);
        }
        let max_features = Some(5);
        let given = DynamicSettings {
            max_features,
            ..settings
        };
        assert_eq!(given.rules::<Classification>(9).features, 5);
        assert_eq!(given.rules::<Regression>(9).features, 5);
    }

    /// A cut after ε·n changes, rounded up, and at least one; a leaf without one after a sixteenth of that, rounded down.
    #[test]
    fn a_lazy_tree_looks_again_after_its_share_of_changes() {
        for (recheck, count, changes, step) in [
            (0.5, 320, 160, 10),
            (0.25, 320, 80, 5),
            (0.25, 10, 3, 1),
            (1.0, 7, 7, 1),
            (1e-9, 5, 1, 1),
            (0.0, 320, Rules::NO_STATISTICS, 1),
        ] {
            let settings = DynamicSettings {
                recheck,
                ..DynamicSettings::default()
            };
            let rules = settings.rules::<Regression>(3);
            let found = (rules.changes_until_recheck(count), rules.leaf_step(count));
            assert_eq!(found, (changes, step), "{recheck} of {count}");
        }
    }
}
