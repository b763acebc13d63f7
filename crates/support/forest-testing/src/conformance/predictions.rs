//! What a prediction looks like, at any moment of the stream.

use forest_core::{OnlineLearner, Schema};
use ndarray::ArrayView2;

use super::{Broken, ConformanceTask, Stream, schema};

const WIDTH: usize = 2;

/// Checks that probabilities lie in [0, 1] and sum to 1, and means are finite: before the first sample, after one,
/// and along the stream, near the data and far from them.
///
/// # Errors
/// If a prediction is malformed.
pub fn predictions_are_well_formed<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "predictions_are_well_formed";
    let stream = Stream::<T>::uniform(200, WIDTH, 10);
    let mut far = Stream::<T>::uniform(20, WIDTH, 11).features;
    far.mapv_inplace(|value| (value - 0.5) * 1e6);
    let mut learner = build(schema(WIDTH), 12);
    let mut start = 0;
    for end in [1, 2, 3, 10, 50, 200] {
        for queries in [stream.features.view(), far.view()] {
            let odd = malformed(&learner, queries);
            Broken::require(odd.is_none(), check, || {
                format!("after {start} samples: {odd:?}")
            })?;
        }
        stream.feed(&mut learner, start, end);
        start = end;
    }
    Ok(())
}

/// Returns the first prediction that is malformed, or not as wide as the schema says.
pub(super) fn malformed<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    learner: &L,
    queries: ArrayView2<'_, f32>,
) -> Option<Vec<f64>> {
    let predictions = learner.predict(queries).expect("the rows are acceptable");
    let width = learner.schema().width();
    let mut rows = predictions.rows().into_iter().map(|row| row.to_vec());
    rows.find(|row| row.len() != width || !T::is_prediction(row))
}

/// Checks that a row is as wide as the classes known when it is made, whether they were stated or have appeared.
///
/// # Errors
/// If a row is narrower or wider.
pub fn classes_may_appear<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let check = "classes_may_appear";
    let mut stream = Stream::<T>::uniform(90, WIDTH, 13);
    let mut order: Vec<usize> = (0..90).collect();
    order.sort_by(|&a, &b| stream.features[[a, 0]].total_cmp(&stream.features[[b, 0]]));
    stream = Stream::labelled(stream.features.select(ndarray::Axis(0), &order));
    let mut learner = build(schema(WIDTH), 14);
    let predictions = learner.predict_then_learn(stream.features.view(), &stream.targets);
    let predictions = predictions.expect("the stream is acceptable");
    let mut known = schema::<T>(WIDTH).outputs();
    for (row, &target) in predictions.iter().zip(&stream.targets) {
        let right = row.len() == T::width(&known) && T::is_prediction(row);
        Broken::require(right, check, || format!("{row:?} when {known:?} was known"))?;
        known = T::admit(known, target);
    }
    Broken::require(learner.schema().outputs() == known, check, || {
        "the schema lags behind".into()
    })
}

/// Checks that on a stream whose first feature determines the target the loss on fresh points is less than half
/// of the baseline's.
///
/// # Errors
/// If it is not.
pub fn the_prior_is_beaten<T: ConformanceTask, L: OnlineLearner<Task = T>>(
    build: &impl Fn(Schema<T>, u64) -> L,
) -> Result<(), Broken> {
    let (train, test) = (
        Stream::<T>::uniform(1500, 2, 20),
        Stream::<T>::uniform(500, 2, 21),
    );
    let mut learner = build(schema(2), 22);
    train.feed(&mut learner, 0, train.len());
    let (loss, prior) = (test.mean_loss(&learner), test.prior_loss(&train));
    let how = || format!("loss {loss:.4}, the baseline's is {prior:.4}");
    Broken::require(loss < 0.5 * prior, "the_prior_is_beaten", how)
}
