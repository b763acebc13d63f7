//! The parameters of the paper and one of ours, with the rule of each.

use std::num::NonZeroU32;

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{MAX_NODES, UNLIMITED};
use forest_core::{Regression, SettingError};
use serde::{Deserialize, Serialize};

use crate::metric::{METRICS, Metric};

/// The settings of a forest's trees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeSettings {
    /// The paper's `k`: how many children a node may have, 2 or more; `k = ∞` if `None`. A walk cannot stop at a node
    /// that has them all, so a query costs the logarithm of the number of nodes instead of a power of it.
    pub max_children: Option<u32>,
    /// The most nodes of a tree; no limit if `None`. A tree that has them takes no more samples: constant memory.
    pub max_nodes: Option<NonZeroU32>,
    /// The paper's `ε`: a sample is added if its label is further than this from the predicted one, in units of the
    /// target (of vectors, by the Euclidean distance); finite and not negative. Different classes are 1 apart.
    pub epsilon: f64,
    /// The paper's `d`.
    pub metric: Metric,
}

/// The parameters of the paper, around the bound on nodes. Classes are equal or not: they have no threshold.
pub(crate) const PARAMETERS: [&[Parameter]; 3] = [
    // As in all experiments of the paper.
    &forest_core::parameters! {
        "max_children": Rule::Or(&Rule::Count(2), &[UNLIMITED]), "50", "children a node may have (k)";
    },
    &[MAX_NODES],
    &forest_core::parameters! {
        "epsilon": Rule::NUMBER, "0", "error of the target up to which a sample is not kept (ε)", for Regression;
        "metric": Rule::Words(&["euclidean", "squared-euclidean", "manhattan", "cosine"]), "euclidean",
            "distance between points (d)";
    },
];

impl TreeSettings {
    pub(crate) fn of(v: &mut Values) -> Self {
        Self {
            max_children: v.unless("max_children", UNLIMITED),
            max_nodes: v.unless(MAX_NODES.name, UNLIMITED),
            epsilon: v.or("epsilon", 0.0),
            metric: v.one_of("metric", &METRICS),
        }
    }

    /// Checks every rule.
    ///
    /// # Errors
    /// Returns the first parameter that breaks its rule.
    pub fn check(&self) -> Result<(), SettingError> {
        let most = self.max_children.unwrap_or(2);
        check(PARAMETERS[0], "max_children", most)?;
        check(PARAMETERS[2], "epsilon", self.epsilon)
    }
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(PARAMETERS.into_iter().flatten()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_rule_is_reported_by_name() {
        let default = TreeSettings::default();
        assert!(default.check().is_ok());
        let max_children = Some(1);
        let chains = TreeSettings {
            max_children,
            ..default
        };
        let error = chains.check().unwrap_err();
        assert_eq!((error.parameter, &*error.value), ("max_children", "1"));
        for epsilon in [-0.1, f64::NAN, f64::INFINITY] {
            let settings = TreeSettings { epsilon, ..default };
            assert_eq!(settings.check().unwrap_err().parameter, "epsilon");
        }
    }
}
