//! Which label model a tree has, and the parameters of mixtures of prunings.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{VOTE, VOTES, settings};

use crate::{ClassAggregation, Dirichlet, FirstLoss, MeanAggregation, StepSize};

/// The word for the model of a leaf's own labels.
pub const EMPIRICAL: &str = "empirical";

/// The word for mixtures of all prunings.
pub const AGGREGATED: &str = "aggregated";

/// The word for smoothing along the path.
pub const HIERARCHICAL: &str = "hierarchical";

/// `labels`, which chooses a label model.
pub const LABELS: Parameter = Parameter::new(
    "labels",
    Rule::Words(&[EMPIRICAL, AGGREGATED]),
    EMPIRICAL,
    "how a tree predicts: by its leaf, or by all its prunings, weighted by their losses",
);

/// `labels` of axis-aligned cuts.
pub const AXIS_LABELS: Parameter = Parameter::new(
    "labels",
    Rule::Words(&[EMPIRICAL, AGGREGATED, HIERARCHICAL]),
    EMPIRICAL,
    "how a tree predicts: by its leaf; by all its prunings, weighted by their losses; or smoothed along the path",
);

const FIRST_LOSS: Parameter = Parameter::new(
    "first_loss",
    Rule::Or(&Rule::SHARE, &[BY_FEATURES]),
    BY_FEATURES,
    "share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features: 1/d for d features",
);

const BY_FEATURES: &str = "by-features";

settings! {
    ClassAggregation {
        vote: VOTE, VOTES;
        step: Parameter::new("step", Rule::POSITIVE, "1",
            "step size of the weights (η): a pruning with losses L weighs exp(−η·L)");
        first_loss: FIRST_LOSS, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share;
        dirichlet: Parameter::new("dirichlet", Rule::Or(&Rule::POSITIVE, &[BY_CLASSES]), BY_CLASSES,
            "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more"),
            BY_CLASSES => Dirichlet::ByClasses, Dirichlet::Fixed;
    }
}

const BY_CLASSES: &str = "by-classes";

settings! {
    MeanAggregation {
        step: Parameter::new("step", Rule::Or(&Rule::POSITIVE, &[BY_ERRORS]), "1 or by-errors",
            "step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the targets, for numbers alone; 1 is the default for classes"),
            BY_ERRORS => StepSize::ByErrors, StepSize::Fixed;
        first_loss: FIRST_LOSS, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share;
    }
}

const BY_ERRORS: &str = "by-errors";
