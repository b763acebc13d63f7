//! Parameters of the trees, and the rules for a node that follow from them.

use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::{Schema, SettingError, Settings, Task};
use serde::{Deserialize, Serialize};

/// The parameters of the trees.
pub const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "max_features": Rule::Or(&Rule::Count(1), &[BY_TASK]), BY_TASK,
        "features considered at a node (K); by task: the root of the number of features for classes, all for numbers";
    "min_samples_split": Rule::Count(2), "2", "minimum number of samples of a node that is split";
    "min_samples_leaf": Rule::CountFromTo(1, 1_000_000_000), "1",
        "minimum number of samples on each side of a split";
    "thresholds": Rule::CountFromTo(1, 1000), "1", "thresholds tried for each of the K features";
    "recheck": Rule::SHARE, "0.5",
        "share of a node's samples that must arrive or leave before its split is chosen again (ε); \
         0: splits always equal those of a batch build";
};

/// The word for a K that depends on the task.
const BY_TASK: &str = "by-task";

/// How trees are built, and how exactly they are maintained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DynamicSettings {
    /// K, the number of candidates of a node, 1 or more; `None`: ⌊√d⌋ of d features for classes, d for numbers.
    pub max_features: Option<u32>,
    /// Nodes with fewer samples are leaves, 2 or more.
    pub min_samples_split: u32,
    /// A split leaves at least this many samples on each side, 1 or more. In lazy trees forgetting may leave fewer, but
    /// at least one, until the split is reconsidered.
    pub min_samples_leaf: u32,
    /// Thresholds of each of the K features, 1 or more: the best of all is the split.
    pub thresholds: u32,
    /// ε, from 0 to 1: the split of a node is reconsidered when this share of its samples has changed; with 0, always.
    pub recheck: f64,
}

impl DynamicSettings {
    /// Returns the settings of these values; `recheck` has its default if the values lack it.
    pub fn of(v: &mut Values) -> Self {
        Self {
            max_features: v.unless("max_features", BY_TASK),
            min_samples_split: v.get("min_samples_split"),
            min_samples_leaf: v.get("min_samples_leaf"),
            thresholds: v.get("thresholds"),
            recheck: v.or("recheck", 0.5),
        }
    }

    /// Returns the rules for nodes, which have `by_task` candidates if the settings do not state K.
    pub(crate) fn rules(&self, by_task: usize) -> Rules {
        Rules {
            features: self.max_features.map_or(by_task, |count| count as usize),
            thresholds: self.thresholds,
            min_leaf: self.min_samples_leaf,
            min_split: self.min_samples_split.max(2 * self.min_samples_leaf) as usize,
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

/// Which splits of a node are considered, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// K, the number of candidate features.
    pub(crate) features: usize,
    pub(crate) thresholds: u32,
    /// The least number of samples on each side of a split.
    pub(crate) min_leaf: u32,
    /// Nodes with fewer samples are leaves.
    pub(crate) min_split: usize,
    /// ε; 0: every node is that of the batch tree.
    pub(crate) recheck: f64,
}

impl Rules {
    /// The [watch](crate::nodes::Node::watch) of a node without statistics in an exact tree.
    pub(crate) const NO_STATISTICS: u32 = u32::MAX;

    /// Returns the number of the threshold of candidate `index`: candidates of one feature are consecutive.
    #[inline]
    pub(crate) fn threshold_number(self, index: usize) -> u32 {
        index as u32 % self.thresholds
    }

    /// Returns whether a split with `left` of `all` samples leaves `min_leaf`, at most half of all, on both sides.
    #[inline]
    pub(crate) fn allows(min_leaf: u32, left: u32, all: u32) -> bool {
        // From `min_leaf` to `all - min_leaf`, in one comparison.
        left.wrapping_sub(min_leaf) <= all.wrapping_sub(2 * min_leaf)
    }

    /// Returns whether a node of `count` samples keeps statistics: up to 32 it was faster to choose the split again.
    #[inline]
    pub(crate) fn keeps_statistics(self, count: usize) -> bool {
        self.recheck == 0.0 && count > self.min_split.max(32)
    }

    /// Returns whether a leaf of `count` active samples, for which no split was found so far, is tried again.
    #[inline]
    pub(crate) fn retries(self, count: usize) -> bool {
        let step = (self.recheck * count as f64 / 16.0) as usize;
        count.is_multiple_of(step.max(1))
    }

    /// Returns the watch of a node of `count` samples without statistics, whose split has just been chosen.
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
    use crate::{Readings, Variant};

    /// √d rounded down for classes, d for numbers; twice the root where trees are read at several sizes.
    #[test]
    fn candidates_are_the_root_of_the_features_rounded_down_or_all() {
        for width in 1..100usize {
            let root = (1..).take_while(|root| root * root <= width).count();
            assert_eq!(<Classification as Variant>::candidates(width), root);
            assert_eq!(<Regression as Variant>::candidates(width), width);
            let twice = (4 * width).isqrt().min(width);
            assert_eq!(Readings::candidates(width), twice);
        }
        let settings = DynamicSettings {
            max_features: Some(5),
            ..DynamicSettings::default()
        };
        let features = [settings.rules(3), DynamicSettings::default().rules(3)];
        assert_eq!(features.map(|rules| rules.features), [5, 3]);
    }

    /// A split is reconsidered after ε·n changes, rounded up, and at least one; a leaf without a split after a
    /// sixteenth of that, rounded down.
    #[test]
    fn a_lazy_tree_looks_again_after_its_share_of_changes() {
        for (recheck, count, changes, is_retried) in [
            (0.5, 320, 160, true),
            (0.5, 325, 163, false),
            (0.25, 320, 80, true),
            (0.25, 322, 81, false),
            (0.25, 10, 3, true),
            (1.0, 7, 7, true),
            (1e-9, 5, 1, true),
            (0.0, 321, Rules::NO_STATISTICS, true),
        ] {
            let settings = DynamicSettings {
                recheck,
                ..DynamicSettings::default()
            };
            let rules = settings.rules(3);
            assert_eq!(
                rules.changes_until_recheck(count),
                changes,
                "{recheck} of {count}"
            );
            assert_eq!(rules.retries(count), is_retried, "{recheck} of {count}");
        }
    }
}
