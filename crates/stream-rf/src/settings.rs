//! The parameters of the paper, with the rule of each.

use forest_core::{Schema, SettingError, Settings, Task, TreeRng, Vote};
use serde::{Deserialize, Serialize};

use crate::{Axes, FeatureSpace};

/// A function of a leaf's depth `d`: `scale · baseᵈ`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// The value at the root.
    pub scale: f64,
    /// The factor from one level to the next; consistency asks for more than 1.
    pub base: f64,
}

impl Growth {
    /// The value at depth `d`.
    pub fn at(self, depth: u32) -> f64 {
        self.scale * self.base.powf(depth.into())
    }

    /// The least number of points that is no less than the value at depth `d`.
    pub(crate) fn points_at(self, d: u32) -> u64 {
        // Values beyond the range become its end, which no stream reaches.
        self.at(d).ceil() as u64
    }

    fn check(self, scale: &'static str, base: &'static str) -> Result<(), SettingError> {
        let positive = "must be finite and above 0";
        require(
            self.scale.is_finite() && self.scale > 0.0,
            scale,
            positive,
            self.scale,
        )?;
        let rule = "must be finite and at least 1";
        require(
            self.base.is_finite() && self.base >= 1.0,
            base,
            rule,
            self.base,
        )
    }
}

/// The probabilities with which a tree gives a point to each of its streams; what is left of 1 is
/// the probability that the tree ignores the point (the paper's third stream; 0 by default).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Streams {
    /// Of shaping the partition.
    pub structure: f64,
    /// Of voting in a leaf.
    pub estimation: f64,
}

/// I_t: what a tree makes of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Structure,
    Estimation,
    Ignored,
}

impl Default for Streams {
    /// ½ each: every point is used.
    fn default() -> Self {
        Self {
            structure: 0.5,
            estimation: 0.5,
        }
    }
}

impl Streams {
    /// The stream of the next point: one draw, which nothing about the point changes.
    pub(crate) fn draw(self, rng: &mut TreeRng) -> Stream {
        let u = rng.uniform();
        if u < self.structure {
            Stream::Structure
        } else if u < self.structure + self.estimation {
            Stream::Estimation
        } else {
            Stream::Ignored
        }
    }

    fn check(self) -> Result<(), SettingError> {
        let rule = "must be above 0, and no more than 1 together with the other stream";
        // A sum such as 0.7 + 0.3 may be a hair above 1.
        let fits = self.structure + self.estimation <= 1.0 + 1e-9;
        require(
            fits && self.structure > 0.0,
            "structure",
            rule,
            self.structure,
        )?;
        require(
            fits && self.estimation > 0.0,
            "estimation",
            rule,
            self.estimation,
        )
    }
}

/// How many leaves of a tree may collect statistics about candidate splits at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FringeLimit {
    /// At most this many (1 or more); the others wait.
    AtMost(u32),
    /// All.
    #[default]
    Unlimited,
}

impl FringeLimit {
    /// Whether a fringe of `active` leaves has room for one more.
    pub(crate) fn has_room(self, active: usize) -> bool {
        match self {
            Self::AtMost(limit) => active < limit as usize,
            Self::Unlimited => true,
        }
    }

    fn check(self) -> Result<(), SettingError> {
        let rule = "must be at least 1, or unlimited";
        require(self != Self::AtMost(0), "fringe", rule, 0)
    }
}

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
    /// How points are given to streams.
    pub streams: Streams,
    /// F: how many leaves are active.
    pub fringe: FringeLimit,
    /// What a tree votes with; means nothing to numbers.
    pub vote: Vote,
    /// What a dimension is.
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
            features: S::default(),
        }
    }
}

impl<T: Task, S: FeatureSpace> Settings<T> for StreamSettings<S> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        check_candidates(self.lambda, self.m)?;
        let rule = "must be finite and not negative";
        require(is_amount(self.tau), "tau", rule, self.tau)?;
        self.alpha.check("alpha", "alpha_base")?;
        self.beta.check("beta", "beta_base")?;
        let above = self.beta.scale >= self.alpha.scale && self.beta.base >= self.alpha.base;
        let rule = "must be no less than alpha, and its base no less than alpha_base";
        require(above, "beta", rule, self.beta.scale)?;
        self.streams.check()?;
        self.fringe.check()?;
        self.features.check(schema.features())
    }
}

/// The rules of λ and m.
fn check_candidates(lambda: f64, m: u32) -> Result<(), SettingError> {
    // A draw costs as much as it returns.
    let drawable = is_amount(lambda) && lambda <= 1e6;
    require(drawable, "lambda", "must be from 0 to 1000000", lambda)?;
    check_m(m)
}

/// The rule of m: a bin is numbered by a byte.
pub(crate) fn check_m(m: u32) -> Result<(), SettingError> {
    require((1..=255).contains(&m), "m", "must be from 1 to 255", m)
}

/// Whether this is a finite number of 0 or more.
pub(crate) fn is_amount(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}

/// The error of `parameter` unless `holds`.
pub(crate) fn require(
    holds: bool,
    parameter: &'static str,
    rule: &'static str,
    value: impl std::fmt::Display,
) -> Result<(), SettingError> {
    if holds {
        Ok(())
    } else {
        Err(SettingError::new(parameter, rule, value))
    }
}
