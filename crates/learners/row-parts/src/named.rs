//! The learner by name.

use forest_core::{
    Classification, ForestSettings, JoinError, Regression, Schema, SettingError, Shard,
};
use registry::{Capable, Entry, Named, NamedTask, Role, learner};

use crate::{NESTING, RowParts, RowPartsSettings};

/// The table row of `row-parts`.
pub const ROW_PARTS: &Entry = &Entry {
    name: "row-parts",
    description: "for streams too fast for every tree to see every row: rows are distributed round-robin over parts, and \
                  predictions are the mean of all parts",
    paper: "Basilico, Munson, Kolda, Dixon, Kegelmeyer: COMET: A Recipe for Learning and Using Large Ensembles on \
            Massive Data, ICDM 2011",
    limits: &[
        "less accurate than its base on all rows: trees before parts, where trees can be shared out",
    ],
    role: Role::Variant,
    trees: ForestSettings::TREES,
    aliases: &[],
    classification: Some(learner::<RowParts<Classification>>),
    regression: Some(learner::<RowParts<Regression>>),
};

impl<T: NamedTask> Named for RowParts<T> {
    type Settings = RowPartsSettings;

    const NESTING: u8 = NESTING;

    fn rows() -> &'static [&'static Entry] {
        &[ROW_PARTS]
    }

    fn build(
        schema: Schema<T>,
        settings: RowPartsSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> RowPartsSettings {
        self.settings().clone()
    }

    fn trees(&self) -> usize {
        self.trees()
    }

    fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.join(next)
    }
}

impl<T: NamedTask> Capable for RowParts<T> {
    fn as_shard(&self) -> Option<&dyn Shard<Task = T>> {
        Some(self)
    }

    fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = T>> {
        Some(self)
    }
}
