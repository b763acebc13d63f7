//! From a data set to the rows that a learner sees: divided or ordered, and preprocessed.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis, s};

use super::preprocess::{Fitted, PreprocessingError};
use super::{Order, split};
use crate::Comparison;

type Result<V> = std::result::Result<V, PreprocessingError>;

/// Some rows, preprocessed.
#[derive(Clone, Debug)]
pub(crate) struct Part<V> {
    pub features: Array2<f32>,
    pub targets: Vec<V>,
    /// Of the features, if they are weighted.
    pub weights: Option<Vec<f64>>,
}

impl<V: Copy> Part<V> {
    /// These `rows`, preprocessed.
    fn new(features: Array2<f32>, fitted: &Fitted, targets: &[V], rows: &[usize]) -> Result<Self> {
        Ok(Self {
            features: fitted.transform(features)?,
            targets: rows.iter().map(|&row| targets[row]).collect(),
            weights: fitted.weights.clone(),
        })
    }

    pub fn slice(&self, rows: &Range<usize>) -> (ArrayView2<'_, f32>, &[V]) {
        let features = self.features.slice(s![rows.clone(), ..]);
        (features, &self.targets[rows.clone()])
    }
}

/// The rows of one run.
#[derive(Clone, Debug)]
pub(crate) enum Rows<V> {
    Holdout {
        train: Part<V>,
        test: Part<V>,
    },
    Prequential {
        stream: Part<V>,
        window: usize,
        /// Rows of the stream at which what is to be learned changes.
        changes: Vec<usize>,
    },
}

impl<V: Copy> Rows<V> {
    /// Learners learn the targets as observed; a hold-out compares predictions with the truth.
    pub fn new(
        comparison: &Comparison<'_>,
        observed: &[V],
        truth: &[V],
        seed: u64,
    ) -> Result<Self> {
        match comparison.setting.window {
            None => Self::holdout(comparison, observed, truth, seed),
            Some(window) => Self::prequential(comparison, observed, window, seed),
        }
    }

    fn holdout(
        comparison: &Comparison<'_>,
        observed: &[V],
        truth: &[V],
        seed: u64,
    ) -> Result<Self> {
        let all = &comparison.dataset.features;
        let (train, test) = comparison.split.rows(all.nrows(), seed);
        let features = all.select(Axis(0), &train);
        let fitted = comparison
            .preprocessing
            .fit(features.view(), comparison.dataset, &train)?;
        Ok(Self::Holdout {
            train: Part::new(features, &fitted, observed, &train)?,
            test: Part::new(all.select(Axis(0), &test), &fitted, truth, &test)?,
        })
    }

    fn prequential(
        comparison: &Comparison<'_>,
        observed: &[V],
        window: usize,
        seed: u64,
    ) -> Result<Self> {
        let rows = comparison.dataset.rows();
        let order = match comparison.order {
            Order::Stream => (0..rows).collect(),
            Order::Shuffled => split::shuffled(rows, seed),
        };
        let features = comparison.dataset.features.select(Axis(0), &order);
        let first = features.slice(s![..window, ..]);
        let fitted = comparison
            .preprocessing
            .fit(first, comparison.dataset, &order[..window])?;
        let stream = Part::new(features, &fitted, observed, &order)?;
        Ok(Self::Prequential {
            stream,
            window,
            changes: comparison.setting.changes.clone(),
        })
    }

    /// The rows that are learned.
    fn learned(&self) -> &Part<V> {
        let (Self::Holdout { train: part, .. } | Self::Prequential { stream: part, .. }) = self;
        part
    }

    pub fn n_features(&self) -> usize {
        self.learned().features.ncols()
    }

    /// Weights of the features, if they are weighted.
    pub fn weights(&self) -> Option<&[f64]> {
        self.learned().weights.as_deref()
    }
}
