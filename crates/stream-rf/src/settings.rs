//! The parameters of both forests, with the rule of each.

use std::num::NonZeroU32;
use std::ops::Bound;

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{MAX_NODES, UNLIMITED};
use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use crate::candidates::FeatureSource;

/// Settings of a stream-partitioned forest, under the names of the paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StreamSettings {
    /// λ: a leaf has `min(1 + Poisson(λ), D)` candidate dimensions.
    pub lambda: f64,
    /// m: candidate splits in each candidate dimension, 1 to 255.
    pub m: u32,
    /// τ: a split needs more gain than this, unless its leaf must be split. In bits, or as a share of the variance.
    pub tau: f64,
    /// α(d): estimation points that each side of a split needs at depth `d`.
    pub alpha: Growth,
    /// β(d): estimation points from which a leaf at depth `d` must be split.
    pub beta: Growth,
    /// The probability with which a tree assigns a point to the structure stream; the others are estimation points.
    /// (The paper's third stream, points that a tree ignores, is not used.)
    pub structure: f64,
    /// F: at most this many leaves collect statistics at a time, 1 or more; the others wait. All if `None`.
    pub fringe: Option<u32>,
    /// What a tree votes with; no effect on numbers.
    pub vote: Vote,
    /// The most nodes of a tree; no limit if `None`. A tree without room for another split keeps no statistics about
    /// candidates any more, and continues to count labels in its leaves: constant memory.
    pub max_nodes: Option<NonZeroU32>,
    /// What candidate dimensions are drawn from.
    pub features: FeatureSource,
}

/// A function of a leaf's depth `d`: `scale · baseᵈ`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// The value at the root.
    pub scale: f64,
    /// The factor from one level to the next; consistency asks for more than 1.
    pub base: f64,
}

impl Growth {
    fn of(v: &mut Values, scale: &str, base: &str) -> Self {
        let scale = v.get(scale);
        let base = v.get(base);
        Self { scale, base }
    }

    /// Returns the value at depth `d`.
    pub fn at(self, depth: u32) -> f64 {
        self.scale * libm::pow(self.base, depth.into())
    }
}

// The defaults are ours: all points are used, and nothing is bounded. Of seventeen settings on six sets, they are
// within about two points of the best on all but dna, where a larger α is better.
pub(crate) const STREAM_PARAMETERS: &[Parameter] = &forest_core::parameters! {
    // A draw costs as much as it returns.
    "lambda": Rule::Number(Bound::Included(0.0), Bound::Included(1e6)), "20",
        "expected number of candidate dimensions beyond the first (λ)";
    "m": M, "5", "candidate splits in each of them (m)";
    "tau": Rule::NUMBER, "0.3",
        "gain that a split must exceed, unless its leaf must be split (τ); for classes in bits";
    "alpha": Rule::POSITIVE, "1", "estimation points that each side of a split needs at the root";
    "alpha_base": BASE, "1.05", "what alpha grows by from one level to the next";
    "beta": Rule::POSITIVE, "100", "estimation points from which the root must be split";
    "beta_base": BASE, "1.05", "what beta grows by from one level to the next";
    "structure": PROBABILITY, "0.5", "probability that a point shapes the partition; the others vote";
    "fringe": Rule::Or(&Rule::Count(1), &[UNLIMITED]), UNLIMITED,
        "leaves of a tree that may be active at a time (F)";
};

impl StreamSettings {
    pub(crate) fn of(v: &mut Values) -> Self {
        Self {
            lambda: v.get("lambda"),
            m: v.get("m"),
            tau: v.get("tau"),
            alpha: Growth::of(v, "alpha", "alpha_base"),
            beta: Growth::of(v, "beta", "beta_base"),
            structure: v.get("structure"),
            fringe: v.unless("fringe", UNLIMITED),
            max_nodes: v.unless(MAX_NODES.name, UNLIMITED),
            vote: v.vote(),
            features: FeatureSource::Axes,
        }
    }
}

impl Default for StreamSettings {
    fn default() -> Self {
        let parameters = STREAM_PARAMETERS.iter().chain([&MAX_NODES]);
        Self::of(&mut Values::defaults(parameters))
    }
}

/// The rule of m: a bin is numbered by a byte.
const M: Rule = Rule::CountFromTo(1, 255);

/// What α and β grow by; consistency asks for more than 1.
const BASE: Rule = Rule::Number(Bound::Included(1.0), Bound::Excluded(f64::INFINITY));

const PROBABILITY: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Excluded(1.0));

impl<T: Task> Settings<T> for StreamSettings {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        let Self { alpha, beta, .. } = self;
        for (name, value) in [
            ("lambda", self.lambda),
            ("m", self.m.into()),
            ("tau", self.tau),
            ("alpha", alpha.scale),
            ("alpha_base", alpha.base),
            ("beta", beta.scale),
            ("beta_base", beta.base),
            ("structure", self.structure),
            ("fringe", self.fringe.unwrap_or(1).into()),
        ] {
            check(STREAM_PARAMETERS, name, value)?;
        }
        let above = beta.scale >= alpha.scale && beta.base >= alpha.base;
        let rule = "must be no less than alpha, and its base no less than alpha_base";
        SettingError::require(above, "beta", rule, beta.scale)?;
        self.features.check(schema.features())
    }
}

/// Settings of the online forest of Saffari et al.; defaults are those that Denil et al. compare with (section 5.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SaffariSettings {
    /// Features that a leaf draws for its tests; all there are if they are fewer.
    pub tests: u32,
    /// Thresholds for each of them, 1 to 255: the values of the leaf's first points.
    pub m: u32,
    /// Points that a leaf needs before it may be split.
    pub min_samples: u32,
    /// Gain that a split must exceed. For numbers, the share of the leaf's variance that the split explains.
    pub min_gain: f64,
    /// Depth at which leaves are not split any more.
    pub max_depth: u32,
    /// As [`StreamSettings::vote`].
    pub vote: Vote,
    /// As [`StreamSettings::max_nodes`].
    pub max_nodes: Option<NonZeroU32>,
    /// What the tests are drawn from.
    pub features: FeatureSource,
}

pub(crate) const SAFFARI_PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "tests": Rule::CountFromTo(1, 1_000_000), "10", "features that a leaf draws for its tests";
    "m": M, "10", "thresholds for each of them";
    "min_samples": Rule::Count(0), "50", "points that a leaf needs before it may be split";
    "min_gain": Rule::NUMBER, "0.1", "gain that a split must exceed; for classes in bits";
    "max_depth": Rule::Count(0), "50", "depth at which leaves are split no more";
};

impl SaffariSettings {
    pub(crate) fn of(v: &mut Values) -> Self {
        Self {
            tests: v.get("tests"),
            m: v.get("m"),
            min_samples: v.get("min_samples"),
            min_gain: v.get("min_gain"),
            max_depth: v.get("max_depth"),
            max_nodes: v.unless(MAX_NODES.name, UNLIMITED),
            vote: v.vote(),
            features: FeatureSource::Axes,
        }
    }
}

impl Default for SaffariSettings {
    fn default() -> Self {
        let parameters = SAFFARI_PARAMETERS.iter().chain([&MAX_NODES]);
        Self::of(&mut Values::defaults(parameters))
    }
}

impl<T: Task> Settings<T> for SaffariSettings {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        check(SAFFARI_PARAMETERS, "tests", self.tests)?;
        check(SAFFARI_PARAMETERS, "m", self.m)?;
        check(SAFFARI_PARAMETERS, "min_gain", self.min_gain)?;
        self.features.check(schema.features())
    }
}

/// Returns whether a tree of `nodes` nodes has no room for a split, which adds two.
pub(crate) fn is_full(max_nodes: Option<NonZeroU32>, nodes: usize) -> bool {
    max_nodes.is_some_and(|most| nodes + 2 > most.get() as usize)
}
