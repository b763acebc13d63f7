//! The parameters that all tessellation forests have, whatever their cuts.

use forest_core::parameters::{Parameter, Rule, Words, parsed};
use forest_core::registry::{Declared, Field, MAX_NODES, UNLIMITED, settings};

use crate::{Budget, CutSettings, LabelSettings, Pause, TessellationSettings, Update};

/// The word for a [`Budget::Schedule`].
pub const INCREASING: &str = "increasing";

/// `budget`: the number of a [`Budget::Fixed`], or [`INCREASING`].
pub const BUDGET: Parameter = Parameter::new(
    "budget",
    Rule::Or(&Rule::NUMBER_OR_INFINITY, &[INCREASING]),
    "inf",
    "time up to which cuts are drawn (τ), or increasing: it grows with the number of samples; with a finite one, scale features to [0, 1]",
);

/// `budget` of a row that has fixed budgets only.
pub const FIXED_BUDGET: Parameter = Parameter::new(
    "budget",
    Rule::NUMBER_OR_INFINITY,
    "inf",
    "time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]",
);

/// `budget_scale`, of a [`Budget::Schedule`].
pub const BUDGET_SCALE: Parameter = Parameter::new(
    "budget_scale",
    Rule::POSITIVE,
    "8",
    "the budget after n samples of d features is budget_scale · n^(1/(d+2)), which has the minimax rate",
);

/// `min_points`.
pub const MIN_POINTS: Parameter = Parameter::new(
    "min_points",
    Rule::Count(1),
    "1",
    "only nodes with more points than this are cut",
);

const PAUSES: Words<Pause, 2> = Words([("pure", Pause::WhileLabelsAgree), ("never", Pause::Never)]);

/// `pause`.
pub const PAUSE: Parameter = Parameter::new(
    "pause",
    Rule::Words(&PAUSES.names()),
    "never",
    "pure: a leaf is not cut while all its labels are equal",
);

const UPDATES: Words<Update, 3> = Words([
    ("conditional", Update::Conditional),
    ("redraw", Update::Redraw),
    ("new-point-only", Update::NewPointOnly),
]);

/// `update`.
pub const UPDATE: Parameter = Parameter::new(
    "update",
    Rule::Words(&UPDATES.names()),
    "conditional",
    "how a leaf takes a new point: by the exact conditional distribution, by redrawing the leaf (Fan et al. 2020 as printed), or with cuts around its points, never between them (AMF, the authors' code)",
);

settings! {
    [C: CutSettings, L: LabelSettings] TessellationSettings<C, L> {
        ..budget: Budget;
        ..cuts: C;
        ..labels: L;
        max_uncut: MIN_POINTS;
        pause: PAUSE, PAUSES;
        update: UPDATE, UPDATES;
        max_nodes: MAX_NODES, UNLIMITED => None, Some;
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::Fixed(parsed(BUDGET.default))
    }
}

impl Declared for Budget {
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            parameter: BUDGET,
            get: |budget| match budget {
                Self::Fixed(budget) => budget.to_string(),
                Self::Schedule { .. } => INCREASING.to_owned(),
            },
            set: |budget, text| *budget = Self::Fixed(parsed(text)),
        },
        Field {
            parameter: BUDGET_SCALE,
            get: |budget| match budget {
                Self::Fixed(_) => BUDGET_SCALE.default.to_owned(),
                Self::Schedule { scale, .. } => scale.to_string(),
            },
            set: |budget, text| {
                if let Self::Schedule { scale, .. } = budget {
                    *scale = parsed(text);
                }
            },
        },
    ];
}

impl<C: CutSettings> TessellationSettings<C, ()> {
    /// The same for a label model with these parameters.
    pub fn with_labels<L: LabelSettings>(self, labels: L) -> TessellationSettings<C, L> {
        TessellationSettings {
            cuts: self.cuts,
            labels,
            budget: self.budget,
            max_uncut: self.max_uncut,
            pause: self.pause,
            update: self.update,
            max_nodes: self.max_nodes,
        }
    }
}
