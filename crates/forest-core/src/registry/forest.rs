//! Forests are known by name if their trees are.

use crate::{
    Forest, ForestSettings, Forget, ForgetError, InputError, JoinError, LearnWeighted, OnlineTree,
    PredictionRows, Proceed, Retention, Schema, SettingError, Shard, Task, Widen,
};
use ndarray::ArrayView2;

use crate::registry::{Capabilities, Capable, Declared, Entry, Named, NamedTask, Partition};

/// A tree whose forests are known by name.
pub trait NamedTree: OnlineTree<Task: NamedTask, Settings: Declared> + 'static {
    /// As [`Named::rows`].
    fn rows() -> &'static [&'static Entry];

    /// Returns the further capabilities of a forest of such trees, as [`Capable::capabilities`] does.
    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        let _ = forest;
        Capabilities::default()
    }

    /// As [`Capable::fit_at_once`].
    ///
    /// # Errors
    /// Rows, targets or weights that are refused; then nothing changes.
    fn fit_at_once(
        forest: &mut Forest<Self>,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        let _ = (forest, features, targets, weights, proceed);
        None
    }

    /// As [`Capable::as_weighted_mut`].
    fn as_weighted_mut(
        forest: &mut Forest<Self>,
    ) -> Option<&mut dyn LearnWeighted<Task = Self::Task>> {
        let _ = forest;
        None
    }

    /// As [`Capable::as_partition_mut`].
    fn as_partition_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Partition> {
        let _ = forest;
        None
    }

    /// As [`Capable::as_widen_mut`].
    fn as_widen_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Widen<Task = Self::Task>> {
        let _ = forest;
        None
    }
}

impl<K: NamedTree> Named for Forest<K> {
    type Settings = K::Settings;

    fn can_forget() -> bool {
        K::forgetting().is_some()
    }

    fn rows() -> &'static [&'static Entry] {
        K::rows()
    }

    fn build(
        schema: Schema<K::Task>,
        settings: K::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> K::Settings {
        self.settings().clone()
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }

    fn join(&mut self, next: Self) -> Result<(), JoinError> {
        self.join(next)
    }

    fn window(&self) -> Option<usize> {
        match self.retention() {
            Retention::Latest(samples) => Some(samples),
            _ => None,
        }
    }
}

impl<K: NamedTree> Capable for Forest<K> {
    fn capabilities(&self) -> Capabilities<'_> {
        K::capabilities(self)
    }

    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<K::Task as Task>::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        K::fit_at_once(self, features, targets, weights, proceed)
    }

    fn as_shard(&self) -> Option<&dyn Shard<Task = K::Task>> {
        Some(self)
    }

    fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = K::Task>> {
        Some(self)
    }

    fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = K::Task>, ForgetError> {
        self.as_forget_mut()
    }

    fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = K::Task>> {
        K::as_weighted_mut(self)
    }

    fn predict_full_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<K::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        self.predict_full_then_learn(features, targets)
    }

    fn as_partition_mut(&mut self) -> Option<&mut dyn Partition> {
        K::as_partition_mut(self)
    }

    fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = K::Task>> {
        K::as_widen_mut(self)
    }
}
