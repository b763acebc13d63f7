//! The parameters of the pair distribution; the paper's forest, as its distribution says and as its algorithms print it.

use forest_core::SettingError;
use forest_core::parameters::{Parameter, Rule, Values, check};
use serde::{Deserialize, Serialize};
use tessellation_tree::{Budget, CutSettings, LabelSettings, Update};

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

/// Parameters of the pair distribution, Λ({a, b}) = 2s·Σ_{i<j} √(δᵢ² + δⱼ²) with δ = a − b.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairSettings {
    /// The rate s, above 0: ½ in the experiments of Fan et al. (2020), 1 in their algorithms.
    pub rate: f64,
}

/// The settings of the paper's experiments.
impl Default for PairSettings {
    fn default() -> Self {
        Self { rate: 0.5 }
    }
}

pub(crate) const RATE: Parameter = Parameter::new(
    "rate",
    Rule::POSITIVE,
    "0.5",
    "mass of cuts per unit of a hull's perimeter (s)",
);

impl CutSettings for PairSettings {
    fn of(v: &mut Values) -> Self {
        let rate = v.get(RATE.name);
        Self { rate }
    }

    fn check(&self, _: usize) -> Result<(), SettingError> {
        check(&[RATE], "rate", self.rate)
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_rate_is_finite_and_above_0() {
        let refused = |rate: f64| PairSettings { rate }.check(2).is_err();
        assert!(
            [0.0, -1.0, f64::INFINITY, f64::NAN]
                .into_iter()
                .all(refused)
        );
        assert!(!refused(f64::MIN_POSITIVE));
    }
}
