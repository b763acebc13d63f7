//! What all tessellation forests are told, whatever their measure: budget, update, stopping.

use tessellation_tree::{Budget, MeasureSettings, Pause, TessellationSettings, Update};

use crate::Algorithm;
use crate::parameter::{Parameter, Rule, Tasks};

pub(crate) const BUDGET: Parameter = Parameter {
    name: "budget",
    default: "inf",
    meaning: "time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]",
    rule: Rule::NumberOrInfinity,
    tasks: Tasks::Both,
};

pub(crate) const BUDGET_SCALE: Parameter = Parameter {
    name: "budget_scale",
    default: "1",
    meaning: "the budget after n samples is budget_scale · n^budget_power",
    rule: Rule::Number,
    tasks: Tasks::Both,
};

pub(crate) const BUDGET_POWER: Parameter = Parameter {
    name: "budget_power",
    default: "1/(d+2)",
    meaning: "how the budget grows; the default is the minimax rate in d dimensions",
    rule: Rule::Number,
    tasks: Tasks::Both,
};

pub(crate) const MIN_POINTS: Parameter = Parameter {
    name: "min_points",
    default: "1",
    meaning: "only nodes with more points than this are cut",
    rule: Rule::Count(1),
    tasks: Tasks::Both,
};

pub(crate) const PAUSE: Parameter = Parameter {
    name: "pause",
    default: "never",
    meaning: "pure: a leaf is not cut while all its labels are equal",
    rule: Rule::Words(&["pure", "never"]),
    tasks: Tasks::Both,
};

pub(crate) const UPDATE: Parameter = Parameter {
    name: "update",
    default: "conditional",
    meaning: "how a leaf takes a new point: exactly, or drawn anew (Fan et al. 2020 as printed)",
    rule: Rule::Words(&["conditional", "redraw"]),
    tasks: Tasks::Both,
};

/// The settings that `algorithm` states; what it does not state is as in `default`.
pub(crate) fn settings<S: MeasureSettings>(
    algorithm: &Algorithm,
    default: TessellationSettings<S>,
) -> TessellationSettings<S> {
    TessellationSettings {
        budget: budget(algorithm, default.budget),
        min_points: algorithm.value(MIN_POINTS.name, default.min_points),
        pause: algorithm.text(PAUSE.name).map_or(default.pause, pause),
        update: algorithm.text(UPDATE.name).map_or(default.update, update),
        measure: default.measure,
    }
}

fn budget(algorithm: &Algorithm, default: Budget) -> Budget {
    match default {
        Budget::Fixed(budget) => Budget::Fixed(algorithm.value(BUDGET.name, budget)),
        Budget::Schedule { scale, power } => Budget::Schedule {
            scale: algorithm.value(BUDGET_SCALE.name, scale),
            power: algorithm.value(BUDGET_POWER.name, power),
        },
    }
}

/// Every parameter, as `settings` have it.
pub(crate) fn stated<S: MeasureSettings>(
    settings: &TessellationSettings<S>,
) -> Vec<(&'static str, String)> {
    let mut stated = match settings.budget {
        Budget::Fixed(budget) => vec![(BUDGET.name, budget.to_string())],
        Budget::Schedule { scale, power } => vec![
            (BUDGET_SCALE.name, scale.to_string()),
            (BUDGET_POWER.name, power.to_string()),
        ],
    };
    stated.push((MIN_POINTS.name, settings.min_points.to_string()));
    stated.push((PAUSE.name, pause_text(settings.pause).to_string()));
    stated.push((UPDATE.name, update_text(settings.update).to_string()));
    stated
}

fn pause(text: &str) -> Pause {
    match text {
        "pure" => Pause::WhileLabelsAgree,
        _ => Pause::Never,
    }
}

fn pause_text(pause: Pause) -> &'static str {
    match pause {
        Pause::WhileLabelsAgree => "pure",
        Pause::Never => "never",
    }
}

fn update(text: &str) -> Update {
    match text {
        "redraw" => Update::Redraw,
        _ => Update::Conditional,
    }
}

fn update_text(update: Update) -> &'static str {
    match update {
        Update::Redraw => "redraw",
        Update::Conditional => "conditional",
    }
}
