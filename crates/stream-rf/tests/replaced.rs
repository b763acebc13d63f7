//! A tree that is replaced grows from a window or a reservoir, though trees hold no samples.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::ndarray::Array2;
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Retention, Schema,
};
use forest_testing::conformance::Stream;
use stream_rf::{SaffariSettings, SaffariTree, StreamSettings, StreamTree};

fn forest<K: OnlineTree<Task = Classification>>(
    settings: &K::Settings,
    (seed, retention): (u64, Retention),
) -> Forest<K> {
    let forest = ForestSettings::default()
        .with_trees(3)
        .with_seed(seed)
        .with_retention(retention);
    Forest::new(Schema::new(2).unwrap(), settings.clone(), forest).unwrap()
}

fn bytes<K: OnlineTree>(forest: &Forest<K>, tree: usize) -> Vec<u8> {
    registry::snapshot::encode_value(forest.trees().nth(tree).unwrap()).unwrap()
}

/// The replaced tree is that of a forest which learned only the samples held; the others stay.
fn check<K: OnlineTree<Task = Classification>>(settings: &K::Settings) {
    let stream = Stream::<Classification>::uniform(2000, 2, 41);
    for retention in [Retention::Latest(900), Retention::Reservoir(900)] {
        let mut forest = forest::<K>(settings, (1, retention));
        stream.teach(&mut forest, 0, 2000).unwrap();
        let before: Vec<_> = (0..3).map(|tree| bytes(&forest, tree)).collect();
        forest.replace_tree(1, 99).unwrap();
        forest.check_invariants().unwrap();
        let samples = forest.samples();
        let held: Vec<_> = samples.ids().collect();
        let rows = Array2::from_shape_fn((900, 2), |(row, x)| samples.features(held[row])[x]);
        let targets: Vec<_> = held.iter().map(|&id| samples.target(id)).collect();
        let mut of_held = self::forest::<K>(settings, (99, Retention::Nothing));
        of_held.learn(rows.view(), &targets).unwrap();
        assert!(bytes(&forest, 1) == bytes(&of_held, 1), "{retention}");
        assert!(bytes(&forest, 1) != before[1]);
        assert!(bytes(&forest, 0) == before[0] && bytes(&forest, 2) == before[2]);
    }
}

#[test]
fn a_replaced_stream_tree_grows_from_what_is_held() {
    check::<StreamTree<Classification>>(&StreamSettings::default());
}

#[test]
fn a_replaced_tree_of_saffari_grows_from_what_is_held() {
    check::<SaffariTree<Classification>>(&SaffariSettings::default());
}
