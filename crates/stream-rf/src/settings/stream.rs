//! The parameters of the stream-partitioned forest, with the rule of each.

use std::num::NonZeroU32;
use std::ops::Bound;

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{Declared as _, MAX_NODES, UNLIMITED, VOTE, VOTES, settings};
use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use super::limits::{FringeLimit, Growth};
use super::roles::Streams;
use super::rules::M;
use crate::features::{Axes, FeatureSpace};

/// Settings of a stream-partitioned forest, under the names of the paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StreamSettings<S: FeatureSpace = Axes> {
    /// λ: a leaf has `min(1 + Poisson(λ), D)` candidate dimensions.
    pub lambda: f64,
    /// m: candidate splits in each candidate dimension, 1 to 255.
    pub m: u32,
    /// τ: a split needs more gain than this, unless its leaf must be split. In bits; for numbers,
    /// the share of the leaf's variance that the split explains.
    pub tau: f64,
    /// α(d): estimation points that each side of a split needs at depth `d`.
    pub alpha: Growth,
    /// β(d): estimation points from which a leaf at depth `d` must be split.
    pub beta: Growth,
    /// Which points shape the tree, and which vote.
    pub streams: Streams,
    /// F: how many leaves are active.
    pub fringe: FringeLimit,
    /// What a tree votes with; means nothing to numbers.
    pub vote: Vote,
    /// The most nodes of a tree; no limit if `None`. A tree that has no room for another split keeps no statistics
    /// about candidate splits any more, and continues to count labels in its leaves: constant memory.
    pub max_nodes: Option<NonZeroU32>,
    /// What candidate dimensions are drawn from.
    pub features: S,
}

// The defaults are ours: all points are used, and nothing is bounded. Of seventeen settings on six sets, after one pass and after five,
// these are within about two points of the best on all but dna, where a larger α is better. Against λ = m = 10
// they spend the same memory on more dimensions.
settings! {
    [S: FeatureSpace] StreamSettings<S> {
        // A draw costs as much as it returns.
        lambda: Parameter::new("lambda", Rule::Number(Bound::Included(0.0), Bound::Included(1e6)), "20",
            "expected number of candidate dimensions beyond the first (λ)");
        m: Parameter::new("m", M, "5", "candidate splits in each of them (m)");
        tau: Parameter::new("tau", Rule::NUMBER, "0.3",
            "gain that a split must exceed, unless its leaf must be split (τ); for classes in bits");
        alpha: Growth {
            scale: Parameter::new("alpha", Rule::POSITIVE, "1", "estimation points that each side of a split needs at the root");
            base: Parameter::new("alpha_base", BASE, "1.05", "what alpha grows by from one level to the next");
        }
        beta: Growth {
            scale: Parameter::new("beta", Rule::POSITIVE, "100", "estimation points from which the root must be split");
            base: Parameter::new("beta_base", BASE, "1.05", "what beta grows by from one level to the next");
        }
        streams: Streams {
            structure: Parameter::new("structure", PROBABILITY, "0.5", "probability that a point shapes the partition");
            estimation: Parameter::new("estimation", PROBABILITY, "0.5",
                "probability that a point votes; the rest is ignored");
        }
        fringe: Parameter::new("fringe", Rule::Or(&Rule::Count(1), &[UNLIMITED]), UNLIMITED,
            "leaves of a tree that may be active at a time (F)"), UNLIMITED => FringeLimit::Unlimited, FringeLimit::AtMost;
        max_nodes: MAX_NODES, UNLIMITED => None, Some;
        vote: VOTE, VOTES;
        features = S::default();
    }
}

/// What α and β grow by; consistency asks for more than 1.
const BASE: Rule = Rule::Number(Bound::Included(1.0), Bound::Excluded(f64::INFINITY));

const PROBABILITY: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));

impl<T: Task, S: FeatureSpace> Settings<T> for StreamSettings<S> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        self.check_rules()?;
        let above = self.beta.scale >= self.alpha.scale && self.beta.base >= self.alpha.base;
        let rule = "must be no less than alpha, and its base no less than alpha_base";
        SettingError::require(above, "beta", rule, self.beta.scale)?;
        self.streams.check()?;
        self.features.check(schema.features())
    }
}
