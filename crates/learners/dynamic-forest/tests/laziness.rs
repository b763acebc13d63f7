//! Lazy trees are as exact as `recheck` requires; golden trees.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, Regression, Retention, Schema,
};
use forest_testing::conformance::{ConformanceTask, Stream};

use crate::streams::{settings, splits};

const ROWS: usize = 700;

fn new<T: Labels>(settings: &DynamicSettings, retention: Retention) -> Forest<DynamicTree<T>> {
    let trees = ForestSettings::default().with_trees(3).with_seed(5);
    let trees = trees.with_retention(retention);
    Forest::new(Schema::new(4).unwrap(), settings.clone(), trees).unwrap()
}

/// Compares a forest that has learned row by row, and holds the last `held` rows, with the one that is built of these
/// at once.
fn is_batch<T: Labels + ConformanceTask>(settings: &DynamicSettings, held: usize) -> bool {
    let retention = match held {
        ROWS => Retention::Everything,
        _ => Retention::Latest(held),
    };
    let stream = Stream::<T>::uniform(ROWS, 4, 6);
    let mut learned = new::<T>(settings, retention);
    stream.teach(&mut learned, 0, ROWS).unwrap();
    learned.check_invariants().unwrap();
    let mut batch = new::<T>(settings, Retention::Everything);
    let (features, targets) = stream.part(ROWS - held, ROWS);
    let fitted = batch.fit_at_once(features, targets, None, &|| true);
    fitted.unwrap().unwrap();
    let queries = Stream::<T>::uniform(200, 4, 7).features;
    learned.predict(queries.view()) == batch.predict(queries.view())
}

/// Every split is reconsidered with every sample: another way to the batch tree, without statistics.
const ALWAYS: f64 = 1e-9;

#[test]
fn a_cut_that_is_always_looked_at_again_is_that_of_the_batch_tree() {
    // The default, and several thresholds a feature with leaves that are not small.
    for (min_samples_leaf, thresholds) in [(1, 1), (4, 3)] {
        for (recheck, held) in [(0.0, ROWS), (0.0, 150), (ALWAYS, ROWS), (ALWAYS, 150)] {
            let settings = settings((None, 2, min_samples_leaf, thresholds), recheck);
            assert!(is_batch::<Classification>(&settings, held));
            assert!(is_batch::<Regression>(&settings, held));
        }
    }
}

/// Splits of all trees of a forest of four, and its prediction at a point.
fn pin<T: Labels + ConformanceTask>(recheck: f64) -> (usize, Vec<f64>) {
    let trees = ForestSettings::default().with_trees(4).with_seed(2026);
    let settings = settings((None, 12, 1, 1), recheck);
    let schema = Schema::new(3).unwrap();
    let mut forest = Forest::<DynamicTree<T>>::new(schema, settings, trees).unwrap();
    let stream = Stream::<T>::uniform(1500, 3, 1);
    stream.teach(&mut forest, 0, 1500).unwrap();
    let prediction = forest.predict_one(&[0.31, 0.5, 0.5]).unwrap();
    (splits(&forest), prediction)
}

/// A seed and a stream pin the trees and the predictions, bit for bit: a change of results must be deliberate.
#[test]
fn exact_and_lazy_forests_are_pinned() {
    let exact = [0.7222222222222222, 0.2777777777777778, 0.0];
    assert_eq!(pin::<Classification>(0.0), (484, exact.to_vec()));
    assert_eq!(pin::<Regression>(0.0), (869, vec![0.309086520512673]));
    let lazy = [0.7579365079365079, 0.24206349206349204, 0.0];
    assert_eq!(pin::<Classification>(0.5), (474, lazy.to_vec()));
    assert_eq!(pin::<Regression>(0.5), (846, vec![0.30934982334799843]));
}
