//! Features help.

use super::{Broken, ConformanceTask, Stream, schema};
use forest_core::{OnlineLearner, Schema};

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
    train
        .teach(&mut learner, 0, train.len())
        .expect("the stream is acceptable");
    let (loss, prior) = (test.mean_loss(&learner), test.prior_loss(&train));
    let how = || format!("loss {loss:.4}, the baseline's is {prior:.4}");
    Broken::require(loss < 0.5 * prior, "the_prior_is_beaten", how)
}
