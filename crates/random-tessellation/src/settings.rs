//! How the normals of cuts are distributed, and how far trees are cut by default.

use forest_core::SettingError;
use forest_core::parameters::{Parameter, Rule, Values};
use serde::{Deserialize, Serialize};
use tessellation_tree::{Budget, CutSettings, LabelSettings, TessellationSettings, check_weights};

use crate::directions::segment_mass;

/// The distribution of the normals of cuts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum CutNormals {
    /// Every direction alike (uRTF): Λ({a, b}) = c_d·|a − b|, scaled so that the mass of a ball is its radius.
    #[default]
    Uniform,
    /// N(0, ωᵢ²) in each feature, scaled to length 1 (wuRTF); the mass of a ball is its radius.
    Weighted(FeatureWeights),
}

/// The weights ωᵢ of features, one each; equal if none are given. Weights may be 0, but not all, and
/// the others may not be smaller than 10⁻⁹ of the largest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FeatureWeights(pub Vec<f64>);

impl FeatureWeights {
    pub(crate) fn check(&self, features: usize) -> Result<(), SettingError> {
        let Self(weights) = self;
        if weights.is_empty() {
            return Ok(());
        }
        check_weights(weights, features, "must be one a feature")?;
        let largest = weights.iter().copied().fold(0.0, f64::max);
        for weight in weights {
            // The cells of the mixture reach to 1 / (the smallest ratio): tiny ratios would mean ever more cells.
            let sound = *weight == 0.0 || *weight >= 1e-9 * largest;
            let rule = "must be 0 or at least 1e-9 of the largest";
            SettingError::require(sound, "weights", rule, weight)?;
        }
        Ok(())
    }
}

impl CutSettings for CutNormals {
    fn of(v: &mut Values) -> Self {
        if v.is(NORMAL_WEIGHTS.name, NONE) {
            return Self::Uniform;
        }
        Self::Weighted(FeatureWeights(v.list(NORMAL_WEIGHTS.name, EQUAL)))
    }

    fn budget_scale(features: usize) -> f64 {
        AXIS_CUTS / segment_mass(features)
    }

    fn check(&self, features: usize) -> Result<(), SettingError> {
        match self {
            Self::Weighted(weights) => weights.check(features),
            Self::Uniform => Ok(()),
        }
    }
}

/// The weights of `urtf`.
pub(crate) const NORMAL_WEIGHTS: Parameter = Parameter::new(
    "weights",
    Rule::Or(&Rule::NUMBERS, &[NONE, EQUAL]),
    NONE,
    "weight of each feature, separated by `/`: the standard deviation of a normal's entry; none: every direction alike",
);

/// The word for a distribution without weights; equal weights have its distribution, from other draws.
const NONE: &str = "none";

const EQUAL: &str = "equal";

/// How often a segment of length 1 along an axis is cut under the default schedule, at the first sample.
///
/// The theory leaves it open; what 8 gives is best or nearly so on most sets, as for the other families.
const AXIS_CUTS: f64 = 8.0;

/// Returns the settings with a budget that grows with the number of samples, c·n^(1/(d+2)) for points of `features`
/// dimensions (Mourtada, Gaïffas, Scornet 2017), with the default for c: 8/c_d, so that a segment of length 1 is cut as often as
/// along an axis.
pub fn increasing<L: LabelSettings>(
    normals: CutNormals,
    features: usize,
) -> TessellationSettings<CutNormals, L> {
    TessellationSettings {
        budget: Budget::minimax(CutNormals::budget_scale(features), features),
        cuts: normals,
        ..TessellationSettings::default()
    }
}
