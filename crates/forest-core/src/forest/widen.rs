//! More features, for trees that can continue with them.

use super::Forest;
use crate::{SettingError, Settings, WidenTree};

impl<T: WidenTree> Forest<T> {
    /// As [`widen`](crate::OnlineLearner::widen).
    ///
    /// # Errors
    /// Fewer features than before, or a setting that has another value for each feature; then nothing changes.
    pub fn widen_trees(&mut self, features: usize) -> Result<(), SettingError> {
        let enough = features >= self.schema.features();
        let rule = "must not be fewer than before";
        SettingError::require(enough, "features", rule, features)?;
        let schema = self.schema.with_features(features)?;
        let mut settings = self.settings.clone();
        T::widen_settings(&mut settings, features);
        settings.check(&schema)?;
        if features > self.schema.features() {
            (self.schema, self.settings) = (schema, settings);
            self.samples.widen(features);
            self.for_each_tree(|tree, context, _| tree.widen(features, context));
        }
        Ok(())
    }
}
