//! What a tessellation tree is told: how far to cut, what not to cut, and how to update.

use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use crate::MeasureSettings;

/// Settings of a tessellation forest, shared by its trees.
///
/// The default is an infinite budget, the exact update, and no limit on splitting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TessellationSettings<S: MeasureSettings> {
    /// Parameters of the cut measure.
    pub measure: S,
    /// The time up to which cuts are drawn.
    pub budget: Budget,
    /// Only nodes with more than this many points are cut; below 2 it limits nothing.
    pub min_points: u32,
    /// Whether nodes whose labels agree are cut.
    pub pause: Pause,
    /// How a leaf takes a new point.
    pub update: Update,
    /// What a tree of a classifier votes with.
    pub vote: Vote,
}

impl<S: MeasureSettings> Default for TessellationSettings<S> {
    fn default() -> Self {
        Self {
            measure: S::default(),
            budget: Budget::Fixed(f64::INFINITY),
            min_points: 1,
            pause: Pause::Never,
            update: Update::Conditional,
            vote: Vote::Frequencies,
        }
    }
}

impl<S: MeasureSettings, T: Task> Settings<T> for TessellationSettings<S> {
    fn check(&self, schema: &Schema<T>) -> Result<(), SettingError> {
        self.budget.check()?;
        self.measure.check(schema.features())
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
    /// The schedule scale · n^(1/(d+2)) in d dimensions, which gives the minimax rate for Lipschitz
    /// functions (Mourtada, Gaïffas, Scornet 2017; Fan, Li, Sisson 2020, Theorem 3).
    pub fn minimax(scale: f64, features: usize) -> Self {
        let power = 1.0 / (features as f64 + 2.0);
        Self::Schedule { scale, power }
    }

    /// The budget when `n` samples have arrived.
    #[inline]
    pub fn at(self, n: usize) -> f64 {
        match self {
            Self::Fixed(budget) => budget,
            Self::Schedule { scale, power } => scale * (n as f64).powf(power),
        }
    }

    fn check(self) -> Result<(), SettingError> {
        let finite = |value: f64| value.is_finite() && value >= 0.0;
        match self {
            Self::Fixed(budget) if budget.is_nan() || budget < 0.0 => Err(SettingError::new(
                "budget",
                "must be at least 0 (inf is allowed)",
                budget,
            )),
            Self::Schedule { scale, .. } if !finite(scale) || scale == 0.0 => Err(
                SettingError::new("budget_scale", "must be above 0 and finite", scale),
            ),
            Self::Schedule { power, .. } if !finite(power) => Err(SettingError::new(
                "budget_power",
                "must be at least 0 and finite",
                power,
            )),
            _ => Ok(()),
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
    /// Draws only what the new point adds: the online law is the batch law.
    Conditional,
    /// Draws the leaf anew with its whole remaining budget: Algorithm 4 of Fan et al. (2020) as
    /// printed. Its law is not the batch law; kept to reproduce the paper's figures.
    Redraw,
}
