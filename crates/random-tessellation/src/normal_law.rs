//! How the normals of cuts are distributed: settings, and what is derived from them.

use forest_core::SettingError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tessellation_tree::CutSettings;

use crate::finite::{DirectionSettings, Finite};
use crate::old_files::OldLaw;
use crate::sparse::{Sparse, SparseSettings};
use crate::uniform::Uniform;
use crate::weighted::{FeatureWeights, Weighted};

/// The distribution of the normals of cuts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum NormalLaw {
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

impl CutSettings for NormalLaw {
    fn check(&self, features: usize) -> Result<(), SettingError> {
        match self {
            Self::Uniform => Ok(()),
            Self::Weighted(weights) => weights.check(features),
            Self::Sparse(settings) => settings.check(features),
            Self::Finite(settings) => settings.check(features),
        }
    }
}

/// A law for points of a number of features, as trees hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub(crate) enum Law {
    Uniform(Uniform),
    Weighted(Weighted),
    Sparse(Sparse),
    Finite(Finite),
}

impl Law {
    pub(crate) fn new(features: usize, law: &NormalLaw) -> Self {
        match law {
            NormalLaw::Uniform => Self::Uniform(Uniform::new(features)),
            NormalLaw::Weighted(weights) => Self::Weighted(Weighted::new(features, weights)),
            NormalLaw::Sparse(settings) => Self::Sparse(Sparse::new(features, *settings)),
            NormalLaw::Finite(settings) => Self::Finite(Finite::new(features, *settings)),
        }
    }
}

impl Serialize for NormalLaw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl Serialize for Law {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Old files have the settings of the law without saying which law it is.
impl<'de> Deserialize<'de> for NormalLaw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match OldLaw::of_file() {
            None => Self::deserialize(deserializer),
            Some(OldLaw::Uniform) => <()>::deserialize(deserializer).map(|()| Self::Uniform),
            Some(OldLaw::Weighted) => Deserialize::deserialize(deserializer).map(Self::Weighted),
            Some(OldLaw::Sparse) => Deserialize::deserialize(deserializer).map(Self::Sparse),
            Some(OldLaw::Finite) => Deserialize::deserialize(deserializer).map(Self::Finite),
        }
    }
}

/// The same of what trees hold.
impl<'de> Deserialize<'de> for Law {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match OldLaw::of_file() {
            None => Self::deserialize(deserializer),
            Some(OldLaw::Uniform) => Deserialize::deserialize(deserializer).map(Self::Uniform),
            Some(OldLaw::Weighted) => Deserialize::deserialize(deserializer).map(Self::Weighted),
            Some(OldLaw::Sparse) => Deserialize::deserialize(deserializer).map(Self::Sparse),
            Some(OldLaw::Finite) => Deserialize::deserialize(deserializer).map(Self::Finite),
        }
    }
}
