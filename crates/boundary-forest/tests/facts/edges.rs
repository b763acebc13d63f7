//! Classes without nodes, features at the ends of their range, other metrics, long chains.

use boundary_forest::{BoundaryClassifier, BoundaryRegressor, ChildLimit, TreeSettings};
use forest_core::{Classification, ForestSettings, OnlineLearner, Retention, Schema, argmax};
use ndarray::Array2;

use super::data::sums;
use super::{classifier, regressor};

#[test]
fn a_class_that_no_node_has_gets_probability_zero() {
    let schema = Schema::<Classification>::new(1)
        .unwrap()
        .with_classes(4)
        .unwrap();
    let settings = TreeSettings::default();
    let mut forest = BoundaryClassifier::new(
        schema,
        settings,
        ForestSettings::default().with_trees(3).with_seed(1),
    )
    .unwrap();
    assert_eq!(forest.predict_one(&[0.0]).unwrap(), [0.25; 4]);
    forest.learn_one(&[0.0], 2).unwrap();
    assert_eq!(forest.predict_one(&[9.0]).unwrap(), [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn features_at_the_ends_of_their_range_are_distinguished() {
    let mut forest = classifier(2, ChildLimit::default(), 2);
    forest.learn_one(&[f32::MAX, f32::MAX], 0).unwrap();
    forest
        .learn_one(&[-f32::MAX, f32::MIN_POSITIVE], 1)
        .unwrap();
    let class = |features: [f32; 2]| argmax(&forest.predict_one(&features).unwrap());
    assert_eq!(class([f32::MAX, f32::MAX.next_down()]), 0);
    assert_eq!(class([-f32::MAX, 0.0]), 1);
}

#[test]
fn a_chain_of_nodes_overflows_no_stack() {
    let rows = 6_000;
    let x = Array2::from_shape_fn((rows, 1), |(row, _)| row as f32);
    let mut forest = regressor(1, 0.0, 1);
    forest.learn(x.view(), &sums(&x)).unwrap();
    let bytes = forest_core::registry::snapshot::encode_value(&forest.clone()).unwrap();
    let loaded: BoundaryRegressor = forest_core::registry::snapshot::decode_value(&bytes).unwrap();
    loaded.check_invariants().unwrap();
    let tree = loaded.trees().next().unwrap();
    assert!(tree.nodes().all(|node| tree.children(node).count() <= 1));
}

/// Nodes are samples and are never removed, so a forest holds all that it needs.
#[test]
fn a_retention_other_than_everything_is_refused() {
    let schema = Schema::new(2).unwrap();
    let forest = ForestSettings::default().with_retention(Retention::Latest(10));
    let refused = BoundaryClassifier::new(schema, TreeSettings::default(), forest).unwrap_err();
    assert_eq!(refused.parameter, "retention");
}
