//! The parameters of laws of normals.

use registry::Declared;
use registry::parameters::{Field, Numbers, Parameter, Rule, field, parsed};

use crate::{DirectionSettings, FeatureWeights, NormalLaw, SparseSettings};

/// The weights of `wurtf`.
pub(crate) const NORMAL_WEIGHTS: Parameter = Parameter::new(
    "weights",
    EQUAL.rule(),
    EQUAL.0,
    "weight of each feature, separated by `/`: the standard deviation of a normal's entry",
);

const EQUAL: Numbers = Numbers("equal");

impl Declared for FeatureWeights {
    const FIELDS: &'static [Field<Self>] = &[Field {
        parameter: NORMAL_WEIGHTS,
        get: |weights| EQUAL.text(&weights.0),
        set: |weights, text| weights.0 = EQUAL.value(text),
    }];
}

/// The features of a cut of `sparse`.
pub(crate) const SPARSE_FEATURES: Parameter = Parameter::new(
    "features",
    Rule::Count(1),
    "3",
    "features that a cut reads; 1: axis-aligned, 2: pairs of axes",
);

impl Declared for SparseSettings {
    const FIELDS: &'static [Field<Self>] =
        &[field!(SPARSE_FEATURES, settings => settings.features)];
}

/// The number of directions of `directions`.
pub(crate) const DIRECTION_COUNT: Parameter =
    Parameter::new("directions", Rule::Count(1), "50", "directions of a tree");

/// The features of a direction of `directions`.
pub(crate) const DIRECTION_FEATURES: Parameter = Parameter::new(
    "features",
    Rule::CountOr(1, ALL),
    ALL,
    "features that a direction reads, chosen at random",
);

const ALL: &str = "all";

impl Declared for DirectionSettings {
    const FIELDS: &'static [Field<Self>] = &[
        field!(DIRECTION_COUNT, settings => settings.directions),
        Field {
            parameter: DIRECTION_FEATURES,
            get: |settings| match settings.features {
                0 => ALL.to_owned(),
                count => count.to_string(),
            },
            set: |settings, text| {
                settings.features = match text {
                    ALL => 0,
                    count => parsed(count),
                }
            },
        },
    ];
}

/// Those of the law that it is.
impl Declared for NormalLaw {
    const FIELDS: &'static [Field<Self>] = &[];

    fn get(&self, name: &str) -> Option<String> {
        match self {
            Self::Uniform => None,
            Self::Weighted(weights) => weights.get(name),
            Self::Sparse(settings) => settings.get(name),
            Self::Finite(settings) => settings.get(name),
        }
    }

    fn set(&mut self, name: &str, text: &str) -> bool {
        match self {
            Self::Uniform => false,
            Self::Weighted(weights) => weights.set(name, text),
            Self::Sparse(settings) => settings.set(name, text),
            Self::Finite(settings) => settings.set(name, text),
        }
    }
}
