//! The learner by name.

use forest_core::registry::{Declared, Entry, Kind, Named, Role, WINDOW};
use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError};

use crate::{ResidualClassifier, ResidualClassifierSettings, ResidualForest, ResidualSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// `residual-forest`: for numbers chains of residual stages of dynamic trees, for classes a mixture of the readings of one forest.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    name: "residual-forest",
    description: "dynamic trees in an online mixture: for classes read at nodes of several sizes, beside a linear and a quadratic function; for numbers boosted row by row",
    paper: "ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001",
    limits: &[],
    role: Role::Forest,
    trees: 100,
    aliases: &[],
    classification: Some(classifiers),
    regression: Some(regressors),
};

fn classifiers() -> Vec<Kind<Classification>> {
    let parameters = ResidualClassifierSettings::parameters();
    let parameters = parameters.into_iter().chain([&WINDOW]);
    let start = |_| ResidualClassifierSettings::default();
    vec![Kind::new::<ResidualClassifier>([], parameters, start)]
}

fn regressors() -> Vec<Kind<Regression>> {
    let parameters = ResidualSettings::parameters().into_iter().chain([&WINDOW]);
    let start = |_| ResidualSettings::default();
    vec![Kind::new::<ResidualForest>([], parameters, start)]
}

impl Named for ResidualForest {
    type Settings = ResidualSettings;

    fn can_forget() -> bool {
        true
    }

    fn build(
        schema: Schema<Regression>,
        settings: ResidualSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.tree_count()
    }
}

impl Named for ResidualClassifier {
    type Settings = ResidualClassifierSettings;

    fn can_forget() -> bool {
        true
    }

    fn build(
        schema: Schema<Classification>,
        settings: ResidualClassifierSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.forest.trees().len()
    }
}
