//! Prequential k-fold validation: k learners along one stream, each of which learns some of the rows.

use std::ops::Range;

use forest_core::{OnlineLearner, TreeRng};

use super::rows::{Part, Stream};
use super::stream::{Tested, along};
use super::trained::Run;
use super::trial::Trial;
use crate::clock::Stopwatch;
use crate::record::{Measured, Validation};
use crate::{BatchTask, RunError};

/// The number of the random stream that assigns rows to folds: one that neither a tree nor a shuffle uses.
const FOLD_STREAM: usize = usize::MAX - 1;

/// A stream, and how often each learner learns each of its rows.
pub(crate) struct Folded<V> {
    stream: Stream<V>,
    copies: Vec<Vec<u32>>,
}

impl<V: Copy> Folded<V> {
    pub(super) fn new(stream: Stream<V>, validation: Validation, folds: usize, seed: u64) -> Self {
        let copies = copies(validation, folds, stream.rows.len(), seed);
        Self { stream, copies }
    }
}

/// Draws how often each of `folds` learners learns each row.
fn copies(validation: Validation, folds: usize, rows: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = TreeRng::new(seed, FOLD_STREAM);
    let mut copies = vec![vec![0; rows]; folds];
    for row in 0..rows {
        match validation {
            Validation::Bootstrap => copies
                .iter_mut()
                .for_each(|fold| fold[row] = rng.poisson(1.0) as u32),
            Validation::Cross => {
                let left_out = rng.below(folds);
                let others = copies.iter_mut().enumerate();
                let others = others.filter(|(fold, _)| *fold != left_out);
                others.for_each(|(_, fold)| fold[row] = 1);
            }
            Validation::Split => copies[rng.below(folds)][row] = 1,
        }
    }
    copies
}

/// Runs every learner along the stream; what is measured is the mean over them.
pub(super) fn prequential_k_fold<T: BatchTask>(
    trial: &Trial<'_>,
    folded: &Folded<T::Target>,
) -> Result<Run, RunError> {
    let runs = folded.copies.iter().map(|copies| {
        along::<T>(
            trial,
            &folded.stream,
            &mut |learner, part, window, tested| learn_some(learner, part, window, copies, tested),
        )
    });
    let mut runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let measured: Vec<Measured> = runs.iter().map(|run| run.measured.clone()).collect();
    let last = runs.pop().expect("there are at least two folds");
    Ok(Run {
        measured: Measured::over_folds(&measured),
        ..last
    })
}

/// Predicts every row of a window before it is learned as often as `copies` says. Returns the seconds spent in the learner.
fn learn_some<T: BatchTask>(
    learner: &mut dyn OnlineLearner<Task = T>,
    part: &Part<T::Target>,
    window: &Range<usize>,
    copies: &[u32],
    tested: Tested<'_>,
) -> Result<f64, RunError> {
    let mut seconds = 0.0;
    for rows in alike(window, copies) {
        let last = rows.end - 1;
        let (features, targets) = part.slice(&rows);
        let clock = Stopwatch::start();
        if copies[last] == 0 {
            let predictions = learner.predict(features)?;
            seconds += clock.elapsed().as_secs_f64();
            for (row, prediction) in rows.zip(predictions.rows()) {
                tested(row, &prediction.to_vec());
            }
        } else {
            let predictions = learner.predict_then_learn(features, targets)?;
            let (features, targets) = part.slice(&(last..last + 1));
            for _ in 1..copies[last] {
                learner.learn(features, targets)?;
            }
            seconds += clock.elapsed().as_secs_f64();
            for (row, prediction) in rows.zip(predictions.iter()) {
                tested(row, prediction);
            }
        }
    }
    Ok(seconds)
}

/// Divides a window into rows that are not learned, and rows of which all but the last are learned once.
fn alike(window: &Range<usize>, copies: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let chunks =
        copies[window.clone()].chunk_by(|one, next| (*one == 0) == (*next == 0) && *one < 2);
    chunks.scan(window.start, |start, chunk| {
        let rows = *start..*start + chunk.len();
        *start = rows.end;
        Some(rows)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_of_rows_that_are_learned_alike() {
        let copies = [9, 0, 0, 1, 1, 2, 1, 3, 0, 1];
        let batches: Vec<_> = alike(&(1..10), &copies).collect();
        assert_eq!(batches, [1..3, 3..6, 6..8, 8..9, 9..10]);
    }

    /// χ² of the copies of 50,000 rows for one learner against Poisson(1), and of the drawn learners against the uniform distribution: below the
    /// 99.9 % points of their distributions.
    #[test]
    fn copies_have_the_distribution_of_the_validation() {
        let rows = 50_000;
        let of = |validation| copies(validation, 5, rows, 7);
        let poisson = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0].map(|share| share * (-1.0_f64).exp());
        for fold in of(Validation::Bootstrap) {
            let mut expected = poisson.to_vec();
            expected.push(1.0 - poisson.iter().sum::<f64>());
            let count = |copies: u32| fold.iter().filter(|own| **own.min(&&5) == copies).count();
            let found: Vec<usize> = (0..6).map(count).collect();
            assert!(chi_square(&found, &expected) < 20.5, "{found:?}");
        }
        for validation in [Validation::Cross, Validation::Split] {
            let folds = of(validation);
            let learned: Vec<usize> = folds
                .iter()
                .map(|fold| fold.iter().map(|copies| *copies as usize).sum())
                .collect();
            let drawn: Vec<usize> = match validation {
                Validation::Split => learned,
                _ => learned.iter().map(|learned| rows - learned).collect(),
            };
            assert!(chi_square(&drawn, &[0.2; 5]) < 18.5, "{drawn:?}");
        }
        assert_ne!(of(Validation::Split), copies(Validation::Split, 5, rows, 8));
    }

    fn chi_square(found: &[usize], expected: &[f64]) -> f64 {
        let total = found.iter().sum::<usize>() as f64;
        let parts = found.iter().zip(expected);
        parts
            .map(|(found, share)| (*found as f64 - share * total).powi(2) / (share * total))
            .sum()
    }
}
