//! Protocols that test each row of a stream before they learn it.

use std::ops::Range;

use forest_core::{OnlineLearner, Task};
use ndarray::s;

use super::batches::windows;
use super::rows::{Part, Stream};
use super::trained::Run;
use super::trial::Trial;
use super::watch::Growth;
use crate::clock::Stopwatch;
use crate::metric;
use crate::record::{Curve, Measured};
use crate::scores::Scores;
use crate::{AroundChange, BatchTask, RunError};

type Result<V> = std::result::Result<V, RunError>;

/// Predicts and learns the rows of one window, passes on each prediction, and returns the seconds spent in the learner.
pub(super) type Step<'a, T> = dyn FnMut(
        &mut dyn OnlineLearner<Task = T>,
        &Part<<T as Task>::Target>,
        &Range<usize>,
        Tested<'_>,
    ) -> Result<f64>
    + 'a;

/// Takes a row and its prediction.
pub(super) type Tested<'a> = &'a mut dyn FnMut(usize, &[f64]);

/// Tests and learns window by window, which is row by row: a batch means its rows one after another.
pub(super) fn prequential<T: BatchTask>(
    trial: &Trial<'_>,
    stream: &Stream<T::Target>,
) -> Result<Run> {
    along::<T>(trial, stream, &mut |learner, part, window, tested| {
        let (features, targets) = part.slice(window);
        let clock = Stopwatch::start();
        let predictions = learner.predict_then_learn(features, targets)?;
        let seconds = clock.elapsed().as_secs_f64();
        for (row, prediction) in window.clone().zip(predictions.iter()) {
            tested(row, prediction);
        }
        Ok(seconds)
    })
}

/// Predicts row `i`, then learns row `i − delay`, whose label arrives `delay` rows late. It passes one row per call, so it is
/// slower than [`prequential`]; without delay its predictions have the same bits.
pub(super) fn delayed<T: BatchTask>(trial: &Trial<'_>, stream: &Stream<T::Target>) -> Result<Run> {
    let mut prediction = Vec::new();
    let mut step = |learner: &mut dyn OnlineLearner<Task = T>,
                    part: &Part<T::Target>,
                    window: &Range<usize>,
                    tested: Tested<'_>| {
        let mut seconds = 0.0;
        for row in window.clone() {
            let clock = Stopwatch::start();
            let features = part.features.slice(s![row..=row, ..]);
            learner.predict_into(features, &mut prediction)?;
            if let Some(arrived) = row.checked_sub(stream.delay) {
                let (features, targets) = part.slice(&(arrived..arrived + 1));
                learner.learn(features, targets)?;
            }
            seconds += clock.elapsed().as_secs_f64();
            tested(row, &prediction);
        }
        Ok(seconds)
    };
    along::<T>(trial, stream, &mut step)
}

/// Runs `step` window by window.
pub(super) fn along<T: BatchTask>(
    trial: &Trial<'_>,
    stream: &Stream<T::Target>,
    step: &mut Step<'_, T>,
) -> Result<Run> {
    let part = &stream.rows;
    let mut online = trial.build::<T>(part)?;
    let (mut scores, mut curve) = (Scores::<T>::all(), Curve::default());
    let mut around = Around::<T>::new(&stream.changes, part.len());
    let mut growth = Growth::default();
    for rows in windows(part.len(), stream.window) {
        trial
            .watch
            .check_bytes(&mut growth, || online.bytes(), rows.len())?;
        let mut window = Scores::<T>::main();
        let mut tested = |row: usize, prediction: &[f64]| {
            let tested = part.tested(row, prediction);
            window.add(&tested);
            scores.add(&tested);
            around.add(row, &tested);
        };
        let seconds = step(online.learner_mut(), part, &rows, &mut tested)?;
        curve.rows.push(rows.end);
        curve.windowed.push(window.main_value());
        curve.cumulative.push(scores.main_value());
        curve.seconds.push(seconds);
        trial.watch.advance(rows.len())?;
    }
    let mut measured = Measured {
        learn_seconds: curve.seconds.iter().sum(),
        curve: Some(curve),
        around_changes: around.values(),
        ..scores.measured()
    };
    measured.set_footprint(online.footprint());
    Ok(Run {
        algorithm: online.full_algorithm(),
        trees: online.trees(),
        measured,
    })
}

/// The main metric around the changes of a stream.
struct Around<T: BatchTask> {
    changes: Vec<AroundChange<Range<usize>>>,
    parts: Vec<(Range<usize>, Scores<T>)>,
}

impl<T: BatchTask> Around<T> {
    fn new(changes: &[usize], rows: usize) -> Self {
        let changes = AroundChange::all(changes, rows);
        let ranges = changes
            .iter()
            .flat_map(|change| [&change.before, &change.after, &change.later])
            .flatten();
        let parts = ranges
            .map(|range| (range.clone(), Scores::main()))
            .collect();
        Self { changes, parts }
    }

    fn add(&mut self, row: usize, tested: &metric::Tested<'_, T::Target>) {
        for (_, scores) in self
            .parts
            .iter_mut()
            .filter(|(rows, _)| rows.contains(&row))
        {
            scores.add(tested);
        }
    }

    fn values(&self) -> Vec<AroundChange<f64>> {
        let value = |rows: &Range<usize>| {
            let mut parts = self.parts.iter();
            let found = parts.find(|(known, _)| known == rows);
            found.map_or(f64::NAN, |(_, scores)| scores.main_value())
        };
        self.changes
            .iter()
            .map(|change| change.map(value))
            .collect()
    }
}
