//! The first rows, learned at once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::atomic::{AtomicUsize, Ordering};

use dynamic_forest::{DynamicTree, ForestSettings, Labels, Schema};
use forest_core::threads::with_threads;
use forest_core::{Classification, Forest, OnlineLearner, Proceed, Regression, Retention};
use forest_testing::conformance::{ConformanceTask, Stream};

use crate::streams::settings;

/// More than a round of a forest has.
const ROWS: usize = 5000;

fn new<T: Labels>(recheck: f64, retention: Retention) -> Forest<DynamicTree<T>> {
    let settings = settings((None, 2, 3, 1), recheck);
    let trees = ForestSettings::default().with_trees(3).with_seed(6);
    let trees = trees.with_retention(retention);
    Forest::new(Schema::new(3).unwrap(), settings, trees).unwrap()
}

fn fits<T: Labels + ConformanceTask>(recheck: f64) {
    let stream = Stream::<T>::uniform(ROWS + 200, 3, 5);
    let (features, targets) = stream.part(0, ROWS);
    let mut forest = new::<T>(recheck, Retention::Everything);
    let fitted = forest.fit_at_once(features, targets, None, &|| true);
    fitted.unwrap().unwrap();
    assert_eq!(forest.samples_seen(), ROWS as u64);
    // The trees of the set, learned row by row.
    let mut exact = new::<T>(0.0, Retention::Everything);
    exact.learn(features, targets).unwrap();
    let points = Stream::<T>::uniform(500, 3, 7).features;
    let batch = exact.predict(points.view()).unwrap();
    assert_eq!(forest.predict(points.view()).unwrap(), batch);

    // It continues, learning and forgetting. Splits lag behind where they are not always reconsidered.
    let mut rows = new::<T>(recheck, Retention::Everything);
    rows.learn(features, targets).unwrap();
    let same = rows.predict(points.view()).unwrap() == batch;
    assert_eq!(same, recheck == 0.0);
    for forest in [&mut forest, &mut rows] {
        stream.teach(forest, ROWS, ROWS + 200).unwrap();
        (0..100).for_each(|arrival| forest.forget(arrival * 7).unwrap());
        forest.check_invariants().unwrap();
    }
    let same = forest.predict(points.view()) == rows.predict(points.view());
    assert!(same || recheck > 0.0);
}

#[test]
fn exact_and_lazy_trees_that_are_built_at_once_are_batch_trees() {
    for recheck in [0.0, 0.5] {
        fits::<Classification>(recheck);
        fits::<Regression>(recheck);
    }
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
        let fitted = forest.fit_at_once(features, targets, None, &|| true);
        assert!(fitted.is_none());
        assert_eq!(forest.predict(points.view()), predictions);
        assert_eq!(forest.samples_seen(), before as u64);
    }
    for (targets, weights) in [
        (&targets[1..], None),
        (targets, Some([1.0; 299].as_slice())),
    ] {
        let mut forest = new::<Regression>(0.5, Retention::Everything);
        let refused = forest.fit_at_once(features, targets, weights, &|| true);
        assert!(refused.unwrap().is_err());
        assert_eq!((forest.samples_seen(), forest.samples().len()), (0, 0));
    }
}

/// `proceed` is called before each node, also while several trees are built, and hardly ever after it returned false.
/// The threads' working memory is empty again.
#[test]
fn a_forest_that_is_stopped_in_the_middle_of_its_trees_has_learned_nothing() {
    for (threads, most) in [(1, 0), (1, 60), (2, 0), (2, 60)] {
        with_threads(threads, || stops(threads, most)).unwrap();
    }
}

fn stops(threads: usize, most: usize) {
    let stream = Stream::<Classification>::uniform(ROWS, 3, 5);
    let points = Stream::<Classification>::uniform(50, 3, 7).features;
    let (features, targets) = stream.part(0, ROWS);
    let fit = |forest: &mut Forest<_>, proceed: Proceed<'_>| {
        let fitted = forest.fit_at_once(features, targets, None, proceed);
        fitted.unwrap().unwrap();
    };
    let new = || new::<Classification>(0.5, Retention::Everything);
    let mut stopped = new();
    let mut other = new();
    let asked = AtomicUsize::new(0);
    fit(&mut stopped, &|| {
        asked.fetch_add(1, Ordering::Relaxed) < most
    });
    // The node that each thread is at, the trees that were not begun, and the forest.
    assert!(asked.into_inner() <= most + threads + 3 + 1);
    assert_eq!((stopped.samples_seen(), stopped.samples().len()), (0, 0));
    fit(&mut stopped, &|| true);
    fit(&mut other, &|| true);
    assert_eq!(stopped.predict(points.view()), other.predict(points.view()));
}
