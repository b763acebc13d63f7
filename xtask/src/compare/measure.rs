//! One run: a new learner learns and predicts its rows. Only time inside the learner is measured.

use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use forest_core::{ForestSettings, OnlineLearner, Schema};
use online_forests::{Algorithm, AnyLearner, NamedTask};

use super::interrupt;
use super::metric::{Losses, Scoring};
use super::progress::Progress;
use super::record::{Curve, Measured};
use super::rows::{Part, Rows};

/// Rows of one batch of a hold-out: Ctrl-C and the progress bar wait for no more than these.
const BATCH: usize = 1000;

/// A run that came to its end.
pub struct Run {
    /// The algorithm with all of its parameters.
    pub algorithm: Algorithm,
    pub trees: usize,
    pub measured: Measured,
}

/// Builds the learner and runs the protocol that `rows` are for.
pub fn run<T: NamedTask>(
    algorithm: &Algorithm,
    settings: ForestSettings,
    rows: &Rows<T::Target>,
    scoring: &Scoring<T::Target>,
    progress: &Progress,
) -> Result<Run> {
    let schema = Schema::<T>::new(rows.n_features())?;
    let learner = algorithm.build::<T>(schema, settings)?;
    let mut measurement = Measurement::<T> {
        learner,
        scoring,
        progress,
    };
    let mut measured = match rows {
        Rows::Holdout { train, test } => measurement.holdout(train, test)?,
        Rows::Prequential { stream, window } => measurement.prequential(stream, *window)?,
    };
    let (value, learner) = (measured.value, measurement.learner);
    ensure!(
        value.is_finite(),
        "the metric is {value}: a prediction is not a finite number"
    );
    let footprint = learner.footprint();
    measured.nodes = footprint.nodes;
    measured.stored_samples = footprint.stored_samples;
    measured.model_bytes = footprint.bytes;
    Ok(Run {
        algorithm: learner.algorithm(),
        trees: learner.trees(),
        measured,
    })
}

struct Measurement<'a, T: NamedTask> {
    learner: AnyLearner<T>,
    scoring: &'a Scoring<T::Target>,
    progress: &'a Progress,
}

impl<T: NamedTask> Measurement<'_, T> {
    fn holdout(&mut self, train: &Part<T::Target>, test: &Part<T::Target>) -> Result<Measured> {
        let learn_time = self.learn(train)?;
        let (losses, predict_time) = self.predict(test)?;
        Ok(Measured {
            value: self.scoring.metric.value(losses),
            learn_seconds: learn_time.as_secs_f64(),
            predict_seconds: Some(predict_time.as_secs_f64()),
            ..Measured::default()
        })
    }

    fn learn(&mut self, train: &Part<T::Target>) -> Result<Duration> {
        let mut time = Duration::ZERO;
        for rows in batches(train.targets.len()) {
            let (features, targets) = train.slice(&rows);
            let start = Instant::now();
            self.learner.learn(features, targets)?;
            time += start.elapsed();
            self.after_batch(rows.len())?;
        }
        Ok(time)
    }

    fn predict(&self, test: &Part<T::Target>) -> Result<(Losses, Duration)> {
        let (mut losses, mut time) = (Losses::default(), Duration::ZERO);
        for rows in batches(test.targets.len()) {
            let (features, targets) = test.slice(&rows);
            let start = Instant::now();
            let predictions = self.learner.predict(features)?;
            time += start.elapsed();
            for (prediction, &truth) in predictions.rows().into_iter().zip(targets) {
                losses.add((self.scoring.loss)(&prediction.to_vec(), truth));
            }
            self.after_batch(rows.len())?;
        }
        Ok((losses, time))
    }

    /// Window by window, which is row by row: a batch means its rows one after another.
    fn prequential(&mut self, stream: &Part<T::Target>, window: usize) -> Result<Measured> {
        let metric = self.scoring.metric;
        let (mut losses, mut curve) = (Losses::default(), Curve::default());
        let mut time = Duration::ZERO;
        for rows in windows(stream.targets.len(), window) {
            let (features, targets) = stream.slice(&rows);
            let start = Instant::now();
            let predictions = self.learner.predict_then_learn(features, targets)?;
            let elapsed = start.elapsed();
            time += elapsed;
            let mut window = Losses::default();
            for (prediction, &truth) in predictions.iter().zip(targets) {
                let loss = (self.scoring.loss)(prediction, truth);
                window.add(loss);
                losses.add(loss);
            }
            curve.rows.push(rows.end);
            curve.windowed.push(metric.value(window));
            curve.cumulative.push(metric.value(losses));
            curve.seconds.push(elapsed.as_secs_f64());
            self.after_batch(rows.len())?;
        }
        Ok(Measured {
            value: metric.value(losses),
            learn_seconds: time.as_secs_f64(),
            curve: Some(curve),
            ..Measured::default()
        })
    }

    fn after_batch(&self, rows: usize) -> Result<()> {
        self.progress.advance(rows);
        Ok(interrupt::check()?)
    }
}

fn batches(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..rows).step_by(BATCH);
    starts.map(move |start| start..rows.min(start + BATCH))
}

/// `0..rows` in windows of `size`, the last with what remains: a short window would be noise.
fn windows(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    let count = rows / size;
    (1..=count).map(move |window| {
        let end = if window == count { rows } else { window * size };
        (window - 1) * size..end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_the_stream_and_none_is_short() {
        assert_eq!(windows(10, 4).collect::<Vec<_>>(), [0..4, 4..10]);
        assert_eq!(windows(5, 5).count(), 1);
    }

    #[test]
    fn batches_cover_the_rows() {
        assert_eq!(
            batches(2500).collect::<Vec<_>>(),
            [0..1000, 1000..2000, 2000..2500]
        );
    }
}
