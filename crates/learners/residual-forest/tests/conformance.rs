//! The checks of every learner.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{self, Stream};
use residual_forest::{ResidualForest, ResidualSettings, snapshot};

/// All chains, and, of two trees, one without its second stages.
const TREES: [usize; 2] = [8, 2];

fn build(trees: usize) -> impl Fn(Schema<Regression>, u64) -> ResidualForest + Sync {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
        ResidualForest::new(schema, ResidualSettings::default(), forest).unwrap()
    }
}

fn save(learner: &ResidualForest) -> Vec<u8> {
    snapshot::encode_value(learner).unwrap()
}

fn load(bytes: &[u8]) -> ResidualForest {
    snapshot::decode_value(bytes).unwrap()
}

#[test]
fn learners_keep_every_law() {
    for trees in TREES {
        let build = build(trees);
        let kept = conformance::check(&build)
            .and_then(|()| conformance::a_snapshot_resumes(&build, &save, &load))
            .and_then(|()| conformance::the_same_bytes(&build, &save))
            .and_then(|()| conformance::a_refusal_leaves_the_same_bytes(&build, &save));
        assert_eq!(kept, Ok(()), "{trees}");
    }
}

/// More rows than go through the stages together.
#[test]
fn large_batches_are_small_ones() {
    let kept = conformance::large_batches_are_small_ones(&build(5));
    assert_eq!(kept, Ok(()));
}

/// The latest rows are held from now on, and the snapshot records it.
#[test]
fn keeping_the_latest_rows_is_saved() {
    let stream = Stream::<Regression>::uniform(300, 2, 5);
    for trees in TREES {
        let mut learner = build(trees)(Schema::new(2).unwrap(), 6);
        stream.teach(&mut learner, 0, 200).unwrap();
        learner.keep_latest(70).unwrap();
        assert_eq!(learner.check_invariants(), Ok(()), "{trees}");
        let mut loaded = load(&save(&learner));
        for learner in [&mut learner, &mut loaded] {
            stream.teach(learner, 200, 300).unwrap();
            assert_eq!(learner.footprint().stored_samples, 70, "{trees}");
        }
        assert!(save(&loaded) == save(&learner), "{trees}");
        let before = save(&learner);
        let refused = learner.keep_latest(0).unwrap_err().to_string();
        assert_eq!(refused, "n must be at least 1, but is 0");
        assert!(learner.forget(3).is_err());
        assert!(save(&learner) == before, "{trees}");
    }
}
