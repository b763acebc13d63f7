//! Protocols as schedules: what a learner does with which rows, step by step.

use std::ops::Range;

use forest_core::TreeRng;

use super::samples::arrange;
use super::split;
use super::{PreprocessingError, Samples, Table};
use crate::Comparison;
use crate::record::{Protocol, Validation};

/// A stream of draws that no tree has.
const FOLD_STREAM: usize = usize::MAX - 1;

/// What a learner does next; rows are those of [`Samples`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// It learns rows.
    Learn(Range<usize>),
    /// It predicts rows.
    Test(Range<usize>),
    /// It predicts each row, then learns it.
    TestThenLearn(Range<usize>),
}

/// The life of one learner.
pub(crate) struct Course<'a> {
    /// Its steps, window by window along a stream.
    pub steps: Box<dyn Iterator<Item = (Range<usize>, Vec<Step>)> + 'a>,
    /// The changes of a stream.
    pub changes: Option<&'a [usize]>,
}

/// The rows of a comparison in the order of a seed, for all of its learners.
pub(crate) struct Rows<'a, V> {
    table: Table<'a, V>,
    comparison: &'a Comparison<'a>,
    kind: Kind<V>,
}

enum Kind<V> {
    Holdout(Samples<V>),
    /// What each fold learns and is tested on.
    KFold(Vec<(Vec<usize>, Vec<usize>)>),
    Stream(Samples<V>),
    /// How often each learner learns each row.
    Folded(Samples<V>, Vec<Vec<u32>>),
}

impl<'a, V: Copy> Rows<'a, V> {
    pub(crate) fn new(
        comparison: &'a Comparison<'a>,
        table: Table<'a, V>,
        seed: u64,
    ) -> Result<Self, PreprocessingError> {
        let (setting, data) = (&comparison.setting, comparison.dataset);
        let (rows, folds) = (data.rows(), setting.folds.unwrap_or(2));
        let arrange = |rows: &mut [usize]| arrange(rows, setting.order, &data.target, seed);
        let kind = match (setting.protocol, &setting.split) {
            (Protocol::Holdout, Some(split)) => {
                let (mut train, test) = split.rows(rows, seed);
                arrange(&mut train);
                Kind::Holdout(table.divided(&setting.preprocessing, &train, &test)?)
            }
            (Protocol::KFold | Protocol::Holdout, _) => {
                let mut folds = split::folds(rows, folds, seed);
                folds.iter_mut().for_each(|(train, _)| arrange(train));
                Kind::KFold(folds)
            }
            (protocol, _) => {
                let mut order: Vec<usize> = (0..rows).collect();
                arrange(&mut order);
                let window = setting.window.unwrap_or(rows);
                let samples = table.samples(&setting.preprocessing, &order, rows, window)?;
                if protocol == Protocol::PrequentialKFold {
                    let validation = setting.validation.unwrap_or_default();
                    Kind::Folded(samples, copies(validation, folds, rows, seed))
                } else {
                    Kind::Stream(samples)
                }
            }
        };
        Ok(Self {
            table,
            comparison,
            kind,
        })
    }

    /// Returns how many learners take part in a run.
    pub(crate) fn learners(&self) -> usize {
        match &self.kind {
            Kind::Holdout(_) | Kind::Stream(_) => 1,
            Kind::KFold(folds) => folds.len(),
            Kind::Folded(_, copies) => copies.len(),
        }
    }

    /// Calls `measure` with the rows and steps of a learner.
    pub(crate) fn with_course<R, E: From<PreprocessingError>>(
        &self,
        learner: usize,
        measure: impl FnOnce(&Samples<V>, Course<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        let setting = &self.comparison.setting;
        let window = setting.window.unwrap_or(setting.n_train);
        let changes = Some(&setting.changes[..]);
        match &self.kind {
            Kind::Holdout(samples) => measure(samples, hold_out(samples)),
            Kind::KFold(folds) => {
                let (train, test) = &folds[learner];
                let samples = self.table.divided(&setting.preprocessing, train, test)?;
                measure(&samples, hold_out(&samples))
            }
            Kind::Stream(samples) => {
                let steps = windows(samples.learned, window).map(|window| match setting.delay {
                    Some(delay) => (window.clone(), delayed(window, delay)),
                    None => (window.clone(), vec![Step::TestThenLearn(window)]),
                });
                measure(
                    samples,
                    Course {
                        steps: Box::new(steps),
                        changes,
                    },
                )
            }
            Kind::Folded(samples, copies) => {
                let steps = windows(samples.learned, window)
                    .map(|window| (window.clone(), learn_some(&window, &copies[learner])));
                measure(
                    samples,
                    Course {
                        steps: Box::new(steps),
                        changes,
                    },
                )
            }
        }
    }
}

/// Learns what is to be learned, then tests the rest.
fn hold_out<V>(samples: &Samples<V>) -> Course<'static> {
    let rows = 0..samples.observed.len();
    let steps = vec![
        Step::Learn(0..samples.learned),
        Step::Test(samples.learned..rows.end),
    ];
    Course {
        steps: Box::new([(rows, steps)].into_iter()),
        changes: None,
    }
}

/// Tests each row of a window, and learns the row whose label arrives with it.
fn delayed(window: Range<usize>, delay: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    for row in window {
        steps.push(Step::Test(row..row + 1));
        steps.extend(row.checked_sub(delay).map(|row| Step::Learn(row..row + 1)));
    }
    steps
}

/// Returns windows of a stream; the last takes the rest.
fn windows(rows: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    let count = rows / size;
    (0..count).map(move |window| {
        let end = if window + 1 == count {
            rows
        } else {
            (window + 1) * size
        };
        window * size..end
    })
}

/// Returns how often each learner learns each row.
fn copies(validation: Validation, folds: usize, rows: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = TreeRng::new(seed, FOLD_STREAM);
    let mut copies = vec![vec![0; rows]; folds];
    for row in 0..rows {
        match validation {
            Validation::Bootstrap => {
                copies
                    .iter_mut()
                    .for_each(|fold| fold[row] = rng.poisson(1.0) as u32);
            }
            Validation::Cross => {
                let left_out = rng.below(folds);
                for (fold, copies) in copies.iter_mut().enumerate() {
                    copies[row] = u32::from(fold != left_out);
                }
            }
            Validation::Split => copies[rng.below(folds)][row] = 1,
        }
    }
    copies
}

/// Tests every row of a window, and learns each as often as there are copies: rows that are learned alike at once, further copies of a row after it.
fn learn_some(window: &Range<usize>, copies: &[u32]) -> Vec<Step> {
    let (mut steps, mut start) = (Vec::new(), window.start);
    let alike = |one: &u32, next: &u32| (*one == 0) == (*next == 0) && *one < 2;
    for chunk in copies[window.clone()].chunk_by(alike) {
        let rows = start..start + chunk.len();
        start = rows.end;
        let last = chunk[chunk.len() - 1];
        if last == 0 {
            steps.push(Step::Test(rows));
            continue;
        }
        steps.push(Step::TestThenLearn(rows));
        steps.extend((1..last).map(|_| Step::Learn(start - 1..start)));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::Step::{Learn, Test, TestThenLearn};
    use super::*;

    #[test]
    fn windows_cover_the_stream_and_rows_that_are_learned_alike_are_one_step() {
        assert_eq!(windows(10, 4).collect::<Vec<_>>(), [0..4, 4..10]);
        assert_eq!(windows(5, 5).count(), 1);
        let copies = [9, 0, 0, 1, 1, 2, 1, 3, 0, 1];
        let steps = [
            Test(1..3),
            TestThenLearn(3..6),
            Learn(5..6),
            TestThenLearn(6..8),
            Learn(7..8),
            Learn(7..8),
            Test(8..9),
            TestThenLearn(9..10),
        ];
        assert_eq!(learn_some(&(1..10), &copies), steps);
        let late = [Test(0..1), Test(1..2), Learn(0..1), Test(2..3), Learn(1..2)];
        assert_eq!(delayed(0..3, 1), late);
    }

    #[test]
    fn copies_have_the_distribution_of_the_validation() {
        let chi_square = |found: &[usize], expected: &[f64]| -> f64 {
            let total = found.iter().sum::<usize>() as f64;
            let parts = found.iter().zip(expected);
            parts
                .map(|(n, share)| (*n as f64 - share * total).powi(2) / (share * total))
                .sum()
        };
        let rows = 50_000;
        let of = |validation| copies(validation, 5, rows, 7);
        let mut poisson = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]
            .map(|part| part * (-1.0_f64).exp())
            .to_vec();
        poisson.push(1.0 - poisson.iter().sum::<f64>());
        for fold in of(Validation::Bootstrap) {
            let count = |copies: u32| fold.iter().filter(|own| **own.min(&&5) == copies).count();
            let found: Vec<usize> = (0..6).map(count).collect();
            assert!(chi_square(&found, &poisson) < 20.5, "{found:?}");
        }
        for validation in [Validation::Cross, Validation::Split] {
            let learned = of(validation).into_iter();
            let learned = learned.map(|fold| fold.iter().sum::<u32>() as usize);
            let drawn: Vec<usize> = match validation {
                Validation::Split => learned.collect(),
                _ => learned.map(|learned| rows - learned).collect(),
            };
            assert!(chi_square(&drawn, &[0.2; 5]) < 18.5, "{drawn:?}");
        }
        assert_ne!(of(Validation::Split), copies(Validation::Split, 5, rows, 8));
    }
}
