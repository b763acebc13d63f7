//! The learner by name.

use forest_core::registry::{Entry, Named, Role, learner};
use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError};

use crate::{Adaptive, AdaptiveSettings, AdaptiveTask, NAME, NESTING};

/// The row of `adaptive`.
pub const ADAPTIVE: &Entry = &Entry {
    name: NAME,
    description: "for concept drift: learners on windows of several lengths, weighted by \
                  their recent loss",
    paper: "Herbster, Warmuth: Tracking the Best Expert, Machine Learning 1998; Chernov, \
            Zhdanov: Prediction with Expert Advice under Discounted Loss, ALT 2010",
    limits: &[
        "holds two copies of every member: time and memory are those of twice as many forests",
    ],
    role: Role::Forest,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(learner::<Adaptive<Classification>>),
    regression: Some(learner::<Adaptive<Regression>>),
};

impl<T: AdaptiveTask> Named for Adaptive<T> {
    type Settings = AdaptiveSettings;

    const NESTING: u8 = NESTING;

    fn build(
        schema: Schema<T>,
        settings: AdaptiveSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.trees()
    }
}
