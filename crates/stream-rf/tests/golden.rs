//! Golden draws: a seed and a stream pin the trees and the predictions, bit for bit. A change here is a
//! change of results, and must be meant.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, Schema,
};
use forest_testing::conformance::{ConformanceTask, Stream};
use stream_rf::{Axes, FringeLimit, SaffariSettings, SaffariTree, StreamSettings, StreamTree};

/// Nodes of all trees of a forest of four, and its prediction at a point.
fn pin<K: OnlineTree>(settings: K::Settings) -> (usize, Vec<f64>)
where
    K::Task: ConformanceTask,
{
    let mut forest = Forest::<K>::new(
        Schema::new(3).unwrap(),
        settings,
        ForestSettings::default().with_trees(4).with_seed(2013),
    )
    .unwrap();
    let stream = Stream::<K::Task>::uniform(1500, 3, 1);
    stream.teach(&mut forest, 0, 1500).unwrap();
    let prediction = forest.predict_one(&[0.31, 0.5, 0.5]).unwrap();
    (forest.footprint().nodes, prediction)
}

#[test]
fn stream_partitioned_forests_are_pinned() {
    let settings = StreamSettings {
        fringe: FringeLimit::AtMost(3),
        ..StreamSettings::<Axes>::default()
    };
    let classes = pin::<StreamTree<Classification>>(settings.clone());
    assert_eq!(
        classes,
        (
            132,
            vec![0.05579178885630499, 0.8646627565982405, 0.07954545454545454]
        )
    );
    let numbers = pin::<StreamTree<Regression>>(settings);
    assert_eq!(numbers, (182, vec![0.5885078957069118]));
}

#[test]
fn forests_of_saffari_are_pinned() {
    let settings = SaffariSettings::<Axes>::default();
    let classes = pin::<SaffariTree<Classification>>(settings.clone());
    assert_eq!(
        classes,
        (
            46,
            vec![0.1527777777777778, 0.845048309178744, 0.002173913043478261]
        )
    );
    let numbers = pin::<SaffariTree<Regression>>(settings);
    assert_eq!(numbers, (178, vec![0.31844624088688206]));
}
