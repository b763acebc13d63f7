//! The parameters of the paper and one of ours, with the rule of each.

use std::convert::Infallible;
use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::str::FromStr;

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{MAX_NODES, UNLIMITED, settings};
use serde::{Deserialize, Serialize};

use crate::{Label, Problem};

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

impl Default for ChildLimit {
    /// That of a forest by default.
    fn default() -> Self {
        ClassifierSettings::default().max_children
    }
}

/// The settings of a forest's trees, with a threshold `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSettings<E> {
    /// The paper's `k`.
    pub max_children: ChildLimit,
    /// The most nodes of a tree; no limit if `None`. A tree that has them takes no more samples: constant memory. Its
    /// later errors are not corrected any more.
    pub max_nodes: Option<NonZeroU32>,
    /// The paper's `ε`: a sample is added if its label is further than this from the predicted one (of
    /// vectors, by the Euclidean distance).
    ///
    /// In units of the target; finite and not negative. The paper names no value, as none fits
    /// every target: the default, 0, keeps every sample whose target is not met exactly.
    #[serde(default)]
    pub epsilon: E,
}

/// The threshold of labels that are equal or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exact;

impl From<Exact> for f64 {
    fn from(_: Exact) -> Self {
        0.0
    }
}

impl Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EPSILON.default)
    }
}

/// Labels that are equal or not leave nothing to choose.
impl FromStr for Exact {
    type Err = Infallible;

    fn from_str(_: &str) -> Result<Self, Infallible> {
        Ok(Self)
    }
}

/// Settings of a [`BoundaryClassifier`](crate::BoundaryClassifier).
pub type ClassifierSettings = TreeSettings<Exact>;

/// Settings of a [`Retriever`](crate::Retriever).
pub type RetrieverSettings = TreeSettings<Exact>;

/// Settings of a [`BoundaryRegressor`](crate::BoundaryRegressor) or a
/// [`VectorRegressor`](crate::VectorRegressor).
pub type RegressorSettings = TreeSettings<f64>;

/// Settings of the forests that learn `P`.
pub type SettingsOf<P> = TreeSettings<<<P as Problem>::Cell as Label>::Epsilon>;

settings! {
    [E: Display + FromStr + 'static] TreeSettings<E> {
        // As in all experiments of the paper.
        max_children: Parameter::new("max_children", Rule::Or(&Rule::Count(2), &[UNLIMITED]), "50",
            "children a node may have (k)"), UNLIMITED => ChildLimit::Unlimited, ChildLimit::AtMost;
        max_nodes: MAX_NODES, UNLIMITED => None, Some;
        epsilon: EPSILON;
    }
}

/// The threshold of labels that are numbers.
pub(crate) const EPSILON: Parameter = Parameter::new(
    "epsilon",
    Rule::NUMBER,
    "0",
    "error of the target up to which a sample is not kept (ε)",
);

impl<E> TreeSettings<E> {
    #[inline]
    pub(crate) fn has_room(&self, nodes: usize) -> bool {
        self.max_nodes
            .is_none_or(|most| nodes < most.get() as usize)
    }
}

#[cfg(test)]
mod tests {
    use forest_core::registry::Declared as _;

    use super::*;

    #[test]
    fn a_limit_below_two_is_refused_by_name() {
        let limit = ClassifierSettings {
            max_children: ChildLimit::AtMost(1),
            ..ClassifierSettings::default()
        };
        let error = limit.check_rules().unwrap_err();
        assert_eq!((error.parameter, &*error.value), ("max_children", "1"));
    }

    #[test]
    fn epsilon_is_a_finite_distance() {
        let with = |epsilon| RegressorSettings {
            epsilon,
            ..RegressorSettings::default()
        };
        assert!(with(0.0).check_rules().is_ok());
        for epsilon in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(
                with(epsilon).check_rules().unwrap_err().parameter,
                "epsilon"
            );
        }
    }
}
