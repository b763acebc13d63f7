//! Every property of the contract, for both tasks and for settings at the edges.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{BoundaryForest, ChildLimit, Label, Metric, TreeSettings};
use forest_core::{Classification, ForestSettings, Regression, Retention, Schema};
use forest_testing::conformance::{self, ConformanceTask};

fn settings(max_children: ChildLimit, metric: Metric, epsilon: f64) -> TreeSettings {
    TreeSettings {
        max_children,
        metric,
        epsilon,
        max_nodes: None,
    }
}

/// Returns a factory of forests with these numbers of trees and settings.
fn forests<T: ConformanceTask<Target: Label>>(
    trees: usize,
    settings: TreeSettings,
) -> impl Fn(Schema<T>, u64) -> BoundaryForest<T> {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        BoundaryForest::new(schema, settings, forest).unwrap()
    }
}

#[test]
fn forests_keep_every_law() {
    use ChildLimit::{AtMost, Unlimited};
    use Metric::{Euclidean, Manhattan, SquaredEuclidean};
    for limit in [AtMost(2), AtMost(50), Unlimited] {
        let settings = settings(limit, Euclidean, 0.0);
        conformance::check(&forests::<Classification>(10, settings)).unwrap();
        conformance::check(&forests::<Regression>(10, settings)).unwrap();
    }
    for metric in [Manhattan, SquaredEuclidean] {
        let settings = settings(AtMost(3), metric, 0.0);
        conformance::check(&forests::<Classification>(10, settings)).unwrap();
    }
    let one = settings(AtMost(50), Euclidean, 0.01);
    conformance::check(&forests::<Classification>(1, one)).unwrap();
    conformance::check(&forests::<Regression>(1, one)).unwrap();
    conformance::check(&forests::<Regression>(
        10,
        settings(AtMost(50), Euclidean, 0.1),
    ))
    .unwrap();
}

fn a_snapshot_resumes<T: ConformanceTask<Target: Label>>(trees: usize, epsilon: f64) {
    let settings = settings(ChildLimit::AtMost(3), Metric::Euclidean, epsilon);
    let build = forests::<T>(trees, settings);
    let save =
        |forest: &BoundaryForest<T>| forest_core::registry::snapshot::encode_value(forest).unwrap();
    let load = |bytes: &[u8]| forest_core::registry::snapshot::decode_value(bytes).unwrap();
    conformance::a_snapshot_resumes(&build, &save, &load).unwrap();
    conformance::the_same_bytes(&build, &save).unwrap();
}

#[test]
fn snapshots_resume_as_if_never_stopped() {
    a_snapshot_resumes::<Classification>(70, 0.0);
    a_snapshot_resumes::<Regression>(7, 0.05);
}

/// Nodes are samples and are never removed, so a forest holds all that it needs.
#[test]
fn a_retention_other_than_everything_is_refused() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let forest = ForestSettings::default().with_retention(Retention::Latest(10));
    let refused = BoundaryForest::new(schema, TreeSettings::default(), forest).unwrap_err();
    assert_eq!(refused.parameter, "retention");
}
