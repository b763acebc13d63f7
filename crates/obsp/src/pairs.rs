//! Pairs of axes, their weights, and the parameters of the measure.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};
use tessellation_tree::MeasureSettings;

use crate::plane::Vertex;

/// Parameters of the pair measure, Λ(S) = s·Σ_{i<j} ω_ij·L(conv of S projected on (i, j)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairSettings {
    /// The rate s, above 0: ½ in the experiments of Fan et al. (2020), 1 in their algorithms.
    pub rate: f64,
    /// The weights ω_ij.
    pub weights: PairWeights,
}

/// How much pairs of axes count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PairWeights {
    /// All alike: ω_ij = 1.
    Equal,
    /// One weight a pair, none below 0 and not all 0, in the order (0, 1), (0, 2), …, (1, 2), ….
    ///
    /// A single feature makes one pair.
    Given(Vec<f64>),
}

impl Default for PairSettings {
    /// The settings of the paper's experiments: s = ½, equal weights.
    fn default() -> Self {
        Self {
            rate: 0.5,
            weights: PairWeights::Equal,
        }
    }
}

impl MeasureSettings for PairSettings {
    fn check(&self, features: usize) -> Result<(), SettingError> {
        let above_0 = |value: f64| value.is_finite() && value > 0.0;
        if !above_0(self.rate) {
            return Err(SettingError::new(
                "rate",
                "must be above 0 and finite",
                self.rate,
            ));
        }
        let PairWeights::Given(weights) = &self.weights else {
            return Ok(());
        };
        if weights.len() != pairs(features) {
            let rule = "must be one a pair of features";
            return Err(SettingError::new("weights", rule, weights.len()));
        }
        let odd = weights
            .iter()
            .find(|weight| !weight.is_finite() || **weight < 0.0);
        match odd {
            Some(odd) => Err(SettingError::new(
                "weights",
                "must be at least 0 and finite",
                odd,
            )),
            None if weights.iter().all(|weight| *weight == 0.0) => {
                Err(SettingError::new("weights", "must not all be 0", 0))
            }
            None => Ok(()),
        }
    }
}

/// Number of pairs of `features` axes: d(d−1)/2, but 1 for a single axis.
pub(crate) fn pairs(features: usize) -> usize {
    (features * features.saturating_sub(1) / 2).max(1)
}

/// Two different axes, the first of them first.
///
/// A single feature is paired with an axis 1 on which every point is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axes(pub u32, pub u32);

impl Axes {
    /// A point as the pair sees it.
    #[inline]
    pub(crate) fn project(self, x: &[f32]) -> Vertex {
        let second = x.get(self.1 as usize).copied();
        [x[self.0 as usize], second.unwrap_or(0.0)]
    }

    /// All pairs of `features` axes in the order of their numbers.
    pub(crate) fn all(features: usize) -> impl Iterator<Item = Self> {
        let narrow = |axis| u32::try_from(axis).expect("features have 32-bit numbers");
        let last = narrow(features.max(2));
        (0..narrow(features)).flat_map(move |i| (i + 1..last).map(move |j| Self(i, j)))
    }
}

/// A pair and the mass of its cuts per unit of boundary, s·ω_ij.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub(crate) axes: Axes,
    pub(crate) rate: f64,
}

impl Pair {
    /// The pairs of a measure, numbered.
    pub(crate) fn all(features: usize, settings: &PairSettings) -> Vec<Self> {
        let rate = |number: usize| match &settings.weights {
            PairWeights::Equal => settings.rate,
            PairWeights::Given(weights) => settings.rate * weights[number],
        };
        let pair = |(number, axes)| Self {
            axes,
            rate: rate(number),
        };
        Axes::all(features).enumerate().map(pair).collect()
    }
}
