//! Rows of a data set as a learner sees them: in the order of a run, and preprocessed.

use std::ops::Range;

use datasets::Target;
use ndarray::{Array2, ArrayView2, Axis, s};

use super::preprocess::PreprocessingError;
use super::{Preprocessing, split};
use crate::record::Order;

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
        (
            self.features.slice(s![rows.clone(), ..]),
            &self.observed[rows.clone()],
        )
    }

    /// Returns the target that a prediction is compared with.
    pub fn truth(&self, row: usize) -> V {
        match &self.truth {
            Some(truth) if row >= self.learned => truth[row],
            _ => self.observed[row],
        }
    }
}

/// A table from which rows are taken.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a, V> {
    /// The features, a row each.
    pub features: &'a Array2<f32>,
    /// The targets, which weights may come from.
    pub target: &'a Target,
    /// The targets as observed.
    pub observed: &'a [V],
    /// The targets without noise, where they are known.
    pub truth: Option<&'a [V]>,
}

impl<V: Copy> Table<'_, V> {
    /// Takes rows that are learned, and then rows that are tested; features are preprocessed by those that are learned.
    ///
    /// # Errors
    /// Rows that cannot be preprocessed.
    pub fn divided(
        &self,
        preprocessing: &Preprocessing,
        train: &[usize],
        test: &[usize],
    ) -> Result<Samples<V>, PreprocessingError> {
        self.samples(
            preprocessing,
            &[train, test].concat(),
            train.len(),
            train.len(),
        )
    }

    /// Takes rows in an order of which the first `learned` are learned; features are preprocessed by the first `fitted`.
    ///
    /// # Errors
    /// Rows that cannot be preprocessed.
    pub fn samples(
        &self,
        preprocessing: &Preprocessing,
        order: &[usize],
        learned: usize,
        fitted: usize,
    ) -> Result<Samples<V>, PreprocessingError> {
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

/// Brings rows that are learned into the order that was asked for.
pub(super) fn arrange(rows: &mut [usize], order: Option<Order>, target: &Target, seed: u64) {
    let value = |row: &usize| match target {
        Target::Classes { labels, .. } => f64::from(labels[*row]),
        Target::Values { values, .. } => values[*row],
    };
    match order {
        None => (),
        Some(Order::Stream) => rows.sort_unstable(),
        // A split that shuffles has done so.
        Some(Order::Shuffled) if !rows.is_sorted() => (),
        Some(Order::Shuffled) => split::shuffle(rows, seed),
        Some(Order::Sorted) => rows.sort_by(|a, b| value(a).total_cmp(&value(b))),
        Some(Order::SortedDescending) => rows.sort_by(|a, b| value(b).total_cmp(&value(a))),
    }
}
