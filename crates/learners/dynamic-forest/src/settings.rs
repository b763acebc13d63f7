//! Parameters of the trees.

use forest_core::parameters::{Parameter, Rule, Values, check, or_word};
use forest_core::{Schema, SettingError, Settings, Task};
use serde::{Deserialize, Serialize};

use crate::tree::Mode;

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
}

impl Default for DynamicSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(PARAMETERS))
    }
}

/// The word for a K that depends on the task.
const BY_TASK: &str = "by-task";

/// Which cuts of a node are considered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// K, the number of features that differ in the node.
    pub(crate) features: usize,
    /// Thresholds of each of them.
    pub(crate) thresholds: u32,
    /// What each side of a cut has at least.
    pub(crate) side: u32,
}

impl Choice {
    /// Which threshold of its feature candidate `index` is: those of a feature follow one another.
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
}

impl DynamicSettings {
    /// Returns the cuts that a node of samples with `width` features considers.
    pub(crate) fn choice<V: Mode>(&self, width: usize) -> Choice {
        Choice {
            features: self
                .max_features
                .map_or_else(|| V::candidates(width), |count| count as usize),
            thresholds: self.thresholds,
            side: self.min_samples_leaf,
        }
    }

    /// Nodes with fewer samples have no cut.
    pub(crate) fn fewest_to_cut(&self) -> usize {
        let sides = 2 * self.min_samples_leaf as usize;
        sides.max(self.min_samples_split as usize)
    }
}

impl<T: Task> Settings<T> for DynamicSettings {
    fn check(&self, _: &Schema<T>) -> Result<(), SettingError> {
        check(
            PARAMETERS,
            "max_features",
            or_word(self.max_features, BY_TASK),
        )?;
        check(PARAMETERS, "min_samples_split", self.min_samples_split)?;
        check(PARAMETERS, "min_samples_leaf", self.min_samples_leaf)?;
        check(PARAMETERS, "thresholds", self.thresholds)?;
        check(PARAMETERS, "recheck", self.recheck)
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
        for (width, root) in [
            (1, 1),
            (2, 1),
            (3, 1),
            (4, 2),
            (8, 2),
            (9, 3),
            (15, 3),
            (99, 9),
        ] {
            assert_eq!(settings.choice::<Classification>(width).features, root);
            assert_eq!(settings.choice::<Regression>(width).features, width);
            let of_readings = settings.choice::<Readings>(width);
            let twice = (4 * width).isqrt().min(width);
            assert_eq!(of_readings.features, twice);
        }
        let given = DynamicSettings {
            max_features: Some(5),
            ..settings
        };
        assert_eq!(given.choice::<Classification>(9).features, 5);
        assert_eq!(given.choice::<Regression>(9).features, 5);
    }
}
