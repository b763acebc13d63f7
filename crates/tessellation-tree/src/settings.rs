//! Settings of a tessellation tree: its cuts and its labels, how far to cut, what not to cut, how to update; and the parameters that state them.

use std::num::NonZeroU32;

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{MAX_NODES, UNLIMITED, WINDOW};
use forest_core::{Classification, Regression, Schema, SettingError, Settings, Task, Vote};
use serde::{Deserialize, Serialize};

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

/// Parameters of distributions of cuts, each of which reads its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CutSettings {
    /// ωᵢ, how much feature i counts, none below 0 and not all 0; an empty list stands for equal weights. Without weights axis-aligned
    /// cuts have equal ones, and oblique cuts of all features have uniform normals.
    pub weights: Option<Vec<f64>>,
    /// The rate s of cuts oblique in a pair of axes, above 0; ½, as in the experiments of Fan et al. (2020), if `None`; 1 in their algorithms.
    pub rate: Option<f64>,
}

impl CutSettings {
    /// Returns the default settings with these weights of features.
    pub fn weighted(weights: &[f64]) -> Self {
        let weights = Some(weights.to_vec());
        Self {
            weights,
            rate: None,
        }
    }

    /// Checks them for points of `features` numbers.
    ///
    /// # Errors
    /// The first parameter that breaks its rule.
    pub fn check(&self, features: usize) -> Result<(), SettingError> {
        check(&[RATE], "rate", self.rate.unwrap_or(1.0))?;
        let weights = self.weights.as_deref().unwrap_or_default();
        let (count, rule) = (weights.len(), "must be one a feature");
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
    /// What a tree votes with; means nothing to numbers.
    pub vote: Vote,
    /// The step size η of the mixture of all prunings: one with losses L has weight exp(−ηL). `None`: 1 for classes, which makes it the
    /// posterior; for numbers, whose losses are halves of squared errors, from the errors of leaves so far, in the unit of the targets.
    pub step: Option<f64>,
    /// κ, the share of the loss on its first sample that a node pays; it is predicted by the nearest node above that has samples.
    ///
    /// With κ = 0, as in the authors' code, leaves of one sample are free, and the pruning that keeps them all outweighs any
    /// smoother one where labels have more entropy than ln 2 / η. With κ = 1 the mixture is the best for one tree, but not for
    /// a forest whose trees have different neighbours in the leaf of a point: their mean removes the noise of single samples.
    ///
    /// `None`: 1/d for d features. With one feature a point has the same neighbours in every tree, so a forest is
    /// like one tree; the more features cuts are drawn from, the more the trees differ.
    pub first_loss: Option<f64>,
    /// δ in (n_k + δ) / (n + K·δ), the probability of class k of K. `None`: ½ (Krichevsky and Trofimov) for two classes, 0.01 for more, as in
    /// the authors' code of AMF.
    pub dirichlet: Option<f64>,
    /// γ/D, how fast a node's class probabilities forget its parent's, at least 0; 10, as in the paper, if `None`.
    pub discount: Option<f64>,
    /// What the node counts that a point branches off with.
    pub branch_counts: BranchCounts,
    /// How noise and slope of the hierarchical Gaussian are chosen.
    pub hyperparameters: HyperparameterRule,
    /// How the variances of trees are combined.
    pub combination: Combination,
}

impl LabelSettings {
    /// Returns the settings that these values state; those of the model that they choose are read.
    fn of(v: &mut Values) -> Self {
        // A row without a choice has the mixture of all prunings.
        let model = v.peek(LABELS.name).unwrap_or(AGGREGATED).to_owned();
        let mut settings = Self {
            vote: v.vote(),
            ..Self::default()
        };
        if model == AGGREGATED {
            settings.step = v.unless("step", BY_ERRORS);
            settings.first_loss = v.unless("first_loss", BY_FEATURES);
            if v.knows("dirichlet") {
                settings.dirichlet = v.unless("dirichlet", BY_CLASSES);
            }
        } else if model == HIERARCHICAL && v.knows("discount") {
            settings.discount = Some(v.get("discount"));
            let words = [
                ("tables", BranchCounts::Tables),
                ("customers", BranchCounts::Customers),
            ];
            settings.branch_counts = v.one_of("branch_counts", &words);
        } else if model == HIERARCHICAL {
            use HyperparameterRule::{Evidence, LeaveOneOut, Paper};
            let words = [
                ("leave-one-out", LeaveOneOut),
                ("evidence", Evidence),
                ("paper", Paper),
            ];
            settings.hyperparameters = v.one_of("hyperparameters", &words);
            let words = [
                ("of-mean", Combination::OfMean),
                ("mixture", Combination::Mixture),
            ];
            settings.combination = v.one_of("variance", &words);
        }
        settings
    }

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

/// How the hyper-parameters of the hierarchical Gaussian follow from the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HyperparameterRule {
    /// As in the authors' code: noise variance = variance of the targets / K with K = min(2n, 500), slope = D/(2·log₂ n).
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
    /// variance of the means. It is the error of a tree picked at random, which is larger than that of the mean of
    /// all trees.
    Mixture,
    /// The expected square error of the mean of all trees: the mean of the variances *less* the variance of the
    /// means. For any target, (y − mean)² is the mean of the trees' square errors less the variance of their predictions
    /// (Krogh, Vedelsby 1995). At least what independent trees would have.
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
    /// Returns the settings that these values state, for points of `features` numbers, and cuts whose budget grows at this scale by default.
    pub(crate) fn of(v: &mut Values, features: usize, budget_scale: f64) -> Self {
        let mut cuts = CutSettings::default();
        if v.knows("weights") && !v.is("weights", "none") {
            cuts.weights = Some(v.list("weights", "equal"));
        }
        cuts.rate = v.knows(RATE.name).then(|| v.get(RATE.name));
        let pauses = [("pure", Pause::WhileLabelsAgree), ("never", Pause::Never)];
        use Update::{Conditional, NewPointOnly, Redraw};
        let updates = [
            ("conditional", Conditional),
            ("redraw", Redraw),
            ("new-point-only", NewPointOnly),
        ];
        Self {
            cuts,
            labels: LabelSettings::of(v),
            budget: if v.is(BUDGET.name, INCREASING) {
                Budget::minimax(v.or(BUDGET_SCALE.name, budget_scale), features)
            } else {
                Budget::Fixed(v.get(BUDGET.name))
            },
            max_uncut: v.get(MIN_POINTS.name),
            pause: v.one_of(PAUSE.name, &pauses),
            update: v.one_of(UPDATE.name, &updates),
            max_nodes: v.unless(MAX_NODES.name, UNLIMITED),
        }
    }

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
        let grows = power.is_finite() && power >= 0.0;
        let rule = "must be a finite number of at least 0";
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

/// Returns the parameter that is declared alone.
const fn only([one]: [Parameter; 1]) -> Parameter {
    one
}

/// The word for a [`Budget::Schedule`].
pub const INCREASING: &str = "increasing";

/// `budget`: the number of a [`Budget::Fixed`], or [`INCREASING`].
pub const BUDGET: Parameter = only(forest_core::parameters! {
    "budget": Rule::Or(&Rule::NUMBER_OR_INFINITY, &[INCREASING]), "inf",
        "time up to which cuts are drawn (τ), or increasing: it grows with the number of samples; with a finite one, scale features to [0, 1]";
});

/// `budget` of a row that has fixed budgets only.
pub const FIXED_BUDGET: Parameter = only(forest_core::parameters! {
    "budget": Rule::NUMBER_OR_INFINITY, "inf",
        "time up to which cuts are drawn (τ); with a finite one, scale features to [0, 1]";
});

/// `budget_scale`, of a [`Budget::Schedule`].
pub const BUDGET_SCALE: Parameter = only(forest_core::parameters! {
    "budget_scale": Rule::POSITIVE, "8",
        "the budget after n samples of d features is budget_scale · n^(1/(d+2)), which has the minimax rate";
})
.beside("budget", &[INCREASING]);

/// `min_points`.
pub const MIN_POINTS: Parameter = only(forest_core::parameters! {
    "min_points": Rule::Count(1), "1",
        "only nodes with more points than this are cut";
});

/// `pause`.
pub const PAUSE: Parameter = only(forest_core::parameters! {
    "pause": Rule::Words(&["pure", "never"]), "never",
        "pure: a leaf is not cut while all its labels are equal";
});

/// `update`.
pub const UPDATE: Parameter = only(forest_core::parameters! {
    "update": Rule::Words(&["conditional", "redraw", "new-point-only"]), "conditional",
        "how a leaf takes a new point: by the exact conditional distribution, by redrawing the leaf (Fan et al. 2020 as printed), or with cuts around its points, never between them (AMF, the authors' code)";
});

/// `rate`, of cuts oblique in pairs of axes.
pub const RATE: Parameter = only(forest_core::parameters! {
    "rate": Rule::POSITIVE, "0.5",
        "mass of cuts per unit of a hull's perimeter (s)";
});

/// The word for the model of a leaf's own labels.
pub const EMPIRICAL: &str = "empirical";

/// The word for mixtures of all prunings.
pub const AGGREGATED: &str = "aggregated";

/// The word for smoothing along the path.
pub const HIERARCHICAL: &str = "hierarchical";

/// `labels`, which chooses a label model.
pub const LABELS: Parameter = only(forest_core::parameters! {
    "labels": Rule::Words(&[EMPIRICAL, AGGREGATED]), EMPIRICAL,
        "how a tree predicts: by its leaf, or by all its prunings, weighted by their losses";
});

/// `labels` of axis-aligned cuts.
pub const AXIS_LABELS: Parameter = only(forest_core::parameters! {
    "labels": Rule::Words(&[EMPIRICAL, AGGREGATED, HIERARCHICAL]), EMPIRICAL,
        "how a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path";
});

/// `window` of models that can forget.
pub const LABELS_WINDOW: Parameter = WINDOW.beside("labels", &[EMPIRICAL, HIERARCHICAL]);

/// The parameters of mixtures of all prunings; η is that of classes and that of numbers.
pub const AGGREGATION: [Parameter; 4] = Parameter::all_beside(
    forest_core::parameters! {
        "step": Rule::POSITIVE, "1", "step size of the weights (η): a pruning with losses L weighs exp(−η·L)", for Classification;
        "step": Rule::Or(&Rule::POSITIVE, &[BY_ERRORS]), BY_ERRORS,
            "step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the targets, for numbers alone; 1 is the default for classes",
            for Regression;
        "first_loss": Rule::Or(&Rule::SHARE, &[BY_FEATURES]), BY_FEATURES,
            "share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features: 1/d for d features";
        "dirichlet": Rule::Or(&Rule::POSITIVE, &[BY_CLASSES]), BY_CLASSES,
            "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more", for Classification;
    },
    "labels",
    &[AGGREGATED],
);

const BY_ERRORS: &str = "by-errors";
const BY_FEATURES: &str = "by-features";
const BY_CLASSES: &str = "by-classes";

/// The parameters of smoothing along the path: two of classes and two of numbers.
pub const SMOOTHING: [Parameter; 4] = Parameter::all_beside(
    forest_core::parameters! {
        // The paper's γ = 10·D.
        "discount": Rule::NUMBER, "10",
            "how fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features",
            for Classification;
        "branch_counts": Rule::Words(&["tables", "customers"]), "tables",
            "what a branch counts of the node it is put above: its classes, or, as the authors' code, its customers",
            for Classification;
        "hyperparameters": Rule::Words(&["leave-one-out", "evidence", "paper"]), "leave-one-out",
            "noise and slope: as in the paper, with the most evidence, or the latter with variances scaled to leave-one-out errors",
            for Regression;
        "variance": Rule::Words(&["of-mean", "mixture"]), "of-mean",
            "variance of a prediction: the expected squared error of the mean of the trees, or that of the paper's mixture of trees",
            for Regression;
    },
    "labels",
    &[HIERARCHICAL],
);

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

    /// A row without values makes the defaults of the library but for what the row says.
    #[test]
    fn defaults_of_the_parameters_are_those_of_the_settings() {
        let known = [
            BUDGET,
            MIN_POINTS,
            PAUSE,
            UPDATE,
            RATE,
            MAX_NODES,
            AXIS_LABELS,
        ];
        let settings = TessellationSettings::of(&mut Values::defaults(&known), 2, 8.0);
        let cuts = CutSettings {
            rate: Some(0.5),
            ..CutSettings::default()
        };
        assert_eq!(
            settings,
            TessellationSettings {
                cuts,
                ..TessellationSettings::default()
            }
        );
    }
}
