//! A leaf that no candidate split can divide does not hold its place in a bounded fringe for ever, and no leaf waits
//! for ever.

use crate::{StreamClassifier, StreamSettings, StreamTree};
use forest_core::{Classification, OnlineLearner, TreeRng};
use forest_testing::conformance::Stream;
use ndarray::{Array2, s};

/// Asserts that trees with five places grow beyond `nodes` nodes on average, and are right more often than this.
fn assert_grows(
    settings: &StreamSettings,
    streams: [Stream<Classification>; 2],
    nodes: usize,
    least: f64,
) {
    let [stream, test] = streams;
    let settings = super::with_fringe(5, settings);
    let forest = super::taught::<StreamTree<_>>(5, 1, &settings, &stream, stream.len());
    let predictions = forest.predict(test.features.view()).unwrap();
    let accuracy = forest_testing::accuracy(&predictions, &test.targets);
    let grown = forest.footprint().nodes / 5;
    let is_learned = grown > nodes && accuracy > least;
    assert!(is_learned, "{grown} nodes, accuracy {accuracy}");
}

/// Returns a chessboard of 4 × 4 fields; with `atoms`, every other point is one of 16 places beside it, each with
/// labels at random, so that no split can separate them.
fn chessboard(rows: usize, atoms: bool, seed: u64) -> Stream<Classification> {
    let mut rng = TreeRng::new(seed, 2);
    let mut features = Array2::zeros((rows, 2));
    let mut targets = Vec::new();
    for mut row in features.rows_mut() {
        let atom = atoms && rng.below(2) == 0;
        let place: fn(&mut TreeRng) -> f64 = |rng| (2 + rng.below(4)) as f64;
        let draw = if atom { place } else { TreeRng::uniform };
        row.map_inplace(|cell| *cell = draw(&mut rng) as f32);
        let field = (4.0 * row[0]) as usize + (4.0 * row[1]) as usize;
        let label = if atom { rng.below(2) } else { field % 2 };
        targets.push(label as u32);
    }
    Stream { features, targets }
}

/// Atoms have the largest ŝ. If they could keep a place, growth would stop at 76 nodes; if they were tried again and
/// again, at 85.
#[test]
fn atoms_do_not_hold_the_places_of_a_fringe() {
    let streams = [chessboard(150_000, true, 3), chessboard(4000, false, 4)];
    assert_grows(&StreamSettings::default(), streams, 150, 0.9);
}

/// The chessboard in two of ten dimensions; the others are 0. A leaf draws a dimension that is not constant once in
/// five times. If the others could keep a place, nothing would grow.
#[test]
fn constant_dimensions_do_not_hold_the_places_of_a_fringe() {
    let streams = [(60_000, 3), (4000, 4)].map(|(rows, seed)| {
        let board = chessboard(rows, false, seed);
        let mut features = Array2::zeros((rows, 10));
        features.slice_mut(s![.., ..2]).assign(&board.features);
        let targets = board.targets;
        Stream { features, targets }
    });
    let settings = StreamSettings {
        lambda: 0.0,
        beta: super::growth(30.0, 1.05),
        ..StreamSettings::default()
    };
    assert_grows(&settings, streams, 60, 0.8);
}

/// Returns the nodes that are leaves.
fn leaves(forest: &StreamClassifier) -> Vec<usize> {
    let nodes = &forest.trees().next().unwrap().nodes.nodes;
    let is_leaf = |&node: &usize| matches!(nodes[node], crate::nodes::Node::Leaf(_));
    (0..nodes.len()).filter(is_leaf).collect()
}

/// Proposition 15 and what follows from it: whatever leaves there are, all are split in the end, though only five at a
/// time collect statistics.
#[test]
fn every_leaf_of_a_bounded_fringe_is_split_in_the_end() {
    // Leaves here are split by the β rule more often than by gain: uniform rows with three labels at random.
    let settings = StreamSettings {
        tau: 0.4,
        alpha: super::growth(5.0, 1.1),
        beta: super::growth(30.0, 1.1),
        ..StreamSettings::default()
    };
    let settings = super::with_fringe(5, &settings);
    let mut rng = TreeRng::new(2, 1);
    let features = Array2::from_shape_fn((300_000, 2), |_| rng.uniform() as f32);
    let mut stream = Stream::<Classification>::labelled(features);
    stream.targets.fill_with(|| rng.below(3) as u32);
    let mut forest = super::taught::<StreamTree<_>>(1, 6, &settings, &stream, 4000);
    let early = leaves(&forest);
    stream.teach(&mut forest, 4000, stream.len()).unwrap();
    forest.check_invariants().unwrap();
    let late = leaves(&forest);
    let left = early.iter().filter(|leaf| late.contains(leaf)).count();
    let early = early.len();
    assert!(early > 10 && left == 0, "{left} of {early} leaves");
}
