//! One run: a new learner learns and predicts its rows. Only time inside the learner is measured.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use forest_core::{Footprint, ForestSettings, InputError, OnlineLearner, Schema};
use ndarray::{Array2, ArrayView2};
use online_forests::{Algorithm, AnyLearner, NamedTask};

use super::rows::{Part, Rows};
use crate::metric::{Losses, Scoring};
use crate::record::{Curve, Measured};
use crate::{
    AnyAlgorithm, AroundChange, BatchAlgorithm, BatchTask, FitOptions, Observer, RunError, Training,
};

type Result<V> = std::result::Result<V, RunError>;

/// Rows of one batch of a hold-out: Ctrl-C and the progress bar wait for no more than these.
const BATCH: usize = 1000;

/// A run that came to its end.
pub(crate) struct Run {
    /// The algorithm with all of its parameters.
    pub algorithm: AnyAlgorithm,
    pub trees: usize,
    pub measured: Measured,
}

/// Builds the learner and runs the protocol that `rows` are for.
pub(crate) fn run<T: BatchTask>(
    algorithm: &AnyAlgorithm,
    settings: ForestSettings,
    rows: &Rows<T::Target>,
    scoring: &Scoring<T::Target>,
    observer: &dyn Observer,
) -> Result<Run> {
    let weighted = rows
        .weights()
        .map(|weights| algorithm.with_weights(weights));
    let run = match weighted.as_ref().unwrap_or(algorithm) {
        AnyAlgorithm::Online(online) => run_online::<T>(online, settings, rows, scoring, observer)?,
        AnyAlgorithm::Offline(offline) => {
            run_offline::<T>(offline, settings, rows, scoring, observer)?
        }
    };
    let value = run.measured.value;
    match value.is_finite() {
        true => Ok(run),
        false => Err(RunError::NotFinite(value)),
    }
}

/// Fits to all training rows at once; only the fit counts as learning.
fn run_offline<T: BatchTask>(
    algorithm: &BatchAlgorithm,
    settings: ForestSettings,
    rows: &Rows<T::Target>,
    scoring: &Scoring<T::Target>,
    observer: &dyn Observer,
) -> Result<Run> {
    let Rows::Holdout { train, test } = rows else {
        return Err(RunError::OfflineStream);
    };
    let learner = algorithm.learner::<T>()?;
    let mut training = Training::<T>::new(train.features.view(), &train.targets)?;
    if learner.is_transductive() {
        training = training.with_unlabelled(test.features.view())?;
    }
    let tell = |part: usize, parts: usize| {
        let rows = |part: usize| train.targets.len() * part / parts;
        observer.advance(rows(part) - rows(part - 1));
        match observer.is_stopped() {
            false => ControlFlow::Continue(()),
            true => ControlFlow::Break(()),
        }
    };
    let options = FitOptions {
        progress: &tell,
        ..FitOptions::new(settings.trees, settings.seed)
    };
    let start = Instant::now();
    let fitted = learner.fit(&training, options);
    let learn_time = start.elapsed();
    check(observer)?;
    let fitted = fitted?;
    let answer = |rows: ArrayView2<'_, f32>| fitted.predict(rows);
    let (losses, predict_time) = predict(test, scoring, observer, answer)?;
    let mut measured = holdout(scoring, losses, learn_time, predict_time);
    measured.set_footprint(fitted.footprint());
    Ok(Run {
        algorithm: AnyAlgorithm::Offline(algorithm.stated()),
        trees: fitted.trees(),
        measured,
    })
}

fn run_online<T: NamedTask>(
    algorithm: &Algorithm,
    settings: ForestSettings,
    rows: &Rows<T::Target>,
    scoring: &Scoring<T::Target>,
    observer: &dyn Observer,
) -> Result<Run> {
    let schema = Schema::<T>::new(rows.n_features())?;
    let learner = algorithm.build::<T>(schema, settings)?;
    let mut measurement = Measurement::<T> {
        learner,
        scoring,
        observer,
    };
    let mut measured = match rows {
        Rows::Holdout { train, test } => measurement.holdout(train, test)?,
        Rows::Prequential {
            stream,
            window,
            changes,
        } => measurement.prequential(stream, *window, changes)?,
    };
    let learner = measurement.learner;
    measured.set_footprint(Some(learner.footprint()));
    Ok(Run {
        algorithm: AnyAlgorithm::Online(learner.algorithm()),
        trees: learner.trees(),
        measured,
    })
}

struct Measurement<'a, T: NamedTask> {
    learner: AnyLearner<T>,
    scoring: &'a Scoring<T::Target>,
    observer: &'a dyn Observer,
}

impl<T: NamedTask> Measurement<'_, T> {
    fn holdout(&mut self, train: &Part<T::Target>, test: &Part<T::Target>) -> Result<Measured> {
        let learn_time = self.learn(train)?;
        let answer = |rows: ArrayView2<'_, f32>| self.learner.predict(rows);
        let (losses, predict_time) = predict(test, self.scoring, self.observer, answer)?;
        Ok(holdout(self.scoring, losses, learn_time, predict_time))
    }

    fn learn(&mut self, train: &Part<T::Target>) -> Result<Duration> {
        let mut time = Duration::ZERO;
        for rows in batches(train.targets.len()) {
            let (features, targets) = train.slice(&rows);
            let start = Instant::now();
            self.learner.learn(features, targets)?;
            time += start.elapsed();
            after_batch(self.observer, rows.len())?;
        }
        Ok(time)
    }

    /// Window by window, which is row by row: a batch means its rows one after another.
    fn prequential(
        &mut self,
        stream: &Part<T::Target>,
        window: usize,
        changes: &[usize],
    ) -> Result<Measured> {
        let metric = self.scoring.metric;
        let (mut losses, mut curve) = (Losses::default(), Curve::default());
        let mut of_rows = Vec::with_capacity(stream.targets.len());
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
                of_rows.push(loss);
            }
            curve.rows.push(rows.end);
            curve.windowed.push(metric.value(window));
            curve.cumulative.push(metric.value(losses));
            curve.seconds.push(elapsed.as_secs_f64());
            after_batch(self.observer, rows.len())?;
        }
        let over =
            |rows: &Range<usize>| metric.value(of_rows[rows.clone()].iter().copied().collect());
        let around_changes = AroundChange::all(changes, of_rows.len());
        Ok(Measured {
            value: metric.value(losses),
            learn_seconds: time.as_secs_f64(),
            curve: Some(curve),
            around_changes: around_changes.iter().map(|rows| rows.map(over)).collect(),
            ..Measured::default()
        })
    }
}

fn predict<V: Copy>(
    test: &Part<V>,
    scoring: &Scoring<V>,
    observer: &dyn Observer,
    answer: impl Fn(ArrayView2<'_, f32>) -> std::result::Result<Array2<f64>, InputError>,
) -> Result<(Losses, Duration)> {
    let (mut losses, mut time) = (Losses::default(), Duration::ZERO);
    for rows in batches(test.targets.len()) {
        let (features, targets) = test.slice(&rows);
        let start = Instant::now();
        let predictions = answer(features)?;
        time += start.elapsed();
        for (prediction, &truth) in predictions.rows().into_iter().zip(targets) {
            losses.add((scoring.loss)(&prediction.to_vec(), truth));
        }
        after_batch(observer, rows.len())?;
    }
    Ok((losses, time))
}

fn holdout<V>(
    scoring: &Scoring<V>,
    losses: Losses,
    learn_time: Duration,
    predict_time: Duration,
) -> Measured {
    Measured {
        value: scoring.metric.value(losses),
        learn_seconds: learn_time.as_secs_f64(),
        predict_seconds: Some(predict_time.as_secs_f64()),
        ..Measured::default()
    }
}

impl Measured {
    fn set_footprint(&mut self, footprint: Option<Footprint>) {
        self.nodes = footprint.map(|footprint| footprint.nodes);
        self.stored_samples = footprint.map(|footprint| footprint.stored_samples);
        self.model_bytes = footprint.map(|footprint| footprint.bytes);
    }
}

fn after_batch(observer: &dyn Observer, rows: usize) -> Result<()> {
    observer.advance(rows);
    check(observer)
}

fn check(observer: &dyn Observer) -> Result<()> {
    match observer.is_stopped() {
        true => Err(RunError::Interrupted),
        false => Ok(()),
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
