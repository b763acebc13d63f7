//! Mondrian forests and dynamic trees continue with samples of more features, whatever else they do.

use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression, Schema,
    snapshot,
};

use super::common::{every, learned, prediction_bits};

fn widened<T: ConformanceTask>(algorithm: &Algorithm, rows: usize) -> AnyLearner<T> {
    let mut learner = learned::<T>(algorithm, rows);
    learner.widen(4).unwrap();
    learner
}

fn widened_learners_learn_more<T: ConformanceTask>() {
    for algorithm in every::<T>() {
        let mut narrow = learned::<T>(&algorithm, 60);
        if narrow.widen(2).is_err() {
            continue;
        }
        let mut learner = widened::<T>(&algorithm, 60);
        let stream = Stream::<T>::uniform(120, 4, 14);
        assert_eq!(learner.check_invariants(), Ok(()), "{algorithm}");
        assert_eq!(learner.algorithm(), narrow.algorithm());
        for row in 0..120 {
            stream.teach(&mut learner, row, row + 1).unwrap();
            assert_eq!(learner.check_invariants(), Ok(()), "{algorithm}, row {row}");
        }
        let read: AnyLearner<T> =
            snapshot::from_bytes(&snapshot::to_bytes(&learner).unwrap()).unwrap();
        let [own, expected] = [&read, &learner].map(prediction_bits);
        assert_eq!(own, expected, "{algorithm}");
        if learner.check_forgetting().is_ok() {
            learner.forget(179).unwrap();
            learner.keep_latest(3).unwrap();
            assert_eq!(learner.check_invariants(), Ok(()), "{algorithm}");
        }
    }
}

#[test]
fn mondrian_forests_and_dynamic_trees_continue_with_more_features() {
    widened_learners_learn_more::<Classification>();
    widened_learners_learn_more::<Regression>();
}

/// A feature that is 0 everywhere is uninformative; but `mondrian-2014` smooths the more, the more features there are.
/// Lazy trees keep their cuts; the linear function of `residual-forest` is summed again, and weights of classes are
/// fitted again.
fn predictions_stay<T: ConformanceTask>(name: &str, most: f64) {
    let queries = Stream::<T>::uniform(40, 2, 13).features;
    let algorithm: Algorithm = name.parse().unwrap();
    let narrow = learned::<T>(&algorithm, 200);
    let widened = widened::<T>(&algorithm, 200);
    for query in queries.rows() {
        let query = query.to_vec();
        let padded = [&query[..], &[0.0, 0.0]].concat();
        let before = narrow.predict_one(&query).unwrap();
        for (before, after) in before.iter().zip(widened.predict_one(&padded).unwrap()) {
            assert!((before - after).abs() < most, "{name}: {before} {after}");
        }
    }
}

#[test]
fn predictions_at_0_are_unchanged_or_nearly() {
    for name in ["mrtf", "wmrtf", "mondrian", "mondrian-increasing", "amf"] {
        predictions_stay::<Classification>(name, 1e-12);
        predictions_stay::<Regression>(name, 1e-12);
    }
    predictions_stay::<Regression>("mondrian-2016", 1e-12);
    predictions_stay::<Classification>("residual-forest", 0.1);
    predictions_stay::<Regression>("residual-forest", 1e-6);
}

/// An exact tree that has got features is the one that had them from the start.
#[test]
fn exact_dynamic_trees_had_all_features_from_the_start() {
    let algorithm: Algorithm = "dynamic-extra-trees:recheck=0".parse().unwrap();
    let stream = Stream::<Classification>::uniform(150, 5, 14);
    let mut rows = stream.features.clone();
    rows.slice_mut(ndarray::s![..100, 2..]).fill(0.0);
    let build = |width| {
        let schema = Schema::<Classification>::new(width).unwrap();
        algorithm.build(schema, ForestSettings::default()).unwrap()
    };
    let mut widened = build(2);
    let early = rows.slice(ndarray::s![..100, ..2]);
    widened.learn(early, &stream.targets[..100]).unwrap();
    widened.widen(5).unwrap();
    let late = rows.slice(ndarray::s![100.., ..]);
    widened.learn(late, &stream.targets[100..]).unwrap();
    let mut wide = build(5);
    wide.learn(rows.view(), &stream.targets).unwrap();
    assert_eq!(prediction_bits(&widened), prediction_bits(&wide));
    assert_eq!(widened.check_invariants(), Ok(()));
}

#[test]
fn new_features_are_learned() {
    let points = || (0..50u8).map(|i| f32::from(i) / 50.0);
    for name in [
        "mondrian",
        "dynamic-extra-trees",
        "dynamic-extra-trees:recheck=0",
        "residual-forest",
        "residual-forest:recheck=0",
    ] {
        let algorithm: Algorithm = name.parse().unwrap();
        let schema = Schema::<Regression>::new(1).unwrap();
        let mut forest = algorithm.build(schema, ForestSettings::default()).unwrap();
        points().for_each(|x| forest.learn_one(&[x], 0.0).unwrap());
        forest.widen(2).unwrap();
        points().for_each(|x| forest.learn_one(&[x, 1.0], 1.0).unwrap());
        for x in points() {
            let [below, above] = [0.0, 1.0].map(|y| forest.predict_label(&[x, y]).unwrap());
            assert!(below < 0.5 && above > 0.5, "{algorithm}");
        }
    }
}
