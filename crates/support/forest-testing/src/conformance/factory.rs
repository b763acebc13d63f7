//! Factories of learners, and the error of a check that fails.

use std::panic::{AssertUnwindSafe, catch_unwind};

use forest_core::{Forest, ForestSettings, OnlineLearner, OnlineTree, Schema};
use thiserror::Error;

use super::ConformanceTask;

/// A check that a learner failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{check}` does not hold: {how}")]
pub struct Broken {
    /// Its name.
    pub check: &'static str,
    /// What was seen.
    pub how: String,
}

impl Broken {
    /// Runs a check, which panics where it fails.
    pub(crate) fn catch(check: &'static str, run: impl FnOnce()) -> Result<(), Self> {
        let Err(panic) = catch_unwind(AssertUnwindSafe(run)) else {
            return Ok(());
        };
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref().map(|text: &&str| text.to_string()));
        let how = text.unwrap_or_default();
        Err(Self { check, how })
    }
}

pub(super) type Built<T> = Box<dyn OnlineLearner<Task = T>>;

/// A factory of learners whose type does not matter.
pub(super) type Build<'a, T> = dyn Fn(Schema<T>, u64) -> Built<T> + Sync + 'a;

/// Returns a factory of forests with these settings, which panics if a setting breaks its rule.
pub fn forests<K: OnlineTree>(
    trees: usize,
    settings: K::Settings,
) -> impl Fn(Schema<K::Task>, u64) -> Forest<K> {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        Forest::new(schema, settings.clone(), forest).expect("tests use settings that are valid")
    }
}

pub(super) fn schema<T: ConformanceTask>(features: usize) -> Schema<T> {
    Schema::new(features).expect("checks use at least one feature")
}
