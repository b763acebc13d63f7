//! Settings of a tessellation tree: how far to cut, what not to cut, and how to update.

use std::num::NonZeroU32;

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{MAX_NODES, UNLIMITED};
use forest_core::{Schema, SettingError, Settings, Task};
use serde::{Deserialize, Serialize};

use crate::{CutSettings, LabelSettings};

/// Settings of a tessellation forest, shared by its trees: `C` of its distribution of cuts, `L` of
/// its label model.
///
/// The default is an infinite budget, the exact update, and no limit on cutting or on nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TessellationSettings<C: CutSettings, L: LabelSettings> {
    /// Parameters of the distribution of cuts.
    pub cuts: C,
    /// Parameters of the label model.
    pub labels: L,
    /// The time up to which cuts are drawn.
    pub budget: Budget,
    /// A node of this number of points, or fewer, is not cut, 1 or more; 1 limits nothing.
    pub max_uncut: u32,
    /// Whether nodes whose labels agree are cut.
    pub pause: Pause,
    /// How a leaf takes a new point.
    pub update: Update,
    /// The most nodes that a tree may have, inner nodes and leaves together; no limit if `None`.
    ///
    /// Up to the last cut that it has room for, a tree is the one that it would be without the bound. Then
    /// it is full: it is not cut any more, lets go of the samples, and every further one changes only the statistics on
    /// its path. So an endless stream takes constant memory, the store of samples included, which is empty once
    /// all trees are full. A full tree has *not* the batch distribution: cuts that later points would have brought are missing,
    /// and those of the leaf that was being cut when there was no more room. Nor can it forget: a
    /// bound and a window rule each other out.
    pub max_nodes: Option<NonZeroU32>,
}

impl<C: CutSettings, L: LabelSettings, T: Task> Settings<T> for TessellationSettings<C, L> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        self.cuts.check(schema.features())?;
        self.labels.check()?;
        self.budget.check()?;
        check(&[MIN_POINTS], "min_points", self.max_uncut)
    }

    fn check_forgetting(&self) -> Result<(), SettingError> {
        let rule = "must be unlimited where samples are forgotten, since a full tree holds none";
        match self.max_nodes {
            Some(most) => Err(SettingError::new("max_nodes", rule, most)),
            None => Ok(()),
        }
    }
}

impl<C: CutSettings, L: LabelSettings> Default for TessellationSettings<C, L> {
    fn default() -> Self {
        Self {
            cuts: C::default(),
            labels: L::default(),
            budget: Budget::Fixed(f64::INFINITY),
            max_uncut: 1,
            pause: Pause::Never,
            update: Update::Conditional,
            max_nodes: None,
        }
    }
}

impl<C: CutSettings, L: LabelSettings> TessellationSettings<C, L> {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            max_uncut: self.max_uncut,
            pause: self.pause,
            update: self.update,
            max_nodes: self.max_nodes,
        }
    }
}

/// When nodes are cut, whatever the cuts and the labels are: what a structure knows of the settings of its tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    max_uncut: u32,
    pause: Pause,
    pub(crate) update: Update,
    pub(crate) max_nodes: Option<NonZeroU32>,
}

impl Rules {
    /// Returns whether a set of `points`, of which two targets differ if it is `mixed`, may be cut at all
    /// (`splittable`): once true for a set, true for every superset.
    #[inline]
    pub(crate) fn may_cut(&self, points: u32, mixed: bool) -> bool {
        points > self.max_uncut && (mixed || self.pause == Pause::Never)
    }
}

/// The budget τ: the time up to which cuts are drawn.
///
/// With a finite budget, features are expected in [0, 1] or so: Λ scales with them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// The same τ for every sample; may be infinite.
    Fixed(f64),
    /// τₙ = scale · n^power after n samples.
    Schedule {
        /// The budget at the first sample, above 0.
        scale: f64,
        /// How it grows, at least 0.
        power: f64,
    },
}

impl Budget {
    fn check(self) -> Result<(), SettingError> {
        let (scale, power) = match self {
            Self::Fixed(budget) => return check(&[FIXED_BUDGET], "budget", budget),
            Self::Schedule { scale, power } => (scale, power),
        };
        check(&[BUDGET_SCALE], "budget_scale", scale)?;
        let (grows, rule) = (
            power.is_finite() && power >= 0.0,
            "must be a finite number of at least 0",
        );
        SettingError::require(grows, "power", rule, power)
    }

    /// Creates the schedule scale · n^(1/(d+2)) in d dimensions, which gives the minimax rate for Lipschitz
    /// functions (Mourtada, Gaïffas, Scornet 2017; Fan, Li, Sisson 2020, Theorem 3).
    pub fn minimax(scale: f64, features: usize) -> Self {
        let power = 1.0 / (features as f64 + 2.0);
        Self::Schedule { scale, power }
    }

    /// Returns the budget when `n` samples have arrived.
    #[inline]
    pub fn at(self, n: usize) -> f64 {
        match self {
            Self::Fixed(budget) => budget,
            Self::Schedule { scale, power } => scale * libm::pow(n as f64, power),
        }
    }
}

/// Whether a leaf whose labels all agree is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pause {
    /// Labels do not matter.
    Never,
    /// Not before two labels differ (Lakshminarayanan et al. 2014; Ge et al. 2019).
    WhileLabelsAgree,
}

/// How a leaf takes a new point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Update {
    /// Draws only what the new point adds: the online tree has the batch distribution.
    Conditional,
    /// Redraws the leaf with its whole remaining budget: Algorithm 4 of Fan et al. (2020) as
    /// printed. It does not have the batch distribution; kept to reproduce the paper's figures.
    Redraw,
    /// Cuts the new point off at most: points that a leaf has stay together from then on, as in the authors' code of
    /// aggregated Mondrian forests. With [`Pause::WhileLabelsAgree`], `max_uncut` above 1 or an increasing budget the distribution
    /// of the tree depends on the order of the samples; otherwise it is that of [`Conditional`](Self::Conditional).
    NewPointOnly,
}

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
)
.beside("budget", &[INCREASING]);

/// `min_points`.
pub const MIN_POINTS: Parameter = Parameter::new(
    "min_points",
    Rule::Count(1),
    "1",
    "only nodes with more points than this are cut",
);

/// `pause`.
pub const PAUSE: Parameter = Parameter::new(
    "pause",
    Rule::Words(&["pure", "never"]),
    "never",
    "pure: a leaf is not cut while all its labels are equal",
);

/// `update`.
pub const UPDATE: Parameter = Parameter::new(
    "update",
    Rule::Words(&["conditional", "redraw", "new-point-only"]),
    "conditional",
    "how a leaf takes a new point: by the exact conditional distribution, by redrawing the leaf (Fan et al. 2020 as printed), or with cuts around its points, never between them (AMF, the authors' code)",
);

impl<C: CutSettings, L: LabelSettings> TessellationSettings<C, L> {
    /// Returns the settings that these values state, for points of `features` numbers.
    pub(crate) fn of(v: &mut Values, features: usize) -> Self {
        Self {
            cuts: C::of(v),
            labels: L::of(v),
            budget: if v.is(BUDGET.name, INCREASING) {
                let scale = v.or(BUDGET_SCALE.name, C::budget_scale(features));
                Budget::minimax(scale, features)
            } else {
                Budget::Fixed(v.get(BUDGET.name))
            },
            max_uncut: v.get(MIN_POINTS.name),
            pause: if v.is(PAUSE.name, "pure") {
                Pause::WhileLabelsAgree
            } else {
                Pause::Never
            },
            update: match v.text(UPDATE.name).as_str() {
                "redraw" => Update::Redraw,
                "new-point-only" => Update::NewPointOnly,
                _ => Update::Conditional,
            },
            max_nodes: v.unless(MAX_NODES.name, UNLIMITED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimax_budget_grows_with_the_root_of_two_dimensions_more() {
        for (features, n, root) in [(1, 27, 3.0), (2, 16, 2.0), (3, 32, 2.0)] {
            let budget = Budget::minimax(5.0, features).at(n);
            assert!((budget - 5.0 * root).abs() < 1e-12);
        }
    }

    #[test]
    fn budgets_are_in_their_range() {
        let schedule = |scale, power| Budget::Schedule { scale, power };
        let sound = [0.0, 3.0, f64::INFINITY].map(Budget::Fixed);
        for budget in sound
            .into_iter()
            .chain([schedule(0.1, 0.0), schedule(5.0, 0.5)])
        {
            assert!(budget.check().is_ok(), "{budget:?}");
        }
        let fixed = [-0.1, f64::NEG_INFINITY, f64::NAN].map(Budget::Fixed);
        let scales = [0.0, -1.0, f64::INFINITY, f64::NAN].map(|scale| schedule(scale, 0.5));
        let powers = [-0.1, f64::INFINITY, f64::NAN].map(|power| schedule(5.0, power));
        for budget in fixed.into_iter().chain(scales).chain(powers) {
            assert!(budget.check().is_err(), "{budget:?}");
        }
    }
}
