//! Every property of the contract, for both tasks and for settings at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryForest, BoundaryRegressor, ChildLimit, ClassifierSettings,
    Euclidean, Manhattan, Metric, Problem, RegressorSettings, SettingsOf, SquaredEuclidean,
};
use forest_core::{Classification, ForestSettings, Regression, Schema};
use forest_testing::conformance;

const LIMITS: [ChildLimit; 3] = [
    ChildLimit::AtMost(2),
    ChildLimit::AtMost(50),
    ChildLimit::Unlimited,
];

fn limited(max_children: ChildLimit) -> ClassifierSettings {
    ClassifierSettings {
        max_children,
        ..ClassifierSettings::default()
    }
}

/// Returns a factory of forests with these numbers of trees and settings.
fn forests<P: Problem, M: Metric>(
    trees: usize,
    settings: SettingsOf<P>,
) -> impl Fn(P::Schema, u64) -> BoundaryForest<P, M> {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        BoundaryForest::new(schema, settings, forest).unwrap()
    }
}

fn classifier<M: Metric>(
    trees: usize,
    settings: ClassifierSettings,
) -> impl Fn(Schema<Classification>, u64) -> BoundaryClassifier<M> {
    forests::<Classification, M>(trees, settings)
}

fn regressor(
    trees: usize,
    epsilon: f64,
    settings: ClassifierSettings,
) -> impl Fn(Schema<Regression>, u64) -> BoundaryRegressor {
    let settings = RegressorSettings {
        epsilon,
        max_children: settings.max_children,
        max_nodes: settings.max_nodes,
    };
    forests::<Regression, Euclidean>(trees, settings)
}

#[test]
fn classifiers_keep_every_law() {
    for limit in LIMITS {
        conformance::check(&classifier::<Euclidean>(10, limited(limit))).unwrap();
    }
    let three = limited(ChildLimit::AtMost(3));
    conformance::check(&classifier::<Manhattan>(10, three)).unwrap();
    conformance::check(&classifier::<SquaredEuclidean>(10, three)).unwrap();
    conformance::check(&classifier::<Euclidean>(1, ClassifierSettings::default())).unwrap();
}

#[test]
fn regressors_keep_every_law() {
    for limit in LIMITS {
        conformance::check(&regressor(10, 0.0, limited(limit))).unwrap();
    }
    conformance::check(&regressor(10, 0.1, ClassifierSettings::default())).unwrap();
    conformance::check(&regressor(1, 0.01, ClassifierSettings::default())).unwrap();
}

fn save(forest: &impl serde::Serialize) -> Vec<u8> {
    forest_core::registry::snapshot::encode_value(forest).unwrap()
}

#[test]
fn snapshots_resume_as_if_never_stopped() {
    let settings = limited(ChildLimit::AtMost(3));
    let build = classifier::<Euclidean>(70, settings);
    let load = |bytes: &[u8]| forest_core::registry::snapshot::decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
    conformance::the_same_bytes(&build, &save).unwrap();
    let build = regressor(7, 0.05, settings);
    let load = |bytes: &[u8]| forest_core::registry::snapshot::decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
    conformance::the_same_bytes(&build, &save).unwrap();
}
