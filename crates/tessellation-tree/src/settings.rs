//! Settings of a tessellation tree: its cuts and its labels, how far to cut, what not to cut, how to update.

use std::num::NonZeroU32;

use forest_core::parameters::check;
use forest_core::{Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

use crate::parameters::{AGGREGATION, BUDGET_SCALE, FIXED_BUDGET, MIN_POINTS, RATE, SMOOTHING};

/// Settings of a tessellation forest, shared by its trees.
///
/// The default is an infinite budget, the exact update, and no limit on cutting or on nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TessellationSettings {
    /// Parameters of the distribution of cuts.
    pub cuts: CutSettings,
    /// Parameters of the label model.
    pub labels: LabelSettings,
    /// The time up to which cuts are drawn.
    pub budget: Budget,
    /// Nodes of at most this number of points are not cut; at least 1, which sets no limit.
    pub max_uncut: u32,
    /// Whether nodes whose labels agree are cut.
    pub pause: Pause,
    /// How a leaf takes a new point.
    pub update: Update,
    /// The most nodes that a tree may have, inner nodes and leaves together; no limit if `None`.
    ///
    /// After the last cut that it has room for, a tree is full: it is not cut any more, drops its samples, and every
    /// further one changes only the statistics on its path. So an endless stream takes constant memory. A full tree has
    /// *not* the batch distribution, nor can it forget: a bound and a window rule each other out.
    pub max_nodes: Option<NonZeroU32>,
}

/// Parameters of distributions of cuts, each of which reads its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CutSettings {
    /// ωᵢ, how much feature i counts, at least 0 and not all 0; an empty list stands for equal weights. Without weights
    /// axis-aligned cuts have equal ones, and oblique cuts of all features have uniform normals.
    pub weights: Option<Vec<f64>>,
    /// The rate s of cuts oblique in a pair of axes, above 0; ½, as in the experiments of Fan et al. (2020), if `None`.
    pub rate: Option<f64>,
}

impl CutSettings {
    /// Returns the default settings with these weights of features.
    pub fn weighted(weights: &[f64]) -> Self {
        Self {
            weights: Some(weights.to_vec()),
            rate: None,
        }
    }

    /// Checks the settings for points of `features` numbers.
    ///
    /// # Errors
    /// Returns the first parameter that breaks its rule.
    pub fn check(&self, features: usize) -> Result<(), SettingError> {
        check(&[RATE], "rate", self.rate.unwrap_or(1.0))?;
        let weights = self.weights.as_deref().unwrap_or_default();
        let count = weights.len();
        let rule = "must be one a feature";
        SettingError::require(count == 0 || count == features, "weights", rule, count)?;
        let rule = "must be at least 0 and finite";
        if let Some(wrong) = weights.iter().find(|&&w| !w.is_finite() || w < 0.0) {
            return Err(SettingError::new("weights", rule, wrong));
        }
        let some = count == 0 || weights.iter().any(|weight| *weight > 0.0);
        SettingError::require(some, "weights", "must not all be 0", 0)
    }
}

/// Parameters of label models, each of which reads its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabelSettings {
    /// What a tree votes with; no effect on numbers.
    pub vote: Vote,
    /// The step size η of the mixture of all prunings: one with losses L has weight exp(−ηL). `None`: 1 for classes,
    /// which makes it the posterior; for numbers, from the errors of leaves so far.
    pub step: Option<f64>,
    /// κ, the share of the loss on its first sample that a node pays, predicting as the nearest node above it that has
    /// samples. `None`: 1/d for d features; docs/theory.md ("Aggregated") has the reasons. 0 in the authors' code.
    pub first_loss: Option<f64>,
    /// δ in (n_k + δ) / (n + K·δ), the probability of class k of K. `None`: ½ (Krichevsky and Trofimov) for two
    /// classes, 0.01 for more, as in the authors' code of AMF.
    pub dirichlet: Option<f64>,
    /// γ/D, how fast a node's class probabilities forget its parent's, at least 0; 10, as in the paper, if `None`.
    pub discount: Option<f64>,
    /// What the new parent counts that a branching point would get.
    pub branch_counts: BranchCounts,
    /// How noise and slope of the hierarchical Gaussian are chosen.
    pub hyperparameters: HyperparameterRule,
    /// How the variances of trees are combined.
    pub combination: Combination,
}

impl LabelSettings {
    fn check(&self) -> Result<(), SettingError> {
        // 1 is in the range of each.
        check(&AGGREGATION, "step", self.step.unwrap_or(1.0))?;
        check(&AGGREGATION, "first_loss", self.first_loss.unwrap_or(1.0))?;
        check(&AGGREGATION, "dirichlet", self.dirichlet.unwrap_or(1.0))?;
        check(&SMOOTHING, "discount", self.discount.unwrap_or(1.0))
    }
}

/// The customers of the node that is put above node j when a point branches off: its only other child is j.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BranchCounts {
    /// min(c_jk, 1), what j passes to a parent: what an insertion would make.
    #[default]
    Tables,
    /// c_jk, as the authors' code has it.
    Customers,
}

/// How the hyperparameters of the hierarchical Gaussian follow from the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HyperparameterRule {
    /// As in the authors' code: noise = variance of the targets / min(2n, 500), slope = D/(2·log₂ n).
    Paper,
    /// The noise variance and the slope with the largest marginal likelihood of the targets given the tree, near those
    /// of last time; the prior's mean and variance as in the paper.
    Evidence,
    /// The same, and then all variances scaled to the errors of leaving one sample out.
    #[default]
    LeaveOneOut,
}

/// What the variance of a forest's prediction is, given the trees' means and variances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Combination {
    /// That of the equal mixture of the trees' distributions, as in the paper: the mean of the variances plus the
    /// variance of the means, which is the error of a tree picked at random.
    Mixture,
    /// The expected square error of the mean of all trees: the mean of the variances *less* the variance of the means
    /// (Krogh, Vedelsby 1995), and at least what independent trees would have.
    #[default]
    OfMean,
}

impl<T: Task> Settings<T> for TessellationSettings {
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

impl Default for TessellationSettings {
    fn default() -> Self {
        Self {
            cuts: CutSettings::default(),
            labels: LabelSettings::default(),
            budget: Budget::Fixed(f64::INFINITY),
            max_uncut: 1,
            pause: Pause::Never,
            update: Update::Conditional,
            max_nodes: None,
        }
    }
}

impl TessellationSettings {
    /// Returns whether a set of `points`, of which two targets differ if it is `mixed`, may be cut at all: once true
    /// for a set, true for every superset.
    #[inline]
    pub(crate) fn splittable(&self, points: u32, mixed: bool) -> bool {
        points > self.max_uncut && (mixed || self.pause == Pause::Never)
    }
}

/// The budget τ: the time up to which cuts are drawn. With a finite budget, features are expected in [0, 1] or so.
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
        match self {
            Self::Fixed(budget) => check(&[FIXED_BUDGET], "budget", budget),
            Self::Schedule { scale, power } => {
                check(&[BUDGET_SCALE], "budget_scale", scale)?;
                let grows = power.is_finite() && power >= 0.0;
                let rule = "must be a finite number of at least 0";
                SettingError::require(grows, "power", rule, power)
            }
        }
    }

    /// Creates the schedule scale · n^(1/(d+2)) in d dimensions, which gives the minimax rate for Lipschitz functions
    /// (Mourtada, Gaïffas, Scornet 2017; Fan, Li, Sisson 2020, Theorem 3).
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
    /// Redraws the leaf: Algorithm 4 of Fan et al. (2020) as printed. It does not have the batch distribution.
    Redraw,
    /// Cuts the new point off at most: points of a leaf stay together from then on, as in the authors' code of AMF.
    /// With [`Pause::WhileLabelsAgree`], `max_uncut` above 1 or an increasing budget the distribution depends on the
    /// order of the samples; otherwise it is that of [`Conditional`](Self::Conditional).
    NewPointOnly,
}

#[cfg(test)]
mod tests {
    use forest_core::Regression;

    use super::*;

    #[test]
    fn the_minimax_budget_grows_with_the_root_of_two_dimensions_more() {
        for (features, n, root) in [(1, 27, 3.0), (2, 16, 2.0), (3, 32, 2.0)] {
            let budget = Budget::minimax(5.0, features).at(n);
            assert!((budget - 5.0 * root).abs() < 1e-12);
        }
    }

    #[test]
    fn numbers_are_in_their_range() {
        type Change = fn(&mut TessellationSettings, f64);
        let all: [(Change, &str, &[f64], &[f64]); 8] = [
            (
                |s, x| s.budget = Budget::Fixed(x),
                "budget",
                &[0.0, f64::INFINITY],
                &[-0.1],
            ),
            (
                |s, x| s.budget = Budget::minimax(x, 1),
                "budget_scale",
                &[0.1],
                &[0.0, f64::INFINITY],
            ),
            (
                |s, x| {
                    s.budget = Budget::Schedule {
                        scale: 1.0,
                        power: x,
                    }
                },
                "power",
                &[0.0],
                &[-0.1, f64::INFINITY],
            ),
            (
                |s, x| s.cuts.rate = Some(x),
                "rate",
                &[f64::MIN_POSITIVE],
                &[0.0, f64::INFINITY],
            ),
            (
                |s, x| s.labels.step = Some(x),
                "step",
                &[0.1],
                &[0.0, f64::INFINITY],
            ),
            (
                |s, x| s.labels.first_loss = Some(x),
                "first_loss",
                &[0.0, 1.0],
                &[-0.1, 1.1],
            ),
            (
                |s, x| s.labels.dirichlet = Some(x),
                "dirichlet",
                &[0.1],
                &[0.0, f64::INFINITY],
            ),
            (
                |s, x| s.labels.discount = Some(x),
                "discount",
                &[0.0],
                &[-0.1, f64::INFINITY],
            ),
        ];
        let schema = Schema::<Regression>::new(2).expect("two features");
        for (change, parameter, sound, broken) in all {
            let refused = |x: f64| {
                let mut settings = TessellationSettings::default();
                change(&mut settings, x);
                settings.check(&schema).err().map(|error| error.parameter)
            };
            assert!(sound.iter().all(|&x| refused(x).is_none()), "{parameter}");
            let broken = broken.iter().chain(&[f64::NAN, -1.0]);
            assert!(
                broken.copied().all(|x| refused(x) == Some(parameter)),
                "{parameter}"
            );
        }
    }
}
