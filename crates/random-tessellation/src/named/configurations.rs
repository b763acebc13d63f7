//! Each distribution of cuts with a fixed budget, and with one that grows.

use std::marker::PhantomData;

use mondrian::AxisWeights;
use registry::parameters::Field;
use registry::{Configuration, Entry};
use tessellation_tree::{
    Boxes, Budget, Draws, NamedCuts, NamedLabels, Plan, TessellationFields, TessellationSettings,
    is_exact_to_a_fixed_budget,
};

use super::parameters::{OwnFields, axis_weights};
use super::{
    AGGREGATED_DIRECTIONS, AGGREGATED_URTF, DIRECTIONS, DIRECTIONS_INCREASING, MRTF,
    MRTF_INCREASING, SPARSE, SPARSE_INCREASING, URTF, URTF_INCREASING, WMRTF, WMRTF_INCREASING,
    WURTF, WURTF_INCREASING,
};
use crate::budget::DefaultScale;
use crate::{DirectionCuts, PoleCuts, SparseCuts, UniformCuts, WeightedCuts, increasing};

type Fields<D, L> = &'static [Field<Plan<D, L>>];

/// The configurations of forests with cuts `D` and labels `L`.
struct Of<D, L>(PhantomData<(D, L)>);

impl<D: NamedCuts + DefaultScale + OwnFields<L>, L: NamedLabels<D>> Of<D, L> {
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
    const INCREASING: Fields<D, L> = &[
        TessellationFields::<D, L>::BUDGET_SCALE.with_default(D::TEXT),
        TessellationFields::<D, L>::BUDGET_POWER,
    ];

    const fn fixed(entry: &'static Entry) -> Configuration<Plan<D, L>> {
        Configuration {
            entry,
            default: |_| Plan::new(TessellationSettings::default()),
            includes: is_fixed::<D, L>,
            fields: &[
                Self::FIXED,
                Self::SHARED,
                Self::VOTE,
                Self::WINDOW,
                D::OWN,
                Self::BOUND_AND_LABELS,
                L::FIELDS,
            ],
        }
    }

    const fn aggregated(entry: &'static Entry) -> Configuration<Plan<D, L>> {
        Configuration {
            includes: is_exact_to_a_fixed_budget::<D, L>,
            fields: &[
                Self::FIXED,
                &[
                    TessellationFields::<D, L>::MIN_POINTS,
                    TessellationFields::<D, L>::PAUSE,
                    TessellationFields::<D, L>::MAX_NODES,
                ],
                Self::VOTE,
                D::OWN,
                L::FIELDS,
            ],
            ..Self::fixed(entry)
        }
    }

    const fn increasing(entry: &'static Entry) -> Configuration<Plan<D, L>> {
        Configuration {
            entry,
            default: |features| Plan::new(increasing::<D, L::Settings>(features)),
            includes: |plan| !is_fixed(plan),
            fields: &[
                Self::INCREASING,
                Self::SHARED,
                Self::VOTE,
                Self::WINDOW,
                D::OWN,
                Self::BOUND_AND_LABELS,
                L::FIELDS,
            ],
        }
    }
}

impl NamedCuts for UniformCuts {
    type Branching = Draws;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        match L::IS_AGGREGATED {
            true => {
                const {
                    &[
                        Of::<Self, L>::aggregated(&AGGREGATED_URTF),
                        Of::<Self, L>::fixed(&URTF),
                        Of::<Self, L>::increasing(&URTF_INCREASING),
                    ]
                }
            }
            false => {
                const {
                    &[
                        Of::<Self, L>::fixed(&URTF),
                        Of::<Self, L>::increasing(&URTF_INCREASING),
                    ]
                }
            }
        }
    }
}

impl NamedCuts for WeightedCuts {
    type Branching = Draws;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        const {
            &[
                Of::<Self, L>::fixed(&WURTF),
                Of::<Self, L>::increasing(&WURTF_INCREASING),
            ]
        }
    }
}

impl NamedCuts for SparseCuts {
    type Branching = Draws;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        const {
            &[
                Of::<Self, L>::fixed(&SPARSE),
                Of::<Self, L>::increasing(&SPARSE_INCREASING),
            ]
        }
    }
}

impl NamedCuts for DirectionCuts {
    type Branching = Draws;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        match L::IS_AGGREGATED {
            true => {
                const {
                    &[
                        Of::<Self, L>::aggregated(&AGGREGATED_DIRECTIONS),
                        Of::<Self, L>::fixed(&DIRECTIONS),
                        Of::<Self, L>::increasing(&DIRECTIONS_INCREASING),
                    ]
                }
            }
            false => {
                const {
                    &[
                        Of::<Self, L>::fixed(&DIRECTIONS),
                        Of::<Self, L>::increasing(&DIRECTIONS_INCREASING),
                    ]
                }
            }
        }
    }
}

/// `wmrtf` is told from `mrtf` by its weights: a 1 for every feature unless given, which has the same
/// law as none.
impl NamedCuts for PoleCuts {
    type Branching = Boxes;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        const {
            &[
                Configuration {
                    includes: |plan| is_fixed(plan) && !is_weighted(plan),
                    ..Of::<Self, L>::fixed(&MRTF)
                },
                Configuration {
                    includes: |plan| !is_fixed(plan) && !is_weighted(plan),
                    ..Of::<Self, L>::increasing(&MRTF_INCREASING)
                },
                Configuration {
                    default: |features| weighted(features, TessellationSettings::default()),
                    includes: |plan| is_fixed(plan) && is_weighted(plan),
                    fields: &[
                        Of::<Self, L>::FIXED,
                        Of::<Self, L>::SHARED,
                        Of::<Self, L>::VOTE,
                        Of::<Self, L>::WINDOW,
                        &[axis_weights()],
                        Of::<Self, L>::BOUND_AND_LABELS,
                        L::FIELDS,
                    ],
                    ..Of::<Self, L>::fixed(&WMRTF)
                },
                Configuration {
                    default: |features| weighted(features, increasing::<Self, _>(features)),
                    includes: |plan| !is_fixed(plan) && is_weighted(plan),
                    fields: &[
                        Of::<Self, L>::INCREASING,
                        Of::<Self, L>::SHARED,
                        Of::<Self, L>::VOTE,
                        Of::<Self, L>::WINDOW,
                        &[axis_weights()],
                        Of::<Self, L>::BOUND_AND_LABELS,
                        L::FIELDS,
                    ],
                    ..Of::<Self, L>::increasing(&WMRTF_INCREASING)
                },
            ]
        }
    }
}

fn is_fixed<D: NamedCuts, L: NamedLabels<D>>(plan: &Plan<D, L>) -> bool {
    matches!(plan.trees.budget, Budget::Fixed(_))
}

fn is_weighted<L: NamedLabels<PoleCuts>>(plan: &Plan<PoleCuts, L>) -> bool {
    plan.trees.cuts != AxisWeights::Equal
}

fn weighted<L: NamedLabels<PoleCuts>>(
    features: usize,
    settings: TessellationSettings<AxisWeights, L::Settings>,
) -> Plan<PoleCuts, L> {
    let cuts = AxisWeights::Given(vec![1.0; features]);
    Plan::new(TessellationSettings { cuts, ..settings })
}
