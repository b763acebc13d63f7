//! Random tessellation forests by name.

use std::marker::PhantomData;

use registry::parameters::{Field, Parameter, Rule, field, parsed};
use registry::{Configuration, Entry, Role, learner};
use tessellation_tree::{NamedCuts, NamedLabels, Plan, TessellationFields, TessellationSettings};

use crate::{
    Classifier, DirectionCuts, FeatureWeights, Regressor, SparseCuts, UniformCuts, WeightedCuts,
};

/// `urtf`: every direction alike.
pub static URTF: Entry = row::<UniformCuts>(
    "urtf",
    "cuts of every direction alike, up to a fixed budget; the online tree has the batch law",
);

/// `wurtf`: weighted features.
pub static WURTF: Entry = row::<WeightedCuts>(
    "wurtf",
    "cuts whose normals are weighted by feature, up to a fixed budget",
);

/// `sparse`: few features a cut.
pub static SPARSE: Entry = row::<SparseCuts>(
    "sparse",
    "cuts of every direction alike among a few random features",
);

/// `directions`: a finite set of directions a tree.
pub static DIRECTIONS: Entry = row::<DirectionCuts>(
    "directions",
    "cuts along a finite set of directions that each tree draws for itself",
);

const fn row<D: NamedCuts>(name: &'static str, description: &'static str) -> Entry {
    Entry {
        name,
        description,
        paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
        role: Role::Forest,
        classification: Some(learner::<Classifier<D>>()),
        regression: Some(learner::<Regressor<D>>()),
    }
}

/// The one configuration of forests with cuts `D`: what all of them have, and the parameters of the cuts.
struct Only<D, L>(PhantomData<(D, L)>);

impl<D: NamedCuts, L: NamedLabels> Only<D, L> {
    const SHARED: &'static [Field<Plan<D, L>>] = &[
        TessellationFields::<D, L>::BUDGET,
        TessellationFields::<D, L>::MIN_POINTS,
        TessellationFields::<D, L>::PAUSE,
        TessellationFields::<D, L>::UPDATE,
    ];
    const VOTE: &'static [Field<Plan<D, L>>] = TessellationFields::<D, L>::VOTE;
    const WINDOW: &'static [Field<Plan<D, L>>] = &[TessellationFields::<D, L>::WINDOW];

    const fn of(
        entry: &'static Entry,
        fields: &'static [&'static [Field<Plan<D, L>>]],
    ) -> Configuration<Plan<D, L>> {
        Configuration {
            entry,
            default: |_| Plan::new(TessellationSettings::default()),
            includes: |_| true,
            fields,
        }
    }
}

impl NamedCuts for UniformCuts {
    fn configurations<L: NamedLabels>() -> &'static [Configuration<Plan<Self, L>>] {
        type Own<L> = Only<UniformCuts, L>;
        const {
            &[Own::<L>::of(
                &URTF,
                &[Own::<L>::SHARED, Own::<L>::VOTE, Own::<L>::WINDOW],
            )]
        }
    }
}

impl NamedCuts for WeightedCuts {
    fn configurations<L: NamedLabels>() -> &'static [Configuration<Plan<Self, L>>] {
        type Own<L> = Only<WeightedCuts, L>;
        const {
            &[Own::<L>::of(
                &WURTF,
                &[
                    Own::<L>::SHARED,
                    Own::<L>::VOTE,
                    Own::<L>::WINDOW,
                    &[Field {
                        parameter: WEIGHTS,
                        get: |plan| weights_text(&plan.trees.cuts),
                        set: |plan, text| plan.trees.cuts = weights(text),
                    }],
                ],
            )]
        }
    }
}

impl NamedCuts for SparseCuts {
    fn configurations<L: NamedLabels>() -> &'static [Configuration<Plan<Self, L>>] {
        type Own<L> = Only<SparseCuts, L>;
        const {
            &[Own::<L>::of(
                &SPARSE,
                &[
                    Own::<L>::SHARED,
                    Own::<L>::VOTE,
                    Own::<L>::WINDOW,
                    &[field!(FEATURES_OF_A_CUT, plan => plan.trees.cuts.features)],
                ],
            )]
        }
    }
}

impl NamedCuts for DirectionCuts {
    fn configurations<L: NamedLabels>() -> &'static [Configuration<Plan<Self, L>>] {
        type Own<L> = Only<DirectionCuts, L>;
        const {
            &[Own::<L>::of(
                &DIRECTIONS,
                &[
                    Own::<L>::SHARED,
                    Own::<L>::VOTE,
                    Own::<L>::WINDOW,
                    &[
                        field!(COUNT, plan => plan.trees.cuts.directions),
                        Field {
                            parameter: FEATURES_OF_A_DIRECTION,
                            get: |plan| features_text(plan.trees.cuts.features),
                            set: |plan, text| plan.trees.cuts.features = features(text),
                        },
                    ],
                ],
            )]
        }
    }
}

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: EQUAL,
    meaning: "weight of each feature, separated by `/`: the standard deviation of a normal's entry",
    rule: Rule::NumbersOr(EQUAL),
};

const FEATURES_OF_A_CUT: Parameter = Parameter {
    name: "features",
    default: "3",
    meaning: "features that a cut reads; 1: axis-aligned, 2: pairs of axes",
    rule: Rule::Count(1),
};

const COUNT: Parameter = Parameter {
    name: "directions",
    default: "50",
    meaning: "directions of a tree",
    rule: Rule::Count(1),
};

const FEATURES_OF_A_DIRECTION: Parameter = Parameter {
    name: "features",
    default: ALL,
    meaning: "features that a direction reads, chosen at random",
    rule: Rule::CountOr(1, ALL),
};

const EQUAL: &str = "equal";
const ALL: &str = "all";

fn weights(text: &str) -> FeatureWeights {
    let numbers = text.split('/').filter(|_| text != EQUAL);
    FeatureWeights(numbers.map(parsed).collect())
}

fn weights_text(FeatureWeights(weights): &FeatureWeights) -> String {
    if weights.is_empty() {
        return EQUAL.to_owned();
    }
    let numbers: Vec<String> = weights.iter().map(f64::to_string).collect();
    numbers.join("/")
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
