//! The parameters that a distribution of cuts has beside those of every tessellation forest.

use mondrian::AxisWeights;
use registry::parameters::{Field, Numbers, Parameter, Rule, parsed};
use tessellation_tree::{NamedLabels, Plan};

use crate::{DirectionSettings, FeatureWeights, LinearCuts, NormalLaw, PoleCuts, SparseSettings};

/// The weights of `wurtf`.
pub(super) const fn normal_weights<L: NamedLabels<LinearCuts>>() -> Field<Plan<LinearCuts, L>> {
    Field {
        parameter: weights(
            "weight of each feature, separated by `/`: the standard deviation of a normal's entry",
        ),
        get: |plan| match &plan.trees.cuts {
            NormalLaw::Weighted(FeatureWeights(weights)) => EQUAL.text(weights),
            _ => EQUAL.text(&[]),
        },
        set: |plan, text| plan.trees.cuts = NormalLaw::Weighted(FeatureWeights(EQUAL.value(text))),
    }
}

/// The features of a cut of `sparse`.
pub(super) const fn sparse_features<L: NamedLabels<LinearCuts>>() -> Field<Plan<LinearCuts, L>> {
    Field {
        parameter: Parameter::new(
            "features",
            Rule::Count(1),
            "3",
            "features that a cut reads; 1: axis-aligned, 2: pairs of axes",
        ),
        get: |plan| match &plan.trees.cuts {
            NormalLaw::Sparse(settings) => settings.features.to_string(),
            _ => String::new(),
        },
        set: |plan, text| {
            let features = parsed(text);
            plan.trees.cuts = NormalLaw::Sparse(SparseSettings { features });
        },
    }
}

/// The number of directions of `directions`.
pub(super) const fn direction_count<L: NamedLabels<LinearCuts>>() -> Field<Plan<LinearCuts, L>> {
    Field {
        parameter: Parameter::new("directions", Rule::Count(1), "50", "directions of a tree"),
        get: |plan| finite(&plan.trees.cuts).directions.to_string(),
        set: |plan, text| {
            plan.trees.cuts = NormalLaw::Finite(DirectionSettings {
                directions: parsed(text),
                ..finite(&plan.trees.cuts)
            });
        },
    }
}

/// The features of a direction of `directions`.
pub(super) const fn direction_features<L: NamedLabels<LinearCuts>>() -> Field<Plan<LinearCuts, L>> {
    Field {
        parameter: Parameter::new(
            "features",
            Rule::CountOr(1, ALL),
            ALL,
            "features that a direction reads, chosen at random",
        ),
        get: |plan| features_text(finite(&plan.trees.cuts).features),
        set: |plan, text| {
            plan.trees.cuts = NormalLaw::Finite(DirectionSettings {
                features: features(text),
                ..finite(&plan.trees.cuts)
            });
        },
    }
}

fn finite(law: &NormalLaw) -> DirectionSettings {
    match law {
        NormalLaw::Finite(settings) => *settings,
        _ => DirectionSettings::default(),
    }
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
