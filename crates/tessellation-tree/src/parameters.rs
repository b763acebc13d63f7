//! The parameters of tessellation forests, as rows of the table of algorithms declare them.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::WINDOW;
use forest_core::{Classification, Regression};

/// Returns the parameter that is declared alone.
const fn only([one]: [Parameter; 1]) -> Parameter {
    one
}

/// The word for a [`Budget::Schedule`](crate::Budget::Schedule).
pub const INCREASING: &str = "increasing";

/// `budget`: the number of a [`Budget::Fixed`](crate::Budget::Fixed), or [`INCREASING`].
pub const BUDGET: Parameter = only(forest_core::parameters! {
    "budget": Rule::Or(&Rule::NUMBER_OR_INFINITY, &[INCREASING]), "inf",
        "time up to which cuts are drawn (τ), or increasing with the samples; unless inf, scale features to [0, 1]";
});

/// `budget` of a row that has fixed budgets only.
pub const FIXED_BUDGET: Parameter = only(forest_core::parameters! {
    "budget": Rule::NUMBER_OR_INFINITY, "inf",
        "time up to which cuts are drawn (τ); unless inf, scale features to [0, 1]";
});

/// `budget_scale`, of a [`Budget::Schedule`](crate::Budget::Schedule).
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
        "how a leaf takes a point: exactly, redrawn (Fan et al. 2020 as printed), or cut off alone (the code of AMF)";
});

/// `rate`, of cuts oblique in pairs of axes.
pub const RATE: Parameter = only(forest_core::parameters! {
    "rate": Rule::POSITIVE, "0.5",
        "mass of cuts per unit of a hull's perimeter (s)";
});

/// The word for the model of a leaf's own labels.
pub(crate) const EMPIRICAL: &str = "empirical";

/// The word for mixtures of all prunings.
pub(crate) const AGGREGATED: &str = "aggregated";

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
        "step": Rule::POSITIVE, "1", "step size (η): a pruning with losses L weighs exp(−η·L)", for Classification;
        "step": Rule::Or(&Rule::POSITIVE, &[BY_ERRORS]), BY_ERRORS,
            "step size (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of numbers; classes: 1",
            for Regression;
        "first_loss": Rule::Or(&Rule::SHARE, &[BY_FEATURES]), BY_FEATURES,
            "share of its first loss that a node pays, predicting as the node above (κ); by-features: 1/d";
        "dirichlet": Rule::Or(&Rule::POSITIVE, &[BY_CLASSES]), BY_CLASSES,
            "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more", for Classification;
    },
    "labels",
    &[AGGREGATED],
);

pub(crate) const BY_ERRORS: &str = "by-errors";
pub(crate) const BY_FEATURES: &str = "by-features";
pub(crate) const BY_CLASSES: &str = "by-classes";

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
            "noise and slope: the paper's, of most evidence, or these with variances scaled to leave-one-out errors",
            for Regression;
        "variance": Rule::Words(&["of-mean", "mixture"]), "of-mean",
            "variance: the expected squared error of the mean of the trees, or that of the paper's mixture of trees",
            for Regression;
    },
    "labels",
    &[HIERARCHICAL],
);
