//! The first rows, learned at once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{
    BatchForest, DynamicSettings, DynamicTree, ForestSettings, Forget, Labels, Schema,
};
use forest_core::{Classification, Forest, OnlineLearner, Regression, Retention};
use forest_testing::conformance::{ConformanceTask, Stream};
use registry::{Capable, NamedTask};

/// More than a round of a forest has.
const ROWS: usize = 5000;

fn settings(recheck: f64) -> DynamicSettings {
    DynamicSettings {
        recheck,
        min_samples_leaf: 3,
        ..DynamicSettings::default()
    }
}

fn trees(retention: Retention) -> ForestSettings {
    ForestSettings::default()
        .with_trees(3)
        .with_seed(6)
        .with_retention(retention)
}

fn new<T: Labels>(recheck: f64, retention: Retention) -> Forest<DynamicTree<T>> {
    Forest::new(Schema::new(3).unwrap(), settings(recheck), trees(retention)).unwrap()
}

fn fits<T: Labels + NamedTask + ConformanceTask>(recheck: f64) {
    let stream = Stream::<T>::uniform(ROWS + 200, 3, 5);
    let (features, targets) = stream.part(0, ROWS);
    let mut forest = new::<T>(recheck, Retention::Everything);
    Capable::fit_at_once(&mut forest, features, targets, &|| true)
        .unwrap()
        .unwrap();
    forest.check_invariants().unwrap();
    assert_eq!(forest.samples_seen(), ROWS as u64);
    let batch = BatchForest::<T>::fit(
        Schema::new(3).unwrap(),
        features,
        targets,
        settings(recheck),
        trees(Retention::Everything),
    );
    let points = Stream::<T>::uniform(500, 3, 7).features;
    let batch = batch.unwrap().predict(points.view()).unwrap();
    assert_eq!(forest.predict(points.view()).unwrap(), batch);

    // It goes on, learning and forgetting.
    let mut rows = new::<T>(recheck, Retention::Everything);
    rows.learn(features, targets).unwrap();
    let same = rows.predict(points.view()).unwrap() == batch;
    assert_eq!(
        same,
        recheck == 0.0,
        "cuts lag behind where they are not always looked at"
    );
    for forest in [&mut forest, &mut rows] {
        stream.teach(forest, ROWS, ROWS + 200).unwrap();
        (0..100).for_each(|arrival| forest.forget(arrival * 7).unwrap());
        forest.check_invariants().unwrap();
    }
    let same = forest.predict(points.view()).unwrap() == rows.predict(points.view()).unwrap();
    assert!(same || recheck > 0.0);
}

#[test]
fn exact_trees_that_are_built_at_once_are_those_that_learn_row_by_row() {
    fits::<Classification>(0.0);
    fits::<Regression>(0.0);
}

#[test]
fn lazy_trees_that_are_built_at_once_are_batch_trees() {
    fits::<Classification>(0.5);
    fits::<Regression>(0.5);
}

/// A forest that holds a window, or has learned before, does not; rows that are refused change nothing.
#[test]
fn later_rows_and_windows_are_not_learned_at_once() {
    let stream = Stream::<Regression>::uniform(300, 3, 5);
    let points = Stream::<Regression>::uniform(50, 3, 7).features;
    let (features, targets) = stream.part(0, 300);
    for (retention, before) in [(Retention::Latest(120), 0), (Retention::Everything, 10)] {
        let mut forest = new::<Regression>(0.5, retention);
        stream.teach(&mut forest, 0, before).unwrap();
        let predictions = forest.predict(points.view());
        assert!(Capable::fit_at_once(&mut forest, features, targets, &|| true).is_none());
        assert_eq!(forest.predict(points.view()), predictions);
        assert_eq!(forest.samples_seen(), before as u64);
    }
    let mut forest = new::<Regression>(0.5, Retention::Everything);
    let refused = Capable::fit_at_once(&mut forest, features, &targets[1..], &|| true);
    assert!(refused.unwrap().is_err());
    assert_eq!((forest.samples_seen(), forest.samples().len()), (0, 0));
}

#[test]
fn a_forest_that_is_stopped_between_trees_has_learned_nothing() {
    let stream = Stream::<Classification>::uniform(300, 3, 5);
    let points = Stream::<Classification>::uniform(50, 3, 7).features;
    let (features, targets) = stream.part(0, 300);
    let [mut stopped, mut other] =
        [(), ()].map(|()| new::<Classification>(0.5, Retention::Everything));
    Capable::fit_at_once(&mut stopped, features, targets, &|| false)
        .unwrap()
        .unwrap();
    assert_eq!((stopped.samples_seen(), stopped.samples().len()), (0, 0));
    for forest in [&mut stopped, &mut other] {
        Capable::fit_at_once(forest, features, targets, &|| true)
            .unwrap()
            .unwrap();
    }
    assert_eq!(stopped.predict(points.view()), other.predict(points.view()));
}
