//! The checks of every learner, for the one of classes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Classification, ForestSettings, Schema};
use forest_testing::conformance;
use residual_forest::{ResidualClassifier, ResidualClassifierSettings, snapshot};

fn build(
    settings: ResidualClassifierSettings,
) -> impl Fn(Schema<Classification>, u64) -> ResidualClassifier + Sync {
    move |schema, seed| {
        let forest = ForestSettings::default().with_trees(5).with_seed(seed);
        ResidualClassifier::new(schema, settings.clone(), forest).unwrap()
    }
}

fn save(learner: &ResidualClassifier) -> Vec<u8> {
    snapshot::encode_value(learner).unwrap()
}

fn load(bytes: &[u8]) -> ResidualClassifier {
    snapshot::decode_value(bytes).unwrap()
}

#[test]
fn classifiers_conform() {
    let with = |recheck, max_features| ResidualClassifierSettings {
        recheck,
        max_features,
        ..ResidualClassifierSettings::default()
    };
    let lazy = build(with(0.5, None));
    let kept = conformance::check(&lazy)
        .and_then(|()| conformance::a_snapshot_resumes(&lazy, &save, &load))
        .and_then(|()| conformance::the_same_bytes(&lazy, &save))
        .and_then(|()| conformance::a_refusal_leaves_the_same_bytes(&lazy, &save));
    assert_eq!(kept, Ok(()));
    let exact = build(with(0.0, Some(2)));
    let kept = conformance::batch_is_rows(&exact)
        .and_then(|()| conformance::test_then_train_is_rows(&exact))
        .and_then(|()| conformance::a_snapshot_resumes(&exact, &save, &load));
    assert_eq!(kept, Ok(()));
    let following = build(ResidualClassifierSettings {
        recent: vec![40, 15],
        ..ResidualClassifierSettings::default()
    });
    let kept = conformance::check(&following)
        .and_then(|()| conformance::a_snapshot_resumes(&following, &save, &load))
        .and_then(|()| conformance::the_same_bytes(&following, &save))
        .and_then(|()| conformance::a_refusal_leaves_the_same_bytes(&following, &save));
    assert_eq!(kept, Ok(()));
}

/// More rows than are read together.
#[test]
fn large_batches_of_classes_are_small_ones() {
    for recent in [vec![], vec![30]] {
        let build = build(ResidualClassifierSettings {
            recent,
            ..ResidualClassifierSettings::default()
        });
        assert_eq!(conformance::large_batches_are_small_ones(&build), Ok(()));
    }
}
