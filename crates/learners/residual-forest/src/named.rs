//! The learner by name.

use forest_core::{
    ForestSettings, Forget, ForgetError, Regression, Retention, Schema, SettingError,
};
use registry::parameters::{Field, Parameter, Rule, field};
use registry::{Capabilities, Capable, Declared, Entry, Kind, Named, Role, WINDOW};

use crate::{ResidualForest, ResidualSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[RESIDUAL_FOREST];

/// `residual-forest`: chains of residual stages of dynamic trees.
pub const RESIDUAL_FOREST: &Entry = &Entry {
    name: "residual-forest",
    description: "boosting row by row: stages of dynamic trees learn what those before have missed, weighted by least squares and blended",
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

    const CAN_FORGET: bool = true;

    fn rows() -> &'static [&'static Entry] {
        &[RESIDUAL_FOREST]
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

impl Declared for ResidualSettings {
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            parameter: Parameter::new(
                "chains",
                Rule::Text,
                ResidualSettings::CHAINS,
                "chains joined by +: share of the trees x thresholds a feature / samples a side of each stage; ridge/ before it: from a ridge regression",
            ),
            get: |settings| settings.chains.clone(),
            set: |settings, text| text.clone_into(&mut settings.chains),
        },
        field!(
            Parameter::new("max_features", Rule::CountOr(1, ALL), ALL, "features that a node looks at (K)"),
            settings => settings.max_features, ALL => None, Some
        ),
        field!(
            Parameter::new("recheck", Rule::Number, "0.5",
                "share of a node's samples that come or go until its cut is chosen again (ε)"),
            settings => settings.recheck
        ),
        field!(
            Parameter::new("discount", Rule::Number, "0.9998",
                "what an error counts a row later, where stages and chains are weighed"),
            settings => settings.discount
        ),
    ];
}

/// The word for all features.
const ALL: &str = "all";
