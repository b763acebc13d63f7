//! How ballots are gathered: by rows when predicting, by trees when testing then training.

use ndarray::{Array2, ArrayView2};

use crate::forest::{Planted, ground};
use crate::{
    Classification, Forest, HardVote, InputError, OnlineLearner, OnlineTree, PredictionRows,
    Retention, Rows, SampleId, SampleStore, Task, argmax, threads,
};

/// Answers every row with `width` numbers: ballots are added in the order of the trees, then counted by `tally`.
pub(crate) fn predict<T: OnlineTree>(
    forest: &Forest<T>,
    rows: &Rows<'_>,
    width: usize,
    answers: &mut [f64],
) {
    let units = rows.len() * forest.planted().len();
    threads::fill_rows(answers, width, units, |first, share| {
        with_ballots(forest, |ballot, sum| {
            for (offset, answer) in share.chunks_exact_mut(width.max(1)).enumerate() {
                sum_ballots(forest, rows.row(first + offset), ballot, sum);
                T::tally(sum, forest.planted().len(), answer);
            }
        });
    });
}

/// Lends memory for one ballot, and for a sum of ballots.
fn with_ballots<T: OnlineTree>(forest: &Forest<T>, work: impl FnOnce(&mut [f64], &mut [f64])) {
    let width = T::ballot_width(&forest.schema().outputs());
    threads::with_buffer(|buffer| {
        buffer.resize(2 * width, 0.0);
        let (ballot, sum) = buffer.split_at_mut(width);
        work(ballot, sum);
    });
}

fn sum_ballots<T: OnlineTree>(
    forest: &Forest<T>,
    row: &[f32],
    ballot: &mut [f64],
    sum: &mut [f64],
) {
    let ground = forest.ground();
    sum.fill(0.0);
    for Planted { tree, rng } in forest.planted() {
        tree.vote(row, &ground, rng, ballot);
        add(sum, ballot);
    }
}

fn add(sum: &mut [f64], ballot: &[f64]) {
    for (cell, vote) in sum.iter_mut().zip(ballot) {
        *cell += vote;
    }
}

/// A stretch of the stream that the trees walk through.
pub(crate) struct Stream<'a, T: OnlineTree> {
    pub(crate) settings: &'a T::Settings,
    pub(crate) samples: &'a SampleStore<T::Task>,
    /// Where its first row is stored.
    pub(crate) first: usize,
    /// The outputs known before each row, and after the last.
    pub(crate) outputs: &'a [<T::Task as Task>::Outputs],
    /// The sample that is forgotten before each row is learned.
    pub(crate) leaving: &'a [Option<SampleId>],
    pub(crate) retention: Retention<T::Forgets>,
}

impl<T: OnlineTree> Stream<'_, T> {
    fn rows(&self) -> usize {
        self.leaving.len()
    }

    fn learn(&self, planted: &mut Planted<T>, row: usize) {
        let ground = ground(self.settings, self.samples, self.outputs[row + 1]);
        let Planted { tree, rng } = planted;
        if let (Some(id), Retention::Latest(_, proof)) = (self.leaving[row], self.retention) {
            tree.forget(id, &ground, rng, proof);
        }
        tree.learn(SampleId::new(self.first + row), &ground, rng);
    }

    fn vote(&self, planted: &Planted<T>, row: usize, ballot: &mut [f64]) {
        let ground = ground(self.settings, self.samples, self.outputs[row]);
        let features = self.samples.features(SampleId::new(self.first + row));
        planted.tree.vote(features, &ground, &planted.rng, ballot);
    }

    /// Every tree learns all rows.
    pub(crate) fn learn_all(&self, trees: &mut [Planted<T>]) {
        let units = self.rows() * trees.len();
        threads::each(trees, units, |planted| {
            (0..self.rows()).for_each(|row| self.learn(planted, row));
        });
    }

    /// Every tree runs through all rows alone; its ballots are added up afterwards.
    pub(crate) fn predict_then_learn(
        &self,
        trees: &mut [Planted<T>],
        answers: &mut PredictionRows,
    ) {
        let width = T::ballot_width(&self.outputs[self.rows()]);
        let per_tree = width * self.rows();
        let mut ballots = vec![0.0; per_tree * trees.len()];
        let units = trees.len() * self.rows();
        threads::each_with(trees, &mut ballots, per_tree, units, |planted, ballots| {
            for row in 0..self.rows() {
                let width_then = T::ballot_width(&self.outputs[row]);
                let ballot = &mut ballots[row * width..][..width_then];
                self.vote(planted, row, ballot);
                self.learn(planted, row);
            }
        });
        for row in 0..self.rows() {
            let mut sum = vec![0.0; T::ballot_width(&self.outputs[row])];
            for ballots in ballots.chunks_exact(per_tree.max(1)) {
                add(&mut sum, &ballots[row * width..]);
            }
            let answer = answers.push(T::Task::width(&self.outputs[row]));
            T::tally(&sum, trees.len(), answer);
        }
    }
}

impl<T: OnlineTree<Task = Classification>> HardVote for Forest<T> {
    fn hard_votes(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(features, self.schema().features())?;
        let mut votes = Array2::zeros((rows.len(), self.schema().width()));
        if votes.is_empty() {
            return Ok(votes);
        }
        let (ground, mut alone) = (self.ground(), vec![0.0; self.schema().width()]);
        with_ballots(self, |ballot, _| {
            for (row, mut votes) in rows.iter().zip(votes.rows_mut()) {
                for Planted { tree, rng } in self.planted() {
                    tree.vote(row, &ground, rng, ballot);
                    T::tally(ballot, 1, &mut alone);
                    votes[argmax(&alone)] += 1.0 / self.planted().len() as f64;
                }
            }
        });
        Ok(votes)
    }
}
