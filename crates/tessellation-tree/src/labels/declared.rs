//! The parameters of mixtures of prunings.

use registry::parameters::{Field, Parameter, Rule, field};
use registry::{Declared, VOTE, VOTES};

use crate::{ClassAggregation, Dirichlet, FirstLoss, MeanAggregation, StepSize};

const FIRST_LOSS: Parameter = Parameter::new(
    "first_loss",
    Rule::NumberOr(BY_FEATURES),
    BY_FEATURES,
    "share of its loss on its first sample that a node pays, predicting as the node above it (κ); by-features: 1/d for d features",
);

const BY_FEATURES: &str = "by-features";

impl Declared for ClassAggregation {
    const FIELDS: &'static [Field<Self>] = &[
        field!(VOTE, settings => settings.vote, VOTES),
        field!(
            Parameter::new("step", Rule::Number, "1",
                "step size of the weights (η): a pruning with losses L weighs exp(−η·L)"),
            settings => settings.step
        ),
        field!(FIRST_LOSS, settings => settings.first_loss, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share),
        field!(
            Parameter::new("dirichlet", Rule::NumberOr(BY_CLASSES), BY_CLASSES,
                "added to each class count of a node (δ); by-classes: 0.5 for two, 0.01 for more"),
            settings => settings.dirichlet, BY_CLASSES => Dirichlet::ByClasses, Dirichlet::Fixed
        ),
    ];
}

const BY_CLASSES: &str = "by-classes";

impl Declared for MeanAggregation {
    const FIELDS: &'static [Field<Self>] = &[
        field!(
            Parameter::new("step", Rule::NumberOr(BY_ERRORS), "1 or by-errors",
                "step size of the weights (η): a pruning with losses L weighs exp(−η·L); by-errors: in the unit of the targets, for numbers alone; 1 is the default for classes"),
            settings => settings.step, BY_ERRORS => StepSize::ByErrors, StepSize::Fixed
        ),
        field!(FIRST_LOSS, settings => settings.first_loss, BY_FEATURES => FirstLoss::ByFeatures, FirstLoss::Share),
    ];
}

const BY_ERRORS: &str = "by-errors";
