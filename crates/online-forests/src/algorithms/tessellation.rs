//! What all tessellation forests are told, whatever their cuts: budget, update, stopping, window.

use forest_core::{
    CanForget, Classification, Forest, ForestSettings, OnlineTree, Retention, SettingError, Task,
    Vote,
};
use tessellation_tree::{
    Budget, CutDistribution, CutSettings, LabelModel, LabelSettings, Pause, TessellationSettings,
    TessellationTree, Update,
};

use crate::configuration::{BuildContext, Configuration};
use crate::parameter::{Parameter, Rule, Tasks};
use crate::{Algorithm, Facade};

pub(crate) const BUDGET: Parameter = Parameter {
    name: "budget",
    default: "inf",
    meaning: "time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]",
    rule: Rule::NumberOrInfinity,
    tasks: Tasks::Both,
};

pub(crate) const BUDGET_SCALE: Parameter = Parameter {
    name: "budget_scale",
    default: "8",
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

pub(crate) const VOTE: Parameter = Parameter {
    name: "vote",
    default: "frequencies",
    meaning: "what a tree votes with: the class frequencies of its leaf, or their majority alone",
    rule: Rule::Words(&["frequencies", "majority"]),
    tasks: Tasks::Only(Classification::NAME),
};

pub(crate) const WINDOW: Parameter = Parameter {
    name: "window",
    default: "unlimited",
    meaning: "samples remembered: older ones are forgotten as if they had never been learned",
    rule: Rule::CountOr(1, "unlimited"),
    tasks: Tasks::Both,
};

/// Settings of a label model that may have a vote.
pub(crate) trait VoteSettings: LabelSettings {
    fn from_vote(vote: Vote) -> Self;
    fn vote(&self) -> Vote;
}

impl VoteSettings for Vote {
    fn from_vote(vote: Vote) -> Self {
        vote
    }

    fn vote(&self) -> Vote {
        *self
    }
}

/// Regression trees vote with their means.
impl VoteSettings for () {
    fn from_vote(_: Vote) -> Self {}

    fn vote(&self) -> Vote {
        Vote::Frequencies
    }
}

/// A forest with the settings that `algorithm` states; what it does not state is as in `default`, and
/// `default_vote`.
pub(crate) fn forest<T, D, L>(
    algorithm: &Algorithm,
    context: BuildContext<T>,
    default: TessellationSettings<D::Settings, L::Settings>,
    default_vote: Vote,
) -> Result<Forest<TessellationTree<D, L>>, SettingError>
where
    T: Facade,
    D: CutDistribution,
    L: LabelModel<Task = T, Settings: VoteSettings, Forgets = CanForget>,
{
    let vote = algorithm.text(VOTE.name).map_or(default_vote, vote);
    let settings = TessellationSettings {
        cuts: default.cuts,
        labels: L::Settings::from_vote(vote),
        budget: budget(algorithm, default.budget),
        max_uncut: algorithm.value(MIN_POINTS.name, default.max_uncut),
        pause: algorithm.text(PAUSE.name).map_or(default.pause, pause),
        update: algorithm.text(UPDATE.name).map_or(default.update, update),
    };
    let retention = match algorithm
        .text(WINDOW.name)
        .and_then(|window| window.parse().ok())
    {
        Some(window) => Retention::Latest(window),
        None => context.forest.retention,
    };
    let forest = ForestSettings {
        retention,
        ..context.forest
    };
    BuildContext { forest, ..context }.forest(settings)
}

/// The retention as the text of a parameter.
pub(crate) fn window_text<K: OnlineTree>(forest: &Forest<K>) -> String {
    match forest.retention() {
        Retention::Latest(n) => n.to_string(),
        _ => WINDOW.default.to_string(),
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

/// `configuration` with every parameter that means something for task `T`, as `settings` have it.
pub(crate) fn stated<T: Task, C: CutSettings, L: VoteSettings>(
    configuration: &'static Configuration,
    settings: &TessellationSettings<C, L>,
    own: impl IntoIterator<Item = (&'static str, String)>,
) -> Algorithm {
    let budget = match settings.budget {
        Budget::Fixed(budget) => vec![(BUDGET.name, budget.to_string())],
        Budget::Schedule { scale, power } => vec![
            (BUDGET_SCALE.name, scale.to_string()),
            (BUDGET_POWER.name, power.to_string()),
        ],
    };
    let shared = [
        (MIN_POINTS.name, settings.max_uncut.to_string()),
        (PAUSE.name, pause_text(settings.pause).to_string()),
        (UPDATE.name, update_text(settings.update).to_string()),
        (VOTE.name, vote_text(settings.labels.vote()).to_string()),
    ];
    let all = budget.into_iter().chain(shared).chain(own);
    let told = |name| {
        configuration
            .parameter(name)
            .is_some_and(|known| known.tasks.include::<T>())
    };
    configuration.with(all.filter(|(name, _)| told(name)))
}

fn vote_text(vote: Vote) -> &'static str {
    match vote {
        Vote::Frequencies => "frequencies",
        Vote::Majority => "majority",
    }
}

fn vote(text: &str) -> Vote {
    match text {
        "majority" => Vote::Majority,
        _ => Vote::Frequencies,
    }
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
