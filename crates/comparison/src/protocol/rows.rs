//! Rows of a data set as a learner sees them: divided or ordered, and preprocessed.

use std::ops::Range;

use datasets::Target;
use ndarray::{Array2, ArrayView2, Axis, s};

use super::folds::Folded;
use super::preprocess::{Fitted, PreprocessingError};
use super::{Order, Preprocessing, split};
use crate::Comparison;
use crate::metric::Tested;
use crate::record::Protocol;

type Result<V> = std::result::Result<V, PreprocessingError>;

/// The rows of one run.
pub(crate) enum Rows<'a, V> {
    Holdout(Fold<V>),
    KFold(Folds<'a, V>),
    Prequential(Stream<V>),
    PrequentialKFold(Folded<V>),
    Delayed(Stream<V>),
}

/// Rows to learn from and rows to test on.
#[derive(Clone, Debug)]
pub struct Fold<V> {
    /// The rows to learn.
    pub train: Part<V>,
    /// The rows to predict.
    pub test: Part<V>,
}

/// Rows in order of arrival.
pub(crate) struct Stream<V> {
    pub rows: Part<V>,
    pub window: usize,
    /// Rows that arrive before the label of a row does.
    pub delay: usize,
    /// Rows at which what is to be learned changes.
    pub changes: Vec<usize>,
}

/// Some rows, preprocessed. There are as many rows, observed targets and true targets.
#[derive(Clone, Debug)]
pub struct Part<V> {
    /// Rows × features.
    pub features: Array2<f32>,
    /// The targets as observed, which learners learn.
    pub observed: Vec<V>,
    /// The targets that predictions are compared with, where they differ from the observed ones.
    pub truth: Option<Vec<V>>,
    /// The weights of the features, if they are weighted.
    pub weights: Option<Vec<f64>>,
}

impl<V: Copy> Part<V> {
    pub(super) fn len(&self) -> usize {
        self.observed.len()
    }

    pub(super) fn slice(&self, rows: &Range<usize>) -> (ArrayView2<'_, f32>, &[V]) {
        let features = self.features.slice(s![rows.clone(), ..]);
        (features, &self.observed[rows.clone()])
    }

    /// Returns the target that the prediction of a row is compared with.
    pub(super) fn truth(&self, row: usize) -> V {
        self.truth.as_ref().unwrap_or(&self.observed)[row]
    }

    /// Returns a row with its prediction.
    pub(super) fn tested<'a>(&self, row: usize, prediction: &'a [f64]) -> Tested<'a, V> {
        Tested {
            prediction,
            truth: self.truth(row),
            observed: self.observed[row],
            interval: None,
        }
    }
}

/// A data set with its targets and the design of its runs.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, V> {
    pub comparison: &'a Comparison<'a>,
    pub observed: &'a [V],
    /// The targets that a hold-out compares predictions with, where they differ from the observed ones.
    pub truth: Option<&'a [V]>,
}

/// The folds of a run. Each is preprocessed when its turn comes, so that only one is in memory.
pub(crate) struct Folds<'a, V> {
    source: Source<'a, V>,
    folds: Vec<(Vec<usize>, Vec<usize>)>,
}

impl<V: Copy> Folds<'_, V> {
    pub(crate) fn len(&self) -> usize {
        self.folds.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<Fold<V>>> {
        let folds = self.folds.iter();
        folds.map(|(train, test)| self.source.fold(train, test))
    }
}

impl<'a, V: Copy> Source<'a, V> {
    /// Returns the rows of the run with this seed.
    pub(crate) fn rows(self, seed: u64) -> Result<Rows<'a, V>> {
        let rows = self.comparison.dataset.rows();
        let setting = &self.comparison.setting;
        let folds = setting.folds.unwrap_or(2);
        Ok(match setting.protocol {
            Protocol::Holdout => {
                let (mut train, test) = self.comparison.split.rows(rows, seed);
                self.arrange(&mut train, seed);
                Rows::Holdout(self.fold(&train, &test)?)
            }
            Protocol::KFold => {
                let mut folds = split::folds(rows, folds, seed);
                for (train, _) in &mut folds {
                    self.arrange(train, seed);
                }
                let source = self;
                Rows::KFold(Folds { source, folds })
            }
            Protocol::Prequential => Rows::Prequential(self.stream(seed)?),
            Protocol::PrequentialKFold => {
                let validation = setting.validation.unwrap_or_default();
                Rows::PrequentialKFold(Folded::new(self.stream(seed)?, validation, folds, seed))
            }
            Protocol::Delayed => Rows::Delayed(self.stream(seed)?),
        })
    }

    /// Brings rows that are learned into the order of the setting.
    fn arrange(&self, rows: &mut [usize], seed: u64) {
        let target = |row: &usize| match &self.comparison.dataset.target {
            Target::Classes { labels, .. } => f64::from(labels[*row]),
            Target::Values { values, .. } => values[*row],
        };
        match self.comparison.setting.order {
            None => (),
            Some(Order::Stream) => rows.sort_unstable(),
            // A split that shuffles has done so.
            Some(Order::Shuffled) if !rows.is_sorted() => (),
            Some(Order::Shuffled) => split::shuffle(rows, seed),
            Some(Order::Sorted) => rows.sort_by(|a, b| target(a).total_cmp(&target(b))),
            Some(Order::SortedDescending) => {
                rows.sort_by(|a, b| target(b).total_cmp(&target(a)));
            }
        }
    }

    fn fold(&self, train: &[usize], test: &[usize]) -> Result<Fold<V>> {
        let Comparison {
            dataset,
            preprocessing,
            ..
        } = self.comparison;
        let table = Table {
            features: &dataset.features,
            target: &dataset.target,
            observed: self.observed,
            truth: self.truth,
        };
        table.fold(preprocessing, train, test)
    }

    fn stream(&self, seed: u64) -> Result<Stream<V>> {
        let (comparison, setting) = (self.comparison, &self.comparison.setting);
        let rows = comparison.dataset.rows();
        let mut order: Vec<usize> = (0..rows).collect();
        self.arrange(&mut order, seed);
        let features = comparison.dataset.features.select(Axis(0), &order);
        let window = setting.window.unwrap_or(rows);
        let first = features.slice(s![..window, ..]);
        let target = &comparison.dataset.target;
        let fitted = comparison
            .preprocessing
            .fit(first, target, &order[..window])?;
        Ok(Stream {
            rows: part(features, &fitted, &order, self.observed, None)?,
            window,
            delay: setting.delay.unwrap_or(0),
            changes: setting.changes.clone(),
        })
    }
}

/// All rows of a data set, with the targets of one task.
#[derive(Clone, Copy)]
pub struct Table<'a, V> {
    /// Rows × features.
    pub features: &'a Array2<f32>,
    /// The targets that weights of features are computed from.
    pub target: &'a Target,
    /// The targets as observed, which learners learn.
    pub observed: &'a [V],
    /// The targets that predictions are compared with, where they differ from the observed ones.
    pub truth: Option<&'a [V]>,
}

impl<V: Copy> Table<'_, V> {
    /// Returns the rows with these numbers, preprocessed as fits those that are learned.
    ///
    /// # Errors
    /// Returns an error for rows that cannot be preprocessed.
    pub fn fold(
        &self,
        preprocessing: &Preprocessing,
        train: &[usize],
        test: &[usize],
    ) -> Result<Fold<V>> {
        let learned = self.features.select(Axis(0), train);
        let fitted = preprocessing.fit(learned.view(), self.target, train)?;
        let unseen = self.features.select(Axis(0), test);
        Ok(Fold {
            train: part(learned, &fitted, train, self.observed, None)?,
            test: part(unseen, &fitted, test, self.observed, self.truth)?,
        })
    }
}

/// Returns the rows with these numbers, preprocessed.
fn part<V: Copy>(
    features: Array2<f32>,
    fitted: &Fitted,
    rows: &[usize],
    observed: &[V],
    truth: Option<&[V]>,
) -> Result<Part<V>> {
    let of_rows = |targets: &[V]| rows.iter().map(|&row| targets[row]).collect();
    Ok(Part {
        features: fitted.transform(features)?,
        observed: of_rows(observed),
        truth: truth.map(of_rows),
        weights: fitted.weights.clone(),
    })
}

#[cfg(test)]
mod tests {
    use datasets::{OpenOptions, open};
    use forest_core::Regression;
    use tables::preprocessing::label_weights;

    use super::super::{Design, Weights};
    use super::*;

    /// Features and targets of the first window of a shuffled stream are those of the same rows.
    #[test]
    fn weights_by_labels_of_a_shuffled_stream_are_those_of_its_first_window() {
        let data = open("friedman:n=900,test=0", &OpenOptions::default()).unwrap();
        let Target::Values { values, .. } = &data.target else {
            panic!("a regression")
        };
        let design = Design {
            order: Some(Order::Shuffled),
            preprocessing: Preprocessing {
                weights: Weights::Labels,
                ..Preprocessing::default()
            },
            ..Design::default()
        };
        let algorithms = ["wurtf".parse().unwrap()];
        let comparison =
            Comparison::new(&data, Protocol::Prequential, &algorithms, &design).unwrap();
        let source = Source {
            comparison: &comparison,
            observed: values,
            truth: None,
        };
        let stream = source.stream(5).unwrap();
        let order = split::shuffled(900, 5);
        let first = &order[..stream.window];
        assert!(stream.window < 900 && first != &(0..stream.window).collect::<Vec<_>>()[..]);
        let targets: Vec<f64> = first.iter().map(|&row| values[row]).collect();
        let rows = data.features.select(Axis(0), first);
        let expected = label_weights::<Regression>(rows.view(), &targets).unwrap();
        assert_eq!(stream.rows.weights, Some(expected));
        assert_eq!(stream.rows.observed[..stream.window], targets);
    }
}
