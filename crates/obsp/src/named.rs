//! BSP-Forests by name.

use forest_core::{Classification, Regression, Vote};
use registry::parameters::{Field, Parameter, Rule, field};
use registry::{Configuration, Entry, Role, learner};
use tessellation_tree::{
    Budget, Draws, NamedCuts, NamedLabels, Plan, TessellationFields, Update, aggregated, by_labels,
    is_exact_to_a_fixed_budget,
};

use crate::{
    BUDGET_SCALE, HierarchicalBspClassifier, HierarchicalBspRegressor, PAPER_BUDGET_SCALE,
    PairCuts, exact, fixed, redraw,
};

/// `obsp`: the exact online forest.
pub static OBSP: Entry = row(
    "obsp",
    "cuts oblique in two axes, a growing budget; the online tree has the batch law",
);

/// `obsp-fixed`: a fixed budget.
pub static OBSP_FIXED: Entry = variant(
    "obsp-fixed",
    "cuts oblique in two axes up to a fixed budget",
);

/// `obsp-redraw`: the paper's algorithm as printed.
pub static OBSP_REDRAW: Entry = variant(
    "obsp-redraw",
    "the paper's Algorithm 4 as printed: leaves drawn anew at every arrival",
);

/// `aggregated-obsp`: the mixture over all prunings of fully grown trees.
pub static AGGREGATED_OBSP: Entry = Entry {
    classification: Some(aggregated::<PairCuts, Classification>()),
    regression: Some(aggregated::<PairCuts, Regression>()),
    ..variant(
        "aggregated-obsp",
        "cuts oblique in two axes; predicts by all prunings of its trees, as amf does",
    )
};

/// `obsp-hierarchical`: predictions smoothed along the path.
pub static OBSP_HIERARCHICAL: Entry = Entry {
    classification: Some(learner::<HierarchicalBspClassifier>()),
    regression: Some(learner::<HierarchicalBspRegressor>()),
    ..variant(
        "obsp-hierarchical",
        "cuts oblique in two axes; predictions smoothed along the path, and points branch off",
    )
};

const fn variant(name: &'static str, description: &'static str) -> Entry {
    Entry {
        role: Role::Variant,
        ..row(name, description)
    }
}

const fn row(name: &'static str, description: &'static str) -> Entry {
    Entry {
        name,
        description,
        paper: "Fan, Li, Sisson: Online Binary Space Partitioning Forests, AISTATS 2020",
        limits: &[
            "few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d \
             dimensions, so with hundreds of features a forest takes gigabytes; reduce them first",
        ],
        role: Role::Forest,
        classification: Some(by_labels::<PairCuts, Classification>()),
        regression: Some(by_labels::<PairCuts, Regression>()),
    }
}

/// The paper leaves nodes of three points uncut (Alg. 4, line 3).
const UNCUT: &str = "3";

impl NamedCuts for PairCuts {
    type Branching = Draws;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        if L::IS_HIERARCHICAL {
            return const {
                &[
                    of_smoothed(),
                    of_growing_budget(),
                    of_fixed_budget(),
                    as_in_the_paper(),
                ]
            };
        }
        match L::IS_AGGREGATED {
            true => {
                const {
                    &[
                        of_prunings(),
                        of_growing_budget(),
                        of_fixed_budget(),
                        as_in_the_paper(),
                    ]
                }
            }
            false => const { &[of_growing_budget(), of_fixed_budget(), as_in_the_paper()] },
        }
    }
}

type Fields<L> = TessellationFields<PairCuts, L>;

const fn of_smoothed<L: NamedLabels<PairCuts>>() -> Configuration<Plan<PairCuts, L>> {
    Configuration {
        entry: &OBSP_HIERARCHICAL,
        default: |features| Plan::new(exact(BUDGET_SCALE, features)),
        includes: is_exact_and_growing,
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET_SCALE,
                    Fields::<L>::BUDGET_POWER,
                    Fields::<L>::MIN_POINTS.with_default(UNCUT),
                    Fields::<L>::PAUSE,
                ],
                Fields::<L>::VOTE,
                &[rate()],
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES],
                L::FIELDS,
            ]
        },
    }
}

const fn of_prunings<L: NamedLabels<PairCuts>>() -> Configuration<Plan<PairCuts, L>> {
    Configuration {
        entry: &AGGREGATED_OBSP,
        default: |_| {
            let mut plan = Plan::new(fixed(f64::INFINITY));
            plan.trees.max_uncut = 1;
            plan
        },
        includes: is_exact_to_a_fixed_budget,
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET,
                    Fields::<L>::MIN_POINTS,
                    Fields::<L>::PAUSE,
                ],
                Fields::<L>::VOTE,
                &[rate()],
                &[Fields::<L>::MAX_NODES],
                L::FIELDS,
            ]
        },
    }
}

const fn of_growing_budget<L: NamedLabels<PairCuts>>() -> Configuration<Plan<PairCuts, L>> {
    Configuration {
        entry: &OBSP,
        default: |features| Plan::new(exact(BUDGET_SCALE, features)),
        includes: is_exact_and_growing,
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET_SCALE,
                    Fields::<L>::BUDGET_POWER,
                    Fields::<L>::MIN_POINTS.with_default(UNCUT),
                    Fields::<L>::PAUSE,
                ],
                Fields::<L>::VOTE,
                &[rate()],
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES, Fields::<L>::LABELS],
                L::FIELDS,
            ]
        },
    }
}

const fn of_fixed_budget<L: NamedLabels<PairCuts>>() -> Configuration<Plan<PairCuts, L>> {
    Configuration {
        entry: &OBSP_FIXED,
        default: |_| Plan::new(fixed(f64::INFINITY)),
        includes: |plan| matches!(plan.trees.budget, Budget::Fixed(_)),
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET,
                    Fields::<L>::MIN_POINTS.with_default(UNCUT),
                    Fields::<L>::PAUSE,
                    Fields::<L>::UPDATE,
                ],
                Fields::<L>::VOTE,
                &[rate()],
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES, Fields::<L>::LABELS],
                L::FIELDS,
            ]
        },
    }
}

const fn as_in_the_paper<L: NamedLabels<PairCuts>>() -> Configuration<Plan<PairCuts, L>> {
    Configuration {
        entry: &OBSP_REDRAW,
        default: as_printed,
        includes: |plan| plan.trees.update == Update::Redraw,
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET_SCALE.with_default("1"),
                    Fields::<L>::BUDGET_POWER,
                    Fields::<L>::MIN_POINTS.with_default(UNCUT),
                    Fields::<L>::PAUSE,
                ],
                Fields::<L>::VOTE_OF_MAJORITY,
                &[rate()],
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES, Fields::<L>::LABELS],
                L::FIELDS,
            ]
        },
    }
}

fn is_exact_and_growing<L: NamedLabels<PairCuts>>(plan: &Plan<PairCuts, L>) -> bool {
    let growing = matches!(plan.trees.budget, Budget::Schedule { .. });
    growing && plan.trees.update == Update::Conditional
}

/// The paper's forest, which is a majority of majorities.
fn as_printed<L: NamedLabels<PairCuts>>(features: usize) -> Plan<PairCuts, L> {
    let mut plan = Plan::new(redraw(PAPER_BUDGET_SCALE, features));
    L::set_vote(&mut plan.trees.labels, Vote::Majority);
    plan
}

const fn rate<L: NamedLabels<PairCuts>>() -> Field<Plan<PairCuts, L>> {
    field!(
        Parameter::new("rate", Rule::Number, "0.5",
            "mass of cuts per unit of a hull's perimeter (s)"),
        plan => plan.trees.cuts.rate
    )
}
