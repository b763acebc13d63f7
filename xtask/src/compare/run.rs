//! One run: a fresh learner meets its rows, and the clock runs only while it works.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Error, ensure};
use forest_core::{OnlineLearner, Schema};
use ndarray::s;
use online_forests::{Algorithm, Named};

use super::interrupt;
use super::metric::{Score, Scored};
use super::prepare::{Part, Rows};
use super::progress::Progress;
use super::record::{Curve, Measured};

/// Rows handed over at a time: Ctrl-C and the progress bar wait for no more than these.
const BATCH: usize = 1000;

/// Why a run has no result.
#[derive(Debug)]
pub enum Halt {
    /// Ctrl-C.
    Interrupted,
    /// The learner, or what it answered, is at fault.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Who runs.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The algorithm.
    pub algorithm: &'a Algorithm,
    /// Trees of its forest.
    pub trees: usize,
    /// Seed of its forest.
    pub seed: u64,
}

/// A run that came to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The algorithm with all of its parameters.
    pub algorithm: Algorithm,
    /// The trees it had.
    pub trees: usize,
    /// The numbers.
    pub measured: Measured,
}

/// Runs `entry` on `rows`.
///
/// # Errors
/// Ctrl-C, a refused parameter or batch, or a metric that is not a number.
pub fn run<T: Scored>(
    entry: Entry<'_>,
    rows: &Rows<T>,
    progress: &Progress,
) -> Result<Finished, Halt> {
    let schema = Schema::<T>::new(rows.n_features())?;
    let mut learner = entry
        .algorithm
        .plant::<T>(schema, entry.trees, entry.seed)?;
    let mut measured = match rows {
        Rows::Holdout(train, test) => holdout(&mut learner, train, test, progress)?,
        Rows::Prequential(stream, window) => prequential(&mut learner, stream, *window, progress)?,
    };
    ensure_number(measured.value)?;
    measured.held = learner.footprint().into();
    Ok(Finished {
        algorithm: learner.algorithm(),
        trees: learner.trees(),
        measured,
    })
}

fn holdout<T: Scored>(
    learner: &mut dyn OnlineLearner<Task = T>,
    train: &Part<T>,
    test: &Part<T>,
    progress: &Progress,
) -> Result<Measured, Halt> {
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
) -> Result<Duration, Halt> {
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
) -> Result<(f64, Duration), Halt> {
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

/// Test, then learn, window by window: a batch means its rows one after another.
fn prequential<T: Scored>(
    learner: &mut dyn OnlineLearner<Task = T>,
    stream: &Part<T>,
    window: usize,
    progress: &Progress,
) -> Result<Measured, Halt> {
    let (mut all, mut time, mut curve) = (Score::default(), Duration::ZERO, Curve::default());
    for rows in batches(stream.targets.len(), window) {
        let features = stream.features.slice(s![rows.clone(), ..]);
        let targets = &stream.targets[rows.clone()];
        let start = Instant::now();
        let answers = learner.predict_then_learn(features, targets)?;
        time += start.elapsed();
        let losses = answers
            .iter()
            .zip(targets)
            .map(|(answer, &truth)| T::loss(answer, truth));
        note::<T>(&mut curve, &mut all, rows.end, losses);
        pause(progress, rows.len())?;
    }
    Ok(Measured {
        value: all.value::<T>(),
        learn_seconds: time.as_secs_f64(),
        curve: Some(curve),
        ..Measured::default()
    })
}

/// Adds the losses of the window that ends at row `end` to the curve.
fn note<T: Scored>(
    curve: &mut Curve,
    all: &mut Score,
    end: usize,
    losses: impl Iterator<Item = f64>,
) {
    let mut window = Score::default();
    for loss in losses {
        window.add(loss);
        all.add(loss);
    }
    curve.rows.push(end);
    curve.windowed.push(window.value::<T>());
    curve.cumulative.push(all.value::<T>());
}

/// Between two batches: the bar moves, and Ctrl-C is heard.
fn pause(progress: &Progress, rows: usize) -> Result<(), Halt> {
    progress.advance(rows);
    match interrupt::requested() {
        true => Err(Halt::Interrupted),
        false => Ok(()),
    }
}

fn batches(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows)
        .step_by(size)
        .map(move |start| start..rows.min(start + size))
}

fn ensure_number(value: f64) -> anyhow::Result<()> {
    ensure!(
        value.is_finite(),
        "the metric is {value}: some prediction is no finite number"
    );
    Ok(())
}
