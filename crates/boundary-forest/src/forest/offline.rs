//! The offline boundary forest, `OBF`: "each tree gets an independently reshuffled version of the
//! data". What being online costs is measured against it.

use forest_core::ndarray::ArrayView2;
use forest_core::{ForestSettings, InputError, Rows, Schema, SettingError, Task};
use thiserror::Error;

use super::BoundaryForest;
use crate::settings::SettingsOf;
use crate::{Label, Metric};

/// Why no offline forest could be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OfflineError {
    /// The data were refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// There is nothing to make a root of.
    #[error("an offline forest needs at least one sample")]
    NoSamples,
}

impl<T: Task<Target: Label>, M: Metric> BoundaryForest<T, M> {
    /// Creates the offline forest of a data set: every tree learns all of it once, in an order drawn from
    /// its own random stream. It can continue learning, like any other forest.
    ///
    /// # Errors
    /// No samples, or what [`BoundaryForest::new`] or
    /// [`learn`](forest_core::OnlineLearner::learn) would refuse.
    pub fn offline(
        schema: Schema<T>,
        settings: SettingsOf<T>,
        forest: ForestSettings,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<Self, OfflineError> {
        let mut forest = Self::new(schema, settings, forest)?;
        let rows = Rows::check(features, forest.schema.features())?;
        forest.schema.check_targets(rows.len(), targets)?;
        forest.check_room(rows.len())?;
        if rows.is_empty() {
            return Err(OfflineError::NoSamples);
        }
        let all = forest.store(&rows, targets, 0..rows.len());
        // No roots were set: the first sample of each tree's own order becomes its root.
        forest.insert_shuffled(all);
        forest.drop_unreferenced(0);
        Ok(forest)
    }
}
