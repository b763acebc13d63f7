//! Each law of normals, and axis-aligned cuts, with a fixed budget and with one that grows.

use std::marker::PhantomData;

use mondrian::AxisWeights;
use registry::Configuration;
use registry::parameters::Field;
use tessellation_tree::{
    Boxes, Budget, Draws, LabelSettings, NamedCuts, NamedLabels, Plan, TessellationFields,
    TessellationSettings, is_exact_to_a_fixed_budget,
};

use super::parameters::{
    axis_weights, direction_count, direction_features, normal_weights, sparse_features,
};
use super::{
    AGGREGATED_DIRECTIONS, AGGREGATED_URTF, DIRECTIONS, DIRECTIONS_INCREASING, MRTF,
    MRTF_INCREASING, SPARSE, SPARSE_INCREASING, URTF, URTF_INCREASING, WMRTF, WMRTF_INCREASING,
    WURTF, WURTF_INCREASING,
};
use crate::budget::AXIS_CUTS;
use crate::{
    DirectionSettings, FeatureWeights, LinearCuts, NormalLaw, PoleCuts, SparseSettings, increasing,
};

type Fields<D, L> = &'static [Field<Plan<D, L>>];

/// The configurations of forests with cuts `D` and labels `L`, as far as they do not depend on the law of the cuts.
struct Of<D, L>(PhantomData<(D, L)>);

impl<D: NamedCuts, L: NamedLabels<D>> Of<D, L> {
    const SHARED: Fields<D, L> = &[
        TessellationFields::<D, L>::MIN_POINTS,
        TessellationFields::<D, L>::PAUSE,
        TessellationFields::<D, L>::UPDATE,
    ];
    const VOTE: Fields<D, L> = TessellationFields::<D, L>::VOTE;
    const WINDOW: Fields<D, L> = TessellationFields::<D, L>::WINDOW;
    const BOUND_AND_LABELS: Fields<D, L> = &[
        TessellationFields::<D, L>::MAX_NODES,
        TessellationFields::<D, L>::LABELS,
    ];
    const FIXED: Fields<D, L> = &[TessellationFields::<D, L>::BUDGET];
    const OF_PRUNINGS: Fields<D, L> = &[
        TessellationFields::<D, L>::MIN_POINTS,
        TessellationFields::<D, L>::PAUSE,
        TessellationFields::<D, L>::MAX_NODES,
    ];
}

/// A schedule whose default scale has this formula.
const fn schedule<D: NamedCuts, L: NamedLabels<D>>(scale: &'static str) -> [Field<Plan<D, L>>; 2] {
    [
        TessellationFields::<D, L>::BUDGET_SCALE.with_default(scale),
        TessellationFields::<D, L>::BUDGET_POWER,
    ]
}

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
const BY_BALLS: &str = "8/c_d";
/// Where the mass of a segment along an axis is its length, as for the Mondrian process.
const BY_AXES: &str = "8";

/// The parameters of a name, in the order in which users see them: those of the budget, of the law, and of all.
macro_rules! fields {
    ($cuts:ty, $budget:expr, $own:expr) => {
        const {
            &[
                $budget,
                Of::<$cuts, L>::SHARED,
                Of::<$cuts, L>::VOTE,
                Of::<$cuts, L>::WINDOW,
                $own,
                Of::<$cuts, L>::BOUND_AND_LABELS,
                <L as NamedLabels<$cuts>>::FIELDS,
            ]
        }
    };
}

/// The same for mixtures of all prunings.
macro_rules! fields_of_prunings {
    ($own:expr) => {
        const {
            &[
                Of::<LinearCuts, L>::FIXED,
                Of::<LinearCuts, L>::OF_PRUNINGS,
                Of::<LinearCuts, L>::VOTE,
                $own,
                <L as NamedLabels<LinearCuts>>::FIELDS,
            ]
        }
    };
}

/// A name of forests of one law up to a fixed budget, and one up to a budget that grows.
macro_rules! names_of_law {
    ($entries:expr, $is_law:pat => $default:expr, $scale:expr, $own:expr) => {{
        let [fixed, growing] = $entries;
        [
            Configuration {
                entry: fixed,
                default: |_| up_to_a_fixed_budget($default),
                includes: |plan| is_fixed(plan) && matches!(plan.trees.cuts, $is_law),
                fields: fields!(LinearCuts, Of::<LinearCuts, L>::FIXED, $own),
            },
            Configuration {
                entry: growing,
                default: |features| Plan::new(increasing($default, features)),
                includes: |plan| !is_fixed(plan) && matches!(plan.trees.cuts, $is_law),
                fields: fields!(LinearCuts, &schedule($scale), $own),
            },
        ]
    }};
}

const fn uniform<L: NamedLabels<LinearCuts>>() -> [Configuration<Plan<LinearCuts, L>>; 2] {
    names_of_law!([&URTF, &URTF_INCREASING], NormalLaw::Uniform => NormalLaw::Uniform, BY_BALLS, &[])
}

const fn weighted<L: NamedLabels<LinearCuts>>() -> [Configuration<Plan<LinearCuts, L>>; 2] {
    names_of_law!(
        [&WURTF, &WURTF_INCREASING],
        NormalLaw::Weighted(_) => NormalLaw::Weighted(FeatureWeights::default()),
        BY_BALLS,
        &[normal_weights()]
    )
}

const fn sparse<L: NamedLabels<LinearCuts>>() -> [Configuration<Plan<LinearCuts, L>>; 2] {
    names_of_law!(
        [&SPARSE, &SPARSE_INCREASING],
        NormalLaw::Sparse(_) => NormalLaw::Sparse(SparseSettings::default()),
        BY_AXES,
        &[sparse_features()]
    )
}

const fn finite<L: NamedLabels<LinearCuts>>() -> [Configuration<Plan<LinearCuts, L>>; 2] {
    names_of_law!(
        [&DIRECTIONS, &DIRECTIONS_INCREASING],
        NormalLaw::Finite(_) => NormalLaw::Finite(DirectionSettings::default()),
        BY_BALLS,
        &[direction_count(), direction_features()]
    )
}

/// The names of forests that mix all prunings of their trees, which are exact up to a fixed budget.
const fn of_prunings<L: NamedLabels<LinearCuts>>() -> [Configuration<Plan<LinearCuts, L>>; 2] {
    let [urtf, _] = uniform();
    let [directions, _] = finite();
    [
        Configuration {
            entry: &AGGREGATED_URTF,
            includes: |plan| mixes_prunings(plan) && plan.trees.cuts == NormalLaw::Uniform,
            fields: fields_of_prunings!(&[]),
            ..urtf
        },
        Configuration {
            entry: &AGGREGATED_DIRECTIONS,
            includes: |plan| {
                mixes_prunings(plan) && matches!(plan.trees.cuts, NormalLaw::Finite(_))
            },
            fields: fields_of_prunings!(&[direction_count(), direction_features()]),
            ..directions
        },
    ]
}

impl NamedCuts for LinearCuts {
    type Branching = Draws;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        const {
            let [aggregated_urtf, aggregated_directions] = of_prunings();
            let [urtf, urtf_increasing] = uniform();
            let [wurtf, wurtf_increasing] = weighted();
            let [sparse, sparse_increasing] = sparse();
            let [directions, directions_increasing] = finite();
            &[
                aggregated_urtf,
                aggregated_directions,
                urtf,
                urtf_increasing,
                wurtf,
                wurtf_increasing,
                sparse,
                sparse_increasing,
                directions,
                directions_increasing,
            ]
        }
    }
}

/// `wmrtf` differs from `mrtf` by its weights: a 1 for every feature unless given, which has the same
/// law as none.
impl NamedCuts for PoleCuts {
    type Branching = Boxes;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        const {
            &[
                Configuration {
                    entry: &MRTF,
                    default: |_| Plan::new(TessellationSettings::default()),
                    includes: |plan| is_fixed(plan) && !is_weighted(plan),
                    fields: fields!(PoleCuts, Of::<Self, L>::FIXED, &[]),
                },
                Configuration {
                    entry: &MRTF_INCREASING,
                    default: |features| Plan::new(poles_increasing(AxisWeights::Equal, features)),
                    includes: |plan| !is_fixed(plan) && !is_weighted(plan),
                    fields: fields!(PoleCuts, &schedule(BY_AXES), &[]),
                },
                Configuration {
                    entry: &WMRTF,
                    default: |features| {
                        let cuts = ones(features);
                        let settings = TessellationSettings::default();
                        Plan::new(TessellationSettings { cuts, ..settings })
                    },
                    includes: |plan| is_fixed(plan) && is_weighted(plan),
                    fields: fields!(PoleCuts, Of::<Self, L>::FIXED, &[axis_weights()]),
                },
                Configuration {
                    entry: &WMRTF_INCREASING,
                    default: |features| Plan::new(poles_increasing(ones(features), features)),
                    includes: |plan| !is_fixed(plan) && is_weighted(plan),
                    fields: fields!(PoleCuts, &schedule(BY_AXES), &[axis_weights()]),
                },
            ]
        }
    }
}

fn up_to_a_fixed_budget<L: NamedLabels<LinearCuts>>(cuts: NormalLaw) -> Plan<LinearCuts, L> {
    let settings = TessellationSettings::default();
    Plan::new(TessellationSettings { cuts, ..settings })
}

fn poles_increasing<L: LabelSettings>(
    cuts: AxisWeights,
    features: usize,
) -> TessellationSettings<AxisWeights, L> {
    TessellationSettings {
        cuts,
        budget: Budget::minimax(AXIS_CUTS, features),
        ..TessellationSettings::default()
    }
}

fn ones(features: usize) -> AxisWeights {
    AxisWeights::Given(vec![1.0; features])
}

fn is_fixed<D: NamedCuts, L: NamedLabels<D>>(plan: &Plan<D, L>) -> bool {
    matches!(plan.trees.budget, Budget::Fixed(_))
}

fn mixes_prunings<L: NamedLabels<LinearCuts>>(plan: &Plan<LinearCuts, L>) -> bool {
    L::IS_AGGREGATED && is_exact_to_a_fixed_budget(plan)
}

fn is_weighted<L: NamedLabels<PoleCuts>>(plan: &Plan<PoleCuts, L>) -> bool {
    plan.trees.cuts != AxisWeights::Equal
}
