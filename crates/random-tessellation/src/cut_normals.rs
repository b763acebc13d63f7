//! How the normals of cuts are distributed: settings, and what is derived from them.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};
use tessellation_tree::CutSettings;

use crate::uniform::Uniform;
use crate::weighted::{FeatureWeights, Weighted};

/// The distribution of the normals of cuts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum CutNormals {
    /// Every direction alike (uRTF): Λ({a, b}) = c_d·|a − b|, scaled so that the mass of a ball is its radius.
    #[default]
    Uniform,
    /// N(0, ωᵢ²) in each feature, scaled to length 1 (wuRTF); the mass of a ball is its radius.
    Weighted(FeatureWeights),
}

impl CutSettings for CutNormals {
    fn check(&self, features: usize) -> Result<(), SettingError> {
        match self {
            Self::Weighted(weights) => weights.check(features),
            Self::Uniform => Ok(()),
        }
    }
}

/// A distribution for points of a number of features, as trees hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum NormalSampler {
    Uniform(Uniform),
    Weighted(Weighted),
}

impl NormalSampler {
    pub(crate) fn new(features: usize, normals: &CutNormals) -> Self {
        match normals {
            CutNormals::Uniform => Self::Uniform(Uniform::new(features)),
            CutNormals::Weighted(weights) => Self::Weighted(Weighted::new(features, weights)),
        }
    }
}
