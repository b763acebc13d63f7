//! The parameters of the pair distribution.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutSettings, check_weights};

/// Parameters of the pair distribution, Λ({a, b}) = 2s·Σ_{i<j} ω_ij·√(δᵢ² + δⱼ²) with δ = a − b.
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

impl PairWeights {
    /// ω_ij, for two different axes of `features`.
    pub(crate) fn at(&self, i: usize, j: usize, features: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        match self {
            Self::Equal => 1.0,
            Self::Given(weights) => weights[i * (2 * features.max(2) - i - 1) / 2 + j - i - 1],
        }
    }
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

impl CutSettings for PairSettings {
    fn check(&self, features: usize) -> Result<(), SettingError> {
        let above_0 = self.rate.is_finite() && self.rate > 0.0;
        if !above_0 {
            let rule = "must be above 0 and finite";
            return Err(SettingError::new("rate", rule, self.rate));
        }
        let PairWeights::Given(weights) = &self.weights else {
            return Ok(());
        };
        let pairs = (features * features.saturating_sub(1) / 2).max(1);
        check_weights(weights, pairs, "must be one a pair of features")
    }
}
