//! Learn one part, then test on the other; the clock runs only inside the learner.

use std::time::{Duration, Instant};

use forest_core::OnlineLearner;
use ndarray::s;

use super::metric::{Score, Scored};
use super::prepare::Part;
use super::progress::Progress;
use super::record::Measured;
use super::run::{RunError, batches, pause};

/// Rows handed over at a time: Ctrl-C and the progress bar wait for no more than these.
const BATCH: usize = 1000;

/// Runs the protocol.
///
/// # Errors
/// Ctrl-C, or a refused batch.
pub fn run<T: Scored>(
    learner: &mut dyn OnlineLearner<Task = T>,
    train: &Part<T>,
    test: &Part<T>,
    progress: &Progress,
) -> Result<Measured, RunError> {
    let learn = learn(learner, train, progress)?;
    let (value, predict) = score(learner, test, progress)?;
    Ok(Measured {
        value,
        learn_seconds: learn.as_secs_f64(),
        predict_seconds: Some(predict.as_secs_f64()),
        ..Measured::default()
    })
}

fn learn<T: Scored>(
    learner: &mut dyn OnlineLearner<Task = T>,
    train: &Part<T>,
    progress: &Progress,
) -> Result<Duration, RunError> {
    let mut time = Duration::ZERO;
    for rows in batches(train.targets.len(), BATCH) {
        let features = train.features.slice(s![rows.clone(), ..]);
        let start = Instant::now();
        learner.learn(features, &train.targets[rows.clone()])?;
        time += start.elapsed();
        pause(progress, rows.len())?;
    }
    Ok(time)
}

fn score<T: Scored>(
    learner: &dyn OnlineLearner<Task = T>,
    test: &Part<T>,
    progress: &Progress,
) -> Result<(f64, Duration), RunError> {
    let (mut score, mut time) = (Score::default(), Duration::ZERO);
    for rows in batches(test.targets.len(), BATCH) {
        let features = test.features.slice(s![rows.clone(), ..]);
        let start = Instant::now();
        let answers = learner.predict(features)?;
        time += start.elapsed();
        for (answer, &truth) in answers.rows().into_iter().zip(&test.targets[rows.clone()]) {
            score.add(T::loss(&answer.to_vec(), truth));
        }
        pause(progress, rows.len())?;
    }
    Ok((score.value::<T>(), time))
}
