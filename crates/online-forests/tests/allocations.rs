//! A query allocates nothing once a caller's buffer is large enough, and a sample nothing but the room in which it is
//! stored. Everything runs on one thread, since what other threads allocate is not counted; so no test depends on them.

use crate::common;
use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::s;
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, AnyRegressor, Classification, InputError, OnlineLearner,
    Regression, argmax, threads,
};

/// Runs `query` once, and then again: the first may fill buffers, the second allocates nothing.
#[track_caller]
fn allocates_nothing(algorithm: &Algorithm, what: &str, mut query: impl FnMut()) {
    query();
    let allocations = allocation_counter::measure(query).count_total;
    assert_eq!(allocations, 0, "{algorithm}: {what} allocates");
}

fn predicts_into_a_buffer<T: ConformanceTask>(algorithm: &Algorithm, learner: &AnyLearner<T>) {
    let queries = Stream::<T>::uniform(20, 2, 13).features;
    let mut predictions = vec![7.0; 3];
    let mut prediction = vec![7.0; 50];
    allocates_nothing(algorithm, "predict_one_into", || {
        for row in queries.rows() {
            let row = row.to_slice().unwrap();
            learner.predict_one_into(row, &mut prediction).unwrap();
        }
    });
    allocates_nothing(algorithm, "predict_into", || {
        let predicted = learner.predict_into(queries.view(), &mut predictions);
        predicted.unwrap();
    });
    let expected = learner.predict(queries.view()).unwrap();
    assert!(expected.iter().eq(&predictions));
    assert!(predictions.ends_with(&prediction));
    let refused = learner.predict_into(queries.slice(s![.., ..1]), &mut prediction);
    assert_eq!(refused, InputError::check_width(1, 2));
    assert!(predictions.ends_with(&prediction));
}

fn predicts_a_class(algorithm: &Algorithm, learner: &AnyClassifier) {
    let mut label = None;
    allocates_nothing(algorithm, "predict_label", || {
        label = learner.predict_label(&[0.9, 0.2]).unwrap();
    });
    let probabilities = learner.predict_one(&[0.9, 0.2]).unwrap();
    assert_eq!(label, Some(argmax(&probabilities) as u32));
}

fn predicts_a_number(algorithm: &Algorithm, learner: &AnyRegressor) {
    let mut value = 0.0;
    allocates_nothing(algorithm, "predict_label", || {
        value = learner.predict_label(&[0.9, 0.2]).unwrap();
    });
    assert_eq!([value], *learner.predict_one(&[0.9, 0.2]).unwrap());
}

/// Samples learned one by one.
const SAMPLES: usize = 500;

/// The most samples at which storage may grow: that of a small window is emptied and grows again all the time (171 of
/// 500 with 25 samples).
const MOST_GROWTHS: usize = SAMPLES / 2;

/// What is allocated for each sample, even if it is freed at once, would show at every one.
fn learns_without_allocating<T: ConformanceTask>(
    algorithm: &Algorithm,
    learner: &mut AnyLearner<T>,
) {
    let stream = Stream::<T>::uniform(SAMPLES, 2, 14);
    let rows = stream.features.as_slice().unwrap().chunks(2);
    let mut growths = 0;
    for (row, &target) in rows.zip(&stream.targets) {
        let counted = allocation_counter::measure(|| learner.learn_one(row, target).unwrap());
        growths += usize::from(counted.count_total > 0);
    }
    assert!(
        growths <= MOST_GROWTHS,
        "{algorithm}: {growths} samples allocate"
    );
}

/// Copies of members start again all the time, so that the storage of one or another of their many trees
/// grows at most samples.
fn is_rebuilt(algorithm: &Algorithm) -> bool {
    algorithm.name() == "adaptive"
}

#[test]
fn queries_and_samples_allocate_nothing() {
    threads::alone(check_every_algorithm);
}

fn check_every_algorithm() {
    for algorithm in common::every::<Classification>() {
        let mut learner = common::learned::<Classification>(&algorithm, 300);
        predicts_into_a_buffer::<Classification>(&algorithm, &learner);
        if !algorithm.is_baseline() {
            predicts_a_class(&algorithm, &learner);
        }
        if !is_rebuilt(&algorithm) {
            learns_without_allocating(&algorithm, &mut learner);
        }
    }
    for algorithm in common::every::<Regression>() {
        let mut learner = common::learned::<Regression>(&algorithm, 300);
        predicts_into_a_buffer::<Regression>(&algorithm, &learner);
        predicts_a_number(&algorithm, &learner);
        if !is_rebuilt(&algorithm) {
            learns_without_allocating(&algorithm, &mut learner);
        }
    }
}
