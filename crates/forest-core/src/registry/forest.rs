//! Forests are known by name if their settings are declared.

use crate::registry::{Declared, Named, NamedTask};
use crate::{Forest, ForestSettings, JoinError, OnlineTree, Schema, SettingError};

impl<K: OnlineTree<Task: NamedTask, Settings: Declared> + 'static> Named for Forest<K> {
    type Settings = K::Settings;

    fn can_forget() -> bool {
        K::forgetting().is_some()
    }

    fn build(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }

    fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.join(next)
    }
}
