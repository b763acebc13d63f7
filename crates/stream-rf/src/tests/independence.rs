//! The two streams are independent (section 3.2, and what Theorem 5 asks for): the labels that vote do not shape the
//! partition, and those that shape it do not vote; in a single pass.

use crate::nodes::Node;
use crate::stream::{Leaf, LeafState};
use crate::{StreamClassifier, StreamSettings, StreamTree};
use forest_core::{Classification, OnlineLearner, Schema, TreeRng};
use forest_testing::conformance::{Stream, forests};

const ROWS: usize = 5000;

fn settings() -> Vec<StreamSettings> {
    let default = StreamSettings::default();
    let forced = StreamSettings {
        tau: 2.0,
        beta: super::growth(30.0, default.beta.base),
        structure: 0.3,
        ..default.clone()
    };
    let mut given_up = super::with_fringe(3, &forced);
    given_up.lambda = 0.0;
    let [one, ten] = [1, 10].map(|limit| super::with_fringe(limit, &default));
    vec![one, ten, forced, given_up, default]
}

/// Uniform rows with two labels in three random ones; the last feature has four values, and leaves that drew only this
/// one are given up.
fn stream(width: usize) -> Stream<Classification> {
    let mut stream = Stream::<Classification>::uniform(ROWS, width, 30);
    let mut rng = TreeRng::new(30, 1);
    if width > 1 {
        let mut last = stream.features.column_mut(width - 1);
        last.mapv_inplace(|value| (3.0 * value).round());
    }
    for label in &mut stream.targets {
        if rng.below(3) > 0 {
            *label = rng.below(3) as u32;
        }
    }
    stream
}

/// Returns one tree after `passes` passes, and in which of them each row was an estimation point of it.
fn taught(
    passes: usize,
    settings: &StreamSettings,
    stream: &Stream<Classification>,
) -> (StreamClassifier, Vec<Vec<bool>>) {
    let schema = Schema::new(stream.features.ncols()).unwrap();
    let schema = schema.with_classes(3).unwrap();
    let mut forest = forests::<StreamTree<_>>(1, settings.clone())(schema, 31);
    let mut marks = vec![Vec::new(); passes];
    for marks in &mut marks {
        for row in 0..ROWS {
            let x = stream.features.row(row).to_vec();
            let before = estimation_points(&forest, &x);
            stream.teach(&mut forest, row, row + 1).unwrap();
            marks.push(estimation_points(&forest, &x) == before + 1);
        }
    }
    (forest, marks)
}

fn tree(forest: &StreamClassifier) -> &StreamTree<Classification> {
    forest.trees().next().unwrap()
}

/// Estimation points of the leaf that holds `x`.
fn estimation_points(forest: &StreamClassifier, x: &[f32]) -> u64 {
    let tree = tree(forest);
    tree.leaves[tree.nodes.find(x).1].estimation_points
}

/// Returns the partition, who is active, and how many points vote: all but the votes.
fn shape(forest: &StreamClassifier) -> (&[Node], Vec<(u64, bool)>) {
    let leaves = tree(forest).leaves.iter();
    let is_active = |leaf: &Leaf| matches!(leaf.state, LeafState::Active(_));
    let leaves = leaves.map(|leaf| (leaf.estimation_points, is_active(leaf)));
    (&tree(forest).nodes.nodes, leaves.collect())
}

/// Returns the stream with the labels of the rows with this mark in another order.
fn permuted(stream: &Stream<Classification>, marks: &[bool], mark: bool) -> Stream<Classification> {
    let rows: Vec<usize> = (0..ROWS).filter(|&row| marks[row] == mark).collect();
    let mut labels: Vec<u32> = rows.iter().map(|&row| stream.targets[row]).collect();
    TreeRng::new(32, 0).shuffle(&mut labels);
    let mut stream = stream.clone();
    for (row, label) in rows.into_iter().zip(labels) {
        stream.targets[row] = label;
    }
    stream
}

fn predictions(forest: &StreamClassifier) -> Vec<u64> {
    let queries = Stream::<Classification>::uniform(300, forest.schema().features(), 33);
    let predictions = forest.predict(queries.features.view()).unwrap();
    predictions.iter().map(|share| share.to_bits()).collect()
}

#[test]
fn labels_that_vote_do_not_shape() {
    for settings in settings() {
        let stream = stream(3);
        let (forest, marks) = taught(1, &settings, &stream);
        let (other, same) = taught(1, &settings, &permuted(&stream, &marks[0], true));
        assert!(marks == same, "the draw of a stream has seen a label");
        assert!(shape(&forest).0.len() > 20 && shape(&forest) == shape(&other));
        assert_ne!(
            predictions(&forest),
            predictions(&other),
            "votes are others"
        );
        // The test sees labels that shape.
        let (other, _) = taught(1, &settings, &permuted(&stream, &marks[0], false));
        assert_ne!(shape(&forest), shape(&other));
    }
}

/// Streams are drawn again in each pass: labels that vote in one shape the partition in others.
#[test]
fn in_several_passes_labels_that_vote_shape() {
    for settings in settings() {
        let stream = stream(3);
        let (forest, marks) = taught(3, &settings, &stream);
        assert!(marks[0] != marks[1]);
        let (other, _) = taught(3, &settings, &permuted(&stream, &marks[0], true));
        assert_ne!(shape(&forest), shape(&other));
    }
}

/// On one dimension with one candidate split, taken as soon as it must be, nothing about the partition depends on
/// labels: with the partition given, structure labels leave no trace.
#[test]
fn labels_that_shape_do_not_vote() {
    let given = StreamSettings {
        lambda: 0.0,
        m: 1,
        tau: 1e9,
        beta: StreamSettings::default().alpha,
        ..StreamSettings::default()
    };
    let stream = stream(1);
    let (forest, marks) = taught(1, &given, &stream);
    let (other, _) = taught(1, &given, &permuted(&stream, &marks[0], false));
    let (voting, _) = taught(1, &given, &permuted(&stream, &marks[0], true));
    assert!(shape(&forest).0.len() > 100 && shape(&forest) == shape(&other));
    assert_eq!(predictions(&forest), predictions(&other));
    assert_ne!(
        predictions(&forest),
        predictions(&voting),
        "the test can fail"
    );
}

#[test]
fn points_are_dealt_out_as_stated() {
    // The count of a binomial, within 3.3 deviations of a share: level 0.001.
    let is_far = |structure: f64, p: f64| {
        let settings = StreamSettings {
            structure,
            ..StreamSettings::default()
        };
        let mut stream = stream(3);
        stream.targets.fill(0);
        let (_, marks) = taught(1, &settings, &stream);
        let count = marks[0].iter().filter(|mark| **mark).count();
        let n = ROWS as f64;
        (count as f64 - n * p).abs() > 3.3 * (n * p * (1.0 - p)).sqrt()
    };
    for structure in [0.5, 0.3, 0.1] {
        assert!(!is_far(structure, 1.0 - structure));
    }
    assert!(is_far(0.55, 0.5), "a wrong share passes");
}
