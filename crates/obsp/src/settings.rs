//! The parameters of the pair distribution; the paper's forest, as its distribution says and as its algorithms print it.

use forest_core::SettingError;
use forest_core::parameters::{Parameter, Rule, check};
use serde::{Deserialize, Serialize};
use tessellation_tree::{Budget, CutSettings, LabelSettings, Update, check_weights};

use crate::BspSettings;

/// Nodes of this number of points, or fewer, are not cut (Alg. 4, line 3).
const MAX_UNCUT: u32 = 3;

/// The scale of an increasing budget by default: c in τₙ = c·n^(1/(d+2)).
///
/// The paper has 1, which is coarse under the exact distribution; 8 is best or within a few percent on fourteen sets.
pub const BUDGET_SCALE: f64 = 8.0;

/// The scale of the paper's experiments.
pub const PAPER_BUDGET_SCALE: f64 = 1.0;

/// Returns the online BSP-Forest with the distribution it claims: the conditional update, budget
/// τₙ = `scale`·n^(1/(d+2)) for points of `features` dimensions, s = ½, at most 3 points uncut.
pub fn exact<L: LabelSettings>(scale: f64, features: usize) -> BspSettings<L> {
    let budget = Budget::minimax(scale, features);
    BspSettings {
        budget,
        ..fixed(0.0)
    }
}

/// The same with a fixed budget, infinite for fully grown trees.
pub fn fixed<L: LabelSettings>(budget: f64) -> BspSettings<L> {
    BspSettings {
        budget: Budget::Fixed(budget),
        max_uncut: MAX_UNCUT,
        ..BspSettings::default()
    }
}

/// Algorithm 4 as printed, which redraws a leaf with every point; `scale` is 1 in the paper's
/// experiments. Its distribution is not the batch distribution. The paper's trees vote for one class each:
/// [`Vote::Majority`](forest_core::Vote::Majority).
pub fn redraw<L: LabelSettings>(scale: f64, features: usize) -> BspSettings<L> {
    BspSettings {
        update: Update::Redraw,
        ..exact(scale, features)
    }
}

/// Parameters of the pair distribution, Λ({a, b}) = 2s·Σ_{i<j} ω_ij·√(δᵢ² + δⱼ²) with δ = a − b.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairSettings {
    /// The rate s, above 0: ½ in the experiments of Fan et al. (2020), 1 in their algorithms.
    pub rate: f64,
    /// The weights ω_ij.
    pub weights: PairWeights,
}

/// The settings of the paper's experiments.
impl Default for PairSettings {
    fn default() -> Self {
        let (rate, weights) = (0.5, PairWeights::Equal);
        Self { rate, weights }
    }
}

pub(crate) const RATE: Parameter = Parameter::new(
    "rate",
    Rule::POSITIVE,
    "0.5",
    "mass of cuts per unit of a hull's perimeter (s)",
);

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
    /// Returns ω_ij, for two different axes of `features`.
    pub(crate) fn at(&self, i: usize, j: usize, features: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        match self {
            Self::Equal => 1.0,
            Self::Given(weights) => weights[i * (2 * features.max(2) - i - 1) / 2 + j - i - 1],
        }
    }
}

impl CutSettings for PairSettings {
    fn check(&self, features: usize) -> Result<(), SettingError> {
        check(&[RATE], &[("rate", &self.rate)])?;
        let PairWeights::Given(weights) = &self.weights else {
            return Ok(());
        };
        let pairs = (features * features.saturating_sub(1) / 2).max(1);
        check_weights(weights, pairs, "must be one a pair of features")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all pairs of axes in the order of their weights; a single feature has a second axis.
    fn pairs(features: usize) -> Vec<(usize, usize)> {
        let axes = 0..features.max(2);
        let above = |i: usize| (i + 1..features.max(2)).map(move |j| (i, j));
        axes.flat_map(above).collect()
    }

    #[test]
    fn a_weight_belongs_to_its_pair_in_either_order() {
        for features in 1..8 {
            let pairs = pairs(features);
            let given = PairWeights::Given((2..).map(f64::from).take(pairs.len()).collect());
            for (&(i, j), weight) in pairs.iter().zip((2..).map(f64::from)) {
                assert_eq!(given.at(i, j, features), weight, "({i}, {j}) of {features}");
                assert_eq!(given.at(j, i, features), weight, "({j}, {i}) of {features}");
                assert_eq!(PairWeights::Equal.at(i, j, features), 1.0);
            }
        }
    }

    /// Returns the parameter for which settings are refused.
    fn refused(rate: f64, weights: PairWeights, features: usize) -> &'static str {
        let settings = PairSettings { rate, weights };
        settings
            .check(features)
            .map_or_else(|error| error.parameter, |()| "nothing")
    }

    #[test]
    fn a_rate_is_finite_and_above_0() {
        for rate in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(refused(rate, PairWeights::Equal, 3), "rate", "{rate}");
        }
        assert_eq!(refused(f64::MIN_POSITIVE, PairWeights::Equal, 3), "nothing");
    }

    #[test]
    fn weights_are_one_a_pair() {
        let given = |count| PairWeights::Given(vec![1.0; count]);
        for features in 1..8 {
            let count = pairs(features).len();
            let reasons = [count - 1, count, count + 1].map(|n| refused(0.5, given(n), features));
            assert_eq!(reasons, ["weights", "nothing", "weights"], "{features}");
        }
        let below_0 = PairWeights::Given(vec![1.0, -1.0, 1.0]);
        assert_eq!(refused(0.5, below_0, 3), "weights");
    }
}
