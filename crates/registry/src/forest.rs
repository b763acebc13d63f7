//! Forests are known by name if their trees are.

use forest_core::{Forest, ForestSettings, Forget, OnlineTree, Retention, Schema, SettingError};

use crate::{Capabilities, Configuration, IntervalLearner, Named, NamedTask, Refine};

/// A tree whose forests are known by name.
pub trait NamedTree: OnlineTree<Task: NamedTask> + 'static {
    /// The names under which forests of such trees are known, each with its parameters.
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>];

    /// What a forest of such trees can do besides, as [`Named::capabilities`]: by default, votes of whole
    /// trees if it learns classes.
    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        Capabilities {
            hard_vote: Self::Task::as_hard_vote(forest),
            ..Capabilities::default()
        }
    }

    /// As [`Named::as_forget_mut`].
    fn as_forget_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Forget<Task = Self::Task>> {
        let _ = forest;
        None
    }

    /// As [`Named::as_interval_learner_mut`].
    fn as_interval_learner_mut(forest: &mut Forest<Self>) -> Option<&mut dyn IntervalLearner> {
        let _ = forest;
        None
    }

    /// As [`Named::as_refine_mut`].
    fn as_refine_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Refine> {
        let _ = forest;
        None
    }
}

/// What is chosen for a forest before its first sample, number of trees and seed aside.
#[derive(Clone, Debug)]
pub struct ForestPlan<K: OnlineTree> {
    /// Settings of the trees.
    pub trees: K::Settings,
    /// Which samples are held; `None` if [`ForestSettings`] say it.
    pub retention: Option<Retention>,
}

impl<K: OnlineTree> ForestPlan<K> {
    /// Trees with these settings.
    pub fn new(trees: K::Settings) -> Self {
        let retention = None;
        Self { trees, retention }
    }
}

impl<K: NamedTree> Named for Forest<K> {
    type Settings = ForestPlan<K>;

    fn configurations() -> &'static [Configuration<ForestPlan<K>>] {
        K::configurations()
    }

    fn build(
        schema: Schema<K::Task>,
        plan: ForestPlan<K>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let retention = plan.retention.unwrap_or(forest.retention);
        let forest = ForestSettings {
            retention,
            ..forest
        };
        Self::new(schema, plan.trees, forest)
    }

    fn settings(&self) -> ForestPlan<K> {
        ForestPlan {
            trees: self.settings().clone(),
            retention: Some(self.retention()),
        }
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        K::capabilities(self)
    }

    fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = K::Task>> {
        K::as_forget_mut(self)
    }

    fn as_interval_learner_mut(&mut self) -> Option<&mut dyn IntervalLearner> {
        K::as_interval_learner_mut(self)
    }

    fn as_refine_mut(&mut self) -> Option<&mut dyn Refine> {
        K::as_refine_mut(self)
    }
}
