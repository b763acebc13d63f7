//! The two streams are independent (section 3.2, and what Theorem 5 asks for): the labels that vote
//! do not shape the partition, and those that shape it do not vote; in several passes, if each row
//! has its own stream.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, TreeRng};
use forest_testing::conformance::Stream;
use stream_rf::{FringeLimit, Growth, NodeView, StreamClassifier, StreamSettings, StreamTree};

const ROWS: usize = 5000;

fn settings() -> Vec<StreamSettings> {
    let default = StreamSettings::default();
    let with_fringe = |limit| StreamSettings {
        fringe: FringeLimit::AtMost(limit),
        ..default.clone()
    };
    let forced = StreamSettings {
        tau: 2.0,
        beta: Growth {
            scale: 30.0,
            ..default.beta
        },
        structure: 0.3,
        ..default.clone()
    };
    let mut given_up = forced.clone();
    (given_up.lambda, given_up.fringe) = (0.0, FringeLimit::AtMost(3));
    vec![with_fringe(1), with_fringe(10), forced, given_up, default]
}

/// Uniform rows with two labels in three random ones; the last feature has four values, and leaves
/// that drew only this one are given up.
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

/// Returns one tree, taught row by row, and whether each row was an estimation point of it.
fn taught(
    settings: &StreamSettings,
    stream: &Stream<Classification>,
) -> (StreamClassifier, Vec<bool>) {
    let (forest, mut marks) = taught_in(1, settings, stream);
    (forest, marks.remove(0))
}

/// Returns one tree after `passes` passes, and in which of them each row was an estimation point of it.
fn taught_in(
    passes: usize,
    settings: &StreamSettings,
    stream: &Stream<Classification>,
) -> (StreamClassifier, Vec<Vec<bool>>) {
    let width = stream.features.ncols();
    let schema = Schema::new(width).unwrap().with_classes(3).unwrap();
    let mut forest = StreamClassifier::new(
        schema,
        settings.clone(),
        ForestSettings::default().with_trees(1).with_seed(31),
    )
    .unwrap();
    let mut teach = |row| {
        let x = stream.features.row(row).to_vec();
        let before = estimation_points(tree(&forest), &x);
        stream.teach(&mut forest, row, row + 1).unwrap();
        estimation_points(tree(&forest), &x) == before + 1
    };
    let marks = (0..passes).map(|_| (0..ROWS).map(&mut teach).collect());
    let marks = marks.collect();
    (forest, marks)
}

fn tree(forest: &StreamClassifier) -> &StreamTree<Classification> {
    forest.trees().next().unwrap()
}

/// Estimation points of the leaf that holds `x`.
fn estimation_points(tree: &StreamTree<Classification>, x: &[f32]) -> u64 {
    match tree.leaf_of(x) {
        NodeView::Leaf {
            estimation_points, ..
        } => estimation_points,
        NodeView::Split { .. } => panic!("a leaf"),
    }
}

/// Returns the partition, who is active, and how many points vote: all but the votes.
fn shape(forest: &StreamClassifier) -> Vec<String> {
    let nodes = tree(forest).nodes().map(|node| match node {
        NodeView::Leaf {
            depth,
            estimation_points,
            is_active,
        } => format!("{depth} {estimation_points} {is_active}"),
        split => format!("{split:?}"),
    });
    nodes.collect()
}

/// Returns the stream with the labels of the marked rows in another order.
fn permuted(stream: &Stream<Classification>, marks: &[bool]) -> Stream<Classification> {
    let rows: Vec<usize> = (0..ROWS).filter(|&row| marks[row]).collect();
    let mut labels: Vec<u32> = rows.iter().map(|&row| stream.targets[row]).collect();
    TreeRng::new(32, 0).shuffle(&mut labels);
    let mut stream = stream.clone();
    for (row, label) in rows.into_iter().zip(labels) {
        stream.targets[row] = label;
    }
    stream
}

fn predictions(forest: &StreamClassifier) -> Vec<f64> {
    let queries = Stream::<Classification>::uniform(300, forest.schema().features(), 33);
    forest
        .predict(queries.features.view())
        .unwrap()
        .into_iter()
        .collect()
}

#[test]
fn labels_that_vote_do_not_shape() {
    for settings in settings() {
        let stream = stream(3);
        let (forest, estimation) = taught(&settings, &stream);
        let (other, same) = taught(&settings, &permuted(&stream, &estimation));
        assert!(estimation == same, "the draw of a stream has seen a label");
        assert!(shape(&forest).len() > 20 && shape(&forest) == shape(&other));
        assert_ne!(
            predictions(&forest),
            predictions(&other),
            "the votes are others"
        );
    }
}

/// Streams are drawn again in each pass: labels that vote in one shape the partition in others.
#[test]
fn in_several_passes_labels_that_vote_shape() {
    for settings in settings() {
        let stream = stream(3);
        let (forest, marks) = taught_in(3, &settings, &stream);
        assert!(marks[0] != marks[1]);
        let (other, _) = taught_in(3, &settings, &permuted(&stream, &marks[0]));
        assert_ne!(shape(&forest), shape(&other));
    }
}

#[test]
fn the_test_sees_labels_that_shape() {
    for settings in settings() {
        let stream = stream(3);
        let (forest, estimation) = taught(&settings, &stream);
        let structure: Vec<bool> = estimation.iter().map(|mark| !mark).collect();
        let (other, _) = taught(&settings, &permuted(&stream, &structure));
        assert_ne!(shape(&forest), shape(&other));
    }
}

/// On one dimension with one candidate split, taken as soon as it must be, nothing about the
/// partition depends on labels: with the partition given, structure labels leave no trace.
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
    let (forest, estimation) = taught(&given, &stream);
    let structure: Vec<bool> = estimation.iter().map(|mark| !mark).collect();
    let (other, _) = taught(&given, &permuted(&stream, &structure));
    let (voting, _) = taught(&given, &permuted(&stream, &estimation));
    let bits = |forest| {
        predictions(forest)
            .into_iter()
            .map(f64::to_bits)
            .collect::<Vec<_>>()
    };
    assert_eq!(shape(&forest), shape(&other));
    assert!(shape(&forest).len() > 100);
    assert_eq!(bits(&forest), bits(&other));
    assert_ne!(
        bits(&forest),
        bits(&voting),
        "the test sees labels that vote"
    );
}

#[test]
fn points_are_dealt_out_as_stated() {
    let deal = |structure: f64| {
        let settings = StreamSettings {
            structure,
            ..StreamSettings::default()
        };
        let mut stream = stream(3);
        stream.targets.fill(0);
        taught(&settings, &stream)
            .1
            .iter()
            .filter(|mark| **mark)
            .count() as f64
    };
    // The count of a binomial, within 3.3 deviations: level 0.001.
    let far = |count: f64, p: f64| {
        let n = ROWS as f64;
        (count - n * p).abs() > 3.3 * (n * p * (1.0 - p)).sqrt()
    };
    for structure in [0.5, 0.3, 0.1] {
        assert!(!far(deal(structure), 1.0 - structure));
    }
    assert!(far(deal(0.55), 0.5), "a wrong share passes");
}
