//! Schedules: which rows each learner of a run learns and is tested on, when, and with which features.

use std::borrow::Cow;
use std::ops::Range;

use datasets::{Dataset, Target};
use forest_core::TreeRng;
use ndarray::{Array2, ArrayView2, Axis, s};

use crate::protocol::{Preprocessing, Protocol, Validation, arrange, shuffled};
use crate::record::AroundChange;
use crate::{Comparison, RunError};

/// A table from which rows are taken.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a, V> {
    /// The features, a row each.
    pub features: &'a Array2<f32>,
    /// The target, from which weights may come.
    pub target: &'a Target,
    /// The targets as observed.
    pub observed: &'a [V],
    /// The targets without noise, where they are known.
    pub truth: Option<&'a [V]>,
}

impl<'a, V: Copy> Table<'a, V> {
    /// Returns the rows of a data set with these targets.
    pub(crate) fn of(data: &'a Dataset, observed: &'a [V], truth: Option<&'a [V]>) -> Self {
        Self {
            features: &data.features,
            target: &data.target,
            observed,
            truth,
        }
    }

    /// Takes rows in an order: the first `learned` are learned, preprocessing is fitted on the first `fitted`.
    ///
    /// # Errors
    /// Returns an error for rows that cannot be preprocessed.
    pub fn samples(
        &self,
        preprocessing: &Preprocessing,
        order: &[usize],
        learned: usize,
        fitted: usize,
    ) -> Result<Samples<V>, RunError> {
        let features = self.features.select(Axis(0), order);
        let known = features.slice(s![..fitted, ..]);
        let fitted = preprocessing.fit(known, self.target, &order[..fitted])?;
        let of_rows = |targets: &[V]| order.iter().map(|&row| targets[row]).collect();
        Ok(Samples {
            features: fitted.transform(features)?,
            observed: of_rows(self.observed),
            truth: self.truth.map(of_rows),
            weights: fitted.weights,
            learned,
        })
    }
}

/// Preprocessed rows with their targets, in the order of a run: first those that are learned.
#[derive(Clone, Debug)]
pub struct Samples<V> {
    /// The features, a row each.
    pub features: Array2<f32>,
    /// The targets as observed.
    pub observed: Vec<V>,
    /// The targets without noise of the rows that are only tested, where they are known.
    pub truth: Option<Vec<V>>,
    /// Weights of the features, if they are weighted.
    pub weights: Option<Vec<f64>>,
    /// The number of rows that are learned; those after them are only tested.
    pub learned: usize,
}

impl<V: Copy> Samples<V> {
    /// Returns features and observed targets of some rows.
    pub(crate) fn slice(&self, rows: &Range<usize>) -> (ArrayView2<'_, f32>, &[V]) {
        let features = self.features.slice(s![rows.clone(), ..]);
        (features, &self.observed[rows.clone()])
    }

    /// Returns the target that a prediction is compared with.
    pub fn truth(&self, row: usize) -> V {
        match &self.truth {
            Some(truth) if row >= self.learned => truth[row],
            _ => self.observed[row],
        }
    }
}

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

/// The rows of a comparison in the order of a seed, and the steps of its learner, or of one learner for each fold.
pub(crate) struct Schedule<'a, V: Copy> {
    table: Table<'a, V>,
    comparison: &'a Comparison<'a>,
    /// The samples of all learners; `None` in k-fold cross-validation, where each fold has its own.
    samples: Option<Samples<V>>,
    /// What each fold of k-fold cross-validation learns and is tested on.
    folds: Vec<(Vec<usize>, Vec<usize>)>,
    /// How often each learner of prequential k-fold validation learns each row.
    copies: Vec<Vec<u32>>,
}

impl<'a, V: Copy> Schedule<'a, V> {
    pub(crate) fn new(
        comparison: &'a Comparison<'a>,
        table: Table<'a, V>,
        seed: u64,
    ) -> Result<Self, RunError> {
        let setting = &comparison.setting;
        let data = comparison.dataset;
        let rows = data.rows();
        let fold_count = setting.folds.unwrap_or_default();
        let arrange = |rows: &mut [usize]| arrange(rows, setting.order, &data.target, seed);
        let mut schedule = Self {
            table,
            comparison,
            samples: None,
            folds: Vec::new(),
            copies: Vec::new(),
        };
        if let Some(split) = &setting.split {
            let (mut train, test) = split.rows(rows, seed);
            arrange(&mut train);
            schedule.samples = Some(schedule.divided(&train, &test)?);
        } else if setting.protocol == Protocol::KFold {
            schedule.folds = folds(rows, fold_count, seed);
            for (train, _) in &mut schedule.folds {
                arrange(train);
            }
        } else {
            let mut order: Vec<usize> = (0..rows).collect();
            arrange(&mut order);
            let window = setting.window.unwrap_or(rows);
            schedule.samples = Some(table.samples(&setting.preprocessing, &order, rows, window)?);
            if let Some(validation) = setting.validation {
                schedule.copies = copies(validation, fold_count, rows, seed);
            }
        }
        Ok(schedule)
    }

    fn divided(&self, train: &[usize], test: &[usize]) -> Result<Samples<V>, RunError> {
        let order = [train, test].concat();
        let learned = train.len();
        let preprocessing = &self.comparison.setting.preprocessing;
        self.table.samples(preprocessing, &order, learned, learned)
    }

    pub(crate) fn learners(&self) -> usize {
        self.folds.len().max(self.copies.len()).max(1)
    }

    pub(crate) fn samples(&self, learner: usize) -> Result<Cow<'_, Samples<V>>, RunError> {
        if let Some(samples) = &self.samples {
            return Ok(Cow::Borrowed(samples));
        }
        let (train, test) = &self.folds[learner];
        self.divided(train, test).map(Cow::Owned)
    }

    /// Returns the changes of a stream; `None` where rows are held out.
    pub(crate) fn changes(&self) -> Option<&[usize]> {
        let setting = &self.comparison.setting;
        setting.protocol.is_stream().then_some(&setting.changes[..])
    }

    /// Returns the windows of a stream, of which the last takes the rest; or all rows.
    pub(crate) fn windows(&self, samples: &Samples<V>) -> Vec<Range<usize>> {
        let rows = samples.observed.len();
        windows(rows, self.comparison.setting.window.unwrap_or(rows))
    }

    pub(crate) fn steps(
        &self,
        learner: usize,
        samples: &Samples<V>,
        window: &Range<usize>,
    ) -> Vec<Step> {
        let setting = &self.comparison.setting;
        if !setting.protocol.is_stream() {
            let learned = samples.learned;
            return vec![Step::Learn(0..learned), Step::Test(learned..window.end)];
        }
        if let Some(copies) = self.copies.get(learner) {
            return learn_some(window, copies);
        }
        match setting.delay {
            Some(delay) => delayed(window, delay),
            None => vec![Step::TestThenLearn(window.clone())],
        }
    }
}

/// A random stream that no tree uses.
const FOLD_STREAM: usize = usize::MAX - 1;

/// Returns for each fold the rows that it learns, and those that it is tested on.
fn folds(rows: usize, folds: usize, seed: u64) -> Vec<(Vec<usize>, Vec<usize>)> {
    let order = shuffled(rows, seed);
    let mut all = Vec::new();
    for fold in 0..folds {
        let tested = fold * rows / folds..(fold + 1) * rows / folds;
        let learned = [&order[..tested.start], &order[tested.end..]].concat();
        all.push((learned, order[tested].to_vec()));
    }
    all
}

/// Returns how often each learner of prequential k-fold validation learns each row.
fn copies(validation: Validation, folds: usize, rows: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = TreeRng::new(seed, FOLD_STREAM);
    let mut copies = vec![vec![u32::from(validation == Validation::Cross); rows]; folds];
    for row in 0..rows {
        match validation {
            Validation::Bootstrap => {
                for fold in &mut copies {
                    fold[row] = rng.poisson(1.0) as u32;
                }
            }
            Validation::Cross => copies[rng.below(folds)][row] = 0,
            Validation::Split => copies[rng.below(folds)][row] = 1,
        }
    }
    copies
}

fn windows(rows: usize, size: usize) -> Vec<Range<usize>> {
    let mut windows = Vec::new();
    let mut start = 0;
    while start + 2 * size <= rows {
        windows.push(start..start + size);
        start += size;
    }
    windows.push(start..rows);
    windows
}

/// Returns the rows before, after and later than each change; `None` where they leave the stream or their concept.
pub(crate) fn windows_around(changes: &[usize], rows: usize) -> Vec<[Option<Range<usize>>; 3]> {
    const WINDOW: usize = AroundChange::WINDOW;
    let mut all = Vec::new();
    let mut begin = 0;
    for (number, &row) in changes.iter().enumerate() {
        let end = changes.get(number + 1).copied().unwrap_or(rows);
        let from = |start| Some(start..start + WINDOW).filter(|window| window.end <= end);
        let before = row.checked_sub(WINDOW).filter(|&start| start >= begin);
        let before = before.map(|start| start..row);
        all.push([before, from(row), from(row + AroundChange::LATER)]);
        begin = row;
    }
    all
}

/// Tests each row of a window, and learns the row whose label arrives with it.
fn delayed(window: &Range<usize>, delay: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    for row in window.clone() {
        steps.push(Step::Test(row..row + 1));
        steps.extend(row.checked_sub(delay).map(|row| Step::Learn(row..row + 1)));
    }
    steps
}

/// Tests every row of a window, and learns each as often as there are copies; equal steps of neighbours are one step.
fn learn_some(window: &Range<usize>, copies: &[u32]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut start = window.start;
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
    use tables::preprocessing::{FeatureScaling, Pca, Step, label_weights, value_weights};

    use super::Step::{Learn as L, Test as T, TestThenLearn as B};
    use super::*;
    use crate::protocol::{Design, Split, Splitting, Weights};

    /// Learners see features that are preprocessed, and weighted, by rows known by then only: those that are learned
    /// before the test, along a stream those of the first window. Later rows are larger, so no two sets of rows have
    /// the same extremes and moments.
    #[test]
    fn preprocessing_is_fitted_on_rows_that_are_known_by_then() {
        let value = |(row, column)| [row, row * row, row * 37 % 101 + row][column] as f32;
        let features = Array2::from_shape_fn((60, 3), value);
        let numbers: Vec<f64> = (0..60).map(f64::from).collect();
        let target = Target::Values {
            values: numbers.clone(),
            noise_free: None,
        };
        let names = ["a", "b", "c"].map(str::to_owned);
        let data = Dataset::in_memory("growing", features, names.into(), target).unwrap();
        use FeatureScaling::{Minmax, Quantile, Robust, Standard};
        let scalings = [Minmax, Standard, Robust, Quantile].map(|scaling| (scaling, None));
        let components = [(FeatureScaling::None, Some(2)), (Minmax, Some(2))];
        for (scaling, components) in scalings.into_iter().chain(components) {
            use Protocol::{Delayed, Holdout, KFold, Prequential};
            for protocol in [Holdout, KFold, Prequential, Delayed] {
                let mut design = Design::default();
                design.preprocessing.scaling = scaling;
                design.preprocessing.components = components;
                design.preprocessing.weights = Weights::Labels;
                design.folds = Some(4);
                design.delay = Some(7);
                let asked = ["mean".parse().unwrap()];
                let comparison = Comparison::new(&data, protocol, &asked, &design).unwrap();
                let table = Table::of(&data, &numbers, None);
                let rows = Schedule::new(&comparison, table, 1).unwrap();
                let is_stream = protocol.is_stream();
                for learner in 0..rows.learners() {
                    let samples = rows.samples(learner).unwrap();
                    let known = if is_stream { 20 } else { samples.learned };
                    let order = samples.observed.iter().map(|&row| row as usize);
                    let order: Vec<usize> = order.collect();
                    let mut expected = data.features.select(Axis(0), &order);
                    if let Some(k) = components {
                        let pca = Pca::fit(expected.slice(s![..known, ..]), k).unwrap();
                        expected = Step::Pca(pca).transform(expected).unwrap();
                    }
                    let learned = expected.slice(s![..known, ..]);
                    let weights = value_weights(learned, &samples.observed[..known]).unwrap();
                    assert_eq!(samples.weights, Some(weights), "{protocol} {design:?}");
                    if let Some(step) = scaling.fit(expected.slice(s![..known, ..])).unwrap() {
                        expected = step.transform(expected).unwrap();
                    }
                    assert_eq!(samples.features, expected, "{protocol} {design:?}");
                }
            }
        }
    }

    /// The rows are in another order than those of the table.
    #[test]
    fn weights_of_features_are_by_the_classes_of_their_rows() {
        let numbers = [4, 1, 0, 5, 2, 3];
        let names = [0, 0, 0, 1, 1, 1].map(|class: u8| class.to_string());
        let target = Target::classes(names.into()).unwrap();
        let labels = numbers.map(|row| u32::from(row > 2));
        // The first feature is the class, which the second does not determine.
        let value = |(row, column)| [labels[row], row as u32 % 2][column] as f32;
        let rows = Array2::from_shape_fn((6, 2), value);
        let preprocessing = Preprocessing {
            weights: Weights::Labels,
            ..Preprocessing::default()
        };
        let fitted = preprocessing.fit(rows.view(), &target, &numbers).unwrap();
        assert_eq!(fitted.weights, label_weights(rows.view(), &labels).ok());
        assert!(fitted.weights.is_some());
    }

    #[test]
    fn windows_cover_the_stream_and_rows_that_are_learned_alike_are_one_step() {
        assert_eq!(windows(10, 4), [0..4, 4..10]);
        assert_eq!((windows(5, 5).len(), windows(0, 1).len()), (1, 1));
        let copies = [9, 0, 0, 1, 1, 2, 1, 3, 0, 1];
        let steps = [
            T(1..3),
            B(3..6),
            L(5..6),
            B(6..8),
            L(7..8),
            L(7..8),
            T(8..9),
            B(9..10),
        ];
        assert_eq!(learn_some(&(1..10), &copies), steps);
        let late = [T(0..1), T(1..2), L(0..1), T(2..3), L(1..2)];
        assert_eq!(delayed(&(0..3), 1), late);
    }

    #[test]
    fn no_window_leaves_the_stream_or_its_concept() {
        let windows = [Some(100..600), Some(600..1100), Some(1600..2100)];
        assert_eq!(windows_around(&[600], 2100), [windows]);
        for (changes, rows, expected) in [
            (&[500][..], 2000, &["xxx"][..]),
            (&[499], 1998, &[" x "]),
            (&[0], 499, &["   "]),
            (&[0, 1500, 1999], 3499, &[" xx", "x  ", " xx"]),
        ] {
            let found = windows_around(changes, rows);
            let mark = |window: &Option<_>| if window.is_some() { 'x' } else { ' ' };
            let found: Vec<String> = found
                .iter()
                .map(|all| all.iter().map(mark).collect())
                .collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn copies_have_the_distribution_of_the_validation() {
        let chi_square = |found: &[usize], expected: &[f64]| -> f64 {
            let total = found.iter().sum::<usize>() as f64;
            let square = |n: usize, mean: f64| (n as f64 - mean).powi(2) / mean;
            let term = |(n, share): (&usize, &f64)| square(*n, share * total);
            found.iter().zip(expected).map(term).sum()
        };
        let rows = 50_000;
        let of = |validation| copies(validation, 5, rows, 7);
        let poisson = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0].map(|part| part * (-1.0_f64).exp());
        let poisson = [&poisson[..], &[1.0 - poisson.iter().sum::<f64>()]].concat();
        for fold in of(Validation::Bootstrap) {
            let rows = |copies| fold.iter().filter(|own| **own.min(&&5) == copies).count();
            let found = [0, 1, 2, 3, 4, 5].map(rows);
            assert!(chi_square(&found, &poisson) < 20.5, "{found:?}");
        }
        for validation in [Validation::Cross, Validation::Split] {
            let mut drawn: Vec<usize> = Vec::new();
            for fold in of(validation) {
                let copies = u32::from(validation == Validation::Split);
                drawn.push(fold.iter().filter(|own| **own == copies).count());
            }
            assert!(chi_square(&drawn, &[0.2; 5]) < 18.5, "{drawn:?}");
        }
        assert_ne!(of(Validation::Split), copies(Validation::Split, 5, rows, 8));
    }

    #[test]
    fn splits_and_folds_have_their_rows_once() {
        let is_all = |train: &[usize], test: &[usize], rows: usize| {
            let mut all = [train, test].concat();
            all.sort_unstable();
            all == (0..rows).collect::<Vec<_>>()
        };
        let split = |kind, train, test_from| Split {
            kind,
            train,
            test_from,
        };
        let standard = split(Splitting::Standard, 2, Some(4));
        assert_eq!(standard.rows(6, 0), (vec![0, 1], vec![4, 5]));
        let first = split(Splitting::Chronological, 7, None);
        assert_eq!(first.rows(10, 1), ((0..7).collect(), (7..10).collect()));
        let split = split(Splitting::Repeated, 70, None);
        let (train, test) = split.rows(100, 1);
        assert_ne!(train, split.rows(100, 2).0);
        assert!(is_all(&train, &test, 100));
        for (rows, count) in [(10, 3), (7, 7), (100, 2)] {
            let folds = folds(rows, count, 1);
            let tested: Vec<usize> = folds.iter().flat_map(|fold| fold.1.clone()).collect();
            assert!(is_all(&tested, &[], rows));
            for (train, test) in &folds {
                assert!(test.len().abs_diff(rows / count) <= 1 && is_all(train, test, rows));
            }
        }
        assert_ne!(folds(100, 2, 1), folds(100, 2, 2));
    }
}
