//! A leaf that no candidate split can divide does not hold its place in a bounded fringe for ever.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, TreeRng};
use forest_testing::conformance::Stream;
use ndarray::Array2;
use stream_rf::{FringeLimit, Growth, StreamClassifier, StreamSettings};

/// Returns the mean nodes of a tree, and the accuracy at `test`.
fn grown(
    settings: &StreamSettings,
    (stream, test): (&Stream<Classification>, &Stream<Classification>),
) -> (usize, f64) {
    let schema = Schema::new(stream.features.ncols()).unwrap();
    let mut forest = StreamClassifier::new(
        schema,
        settings.clone(),
        ForestSettings::default().with_trees(5).with_seed(1),
    )
    .unwrap();
    stream.teach(&mut forest, 0, stream.len()).unwrap();
    forest.check_invariants().unwrap();
    let predictions = forest.predict(test.features.view()).unwrap();
    let accuracy = forest_testing::accuracy(&predictions, &test.targets);
    (forest.footprint().nodes / 5, accuracy)
}

/// Returns a chessboard of 4 × 4 fields; with `atoms`, every other point is one of 16 places beside it,
/// each with labels at random, so that no split can separate them.
fn chessboard(rows: usize, atoms: bool, seed: u64) -> Stream<Classification> {
    let mut rng = TreeRng::new(seed, 2);
    let (mut features, mut targets) = (Array2::zeros((rows, 2)), Vec::new());
    for mut row in features.rows_mut() {
        let atom = atoms && rng.below(2) == 0;
        let mut coordinate = || {
            if atom {
                (2 + rng.below(4)) as f32
            } else {
                rng.uniform() as f32
            }
        };
        row.assign(&ndarray::arr1(&[coordinate(), coordinate()]));
        let field = (4.0 * row[0]) as usize + (4.0 * row[1]) as usize;
        let label = if atom { rng.below(2) } else { field % 2 };
        targets.push(label as u32);
    }
    Stream { features, targets }
}

/// Atoms have the largest ŝ. If they could keep a place, growth would stop at 76 nodes; if they were
/// tried again and again, at 85.
#[test]
fn atoms_do_not_hold_the_places_of_a_fringe() {
    let bounded = StreamSettings {
        fringe: FringeLimit::AtMost(5),
        ..StreamSettings::default()
    };
    let streams = (&chessboard(150_000, true, 3), &chessboard(4000, false, 4));
    let (nodes, accuracy) = grown(&bounded, streams);
    assert!(
        nodes > 150 && accuracy > 0.9,
        "{nodes} nodes, accuracy {accuracy}"
    );
}

/// The chessboard in two of ten dimensions; the others are 0. A leaf draws a dimension that
/// is not constant once in five times. If the others could keep a place, nothing would grow.
#[test]
fn constant_dimensions_do_not_hold_the_places_of_a_fringe() {
    let wide = |board: Stream<Classification>| {
        let mut features = Array2::zeros((board.len(), 10));
        features
            .slice_mut(ndarray::s![.., ..2])
            .assign(&board.features);
        Stream {
            features,
            targets: board.targets,
        }
    };
    let bounded = StreamSettings {
        lambda: 0.0,
        beta: Growth {
            scale: 30.0,
            base: 1.05,
        },
        fringe: FringeLimit::AtMost(5),
        ..StreamSettings::default()
    };
    let streams = (
        &wide(chessboard(60_000, false, 3)),
        &wide(chessboard(4000, false, 4)),
    );
    let (nodes, accuracy) = grown(&bounded, streams);
    assert!(
        nodes > 60 && accuracy > 0.8,
        "{nodes} nodes, accuracy {accuracy}"
    );
}
