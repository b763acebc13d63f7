//! A query allocates nothing once a caller's buffer is large enough.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use forest_testing::conformance::{ConformanceTask, Stream};
use ndarray::s;
use online_forests::{
    Algorithm, AnyClassifier, AnyLearner, AnyRegressor, Classification, InputError, NamedTask,
    OnlineClassifier, OnlineLearner, OnlineRegressor, Regression,
};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Runs `query` once, and then again: the first may fill buffers, the second allocates nothing.
#[track_caller]
fn allocates_nothing(algorithm: &Algorithm, what: &str, mut query: impl FnMut()) {
    query();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    query();
    let most = ALLOCATOR.peak_usage();
    assert_eq!(most - before, 0, "{algorithm}: {what} allocates bytes");
    assert_eq!(ALLOCATOR.current_usage(), before, "{algorithm}: {what}");
}

fn predicts_into_a_buffer<T: NamedTask + ConformanceTask>(
    algorithm: &Algorithm,
    learner: &AnyLearner<T>,
) {
    let queries = Stream::<T>::uniform(20, 2, 13).features;
    let (mut answers, mut answer) = (vec![7.0; 3], vec![7.0; 50]);
    allocates_nothing(algorithm, "predict_one_into", || {
        for row in queries.rows() {
            let row = row.to_slice().unwrap();
            learner.predict_one_into(row, &mut answer).unwrap();
        }
    });
    allocates_nothing(algorithm, "predict_into", || {
        learner.predict_into(queries.view(), &mut answers).unwrap();
    });
    assert!(learner.predict(queries.view()).unwrap().iter().eq(&answers));
    assert_eq!(answers[answers.len() - answer.len()..], answer);
    let refused = learner.predict_into(queries.slice(s![.., ..1]), &mut answer);
    let (expected, got) = (2, 1);
    assert_eq!(refused, Err(InputError::WrongWidth { expected, got }));
    assert_eq!(answers[answers.len() - answer.len()..], answer);
}

fn predicts_a_class(algorithm: &Algorithm, learner: &AnyClassifier) {
    let mut label = None;
    allocates_nothing(algorithm, "predict_label", || {
        label = learner.predict_label(&[0.9, 0.2]).unwrap();
    });
    assert_eq!(label, Some(2));
}

fn predicts_a_number(algorithm: &Algorithm, learner: &AnyRegressor) {
    let mut value = 0.0;
    allocates_nothing(algorithm, "predict_value", || {
        value = learner.predict_value(&[0.9, 0.2]).unwrap();
    });
    assert_eq!([value], *learner.predict_one(&[0.9, 0.2]).unwrap());
}

#[test]
fn a_query_allocates_nothing() {
    for algorithm in common::every::<Classification>() {
        let learner = common::learned::<Classification>(&algorithm, 300);
        predicts_into_a_buffer::<Classification>(&algorithm, &learner);
        if !algorithm.is_baseline() {
            predicts_a_class(&algorithm, &learner);
        }
    }
    for algorithm in common::every::<Regression>() {
        let learner = common::learned::<Regression>(&algorithm, 300);
        predicts_into_a_buffer::<Regression>(&algorithm, &learner);
        predicts_a_number(&algorithm, &learner);
    }
}
