//! How many rows a learner needs to recover from a change of the stream: until it is as good as one that began at the change.

use std::ops::Range;

use datasets::TaskKind;

use super::batches::windows;
use super::rows::Stream;
use super::stream::Step;
use super::trial::Trial;
use crate::metric::Tested;
use crate::scores::Scores;
use crate::{AroundChange, BatchTask, RunError};

type Result<V> = std::result::Result<V, RunError>;

/// Rows whose losses are compared.
const WINDOW: usize = AroundChange::<f64>::WINDOW;

/// A loss this much larger than that of the other learner counts as recovered.
const TOLERANCE: f64 = 0.05;

/// The losses of all rows from one on: wrong classes, or squared errors.
pub(super) struct Losses {
    from: usize,
    /// Sums over the first 0, 1, … rows.
    sums: Vec<f64>,
}

impl Losses {
    pub(super) fn starting(from: usize) -> Self {
        let sums = vec![0.0];
        Self { from, sums }
    }

    /// Adds the next row; those before the first are left out.
    pub(super) fn add<T: BatchTask>(&mut self, row: usize, tested: &Tested<'_, T::Target>) {
        if row >= self.from {
            let mut score = Scores::<T>::main();
            score.add(tested);
            let loss = match T::KIND {
                TaskKind::Classification => 1.0 - score.main_value(),
                TaskKind::Regression => score.main_value().powi(2),
            };
            self.sums.push(self.sums[self.sums.len() - 1] + loss);
        }
    }

    /// Returns the sum over the window that ends before row `end`.
    fn of_window(&self, end: usize) -> f64 {
        let end = end - self.from;
        self.sums[end] - self.sums[end - WINDOW]
    }
}

/// Returns the rows from every change until recovery; `None` where it does not happen before the next change.
pub(super) fn recoveries<T: BatchTask>(
    trial: &Trial<'_>,
    stream: &Stream<T::Target>,
    losses: &Losses,
    step: &mut Step<'_, T>,
) -> Result<Vec<Option<f64>>> {
    let ends = stream.changes.iter().skip(1).copied();
    let concepts = stream.changes.iter().zip(ends.chain([stream.rows.len()]));
    let rows = concepts.map(|(&change, end)| recovery(trial, stream, change..end, losses, step));
    rows.collect()
}

/// Runs a learner from a change on, until the one that began earlier is as good.
fn recovery<T: BatchTask>(
    trial: &Trial<'_>,
    stream: &Stream<T::Target>,
    concept: Range<usize>,
    losses: &Losses,
    step: &mut Step<'_, T>,
) -> Result<Option<f64>> {
    let part = &stream.rows;
    let mut other = trial.build::<T>(part)?;
    let mut of_other = Losses::starting(concept.start);
    for window in windows(concept.len(), stream.window.min(concept.len())) {
        let rows = concept.start + window.start..concept.start + window.end;
        let mut tested = |row: usize, prediction: &[f64]| {
            of_other.add::<T>(row, &part.tested(row, prediction));
        };
        step(other.learner_mut(), part, &rows, &mut tested)?;
        trial.watch.check()?;
        // The other learner has learned nothing when the first row is predicted, which is not compared.
        let mut ends = (rows.start + 1..=rows.end).filter(|end| end - concept.start > WINDOW);
        let recovered =
            ends.find(|&end| losses.of_window(end) <= tolerance::<T>() * of_other.of_window(end));
        if let Some(end) = recovered {
            return Ok(Some((end - concept.start) as f64));
        }
    }
    Ok(None)
}

/// Returns the factor for sums of losses; RMSE is the root of a sum.
fn tolerance<T: BatchTask>() -> f64 {
    match T::KIND {
        TaskKind::Classification => 1.0 + TOLERANCE,
        TaskKind::Regression => (1.0 + TOLERANCE).powi(2),
    }
}
