//! The checks of every learner, in settings that `online-forests` does not check by name.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::registry::snapshot;
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{self, ConformanceTask, Stream};
use residual_forest::{ResidualClassifier, ResidualForest, ResidualSettings};
use serde::{Serialize, de::DeserializeOwned};

fn numbers(trees: usize) -> impl Fn(Schema<Regression>, u64) -> ResidualForest + Sync {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        ResidualForest::new(schema, ResidualSettings::of_numbers(), forest).unwrap()
    }
}

fn with_windows(schema: Schema<Classification>, seed: u64) -> ResidualClassifier {
    let settings = ResidualSettings {
        recent: vec![40, 15],
        ..ResidualSettings::of_classes()
    };
    let forest = ForestSettings::default().with_trees(5).with_seed(seed);
    ResidualClassifier::new(schema, settings, forest).unwrap()
}

fn save<L: Serialize>(learner: &L) -> Vec<u8> {
    snapshot::encode_value(learner).unwrap()
}

fn conforms<T: ConformanceTask, L>(build: &(impl Fn(Schema<T>, u64) -> L + Sync))
where
    L: OnlineLearner<Task = T> + Clone + Serialize + DeserializeOwned + 'static,
{
    let load = |bytes: &[u8]| snapshot::decode_value::<L>(bytes).unwrap();
    let kept = conformance::check(build)
        .and_then(|()| conformance::a_snapshot_resumes(build, &save, &load))
        .and_then(|()| conformance::the_same_bytes(build, &save))
        .and_then(|()| conformance::a_refusal_leaves_the_same_bytes(build, &save));
    assert_eq!(kept, Ok(()));
}

/// Of two trees, one chain is without its second stages.
#[test]
fn two_trees_conform() {
    conforms(&numbers(2));
}

#[test]
fn windows_conform() {
    conforms(&with_windows);
    let kept = conformance::large_batches_are_small_ones(&with_windows);
    assert_eq!(kept, Ok(()));
}

/// The latest rows are held from now on, and the snapshot records it.
#[test]
fn keeping_the_latest_rows_is_saved() {
    let stream = Stream::<Regression>::uniform(300, 2, 5);
    for trees in [8, 2] {
        let mut learner = numbers(trees)(Schema::new(2).unwrap(), 6);
        stream.teach(&mut learner, 0, 200).unwrap();
        learner.keep_latest(70).unwrap();
        assert_eq!(learner.check_invariants(), Ok(()), "{trees}");
        let mut loaded: ResidualForest = snapshot::decode_value(&save(&learner)).unwrap();
        for learner in [&mut learner, &mut loaded] {
            stream.teach(learner, 200, 300).unwrap();
            assert_eq!(learner.footprint().stored_samples, 70, "{trees}");
        }
        let before = save(&learner);
        assert!(save(&loaded) == before, "{trees}");
        let refused = learner.keep_latest(0).unwrap_err().to_string();
        assert_eq!(refused, "n must be at least 1, but is 0");
        assert!(learner.forget(3).is_err(), "{trees}");
        assert!(save(&learner) == before, "{trees}");
    }
}
