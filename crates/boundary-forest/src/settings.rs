//! The parameters of the paper and one of ours, with the rule of each.

use std::convert::Infallible;
use std::fmt::{self, Display};
use std::num::NonZeroU32;
use std::str::FromStr;

use registry::parameters::{Parameter, Rule};
use registry::{MAX_NODES, UNLIMITED, settings};
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

/// When samples are inserted into the trees.
///
/// A walk is short only where samples arrive in no particular order. Where a stream is sorted or
/// drifts, each new sample is the closest to the one before, trees degenerate into chains, and a
/// query costs in proportion to `N`: then choose [`Insertion::ShuffledBlocks`], unless the newest
/// samples say most. After 5,000 ascending
/// numbers a query makes 2,486 comparisons a tree, with blocks of 1,000 rows 110.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Insertion {
    /// Every sample as soon as it arrives: the paper's algorithm.
    AtOnce,
    /// Not in the paper: after the first `n_T` samples, blocks of this many, at least 2. A block is
    /// stored as it arrives; once it is complete, every tree learns it in a random order of its own.
    ///
    /// Until then its samples do not influence predictions. On a sorted stream a query's cost grows with the
    /// number of blocks instead of the number of samples, so a block should be a good part of the
    /// stream. Where the newest samples say most, predictions get worse. On a shuffled stream little
    /// changes but time, since trees that learn in different orders cannot share distances.
    ShuffledBlocks(u32),
}

/// The settings of a forest's trees, with a threshold `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeSettings<E> {
    /// The paper's `k`.
    pub max_children: ChildLimit,
    /// When samples are inserted into the trees.
    pub insertion: Insertion,
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
        insertion: Parameter::new("shuffle_block", Rule::Or(&Rule::Count(2), &[NONE]), NONE,
            "samples that wait and are then learned in a random order, for sorted \
             streams, on which walks are long otherwise (ours)"), NONE => Insertion::AtOnce, Insertion::ShuffledBlocks;
        max_nodes: MAX_NODES, UNLIMITED => None, Some;
        epsilon: EPSILON;
    }
}

const NONE: &str = "none";

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
    use registry::Declared as _;

    use super::*;

    #[test]
    fn a_limit_or_a_block_below_two_is_refused_by_name() {
        let [mut limit, mut block] = [ClassifierSettings::default(); 2];
        limit.max_children = ChildLimit::AtMost(1);
        block.insertion = Insertion::ShuffledBlocks(1);
        for (settings, name) in [(limit, "max_children"), (block, "shuffle_block")] {
            let error = settings.check_rules().unwrap_err();
            assert_eq!((error.parameter, error.value.as_str()), (name, "1"));
        }
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
