//! What each label model keeps of the samples of the tree.

use std::fmt::Debug;

use label_models::{
    AggregatedClasses, AggregatedMeans, ClassFrequencies, GaussianHierarchy, KneserNey,
};
use serde_json::{Value, json};
use tessellation_tree::LabelModel;

use crate::TargetOf;

use super::{NUMBERS, UNBOUNDED, report, stored};

const CLASSES: [u32; 6] = [0, 1, 1, 0, 2, 2];

const SHAPE: &str = "do not match leaves and nodes";
const SUMMARY: &str = "do not match its samples";
const POSSIBLE: &str = "could not come from any samples";

/// Each edit of what the model keeps, alone, has the error that is named with it.
fn each_is_found<L: LabelModel>(
    targets: [TargetOf<L>; 6],
    max_nodes: u32,
    edits: &[(&str, Value, &str)],
) where
    TargetOf<L>: Debug,
{
    for (place, value, expected) in edits {
        let within = format!("tree/labels/{place}");
        let error = report::<L>(stored::<L>(targets, max_nodes), &[(&within, value.clone())]);
        assert!(error.contains(expected), "{place}: {error}");
    }
}

fn list(start: u32, length: u32, total: u32) -> Value {
    json!({"List": {"start": start, "length": length, "total": total, "power": 0}})
}

#[test]
fn of_class_frequencies() {
    let edits = [
        ("leaves", json!([{"Row": 0}]), SHAPE),
        ("leaves/1", json!({"Row": 2}), SHAPE),
        ("leaves/1", json!({"Row": 0}), SHAPE),
        ("free_rows", json!([0]), SHAPE),
        ("row_width", json!(3), SHAPE),
        ("rows/0", json!(2), SUMMARY),
    ];
    each_is_found::<ClassFrequencies>(CLASSES, UNBOUNDED, &edits);
    let nothing = json!([0, 0, 0, 0, 0, 0, 0, 0]);
    let edits = [("rows", nothing, POSSIBLE), ("rows/3", json!(1), POSSIBLE)];
    each_is_found::<ClassFrequencies>(CLASSES, 3, &edits);
}

#[test]
fn of_aggregated_classes() {
    let edits = [
        ("leaves", json!([list(0, 2, 2)]), SHAPE),
        ("nodes", json!([]), SHAPE),
        ("leaves/0", list(90, 2, 2), SHAPE),
        ("expert/free", json!([[0], []]), SHAPE),
        ("nodes/0/ratio/mantissa", json!(-1.0), SHAPE),
        ("leaves/0", list(0, 2, 3), SHAPE),
        ("leaves/0", list(6, 2, 3), SHAPE),
        ("expert/entries/1/class", json!(2), SUMMARY),
        ("expert/entries/3/class", json!(2), SUMMARY),
    ];
    each_is_found::<AggregatedClasses>(CLASSES, UNBOUNDED, &edits);
    let edits = [("expert/entries/1/class", json!(3), POSSIBLE)];
    each_is_found::<AggregatedClasses>(CLASSES, 3, &edits);
}

#[test]
fn of_hierarchical_classes() {
    let edits = [
        ("leaves", json!([list(0, 2, 2)]), SHAPE),
        ("nodes", json!([]), SHAPE),
        ("counts/free", json!([[0], []]), SHAPE),
        ("boxes/leaves/numbers", json!([0.1, 0.15]), SHAPE),
        ("boxes/nodes/numbers", json!([0.1, 0.15]), SHAPE),
        ("boxes/leaves/numbers/0", json!(0.05), SUMMARY),
        ("boxes/nodes/numbers/3", json!(0.96), SUMMARY),
        ("counts/entries/1/class", json!(2), SUMMARY),
        ("counts/entries/3/class", json!(2), SUMMARY),
    ];
    each_is_found::<KneserNey>(CLASSES, UNBOUNDED, &edits);
    let edits = [("counts/entries/1/class", json!(3), POSSIBLE)];
    each_is_found::<KneserNey>(CLASSES, 3, &edits);
}

#[test]
fn of_aggregated_means() {
    let edits = [
        ("leaves", json!([{"count": 2, "mean": 1.5}]), SHAPE),
        ("nodes", json!([]), SHAPE),
        ("nodes/0/ratio/mantissa", json!(-1.0), SHAPE),
        ("expert/of_leaves/mean", json!(-1.0), SHAPE),
        ("leaves/0/count", json!(3), SUMMARY),
        ("nodes/0/summary/mean", json!(3.0), SUMMARY),
    ];
    each_is_found::<AggregatedMeans>(NUMBERS, UNBOUNDED, &edits);
    let edits = [("leaves/0/count", json!(0), POSSIBLE)];
    each_is_found::<AggregatedMeans>(NUMBERS, 3, &edits);
}

#[test]
fn of_hierarchical_means() {
    let leaf = json!({"count": 2.0, "mean": 1.5, "squares": 0.5});
    let edits = [
        ("leaves", json!([leaf]), SHAPE),
        ("nodes", json!([]), SHAPE),
        ("hyper/noise", json!(-1.0), SHAPE),
        ("boxes/leaves/numbers", json!([0.1, 0.15]), SHAPE),
        ("leaves/0/count", json!(3.0), SUMMARY),
        ("leaves/0/mean", json!(1.6), SUMMARY),
        ("boxes/leaves/numbers/0", json!(0.05), SUMMARY),
        ("boxes/nodes/numbers/3", json!(0.96), SUMMARY),
        ("nodes/0/own/mean", json!(3.5), SUMMARY),
        ("nodes/0/own/mean", json!(0.5), SUMMARY),
        ("nodes/0/own/variance", json!(0.01), SUMMARY),
        ("nodes/0/level", json!(1.5), SUMMARY),
    ];
    each_is_found::<GaussianHierarchy>(NUMBERS, UNBOUNDED, &edits);
    let edits = [
        ("leaves/0/count", json!(0.5), POSSIBLE),
        ("leaves/0/squares", json!(-1.0), POSSIBLE),
        ("nodes/0/own/variance", json!(-1.0), POSSIBLE),
        ("nodes/0/level", json!(1.5), POSSIBLE),
    ];
    each_is_found::<GaussianHierarchy>(NUMBERS, 3, &edits);
}
