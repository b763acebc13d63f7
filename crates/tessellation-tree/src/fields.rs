//! The parameters that all tessellation forests have, whatever their cuts.

use std::marker::PhantomData;

use forest_core::{Forgetting, Retention};
use registry::parameters::{Field, Parameter, Rule, Words, field, parsed};
use registry::{MAX_NODES, NamedTask, UNLIMITED, VOTE, VOTES};

use crate::labels::named::LABELS;
use crate::named::{NamedCuts, NamedLabels, Plan};
use crate::{Budget, Pause, Update};

const PAUSES: Words<Pause, 2> = Words([("pure", Pause::WhileLabelsAgree), ("never", Pause::Never)]);

const UPDATES: Words<Update, 3> = Words([
    ("conditional", Update::Conditional),
    ("redraw", Update::Redraw),
    ("new-point-only", Update::NewPointOnly),
]);

/// The parameters of tessellation forests with cuts `D` and labels `L`, to make configurations of.
#[derive(Debug)]
pub struct TessellationFields<D, L>(PhantomData<(D, L)>);

impl<D: NamedCuts, L: NamedLabels<D>> TessellationFields<D, L> {
    /// `budget`, of a [`Budget::Fixed`].
    pub const BUDGET: Field<Plan<D, L>> = Field {
        parameter: Parameter {
            name: "budget",
            default: "inf",
            meaning: "time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]",
            rule: Rule::NumberOrInfinity,
        },
        get: |plan| match plan.trees.budget {
            Budget::Fixed(budget) => budget.to_string(),
            Budget::Schedule { .. } => String::new(),
        },
        set: |plan, text| plan.trees.budget = Budget::Fixed(parsed(text)),
    };

    /// `budget_scale`, of a [`Budget::Schedule`].
    pub const BUDGET_SCALE: Field<Plan<D, L>> = Field {
        parameter: Parameter {
            name: "budget_scale",
            default: "8",
            meaning: "the budget after n samples is budget_scale · n^budget_power",
            rule: Rule::Number,
        },
        get: |plan| schedule(plan.trees.budget).0.to_string(),
        set: |plan, text| {
            let (_, power) = schedule(plan.trees.budget);
            let scale = parsed(text);
            plan.trees.budget = Budget::Schedule { scale, power };
        },
    };

    /// `budget_power`, of a [`Budget::Schedule`].
    pub const BUDGET_POWER: Field<Plan<D, L>> = Field {
        parameter: Parameter {
            name: "budget_power",
            default: "1/(d+2)",
            meaning: "how the budget grows; the default is the minimax rate in d dimensions",
            rule: Rule::Number,
        },
        get: |plan| schedule(plan.trees.budget).1.to_string(),
        set: |plan, text| {
            let (scale, _) = schedule(plan.trees.budget);
            let power = parsed(text);
            plan.trees.budget = Budget::Schedule { scale, power };
        },
    };

    /// `min_points`.
    pub const MIN_POINTS: Field<Plan<D, L>> = field!(
        Parameter::new("min_points", Rule::Count(1), "1",
            "only nodes with more points than this are cut"),
        plan => plan.trees.max_uncut
    );

    /// `pause`.
    pub const PAUSE: Field<Plan<D, L>> = field!(
        Parameter::new("pause", Rule::Words(&PAUSES.names()), "never",
            "pure: a leaf is not cut while all its labels are equal"),
        plan => plan.trees.pause, PAUSES
    );

    /// `update`.
    pub const UPDATE: Field<Plan<D, L>> = field!(
        Parameter::new("update", Rule::Words(&UPDATES.names()), "conditional",
            "how a leaf takes a new point: exactly, drawn anew (Fan et al. 2020 as printed), or with cuts around the points it has, never between them (AMF, the authors' code)"),
        plan => plan.trees.update, UPDATES
    );

    /// `max_nodes`.
    pub const MAX_NODES: Field<Plan<D, L>> =
        field!(MAX_NODES, plan => plan.trees.max_nodes, UNLIMITED => None, Some);

    /// `labels`: the label model is a type, which the word has chosen.
    pub const LABELS: Field<Plan<D, L>> = Field {
        parameter: LABELS,
        get: |_| L::WORD.to_owned(),
        set: |_, _| {},
    };

    /// `window`, if the label model can forget.
    pub const WINDOW: &'static [Field<Plan<D, L>>] = match <L::Forgets as Forgetting>::PROOF {
        Some(_) => &[Self::WINDOW_FIELD],
        None => &[],
    };

    const WINDOW_FIELD: Field<Plan<D, L>> = Field {
        parameter: Parameter {
            name: "window",
            default: UNLIMITED,
            meaning: "samples remembered: older ones are forgotten as if they had never been learned",
            rule: Rule::CountOr(1, UNLIMITED),
        },
        get: |plan| match plan.retention {
            Some(Retention::Latest(samples)) => samples.to_string(),
            _ => UNLIMITED.to_owned(),
        },
        set: |plan, text| {
            plan.retention = match text {
                UNLIMITED => None,
                samples => Some(Retention::Latest(parsed(samples))),
            }
        },
    };

    /// `vote`, if the label model has one.
    pub const VOTE: &'static [Field<Plan<D, L>>] = Self::if_votes(&[Self::VOTE_FIELD]);

    /// `vote` where the default is the majority.
    pub const VOTE_OF_MAJORITY: &'static [Field<Plan<D, L>>] =
        Self::if_votes(&[Self::VOTE_FIELD.with_default("majority")]);

    const VOTE_FIELD: Field<Plan<D, L>> = Field {
        parameter: VOTE,
        get: |plan| VOTES.word(&L::vote(&plan.trees.labels)),
        set: |plan, text| L::set_vote(&mut plan.trees.labels, VOTES.value(text)),
    };

    const fn if_votes(fields: &'static [Field<Plan<D, L>>]) -> &'static [Field<Plan<D, L>>] {
        if L::Task::HAS_VOTE { fields } else { &[] }
    }
}

fn schedule(budget: Budget) -> (f64, f64) {
    match budget {
        Budget::Schedule { scale, power } => (scale, power),
        Budget::Fixed(_) => (f64::NAN, f64::NAN),
    }
}
