//! A part: a learner of some rows, which answers all.

use std::ops::Range;

use forest_core::{OnlineLearner, accumulate};
use ndarray::{ArrayView2, s};
use registry::{AnyLearner, BaseLearner, NamedTask};
use serde::{Deserialize, Serialize};

use crate::NESTING;

/// Why a part accepts what it is given.
const SOUND: &str = "rows and targets were checked for all parts";

/// How rows are dealt out from some row of the stream on.
#[derive(Clone, Copy, Debug)]
pub struct Deal {
    /// Rows before.
    pub seen: u64,
    /// Number of parts.
    pub parts: u32,
}

impl Deal {
    /// Which of the next `rows` rows, counted from 0, part `number` learns.
    pub fn rows_of(self, number: u32, rows: usize) -> impl ExactSizeIterator<Item = usize> {
        (self.first(number)..rows).step_by(self.parts as usize)
    }

    /// How many of the rows before part `number` has learned.
    pub fn learned(self, number: u32) -> u64 {
        let before = self.seen.saturating_sub(u64::from(number));
        before.div_ceil(u64::from(self.parts))
    }

    fn first(self, number: u32) -> usize {
        let turn = (self.seen % u64::from(self.parts)) as u32;
        let rows = match number >= turn {
            true => number - turn,
            false => self.parts - turn + number,
        };
        rows as usize
    }
}

/// A learner of every P-th row, with working memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Part<T: NamedTask> {
    /// Which of all parts it is, from 0.
    number: u32,
    base: BaseLearner<T, NESTING>,
    #[serde(skip)]
    targets: Vec<T::Target>,
    /// What the base answers to some rows.
    #[serde(skip)]
    of_base: Vec<f64>,
    /// Answers to all rows of a round, each as wide as all classes known after it make it.
    #[serde(skip)]
    answers: Vec<f64>,
}

impl<T: NamedTask> Part<T> {
    pub fn new(number: u32, base: BaseLearner<T, NESTING>) -> Self {
        Self {
            number,
            base,
            targets: Vec::new(),
            of_base: Vec::new(),
            answers: Vec::new(),
        }
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn learner(&self) -> &AnyLearner<T> {
        self.base.get()
    }

    /// Bytes of its working memory.
    pub fn working_bytes(&self) -> usize {
        let numbers = self.of_base.capacity() + self.answers.capacity();
        numbers * size_of::<f64>() + self.targets.capacity() * size_of::<T::Target>()
    }

    /// Learns its rows of these.
    pub fn learn(&mut self, rows: ArrayView2<'_, f32>, targets: &[T::Target], deal: Deal) {
        let own = deal.rows_of(self.number, targets.len());
        self.targets.clear();
        self.targets.extend(own.map(|row| targets[row]));
        if self.targets.is_empty() {
            return;
        }
        let own = rows.slice(s![deal.first(self.number)..;deal.parts as usize, ..]);
        self.base.get_mut().learn(own, &self.targets).expect(SOUND);
    }

    /// Answers all rows, each with up to `width` numbers, and learns its own of them, each after its answer.
    pub fn answer_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
        deal: Deal,
        width: usize,
    ) {
        self.answers.clear();
        self.answers.resize(targets.len() * width, 0.0);
        let mut from = 0;
        for own in deal.rows_of(self.number, targets.len()) {
            self.answer(rows, from..own + 1, width);
            from = own + 1;
            let (row, target) = (rows.slice(s![own..from, ..]), &targets[own..from]);
            self.base.get_mut().learn(row, target).expect(SOUND);
        }
        self.answer(rows, from..targets.len(), width);
    }

    fn answer(&mut self, rows: ArrayView2<'_, f32>, some: Range<usize>, width: usize) {
        let rows = rows.slice(s![some.clone(), ..]);
        let answers = &mut self.answers[some.start * width..some.end * width];
        add_answers(self.base.get(), rows, &mut self.of_base, answers, width);
    }

    /// Its answer to a row of the round.
    pub fn answer_to(&self, row: usize, width: usize) -> &[f64] {
        &self.answers[row * width..][..width]
    }

    /// Adds its answers to rows to sums of `width` numbers each. `of_base` is working memory.
    pub fn add_answers(
        &self,
        rows: ArrayView2<'_, f32>,
        of_base: &mut Vec<f64>,
        sums: &mut [f64],
        width: usize,
    ) {
        add_answers(self.base.get(), rows, of_base, sums, width);
    }
}

/// A learner that knows fewer classes than others gives the rest probability 0.
fn add_answers<T: NamedTask>(
    learner: &AnyLearner<T>,
    rows: ArrayView2<'_, f32>,
    of_base: &mut Vec<f64>,
    sums: &mut [f64],
    width: usize,
) {
    learner.predict_into(rows, of_base).expect(SOUND);
    let known = learner.schema().width();
    if known > 0 {
        let answers = of_base.chunks_exact(known);
        let sums = sums.chunks_exact_mut(width);
        sums.zip(answers)
            .for_each(|(sum, answer)| accumulate(sum, answer));
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
