//! The parameters of distributions of normals.

use forest_core::parameters::{Numbers, Parameter, Rule};
use forest_core::registry::{Declared, Field};

use crate::{CutNormals, FeatureWeights};

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

/// Those of the distribution that it is.
impl Declared for CutNormals {
    const FIELDS: &'static [Field<Self>] = &[];

    fn get(&self, name: &str) -> Option<String> {
        (name == NORMAL_WEIGHTS.name).then(|| match self {
            Self::Uniform => NONE.to_owned(),
            Self::Weighted(weights) => EQUAL.text(&weights.0),
        })
    }

    fn set(&mut self, name: &str, text: &str) -> bool {
        let known = name == NORMAL_WEIGHTS.name;
        if known {
            *self = weighted(text);
        }
        known
    }
}

fn weighted(text: &str) -> CutNormals {
    if text == NONE {
        return CutNormals::Uniform;
    }
    CutNormals::Weighted(FeatureWeights(EQUAL.value(text)))
}
