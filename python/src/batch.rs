//! Rows that are learned together, whole or not at all, in blocks between which Python may interrupt.

use std::ops::Range;
use std::time::{Duration, Instant};

use numpy::ndarray::{ArrayView2, Axis, Slice};
use online_forests::{OnlineLearner as _, SampleWeight};
use pyo3::prelude::*;

use crate::capabilities::{expect_widening, takes_no_weights, widen};
use crate::error::refused;
use crate::inner::Inner;
use crate::task::PythonTask;

/// Rows with their targets, and a weight each if there are any.
pub struct Batch<'a, T: PythonTask> {
    /// The features, a row for each sample.
    pub rows: ArrayView2<'a, f32>,
    /// A target for each row.
    pub targets: &'a [T::Target],
    /// A weight for each row; none if all are 1.
    pub weights: Option<&'a [f64]>,
}

impl<T: PythonTask> Batch<'_, T> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.nrows()
    }

    /// Some of the rows of a batch that was [checked](Self::check).
    pub fn block(&self, rows: Range<usize>) -> Batch<'_, T> {
        Batch {
            rows: self.rows.slice_axis(Axis(0), Slice::from(rows.clone())),
            targets: &self.targets[rows.clone()],
            weights: self.weights.map(|weights| &weights[rows]),
        }
    }

    /// Refuses what learning would refuse, and changes nothing. Rows may have more features than those before if the learner
    /// takes them.
    ///
    /// # Errors
    /// Rows, targets or weights that are refused, or a learner that takes no weights.
    pub fn check(&self, inner: &mut Inner<T>) -> PyResult<()> {
        let mut schema = *inner.schema();
        if self.rows.ncols() > schema.features() {
            schema = schema.with_features(self.rows.ncols()).map_err(refused)?;
            expect_widening(inner)?;
        }
        let taken = inner.feature_values();
        schema.check_rows(self.rows, taken).map_err(refused)?;
        schema
            .check_targets(self.len(), self.targets)
            .map_err(refused)?;
        inner.check_room(self.len()).map_err(refused)?;
        if let Some(weights) = self.weights {
            SampleWeight::check_rows(self.len(), weights).map_err(refused)?;
            if !inner.takes_weights() {
                return Err(takes_no_weights(inner));
            }
        }
        Ok(())
    }

    /// Learns rows as wide as those before.
    ///
    /// # Errors
    /// As [`check`](Self::check); then nothing is changed.
    pub fn learn(&self, inner: &mut Inner<T>) -> PyResult<()> {
        match self.weights {
            None => inner.learn(self.rows, self.targets).map_err(refused),
            Some(weights) => match inner.learn_weighted(self.rows, self.targets, weights) {
                Some(learned) => learned.map_err(refused),
                None => Err(takes_no_weights(inner)),
            },
        }
    }

    /// Learns rows that may have more features than those before.
    ///
    /// # Errors
    /// As [`check`](Self::check); then nothing is changed.
    pub fn learn_wide(&self, inner: &mut Inner<T>) -> PyResult<()> {
        let features = self.rows.ncols();
        if features > inner.schema().features() {
            self.check(inner)?;
            widen(inner, features)?;
        }
        self.learn(inner)
    }
}

/// Rows of the first block; those of the others follow from the time that it took.
const FIRST_BLOCK: usize = 64;
/// How many milliseconds a block takes: long beside what surrounds it, short beside the second within which an interrupt is obeyed.
const SHORT: u128 = 50;
const LONG: u128 = 200;

/// Works on rows in blocks, between which signals of Python are handled.
///
/// # Errors
/// Those of the work, and what a signal handler raises: then the rows of the blocks before it are done.
pub fn in_blocks(
    py: Python<'_>,
    rows: usize,
    mut work: impl FnMut(Range<usize>) -> PyResult<()>,
) -> PyResult<()> {
    let (mut start, mut block) = (0, FIRST_BLOCK);
    while start < rows {
        let end = rows.min(start + block);
        let begun = Instant::now();
        work(start..end)?;
        py.check_signals()?;
        block = next_block(block, begun.elapsed());
        start = end;
    }
    Ok(())
}

fn next_block(block: usize, took: Duration) -> usize {
    match took.as_millis() {
        ..SHORT => block * 2,
        LONG.. => (block / 2).max(1),
        _ => block,
    }
}
