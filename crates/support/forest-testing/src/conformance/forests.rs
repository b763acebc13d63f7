//! Forests of independent trees, whatever their trees.

use forest_core::{Forest, ForestSettings, OnlineTree, Schema};

use super::{Broken, ConformanceTask, check};

/// Returns a factory of forests with these numbers of trees and settings.
///
/// # Panics
/// The factory, if a setting breaks its rule.
pub fn forests<K: OnlineTree>(
    trees: usize,
    settings: K::Settings,
) -> impl Fn(Schema<K::Task>, u64) -> Forest<K> {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        Forest::new(schema, settings.clone(), forest).expect("tests use settings that are valid")
    }
}

/// Runs [`check`] on forests of each number of trees with each of `variants`.
///
/// # Errors
/// The first that fails, and with which settings.
pub fn check_forests<K: OnlineTree<Task: ConformanceTask>>(
    trees: usize,
    variants: impl IntoIterator<Item = K::Settings>,
) -> Result<(), Broken> {
    for settings in variants {
        check(&forests::<K>(trees, settings.clone())).map_err(|broken| Broken {
            how: format!("{} (with {settings:?})", broken.how),
            ..broken
        })?;
    }
    Ok(())
}
