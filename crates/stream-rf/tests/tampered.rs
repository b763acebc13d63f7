//! A tree decoded from altered bytes is refused, or harmless.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{
    Classification, Forest, ForestContext, ForestSettings, OnlineLearner, OnlineTree, Regression,
    SampleId, SampleStore, Schema, Task, TreeRng,
};
use forest_testing::conformance::{ConformanceTask, Stream, altered};
use stream_rf::{
    Axes, FringeLimit, Labels, SaffariSettings, SaffariTree, StreamSettings, StreamTree,
};

/// Some trees with a bounded fringe, in different stages of growth.
fn stream_settings() -> StreamSettings {
    StreamSettings {
        fringe: FringeLimit::AtMost(4),
        ..StreamSettings::<Axes>::default()
    }
}

fn forest<K: OnlineTree>(settings: K::Settings, rows: usize) -> Forest<K>
where
    K::Task: ConformanceTask,
{
    let mut forest = Forest::<K>::new(
        Schema::new(2).unwrap(),
        settings,
        ForestSettings::default().with_trees(3).with_seed(1),
    )
    .unwrap();
    let stream = Stream::<K::Task>::uniform(rows, 2, 31);
    stream.teach(&mut forest, 0, rows).unwrap();
    forest
}

/// Returns whether `tree` passes its check; if so, has it predict and learn more samples.
fn survives<K: OnlineTree>(mut tree: K, forest: &Forest<K>) -> bool
where
    K::Task: ConformanceTask,
{
    let (context, mut rng) = (forest.context(), TreeRng::new(2, 0));
    if tree.check(&context).is_err() {
        return false;
    }
    let stream = Stream::<K::Task>::uniform(150, 2, 32);
    let (features, targets) = stream.part(0, 150);
    let samples = SampleStore::with_samples(features, targets, forest.schema()).unwrap();
    let admit = |known, &target: &_| K::Task::admit(known, target);
    let context = ForestContext {
        samples: &samples,
        outputs: targets.iter().fold(context.outputs, admit),
        ..context
    };
    let mut accumulator = vec![0.0; K::accumulator_width(&context.outputs)];
    for id in (0..150).map(SampleId::new) {
        tree.vote(samples.features(id), &context, &rng, &mut accumulator);
        assert!(accumulator.iter().all(|vote| !vote.is_nan()));
        tree.learn(id, &context, &mut rng);
    }
    true
}

#[track_caller]
fn check<K: OnlineTree>(settings: &K::Settings)
where
    K::Task: ConformanceTask + Labels,
{
    for rows in [0, 5, 60, 900] {
        let forest = forest::<K>(settings.clone(), rows);
        let original = registry::snapshot::encode_value(forest.trees().nth(1).unwrap()).unwrap();
        assert!(survives(
            registry::snapshot::decode_value(&original).unwrap(),
            &forest
        ));
        let (mut rng, mut refused, mut passed) = (TreeRng::new(9, rows), 0, 0);
        for _ in 0..8_000 {
            let bytes = altered(&original, &mut rng);
            let decoded = registry::snapshot::decode_value::<K>(&bytes);
            let usable = decoded.is_ok_and(|tree| survives(tree, &forest));
            *if usable { &mut passed } else { &mut refused } += 1;
        }
        eprintln!("{rows} rows: {refused} refused, {passed} passed");
        assert!(refused > 800);
    }
}

#[test]
fn altered_stream_trees_are_refused_or_harmless() {
    check::<StreamTree<Classification>>(&stream_settings());
    check::<StreamTree<Regression>>(&stream_settings());
}

#[test]
fn altered_trees_of_saffari_are_refused_or_harmless() {
    let settings = SaffariSettings::default();
    check::<SaffariTree<Classification>>(&settings);
    check::<SaffariTree<Regression>>(&settings);
}
