//! The learner by name.

use forest_core::{
    ForestSettings, Forget, ForgetError, Regression, Retention, Schema, SettingError,
};
use registry::{Capabilities, Capable, Declared, Entry, Kind, Named, Role, WINDOW};

use crate::{ResidualForest, ResidualSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// `residual-forest`: chains of residual stages of dynamic trees.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    name: "residual-forest",
    description: "boosting row by row: stages of dynamic trees learn the residuals of earlier ones, weighted by least squares and blended",
    paper: "ours, after Friedman: Greedy Function Approximation, Annals of Statistics 29, 2001",
    limits: &["numbers only"],
    role: Role::Forest,
    aliases: &[],
    classification: None,
    regression: Some(regressors),
};

fn regressors() -> Vec<Kind<Regression>> {
    let parameters = ResidualSettings::parameters().into_iter().chain([&WINDOW]);
    let start = |_| ResidualSettings::default();
    vec![Kind::new::<ResidualForest>([], parameters, start)]
}

impl Named for ResidualForest {
    type Settings = ResidualSettings;

    fn rows() -> &'static [&'static Entry] {
        &[RESIDUAL_FOREST]
    }

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

    fn settings(&self) -> ResidualSettings {
        self.settings().clone()
    }

    fn trees(&self) -> usize {
        self.tree_count()
    }

    fn window(&self) -> Option<usize> {
        match self.retention() {
            Retention::Latest(samples) => Some(samples),
            _ => None,
        }
    }
}

impl Capable for ResidualForest {
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            explain: Some(self),
            ..Capabilities::default()
        }
    }

    fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = Regression>, ForgetError> {
        Ok(self)
    }
}
