//! The parameters that a distribution of cuts has beside those of every tessellation forest.

use mondrian::AxisWeights;
use registry::parameters::{Field, Numbers, Parameter, Rule, field, parsed};
use tessellation_tree::{NamedCuts, NamedLabels, Plan};

use crate::{DirectionCuts, FeatureWeights, PoleCuts, SparseCuts, UniformCuts, WeightedCuts};

/// Parameters of the cuts, in plans for forests with labels `L`.
pub(super) trait OwnFields<L: NamedLabels<Self>>: NamedCuts {
    const OWN: &'static [Field<Plan<Self, L>>] = &[];
}

impl<L: NamedLabels<Self>> OwnFields<L> for UniformCuts {}

impl<L: NamedLabels<Self>> OwnFields<L> for PoleCuts {}

impl<L: NamedLabels<Self>> OwnFields<L> for WeightedCuts {
    const OWN: &'static [Field<Plan<Self, L>>] = &[Field {
        parameter: weights(
            "weight of each feature, separated by `/`: the standard deviation of a normal's entry",
        ),
        get: |plan| EQUAL.text(&plan.trees.cuts.0),
        set: |plan, text| plan.trees.cuts = FeatureWeights(EQUAL.value(text)),
    }];
}

impl<L: NamedLabels<Self>> OwnFields<L> for SparseCuts {
    const OWN: &'static [Field<Plan<Self, L>>] = &[field!(
        Parameter::new(
            "features",
            Rule::Count(1),
            "3",
            "features that a cut reads; 1: axis-aligned, 2: pairs of axes"
        ),
        plan => plan.trees.cuts.features
    )];
}

impl<L: NamedLabels<Self>> OwnFields<L> for DirectionCuts {
    const OWN: &'static [Field<Plan<Self, L>>] = &[
        field!(
            Parameter::new("directions", Rule::Count(1), "50", "directions of a tree"),
            plan => plan.trees.cuts.directions
        ),
        Field {
            parameter: Parameter::new(
                "features",
                Rule::CountOr(1, ALL),
                ALL,
                "features that a direction reads, chosen at random",
            ),
            get: |plan| features_text(plan.trees.cuts.features),
            set: |plan, text| plan.trees.cuts.features = features(text),
        },
    ];
}

/// The weights of `wmrtf`, which are always there: equal ones are a 1 for every feature.
pub(super) const fn axis_weights<L: NamedLabels<PoleCuts>>() -> Field<Plan<PoleCuts, L>> {
    Field {
        parameter: weights("weight of each feature, separated by `/`: the rate of cuts across it"),
        get: |plan| match &plan.trees.cuts {
            AxisWeights::Given(weights) if weights.iter().any(|weight| *weight != 1.0) => {
                EQUAL.text(weights)
            }
            _ => EQUAL.text(&[]),
        },
        set: |plan, text| {
            if let AxisWeights::Given(weights) = &mut plan.trees.cuts {
                match EQUAL.value(text) {
                    none if none.is_empty() => weights.fill(1.0),
                    given => *weights = given,
                }
            }
        },
    }
}

/// Weights of features.
const EQUAL: Numbers = Numbers("equal");
const ALL: &str = "all";

const fn weights(meaning: &'static str) -> Parameter {
    Parameter::new("weights", EQUAL.rule(), EQUAL.0, meaning)
}

/// 0 features mean all.
fn features(text: &str) -> usize {
    match text {
        ALL => 0,
        count => parsed(count),
    }
}

fn features_text(features: usize) -> String {
    match features {
        0 => ALL.to_owned(),
        count => count.to_string(),
    }
}
