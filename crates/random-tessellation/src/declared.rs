//! The parameters of distributions of normals.

use forest_core::SettingError;
use registry::parameters::{Numbers, Parameter, Rule, parsed};
use registry::{Declared, Field, settings};

use crate::{CutNormals, DirectionSettings, FeatureWeights, SparseSettings};

/// The weights of `urtf`.
pub(crate) const NORMAL_WEIGHTS: Parameter = Parameter::new(
    "weights",
    Rule::Or(&Rule::NUMBERS, &[NONE, EQUAL.0]),
    NONE,
    "weight of each feature, separated by `/`: the standard deviation of a normal's entry; none: every direction alike",
);

/// The word for a distribution without weights; equal weights have its distribution, from other draws.
const NONE: &str = "none";

const EQUAL: Numbers = Numbers("equal");

/// The features of a cut of `sparse`.
pub(crate) const SPARSE_FEATURES: Parameter = Parameter::new(
    "features",
    Rule::Count(1),
    "3",
    "features that a cut reads; 1: axis-aligned, 2: pairs of axes",
);

settings! {
    SparseSettings { features: SPARSE_FEATURES; }
}

/// The number of directions of `directions`.
pub(crate) const DIRECTION_COUNT: Parameter =
    Parameter::new("directions", Rule::Count(1), "50", "directions of a tree");

/// The features of a direction of `directions`.
pub(crate) const DIRECTION_FEATURES: Parameter = Parameter::new(
    "features",
    Rule::Or(&Rule::Count(1), &[ALL]),
    ALL,
    "features that a direction reads, chosen at random",
);

const ALL: &str = "all";

settings! {
    DirectionSettings {
        directions: DIRECTION_COUNT;
        features: DIRECTION_FEATURES, number_or_all, number_of;
    }
}

fn number_or_all(features: &usize) -> String {
    match features {
        0 => ALL.to_owned(),
        count => count.to_string(),
    }
}

fn number_of(text: &str) -> usize {
    match text {
        ALL => 0,
        count => parsed(count),
    }
}

/// Those of the distribution that it is.
impl Declared for CutNormals {
    const FIELDS: &'static [Field<Self>] = &[];

    fn get(&self, name: &str) -> Option<String> {
        match self {
            Self::Uniform => (name == NORMAL_WEIGHTS.name).then(|| NONE.to_owned()),
            Self::Weighted(weights) => {
                (name == NORMAL_WEIGHTS.name).then(|| EQUAL.text(&weights.0))
            }
            Self::Sparse(settings) => settings.get(name),
            Self::Finite(settings) => settings.get(name),
        }
    }

    fn set(&mut self, name: &str, text: &str) -> bool {
        match self {
            Self::Uniform | Self::Weighted(_) if name == NORMAL_WEIGHTS.name => {
                *self = weighted(text);
                true
            }
            Self::Uniform | Self::Weighted(_) => false,
            Self::Sparse(settings) => settings.set(name, text),
            Self::Finite(settings) => settings.set(name, text),
        }
    }

    fn check_rules(&self) -> Result<(), SettingError> {
        match self {
            Self::Uniform | Self::Weighted(_) => Ok(()),
            Self::Sparse(settings) => settings.check_rules(),
            Self::Finite(settings) => settings.check_rules(),
        }
    }
}

fn weighted(text: &str) -> CutNormals {
    if text == NONE {
        return CutNormals::Uniform;
    }
    CutNormals::Weighted(FeatureWeights(EQUAL.value(text)))
}
