//! How the normals of cuts are distributed: settings, and what is derived from them.

use forest_core::SettingError;
use registry::Declared as _;
use serde::{Deserialize, Serialize};
use tessellation_tree::CutSettings;

use crate::finite::{DirectionSettings, Finite};
use crate::sparse::{Sparse, SparseSettings};
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
    /// Uniform among k random features; k = 1 is the Mondrian process.
    Sparse(SparseSettings),
    /// One of K directions that each tree draws once; the mass of a ball is its radius.
    Finite(DirectionSettings),
}

impl CutSettings for CutNormals {
    fn check(&self, features: usize) -> Result<(), SettingError> {
        self.check_rules()?;
        match self {
            Self::Weighted(weights) => weights.check(features),
            Self::Uniform | Self::Sparse(_) | Self::Finite(_) => Ok(()),
        }
    }
}

/// A distribution for points of a number of features, as trees hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum NormalSampler {
    Uniform(Uniform),
    Weighted(Weighted),
    Sparse(Sparse),
    Finite(Finite),
}

impl NormalSampler {
    pub(crate) fn new(features: usize, normals: &CutNormals) -> Self {
        match normals {
            CutNormals::Uniform => Self::Uniform(Uniform::new(features)),
            CutNormals::Weighted(weights) => Self::Weighted(Weighted::new(features, weights)),
            CutNormals::Sparse(settings) => Self::Sparse(Sparse::new(features, *settings)),
            CutNormals::Finite(settings) => Self::Finite(Finite::new(features, *settings)),
        }
    }
}
