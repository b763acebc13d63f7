//! A summary of the labels of a node or of a stream.

use serde::{Deserialize, Serialize};

/// A summary of the labels of a node's samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelSummary {
    /// The number of samples of each class, from class 0 to the largest that the node has.
    Classes(Vec<u64>),
    /// The targets of a regression.
    Numbers {
        /// How many there are.
        samples: u64,
        /// Their mean; 0 if there are none.
        mean: f64,
    },
}

impl LabelSummary {
    /// Returns by how much separating these samples from `others` lowers the impurity, times the number of both: the
    /// Gini impurity of classes, the variance of numbers. With l and r samples on the sides it is
    /// l·r/(l + r) · |a − b|², where a and b are the means of the sides or the vectors of their class frequencies.
    pub fn gain(&self, others: &Self) -> f64 {
        let l = self.samples() as f64;
        let r = others.samples() as f64;
        if l == 0.0 || r == 0.0 {
            return 0.0;
        }
        let squares = match (self, others) {
            (Self::Classes(left), Self::Classes(right)) => {
                let frequency = |counts: &[u64], class: usize, samples: f64| {
                    counts.get(class).copied().unwrap_or(0) as f64 / samples
                };
                let square = |k| (frequency(left, k, l) - frequency(right, k, r)).powi(2);
                (0..left.len().max(right.len())).map(square).sum::<f64>()
            }
            (Self::Numbers { mean: a, .. }, Self::Numbers { mean: b, .. }) => (a - b).powi(2),
            _ => return 0.0,
        };
        l * r / (l + r) * squares
    }

    /// Adds `count` samples of a class.
    pub fn add_class(&mut self, class: u32, count: u64) {
        let Self::Classes(counts) = self else { return };
        counts.resize(counts.len().max(class as usize + 1), 0);
        counts[class as usize] += count;
    }

    /// Adds `count` samples with this mean.
    pub fn add_number(&mut self, of_these: f64, count: u64) {
        let Self::Numbers { samples, mean } = self else {
            return;
        };
        *samples += count;
        if count > 0 {
            *mean += (of_these - *mean) * count as f64 / *samples as f64;
        }
    }

    /// Adds the labels of other samples.
    pub fn merge(&mut self, others: &Self) {
        match others {
            Self::Classes(counts) => {
                for (class, &count) in (0..).zip(counts) {
                    self.add_class(class, count);
                }
            }
            Self::Numbers { samples, mean } => self.add_number(*mean, *samples),
        }
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> u64 {
        match self {
            Self::Classes(counts) => counts.iter().copied().fold(0, u64::saturating_add),
            Self::Numbers { samples, .. } => *samples,
        }
    }

    /// Fills `prediction` with the class frequencies or the mean of the samples, one or more.
    pub fn predict(&self, prediction: &mut [f64]) {
        match self {
            Self::Classes(counts) => {
                let samples = self.samples() as f64;
                for (cell, count) in prediction.iter_mut().zip(counts) {
                    *cell = *count as f64 / samples;
                }
            }
            Self::Numbers { mean, .. } => prediction.fill(*mean),
        }
    }
}
