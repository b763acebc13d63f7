//! Lazy trees are as exact as `recheck` requires.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, Retention,
    Schema,
};
use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::Array2;

const ROWS: usize = 700;

fn predictions<T: Labels + ConformanceTask>(recheck: f64, retention: Retention) -> Vec<f64>
where
    DynamicTree<T>: OnlineTree<Task = T, Settings = DynamicSettings>,
{
    predictions_with::<T>(&DynamicSettings::default(), recheck, retention)
}

fn predictions_with<T: Labels + ConformanceTask>(
    settings: &DynamicSettings,
    recheck: f64,
    retention: Retention,
) -> Vec<f64>
where
    DynamicTree<T>: OnlineTree<Task = T, Settings = DynamicSettings>,
{
    let trees = ForestSettings::default()
        .with_trees(3)
        .with_seed(5)
        .with_retention(retention);
    let settings = DynamicSettings {
        recheck,
        ..settings.clone()
    };
    let mut forest =
        Forest::<DynamicTree<T>>::new(Schema::new(4).unwrap(), settings, trees).unwrap();
    let stream = Stream::<T>::uniform(ROWS, 4, 6);
    stream.teach(&mut forest, 0, ROWS).unwrap();
    forest.check_invariants().unwrap();
    forest
        .predict(queries::<T>().view())
        .unwrap()
        .into_iter()
        .collect()
}

fn queries<T: ConformanceTask>() -> Array2<f32> {
    Stream::<T>::uniform(200, 4, 7).features
}

/// Returns the predictions of the forest of the last `held` rows that is built at once.
fn built_at_once<T: Labels + ConformanceTask>(settings: &DynamicSettings, held: usize) -> Vec<f64> {
    let trees = ForestSettings::default().with_trees(3).with_seed(5);
    let stream = Stream::<T>::uniform(ROWS, 4, 6);
    let (features, targets) = stream.part(ROWS - held, ROWS);
    let schema = Schema::<T>::new(4).unwrap();
    let mut forest = Forest::<DynamicTree<T>>::new(schema, settings.clone(), trees).unwrap();
    let fitted = forest.fit_at_once(features, targets, None, &|| true);
    fitted.unwrap().unwrap();
    let rows = forest.predict(queries::<T>().view()).unwrap();
    rows.into_iter().collect()
}

fn default() -> DynamicSettings {
    DynamicSettings::default()
}

/// Several thresholds a feature, and leaves that are not small.
fn sides() -> DynamicSettings {
    DynamicSettings {
        min_samples_leaf: 4,
        thresholds: 3,
        ..default()
    }
}

/// Every cut is reconsidered with every sample: another way to the batch tree, without statistics.
const ALWAYS: f64 = 1e-9;

#[test]
fn a_cut_that_is_always_looked_at_again_is_that_of_the_batch_tree() {
    for held in [ROWS, 150] {
        let retention = if held == ROWS {
            Retention::Everything
        } else {
            Retention::Latest(held)
        };
        for (settings, recheck) in [default(), sides()]
            .iter()
            .flat_map(|s| [(s, 0.0), (s, ALWAYS)])
        {
            let classes = predictions_with::<Classification>(settings, recheck, retention);
            assert_eq!(classes, built_at_once::<Classification>(settings, held));
            let numbers = predictions_with::<Regression>(settings, recheck, retention);
            assert_eq!(numbers, built_at_once::<Regression>(settings, held));
        }
    }
}

#[test]
fn a_cut_that_is_rarely_looked_at_again_is_another_sometimes() {
    assert_ne!(
        predictions::<Classification>(0.5, Retention::Everything),
        built_at_once::<Classification>(&default(), ROWS)
    );
    assert_ne!(
        predictions::<Regression>(0.5, Retention::Everything),
        built_at_once::<Regression>(&default(), ROWS)
    );
}
