//! The parameters of the paper and one of ours, with the rule of each.

use std::num::NonZeroU32;

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{MAX_NODES, UNLIMITED, settings};
use serde::{Deserialize, Serialize};

use crate::Metric;
use crate::metric::METRICS;

/// The paper's `k`: how many children a node may have.
///
/// A walk cannot stop at a node that has them all, so a bound makes a query's cost logarithmic in
/// the number of nodes instead of a power of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChildLimit {
    /// Finite `k`; at least 2, since a limit of one would turn every tree into a chain.
    AtMost(u32),
    /// `k = ∞`.
    Unlimited,
}

impl ChildLimit {
    #[inline]
    pub(crate) fn allows(self, children: usize) -> bool {
        match self {
            Self::AtMost(limit) => children <= limit as usize,
            Self::Unlimited => true,
        }
    }
}

/// The settings of a forest's trees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeSettings {
    /// The paper's `k`.
    pub max_children: ChildLimit,
    /// The most nodes of a tree; no limit if `None`. A tree that has them takes no more samples: constant memory. Its
    /// later errors are not corrected any more.
    pub max_nodes: Option<NonZeroU32>,
    /// The paper's `ε`: a sample is added if its label is further than this from the predicted one (of
    /// vectors, by the Euclidean distance). Different classes are 1 apart, so that only values below 1 make sense for them.
    ///
    /// In units of the target; finite and not negative. The paper names no value, as none fits
    /// every target: the default, 0, keeps every sample whose target is not met exactly.
    pub epsilon: f64,
    /// The paper's `d`.
    pub metric: Metric,
}

settings! {
    TreeSettings {
        // As in all experiments of the paper.
        max_children: Parameter::new("max_children", Rule::Or(&Rule::Count(2), &[UNLIMITED]), "50",
            "children a node may have (k)"), UNLIMITED => ChildLimit::Unlimited, ChildLimit::AtMost;
        max_nodes: MAX_NODES, UNLIMITED => None, Some;
        epsilon: EPSILON;
        metric: Parameter::new("metric", Rule::Words(&METRICS.names()), "euclidean", "distance between points (d)"), METRICS;
    }
}

/// The threshold of labels that are numbers.
pub(crate) const EPSILON: Parameter = Parameter::new(
    "epsilon",
    Rule::NUMBER,
    "0",
    "error of the target up to which a sample is not kept (ε)",
);

#[cfg(test)]
mod tests {
    use forest_core::registry::Declared as _;

    use super::*;

    #[test]
    fn a_broken_rule_is_reported_by_name() {
        let refused = |change: fn(&mut TreeSettings)| {
            let mut settings = TreeSettings::default();
            change(&mut settings);
            settings.check_rules().unwrap_err().to_string()
        };
        assert!(refused(|s| s.max_children = ChildLimit::AtMost(1)).starts_with("max_children"));
        assert!(refused(|s| s.epsilon = -0.1).starts_with("epsilon"));
        assert!(refused(|s| s.epsilon = f64::NAN).starts_with("epsilon"));
        assert!(refused(|s| s.epsilon = f64::INFINITY).starts_with("epsilon"));
        assert!(TreeSettings::default().check_rules().is_ok());
    }
}
