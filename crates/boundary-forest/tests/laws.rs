//! Every law of the contract, for both tasks and for settings at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryRegressor, ChildLimit, ClassifierSettings, Euclidean, Manhattan,
    Metric, RegressorSettings, SquaredEuclidean,
};
use forest_core::{Classification, Regression, Schema, laws};

const LIMITS: [ChildLimit; 3] = [
    ChildLimit::AtMost(2),
    ChildLimit::AtMost(50),
    ChildLimit::Unlimited,
];

fn classifier<M: Metric>(
    trees: usize,
    max_children: ChildLimit,
) -> impl Fn(Schema<Classification>, u64) -> BoundaryClassifier<M> {
    let settings = ClassifierSettings { max_children };
    move |schema, seed| BoundaryClassifier::new(schema, settings, trees, seed).unwrap()
}

fn regressor(
    trees: usize,
    epsilon: f64,
    max_children: ChildLimit,
) -> impl Fn(Schema<Regression>, u64) -> BoundaryRegressor {
    let settings = RegressorSettings {
        max_children,
        epsilon,
    };
    move |schema, seed| BoundaryRegressor::<Euclidean>::new(schema, settings, trees, seed).unwrap()
}

#[test]
fn classifiers_keep_every_law() {
    for limit in LIMITS {
        laws::check(&classifier::<Euclidean>(10, limit)).unwrap();
    }
    laws::check(&classifier::<Manhattan>(10, ChildLimit::AtMost(3))).unwrap();
    laws::check(&classifier::<SquaredEuclidean>(10, ChildLimit::AtMost(3))).unwrap();
    laws::check(&classifier::<Euclidean>(1, ChildLimit::default())).unwrap();
}

#[test]
fn regressors_keep_every_law() {
    for limit in LIMITS {
        laws::check(&regressor(10, 0.0, limit)).unwrap();
    }
    laws::check(&regressor(10, 0.1, ChildLimit::default())).unwrap();
    laws::check(&regressor(1, 0.01, ChildLimit::default())).unwrap();
}

#[test]
fn snapshots_go_on_as_if_never_stopped() {
    fn save(forest: &impl serde::Serialize) -> Vec<u8> {
        postcard::to_allocvec(forest).unwrap()
    }
    let plant = classifier::<Euclidean>(70, ChildLimit::AtMost(2));
    let load = |bytes: &[u8]| postcard::from_bytes(bytes).unwrap();
    laws::a_snapshot_goes_on(&plant, &save, &load).unwrap();
    laws::the_same_bytes(&plant, &save).unwrap();
    let plant = regressor(7, 0.05, ChildLimit::default());
    let load = |bytes: &[u8]| postcard::from_bytes(bytes).unwrap();
    laws::a_snapshot_goes_on(&plant, &save, &load).unwrap();
    laws::the_same_bytes(&plant, &save).unwrap();
}
