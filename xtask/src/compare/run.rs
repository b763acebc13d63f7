//! One run: a fresh learner meets its rows.

use std::ops::Range;

use anyhow::{Error, ensure};
use forest_core::{ForestSettings, OnlineLearner, Schema};
use online_forests::Algorithm;

use super::metric::Scored;
use super::prepare::Rows;
use super::progress::Progress;
use super::record::Measured;
use super::{holdout, interrupt, prequential};

/// Why a run has no result.
#[derive(Debug)]
pub enum RunError {
    /// Ctrl-C.
    Interrupted,
    /// The learner, or what it answered, is at fault.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for RunError {
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
) -> Result<Finished, RunError> {
    let schema = Schema::<T>::new(rows.n_features())?;
    let mut learner = entry.algorithm.build::<T>(
        schema,
        ForestSettings {
            trees: entry.trees,
            seed: entry.seed,
            ..ForestSettings::default()
        },
    )?;
    let mut measured = match rows {
        Rows::Holdout(train, test) => holdout::run(&mut learner, train, test, progress)?,
        Rows::Prequential(stream, window) => {
            prequential::run(&mut learner, stream, *window, progress)?
        }
    };
    ensure_number(measured.value)?;
    measured.held = learner.footprint().into();
    Ok(Finished {
        algorithm: learner.algorithm(),
        trees: learner.trees(),
        measured,
    })
}

/// Between two batches: the bar moves, and Ctrl-C is heard.
///
/// # Errors
/// Ctrl-C.
pub fn pause(progress: &Progress, rows: usize) -> Result<(), RunError> {
    progress.advance(rows);
    if interrupt::requested() {
        return Err(RunError::Interrupted);
    }
    Ok(())
}

/// `0..rows` in stretches of `size`.
pub fn batches(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
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
