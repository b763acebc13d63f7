//! Golden trees: a seed and a stream pin the trees and the predictions, bit for bit. A change here is a change of
//! results, and must be deliberate.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use dynamic_forest::{DynamicSettings, DynamicTree, Labels};
use forest_core::{Classification, Forest, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};

/// Cuts of all trees of a forest of four, and its prediction at a point.
fn pin<T: Labels + ConformanceTask>(recheck: f64) -> (usize, Vec<f64>) {
    let trees = ForestSettings::default().with_trees(4).with_seed(2026);
    let settings = DynamicSettings {
        recheck,
        min_samples_split: 12,
        ..DynamicSettings::default()
    };
    let schema = Schema::new(3).unwrap();
    let mut forest = Forest::<DynamicTree<T>>::new(schema, settings, trees).unwrap();
    let stream = Stream::<T>::uniform(1500, 3, 1);
    stream.teach(&mut forest, 0, 1500).unwrap();
    let prediction = forest.predict_one(&[0.31, 0.5, 0.5]).unwrap();
    (forest.trees().map(|tree| tree.cuts()).sum(), prediction)
}

#[test]
fn exact_and_lazy_forests_are_pinned() {
    let exact = [0.7222222222222222, 0.2777777777777778, 0.0];
    assert_eq!(pin::<Classification>(0.0), (484, exact.to_vec()));
    assert_eq!(pin::<Regression>(0.0), (869, vec![0.309086520512673]));
    let lazy = [0.7579365079365079, 0.24206349206349204, 0.0];
    assert_eq!(pin::<Classification>(0.5), (474, lazy.to_vec()));
    assert_eq!(pin::<Regression>(0.5), (846, vec![0.30934982334799843]));
}
