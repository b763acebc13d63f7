//! Mondrian forests by name.

use forest_core::{Classification, Regression};
use registry::{Configuration, Entry, NamedTask, Role, learner};
use tessellation_tree::{
    Boxes, Budget, NamedCuts, NamedLabels, Pause, Plan, TessellationFields, TessellationSettings,
    aggregated, by_labels, is_exact_to_a_fixed_budget,
};

use crate::{
    AxisCuts, BUDGET_SCALE, HierarchicalMondrianClassifier, HierarchicalMondrianRegressor, fixed,
    increasing,
};

/// `mondrian`: a fixed budget.
pub static MONDRIAN: Entry = Entry {
    name: "mondrian",
    description: "axis-aligned cuts up to a fixed budget; the online tree has the batch law",
    paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
    limits: &[],
    role: Role::Forest,
    classification: Some(by_labels::<AxisCuts, Classification>()),
    regression: Some(by_labels::<AxisCuts, Regression>()),
};

/// `mondrian-increasing`: a budget that grows.
pub static MONDRIAN_INCREASING: Entry = Entry {
    name: "mondrian-increasing",
    description: "axis-aligned cuts up to a budget that grows with the number of samples",
    paper: "Mourtada, Gaïffas, Scornet: Universal Consistency and Minimax Rates for Online \
            Mondrian Forests, NIPS 2017",
    limits: &[],
    role: Role::Variant,
    classification: Some(by_labels::<AxisCuts, Classification>()),
    regression: Some(by_labels::<AxisCuts, Regression>()),
};

/// `amf`: the mixture over all prunings of fully grown trees.
pub static AMF: Entry = Entry {
    name: "amf",
    description: "axis-aligned cuts; predicts by all prunings of its trees, weighted by their losses",
    paper: "Mourtada, Gaïffas, Scornet: AMF: Aggregated Mondrian Forests for Online Learning, \
            JRSS B 2021",
    limits: &[],
    role: Role::Forest,
    classification: Some(aggregated::<AxisCuts, Classification>()),
    regression: Some(aggregated::<AxisCuts, Regression>()),
};

/// `mondrian-2014`: class probabilities smoothed along the path.
pub static MONDRIAN_2014: Entry = Entry {
    name: "mondrian-2014",
    description: "axis-aligned cuts; class probabilities smoothed along the path, and points branch off",
    paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests: Efficient Online Random Forests, \
            NIPS 2014",
    limits: &[],
    role: Role::Variant,
    classification: Some(learner::<HierarchicalMondrianClassifier>()),
    regression: None,
};

/// `mondrian-2016`: means and variances.
pub static MONDRIAN_2016: Entry = Entry {
    name: "mondrian-2016",
    description: "axis-aligned cuts; means smoothed along the path, with variances and intervals",
    paper: "Lakshminarayanan, Roy, Teh: Mondrian Forests for Large-Scale Regression when Uncertainty \
            Matters, AISTATS 2016",
    limits: &[],
    role: Role::Variant,
    classification: None,
    regression: Some(learner::<HierarchicalMondrianRegressor>()),
};

impl NamedCuts for AxisCuts {
    type Branching = Boxes;

    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>] {
        if L::IS_HIERARCHICAL {
            return const {
                &[
                    of_smoothed_classes(),
                    of_smoothed_means(),
                    of_fixed_budget(),
                    of_growing_budget(),
                ]
            };
        }
        match L::IS_AGGREGATED {
            true => const { &[of_prunings(), of_fixed_budget(), of_growing_budget()] },
            false => const { &[of_fixed_budget(), of_growing_budget()] },
        }
    }
}

type Fields<L> = TessellationFields<AxisCuts, L>;

const fn of_fixed_budget<L: NamedLabels<AxisCuts>>() -> Configuration<Plan<AxisCuts, L>> {
    Configuration {
        entry: &MONDRIAN,
        default: |_| Plan::new(fixed(f64::INFINITY)),
        includes: |plan| matches!(plan.trees.budget, Budget::Fixed(_)),
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET,
                    Fields::<L>::MIN_POINTS,
                    // The 2014 forest pauses leaves whose labels agree.
                    Fields::<L>::PAUSE.with_default("pure"),
                    Fields::<L>::UPDATE,
                ],
                Fields::<L>::VOTE,
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES, Fields::<L>::LABELS],
                L::FIELDS,
            ]
        },
    }
}

const fn of_growing_budget<L: NamedLabels<AxisCuts>>() -> Configuration<Plan<AxisCuts, L>> {
    Configuration {
        entry: &MONDRIAN_INCREASING,
        default: |features| Plan::new(increasing(BUDGET_SCALE, features)),
        includes: |plan| matches!(plan.trees.budget, Budget::Schedule { .. }),
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET_SCALE,
                    Fields::<L>::BUDGET_POWER,
                    Fields::<L>::MIN_POINTS,
                    Fields::<L>::PAUSE,
                    Fields::<L>::UPDATE,
                ],
                Fields::<L>::VOTE,
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES, Fields::<L>::LABELS],
                L::FIELDS,
            ]
        },
    }
}

const fn of_prunings<L: NamedLabels<AxisCuts>>() -> Configuration<Plan<AxisCuts, L>> {
    Configuration {
        entry: &AMF,
        default: |_| Plan::new(fixed(f64::INFINITY)),
        includes: |plan| matches!(plan.trees.budget, Budget::Fixed(_)),
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET,
                    Fields::<L>::MIN_POINTS,
                    Fields::<L>::PAUSE.with_default("pure"),
                    Fields::<L>::UPDATE,
                ],
                Fields::<L>::VOTE,
                &[Fields::<L>::MAX_NODES],
                L::FIELDS,
            ]
        },
    }
}

const fn of_smoothed_classes<L: NamedLabels<AxisCuts>>() -> Configuration<Plan<AxisCuts, L>> {
    Configuration {
        entry: &MONDRIAN_2014,
        default: |_| Plan::new(fixed(f64::INFINITY)),
        includes: |plan| L::Task::HAS_VOTE && is_exact_to_a_fixed_budget(plan),
        fields: const {
            &[
                &[
                    Fields::<L>::BUDGET,
                    Fields::<L>::MIN_POINTS,
                    Fields::<L>::PAUSE.with_default("pure"),
                ],
                Fields::<L>::VOTE,
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES],
                L::FIELDS,
            ]
        },
    }
}

const fn of_smoothed_means<L: NamedLabels<AxisCuts>>() -> Configuration<Plan<AxisCuts, L>> {
    Configuration {
        entry: &MONDRIAN_2016,
        default: |_| Plan::new(TessellationSettings::default()),
        includes: |plan| {
            let never = plan.trees.pause == Pause::Never;
            !L::Task::HAS_VOTE && never && is_exact_to_a_fixed_budget(plan)
        },
        fields: const {
            &[
                &[Fields::<L>::BUDGET, Fields::<L>::MIN_POINTS],
                Fields::<L>::WINDOW,
                &[Fields::<L>::MAX_NODES],
                L::FIELDS,
            ]
        },
    }
}
