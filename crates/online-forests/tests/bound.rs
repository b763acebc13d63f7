//! `max_nodes`: as without a bound until the first tree is full, then constant memory, and statistics that are still
//! updated.

use crate::common::prediction_bits;
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression, Schema, Task,
};

const TREES: usize = 3;
const MOST: usize = 41;

fn built<T: Task>(name: &str) -> AnyLearner<T> {
    let settings = ForestSettings::default().with_trees(TREES).with_seed(5);
    let algorithm: Algorithm = name.parse().unwrap();
    algorithm.build(Schema::new(3).unwrap(), settings).unwrap()
}

/// Learns row by row; gives the rows after which the learners still predicted alike.
fn alike_until<T: ConformanceTask>(name: &str, parameters: &str, stream: &Stream<T>) -> usize {
    let mut bounded = built::<T>(&format!("{name}:{parameters}max_nodes={MOST}"));
    let mut free = built::<T>(&format!("{name}:{parameters}"));
    let mut alike = 0;
    let mut half = bounded.footprint();
    for row in 0..stream.len() {
        stream.teach(&mut bounded, row, row + 1).unwrap();
        bounded.check_invariants().unwrap();
        let nodes = bounded.footprint().nodes;
        assert!(nodes <= TREES * MOST, "{name}, row {row}");
        if alike == row && free.footprint().nodes + 2 < MOST {
            stream.teach(&mut free, row, row + 1).unwrap();
            let [one, other] = [&bounded, &free].map(prediction_bits);
            assert_eq!(one, other, "{name}, row {row}");
            alike = row + 1;
        }
        if row == stream.len() / 2 {
            half = bounded.footprint();
        }
    }
    let end = bounded.footprint();
    // A tree may have been filled in the second half of the stream only; a leaf that meets another class makes room for
    // its count.
    let flat = end.nodes > half.nodes || end.bytes <= half.bytes + half.bytes / 50;
    assert!(flat, "{name}: {half:?}, then {end:?}");
    let asked = |learner: &AnyLearner<T>| learner.predict(stream.features.view()).unwrap();
    let before = asked(&bounded);
    stream.teach(&mut bounded, 0, 50).unwrap();
    // Boundary trees keep samples, not counts.
    if name != "boundary-forest" {
        assert_ne!(asked(&bounded), before, "{name}: labels are still counted");
    }
    alike
}

fn bounds_hold<T: ConformanceTask>() {
    let stream = Stream::<T>::uniform(1500, 3, 9);
    for (name, parameters) in [
        ("stream-rf", "beta=20,"),
        ("stream-rf", "beta=20,fringe=3,"),
        ("saffari", "min_samples=10,min_gain=0,"),
        ("boundary-forest", ""),
        ("mondrian", "pause=never,"),
        ("amf", "pause=never,"),
    ] {
        let alike = alike_until::<T>(name, parameters, &stream);
        assert!(alike > 3, "{name}: {alike}");
    }
}

#[test]
fn learners_keep_their_bound() {
    bounds_hold::<Classification>();
    bounds_hold::<Regression>();
}
