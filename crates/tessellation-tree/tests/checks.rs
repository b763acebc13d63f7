//! Every invariant of a tree is checked: where one alone does not hold, the check says which.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod labels;

use std::num::NonZeroU32;

use forest_core::{Forest, Task};
use label_models::LeafMeans;
use mondrian::{ForestSettings, MondrianTree, OnlineLearner, Schema, fixed};
use serde_json::{Value, json};
use tessellation_tree::LabelModel;

/// The mark of a leaf's record, and of a sample, in a stored child.
const LEAF: u32 = 1 << 30;
const SAMPLE: u32 = 1 << 31;

const NUMBERS: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 5.5];

/// Returns one tree of six points on a line, as it is stored. Inner node 1 is the root; it has inner node 0, with leaf 0 of two
/// samples and the third sample, to its left, and leaf 1 of three samples to its right.
fn stored<L: LabelModel>(targets: [<L::Task as Task>::Target; 6], max_nodes: u32) -> Value {
    let forest = ForestSettings::default().with_trees(1).with_seed(1);
    let mut settings = fixed(3.0);
    settings.max_nodes = NonZeroU32::new(max_nodes);
    let schema = Schema::new(1).unwrap();
    let mut learner = Forest::<MondrianTree<L>>::new(schema, settings, forest).unwrap();
    for (x, y) in [0.1, 0.15, 0.2, 0.8, 0.9, 0.95].into_iter().zip(targets) {
        learner.learn_one(&[x], y).unwrap();
    }
    serde_json::to_value(&learner).unwrap()
}

const UNBOUNDED: u32 = 0;

/// Returns the error of the check of the stored forest with other values at these places.
fn report<L: LabelModel>(mut stored: Value, edits: &[(&str, Value)]) -> String {
    for (place, value) in edits {
        let within = place.replacen("tree/", "/trees/0/tree/", 1);
        *stored.pointer_mut(&within).expect(place) = value.clone();
    }
    let altered: Forest<MondrianTree<L>> = serde_json::from_value(stored).unwrap();
    altered.check_invariants().unwrap_err().to_string()
}

#[test]
fn every_invariant_of_the_structure_is_checked() {
    let alone = json!({"center": 3, "exposed": 3.0, "first": 3, "mixed": false, "points": 1, "radius": null});
    let leaf = |index: u32| json!(LEAF | index);
    for (place, value, expected) in [
        ("tree/root", json!(5), "out of range"),
        ("tree/nodes/items/0/children/0", leaf(9), "out of range"),
        ("tree/nodes/items/0/children/0", json!(1), "more than once"),
        ("tree/nodes/items/0/children/0", leaf(1), "more than once"),
        ("tree/links/2/next", json!(5), "more than once"),
        ("tree/links/2/next", json!(77), "more than once"),
        ("tree/root", json!(0), "nodes"),
        ("tree/leaves/items/2", alone, "leaves"),
        (
            "tree/labels/leaves",
            json!([{"count": 2, "mean": 1.5}]),
            "do not match leaves and nodes",
        ),
        ("tree/nodes/items/0/cut/dimension", json!(1), "cut"),
        ("tree/budget", json!(-1.0), "below 0"),
        ("tree/full", json!(true), "marked as full"),
        ("tree/held", json!(5), "not those of the store"),
        (
            "tree/nodes/items/0/children/1",
            json!(SAMPLE | 7),
            "not those of the store",
        ),
        (
            "tree/nodes/items/0/cut/threshold",
            json!(0.12),
            "not in the leaf it falls into",
        ),
        ("tree/nodes/items/0/time", json!(0.1), "before its birth"),
        (
            "tree/leaves/items/1/exposed",
            json!(0.1),
            "before its birth",
        ),
        ("/settings/max_uncut", json!(6), "it is cut, but may not be"),
        ("/settings/max_nodes", json!(3), "more than max_nodes"),
    ] {
        let mut stored = stored::<LeafMeans>(NUMBERS, UNBOUNDED);
        if place.ends_with("items/2") {
            stored["trees"][0]["tree"]["leaves"]["items"]
                .as_array_mut()
                .unwrap()
                .push(Value::Null);
        }
        let error = report::<LeafMeans>(stored, &[(place, value)]);
        assert!(error.contains(expected), "{place}: {error}");
    }
}

#[test]
fn every_invariant_of_a_leaf_is_checked() {
    for (place, value, expected) in [
        ("tree/leaves/items/1/points", json!(4), "miscounted"),
        ("tree/links/3/previous", json!(null), "miscounted"),
        (
            "tree/leaves/items/1/center",
            json!(1),
            "center is not one of its points",
        ),
        (
            "tree/leaves/items/1/radius",
            json!(0.01),
            "beyond its radius",
        ),
        (
            "tree/leaves/items/1/mixed",
            json!(false),
            "whether targets differ",
        ),
        (
            "tree/labels/leaves/1/count",
            json!(2),
            "do not match its samples",
        ),
        (
            "tree/labels/leaves/1/mean",
            json!(5.0),
            "do not match its samples",
        ),
    ] {
        let error = report::<LeafMeans>(stored::<LeafMeans>(NUMBERS, UNBOUNDED), &[(place, value)]);
        assert!(error.contains(expected), "{place}: {error}");
    }
}

#[test]
fn a_node_of_equal_targets_is_not_cut() {
    let edits = [
        ("/samples/targets", json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0])),
        ("tree/leaves/items/0/mixed", json!(false)),
        ("tree/leaves/items/1/mixed", json!(false)),
        ("tree/labels/leaves/0/mean", json!(1.0)),
        ("tree/labels/leaves/1/mean", json!(1.0)),
    ];
    let error = report::<LeafMeans>(stored::<LeafMeans>(NUMBERS, UNBOUNDED), &edits);
    assert!(error.contains("it is cut, but may not be"), "{error}");
}

#[test]
fn every_invariant_of_a_full_tree_is_checked() {
    for (place, value, expected) in [
        ("tree/full", json!(false), "marked as full"),
        ("tree/held", json!(1), "holds a sample"),
        (
            "tree/leaves/items/0/points",
            json!(0),
            "could not come from any samples",
        ),
        (
            "tree/labels/leaves/0/count",
            json!(0),
            "could not come from any samples",
        ),
    ] {
        let error = report::<LeafMeans>(stored::<LeafMeans>(NUMBERS, 3), &[(place, value)]);
        assert!(error.contains(expected), "{place}: {error}");
    }
}

#[test]
fn a_full_tree_continues_counting() {
    let stored = stored::<LeafMeans>(NUMBERS, 3);
    let leaves = stored.pointer("/trees/0/tree/leaves/items").unwrap();
    let points = |leaf: &Value| leaf["points"].as_u64().unwrap();
    let counts: Vec<u64> = leaves.as_array().unwrap().iter().map(points).collect();
    assert_eq!((counts.len(), counts.iter().sum()), (2, 6));
}
