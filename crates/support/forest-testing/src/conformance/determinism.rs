//! A seed is a result: not the threads, the predictions asked for, or the time.

use super::stream::{prediction_bits, prediction_bits_at, queries};
use super::{Broken, ConformanceTask, Stream, schema};
use forest_core::{OnlineLearner, Schema, threads::with_threads};

const ROWS: usize = 503;
const WIDTH: usize = 3;

fn learned<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
    stream: &Stream<T>,
) -> L {
    let mut learner = build(schema(WIDTH), 7);
    stream.feed(&mut learner, 0, ROWS);
    learner
}

/// Checks that learning, predicting and testing-then-training give the same bits for any number of threads.
///
/// There is enough work for every call to be shared out, and no thread count divides the rows.
///
/// # Errors
/// If a prediction differs in a bit.
pub fn threads_are_invisible<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &(impl Fn(Schema<T>, u64) -> L + Sync),
) -> Result<(), Broken> {
    let check = "threads_are_invisible";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 3);
    let run = |threads| {
        let work = || {
            let mut learner = learned(build, &stream);
            let (features, targets) = stream.part(0, ROWS);
            let tested = learner.predict_then_learn(features, targets);
            let questions = queries(&learner, 1009);
            let predictions = prediction_bits_at(&learner, questions.view());
            (tested.expect("the stream is acceptable"), predictions)
        };
        with_threads(threads, work).expect("threads can be started")
    };
    let expected = run(1);
    for threads in [2, 3, 5] {
        let same = run(threads) == expected;
        Broken::require(same, check, || format!("{threads} threads differ from one"))?;
    }
    Ok(())
}

/// Checks that the same seed and stream give the same predictions and footprint.
///
/// # Errors
/// If they differ in a bit.
pub fn a_seed_is_a_result<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 4);
    let (one, two) = (learned(build, &stream), learned(build, &stream));
    let same = prediction_bits(&one) == prediction_bits(&two) && one.footprint() == two.footprint();
    Broken::require(same, "a_seed_is_a_result", || {
        "two runs with one seed differ".into()
    })
}

/// Checks that a learner that predicts between samples continues like one that does not.
///
/// # Errors
/// If a later prediction differs, or the same row gets two predictions.
pub fn prediction_changes_nothing<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "prediction_changes_nothing";
    let stream = Stream::<T>::uniform(ROWS, WIDTH, 4);
    let mut asked = build(schema(WIDTH), 7);
    for start in (0..ROWS).step_by(25) {
        let end = ROWS.min(start + 25);
        let twice = prediction_bits(&asked) == prediction_bits(&asked);
        Broken::require(twice, check, || {
            format!("after {start} samples one row gets two predictions")
        })?;
        stream.feed(&mut asked, start, end);
    }
    let same = prediction_bits(&asked) == prediction_bits(&learned(build, &stream));
    Broken::require(same, check, || {
        "a learner that has predicted continues differently".into()
    })
}
