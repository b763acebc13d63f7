//! What every learner must do, for every algorithm and task, in more than one setting.

use crate::common;
use crate::common::laws::conforms;
use forest_testing::conformance::ConformanceTask;
use online_forests::{Classification, NamedTask, Regression};

fn every_algorithm_conforms<T: ConformanceTask + NamedTask>() {
    for algorithm in common::every::<T>() {
        let kept = conforms::<T, _>(&algorithm);
        assert!(kept.is_ok(), "{algorithm} for {}: {kept:?}", T::NAME);
    }
}

#[test]
fn every_classifier_conforms() {
    every_algorithm_conforms::<Classification>();
}

#[test]
fn every_regressor_conforms() {
    every_algorithm_conforms::<Regression>();
}
