//! A part: it learns some rows and predicts all of them.

use std::ops::Range;

use forest_core::{OnlineLearner, accumulate};
use ndarray::{ArrayView2, s};
use registry::{AnyLearner, BaseLearner, NamedTask};
use serde::{Deserialize, Serialize};

use crate::NESTING;

/// Why a part accepts its input.
const SOUND: &str = "rows and targets were checked for all parts";

/// How rows are distributed round-robin from some row of the stream on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deal {
    /// Rows before.
    pub seen: u64,
    /// Number of parts.
    pub parts: u32,
}

impl Deal {
    /// Returns the rows, of the next `rows` and counted from 0, that part `number` learns.
    pub(crate) fn rows_of(self, number: u32, rows: usize) -> impl ExactSizeIterator<Item = usize> {
        (self.first(number)..rows).step_by(self.parts as usize)
    }

    /// Returns how many of the earlier rows part `number` has learned.
    pub(crate) fn learned(self, number: u32) -> u64 {
        let before = self.seen.saturating_sub(u64::from(number));
        before.div_ceil(u64::from(self.parts))
    }

    fn first(self, number: u32) -> usize {
        let turn = (self.seen % u64::from(self.parts)) as u32;
        let rows = if number >= turn {
            number - turn
        } else {
            self.parts - turn + number
        };
        rows as usize
    }
}

/// A learner of every P-th row, with working memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Part<T: NamedTask> {
    /// Which of all parts it is, from 0.
    number: u32,
    base: BaseLearner<T, NESTING>,
    #[serde(skip)]
    targets: Vec<T::Target>,
    /// The base's predictions for some rows.
    #[serde(skip)]
    base_predictions: Vec<f64>,
    /// Predictions for all rows of a round, each as long as the number of classes known after it requires.
    #[serde(skip)]
    predictions: Vec<f64>,
}

impl<T: NamedTask> Part<T> {
    pub(crate) fn new(number: u32, base: BaseLearner<T, NESTING>) -> Self {
        Self {
            number,
            base,
            targets: Vec::new(),
            base_predictions: Vec::new(),
            predictions: Vec::new(),
        }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn learner(&self) -> &AnyLearner<T> {
        self.base.get()
    }

    /// Returns the bytes of its working memory.
    pub(crate) fn working_bytes(&self) -> usize {
        let numbers = self.base_predictions.capacity() + self.predictions.capacity();
        numbers * size_of::<f64>() + self.targets.capacity() * size_of::<T::Target>()
    }

    /// Learns its share of these rows.
    pub(crate) fn learn(&mut self, rows: ArrayView2<'_, f32>, targets: &[T::Target], deal: Deal) {
        let own = deal.rows_of(self.number, targets.len());
        self.targets.clear();
        self.targets.extend(own.map(|row| targets[row]));
        if self.targets.is_empty() {
            return;
        }
        let own = rows.slice(s![deal.first(self.number)..;deal.parts as usize, ..]);
        self.base.get_mut().learn(own, &self.targets).expect(SOUND);
    }

    /// Predicts all rows, each with up to `width` numbers, and learns its own of them, each after its prediction.
    pub(crate) fn predict_rows_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        deal: Deal,
        width: usize,
    ) {
        self.predictions.clear();
        self.predictions.resize(targets.len() * width, 0.0);
        let mut from = 0;
        for own in deal.rows_of(self.number, targets.len()) {
            self.predict_rows(rows, from..own + 1, width);
            from = own + 1;
            let (row, target) = (rows.slice(s![own..from, ..]), &targets[own..from]);
            self.base.get_mut().learn(row, target).expect(SOUND);
        }
        self.predict_rows(rows, from..targets.len(), width);
    }

    fn predict_rows(&mut self, rows: ArrayView2<'_, f32>, some: Range<usize>, width: usize) {
        let rows = rows.slice(s![some.clone(), ..]);
        let predictions = &mut self.predictions[some.start * width..some.end * width];
        add_predictions(
            self.base.get(),
            rows,
            &mut self.base_predictions,
            predictions,
            width,
        );
    }

    /// Returns its prediction for a row of the round.
    pub(crate) fn prediction_for(&self, row: usize, width: usize) -> &[f64] {
        &self.predictions[row * width..][..width]
    }

    /// Adds its predictions for rows to sums of `width` numbers each. `base_predictions` is working memory.
    pub(crate) fn add_predictions(
        &self,
        rows: ArrayView2<'_, f32>,
        base_predictions: &mut Vec<f64>,
        sums: &mut [f64],
        width: usize,
    ) {
        add_predictions(self.base.get(), rows, base_predictions, sums, width);
    }
}

/// Adds predictions to sums; a learner that knows fewer classes than others gives the rest probability 0.
fn add_predictions<T: NamedTask>(
    learner: &AnyLearner<T>,
    rows: ArrayView2<'_, f32>,
    base_predictions: &mut Vec<f64>,
    sums: &mut [f64],
    width: usize,
) {
    learner.predict_into(rows, base_predictions).expect(SOUND);
    let known = learner.schema().width();
    if known > 0 {
        let predictions = base_predictions.chunks_exact(known);
        let sums = sums.chunks_exact_mut(width);
        sums.zip(predictions)
            .for_each(|(sum, prediction)| accumulate(sum, prediction));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_dealt_out_in_turn() {
        for (seen, parts) in [
            (0, 1),
            (0, 3),
            (7, 3),
            (8, 3),
            (9, 3),
            (5, 8),
            (u64::MAX / 4, 7),
        ] {
            let deal = Deal { seen, parts };
            for number in 0..parts {
                let theirs =
                    |row: &usize| (seen + *row as u64) % u64::from(parts) == u64::from(number);
                let expected: Vec<usize> = (0..20).filter(theirs).collect();
                assert!(deal.rows_of(number, 20).eq(expected), "{deal:?}, {number}");
            }
        }
        let learned = |seen| [0, 1, 2].map(|number| Deal { seen, parts: 3 }.learned(number));
        assert_eq!(learned(0), [0, 0, 0]);
        assert_eq!(learned(2), [1, 1, 0]);
        assert_eq!(learned(7), [3, 2, 2]);
    }
}
