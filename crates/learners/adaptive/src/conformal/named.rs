//! The learner by name.

use forest_core::registry::{Entry, Named, Role, learner};
use forest_core::{ForestSettings, Regression, Schema, SettingError};

use crate::conformal::{Conformal, ConformalSettings, NESTING};

/// The table row of `conformal`.
pub const CONFORMAL: &Entry = &Entry {
    name: "conformal",
    description: "any regressor, with intervals of nominal coverage from its latest errors",
    paper: "Vovk, Gammerman, Shafer: Algorithmic Learning in a Random World, 2005; Lei et al.: \
            Distribution-Free Predictive Inference for Regression, JASA 2018",
    limits: &["intervals have their nominal coverage over all rows, not in every region"],
    role: Role::Variant,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: None,
    regression: Some(learner::<Conformal>),
};

impl Named for Conformal {
    type Settings = ConformalSettings;

    const NESTING: u8 = NESTING;

    fn build(
        schema: Schema<Regression>,
        settings: ConformalSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.base.get().trees()
    }
}
