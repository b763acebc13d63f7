//! The parameters of the stream-partitioned forest, with the rule of each.

use std::num::NonZeroU32;

use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use super::limits::{FringeLimit, Growth};
use super::roles::Streams;
use super::rules::{check_gain, check_m};
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
    /// about candidate splits any more, and goes on counting labels in its leaves: constant memory.
    pub max_nodes: Option<NonZeroU32>,
    /// What candidate dimensions are drawn from.
    pub features: S,
}

impl<S: FeatureSpace> Default for StreamSettings<S> {
    /// Ours: λ = 20, m = 5, τ = 0.3, α(d) = 1.05ᵈ, β(d) = 100·1.05ᵈ, all points used, no limit.
    ///
    /// Of seventeen settings on six sets, after one pass and after five, these are within about two
    /// points of the best on all but dna, where a larger α is better (docs/results/stream-rf).
    /// Against λ = m = 10 they spend the same memory on more dimensions.
    fn default() -> Self {
        let growth = |scale| Growth { scale, base: 1.05 };
        Self {
            lambda: 20.0,
            m: 5,
            tau: 0.3,
            alpha: growth(1.0),
            beta: growth(100.0),
            streams: Streams::default(),
            fringe: FringeLimit::Unlimited,
            vote: Vote::Frequencies,
            max_nodes: None,
            features: S::default(),
        }
    }
}

impl<T: Task, S: FeatureSpace> Settings<T> for StreamSettings<S> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        // A draw costs as much as it returns.
        let drawable = (0.0..=1e6).contains(&self.lambda);
        SettingError::require(drawable, "lambda", "must be from 0 to 1000000", self.lambda)?;
        check_m(self.m)?;
        check_gain("tau", self.tau)?;
        self.alpha.check("alpha", "alpha_base")?;
        self.beta.check("beta", "beta_base")?;
        let above = self.beta.scale >= self.alpha.scale && self.beta.base >= self.alpha.base;
        let rule = "must be no less than alpha, and its base no less than alpha_base";
        SettingError::require(above, "beta", rule, self.beta.scale)?;
        self.streams.check()?;
        self.fringe.check()?;
        self.features.check(schema.features())
    }
}
