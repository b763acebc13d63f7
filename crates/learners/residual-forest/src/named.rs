//! The learner by name.

use forest_core::registry::{Capabilities, Capable, Declared, Entry, Kind, Named, Role, WINDOW};
use forest_core::{
    Classification, ForestSettings, Forget, ForgetError, LearnWeighted, Regression, Retention,
    Schema, SettingError, Widen,
};

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
        window(self.retention())
    }
}

fn window(retention: Retention) -> Option<usize> {
    match retention {
        Retention::Latest(samples) => Some(samples),
        _ => None,
    }
}

impl Named for ResidualClassifier {
    type Settings = ResidualClassifierSettings;

    fn rows() -> &'static [&'static Entry] {
        &[RESIDUAL_FOREST]
    }

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

    fn settings(&self) -> ResidualClassifierSettings {
        self.settings().clone()
    }

    fn trees(&self) -> usize {
        self.forest.trees().len()
    }

    fn window(&self) -> Option<usize> {
        window(self.retention())
    }
}

impl Capable for ResidualClassifier {
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            explain: Some(self),
            ..Capabilities::default()
        }
    }

    fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = Classification>, ForgetError> {
        Ok(self)
    }

    fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = Classification>> {
        Some(self)
    }

    fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = Classification>> {
        Some(self)
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

    fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = Regression>> {
        Some(self)
    }

    fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = Regression>> {
        Some(self)
    }
}
