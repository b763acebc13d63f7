//! The baselines: they look at the targets alone.

use forest_core::{Classification, Prior, Regression};

use crate::configuration::{Configuration, Role};
use crate::{Algorithm, AnyClassifier, AnyRegressor, Named};

pub(crate) static MAJORITY: Configuration = Configuration {
    name: "majority",
    description: "class frequencies so far, whatever the features",
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    parameters: &[],
    classification: Some(|_, context| Ok(AnyClassifier::Majority(Prior::new(context.schema)))),
    regression: None,
};

pub(crate) static MEAN: Configuration = Configuration {
    name: "mean",
    description: "mean of the targets so far, whatever the features",
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    parameters: &[],
    classification: None,
    regression: Some(|_, context| Ok(AnyRegressor::Mean(Prior::new(context.schema)))),
};

impl Named for Prior<Classification> {
    fn algorithm(&self) -> Algorithm {
        MAJORITY.with([])
    }

    fn trees(&self) -> usize {
        0
    }
}

impl Named for Prior<Regression> {
    fn algorithm(&self) -> Algorithm {
        MEAN.with([])
    }

    fn trees(&self) -> usize {
        0
    }
}
