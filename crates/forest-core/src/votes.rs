//! How accumulators are gathered: by rows when predicting, by trees when testing then training.

use ndarray::{Array2, ArrayView2};

use crate::forest::{SeededTree, context};
use crate::{
    Classification, Forest, HardVote, InputError, OnlineLearner, OnlineTree, PredictionRows,
    Retention, Rows, SampleId, SampleStore, Task, argmax, threads,
};

/// Answers every row with `width` numbers: accumulators are added in the order of the trees, then counted by `finish`.
pub(crate) fn predict<T: OnlineTree>(
    forest: &Forest<T>,
    rows: &Rows<'_>,
    width: usize,
    answers: &mut [f64],
) {
    let units = rows.len() * forest.seeded().len();
    threads::fill_rows(answers, width, units, |first, share| {
        with_ballots(forest, |accumulator, sum| {
            for (offset, answer) in share.chunks_exact_mut(width.max(1)).enumerate() {
                sum_ballots(forest, rows.row(first + offset), accumulator, sum);
                T::finish(sum, forest.seeded().len(), answer);
            }
        });
    });
}

/// Lends memory for one accumulator, and for a sum of accumulators.
fn with_ballots<T: OnlineTree>(forest: &Forest<T>, work: impl FnOnce(&mut [f64], &mut [f64])) {
    let width = T::accumulator_width(&forest.schema().outputs());
    threads::with_buffer(|buffer| {
        buffer.resize(2 * width, 0.0);
        let (accumulator, sum) = buffer.split_at_mut(width);
        work(accumulator, sum);
    });
}

fn sum_ballots<T: OnlineTree>(
    forest: &Forest<T>,
    row: &[f32],
    accumulator: &mut [f64],
    sum: &mut [f64],
) {
    let context = forest.context();
    sum.fill(0.0);
    for SeededTree { tree, rng } in forest.seeded() {
        tree.vote(row, &context, rng, accumulator);
        add(sum, accumulator);
    }
}

fn add(sum: &mut [f64], accumulator: &[f64]) {
    for (cell, vote) in sum.iter_mut().zip(accumulator) {
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
    /// The sample that is forgotten before each row is learned; empty if none is.
    pub(crate) leaving: &'a [Option<SampleId>],
    pub(crate) retention: Retention<T::Forgets>,
}

impl<T: OnlineTree> Stream<'_, T> {
    fn rows(&self) -> usize {
        self.outputs.len() - 1
    }

    fn learn(&self, seeded: &mut SeededTree<T>, row: usize) {
        let context = context(self.settings, self.samples, self.outputs[row + 1]);
        let SeededTree { tree, rng } = seeded;
        let leaving = self.leaving.get(row).copied().flatten();
        if let (Some(id), Retention::Latest(_, proof)) = (leaving, self.retention) {
            tree.forget(id, &context, rng, proof);
        }
        tree.learn(SampleId::new(self.first + row), &context, rng);
    }

    fn vote(&self, seeded: &SeededTree<T>, row: usize, accumulator: &mut [f64]) {
        let context = context(self.settings, self.samples, self.outputs[row]);
        let features = self.samples.features(SampleId::new(self.first + row));
        seeded
            .tree
            .vote(features, &context, &seeded.rng, accumulator);
    }

    /// Every tree learns all rows.
    pub(crate) fn learn_all(&self, trees: &mut [SeededTree<T>]) {
        let units = self.rows() * trees.len();
        threads::each(trees, units, |seeded| {
            (0..self.rows()).for_each(|row| self.learn(seeded, row));
        });
    }

    /// Every tree runs through all rows alone; its accumulators are added up afterwards.
    pub(crate) fn predict_then_learn(
        &self,
        trees: &mut [SeededTree<T>],
        answers: &mut PredictionRows,
    ) {
        let width = T::accumulator_width(&self.outputs[self.rows()]);
        let per_tree = width * self.rows();
        let mut accumulators = vec![0.0; per_tree * trees.len()];
        let units = trees.len() * self.rows();
        threads::each_with(
            trees,
            &mut accumulators,
            per_tree,
            units,
            |seeded, accumulators| {
                for row in 0..self.rows() {
                    let width_then = T::accumulator_width(&self.outputs[row]);
                    let accumulator = &mut accumulators[row * width..][..width_then];
                    self.vote(seeded, row, accumulator);
                    self.learn(seeded, row);
                }
            },
        );
        for row in 0..self.rows() {
            let mut sum = vec![0.0; T::accumulator_width(&self.outputs[row])];
            for accumulators in accumulators.chunks_exact(per_tree.max(1)) {
                add(&mut sum, &accumulators[row * width..]);
            }
            let answer = answers.push(T::Task::width(&self.outputs[row]));
            T::finish(&sum, trees.len(), answer);
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
        let (context, mut alone) = (self.context(), vec![0.0; self.schema().width()]);
        with_ballots(self, |accumulator, _| {
            for (row, mut votes) in rows.iter().zip(votes.rows_mut()) {
                for SeededTree { tree, rng } in self.seeded() {
                    tree.vote(row, &context, rng, accumulator);
                    T::finish(accumulator, 1, &mut alone);
                    votes[argmax(&alone)] += 1.0 / self.seeded().len() as f64;
                }
            }
        });
        Ok(votes)
    }
}
