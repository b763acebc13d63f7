//! The labels of a node's samples, added up from leaf to root.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::inequality::short;

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
    /// Returns by how much separating these samples from `others` lowers the impurity, times the number of both: of classes
    /// the Gini impurity, of numbers the variance.
    ///
    /// With l and r samples on the sides it is l·r/(l + r) · |a − b|², where a and b are the means of the
    /// sides or, for classes, the vectors of their frequencies.
    pub fn gain(&self, others: &Self) -> f64 {
        let (l, r, squares) = match (self, others) {
            (Self::Classes(left), Self::Classes(right)) => {
                let [l, r] = [left, right].map(|counts| counts.iter().sum::<u64>() as f64);
                let frequency = |counts: &[u64], class: usize, samples: f64| {
                    counts.get(class).copied().unwrap_or(0) as f64 / samples
                };
                let classes = 0..left.len().max(right.len());
                let square =
                    |class| (frequency(left, class, l) - frequency(right, class, r)).powi(2);
                (l, r, classes.map(square).sum::<f64>())
            }
            (
                &Self::Numbers {
                    samples: l,
                    mean: a,
                },
                &Self::Numbers {
                    samples: r,
                    mean: b,
                },
            ) => (l as f64, r as f64, (a - b).powi(2)),
            _ => return 0.0,
        };
        l * r / (l + r) * squares
    }

    /// Returns the labels in words: `setosa: 2, virginica: 7`, or `mean 3.5`. A class without a name is `class 2`.
    pub fn text(&self, class_names: &[String]) -> String {
        match self {
            Self::Classes(counts) => {
                let present = counts.iter().enumerate().filter(|(_, count)| **count > 0);
                let texts = present.map(|(class, count)| match class_names.get(class) {
                    Some(name) => format!("{name}: {count}"),
                    None => format!("class {class}: {count}"),
                });
                texts.collect::<Vec<_>>().join(", ")
            }
            Self::Numbers { mean, .. } => format!("mean {}", short(*mean, 4)),
        }
    }
}

/// Labels of samples, added up: of one sample, of a leaf, of the nodes above it, of a stream.
pub trait Labels: Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned {
    /// A label.
    type Target;

    /// Adds `count` samples with this label or, of numbers, with this mean.
    fn add(&mut self, target: Self::Target, count: u64);

    /// Adds the labels of other samples.
    fn merge(&mut self, others: &Self);

    /// Returns the number of samples.
    fn samples(&self) -> u64;

    /// Fills `prediction` with the class frequencies or the mean of the samples, one or more.
    fn predict(&self, prediction: &mut [f64]);

    /// Returns the labels as data.
    fn summary(&self) -> LabelSummary;
}

/// Classes, counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassLabels {
    counts: Vec<u64>,
    samples: u64,
}

impl Labels for ClassLabels {
    type Target = u32;

    fn add(&mut self, class: u32, count: u64) {
        let class = class as usize;
        self.counts.resize(self.counts.len().max(class + 1), 0);
        self.counts[class] += count;
        self.samples += count;
    }

    fn merge(&mut self, others: &Self) {
        self.counts
            .resize(self.counts.len().max(others.counts.len()), 0);
        for (count, other) in self.counts.iter_mut().zip(&others.counts) {
            *count += other;
        }
        self.samples += others.samples;
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn predict(&self, prediction: &mut [f64]) {
        for (cell, count) in prediction.iter_mut().zip(&self.counts) {
            *cell = *count as f64 / self.samples as f64;
        }
    }

    fn summary(&self) -> LabelSummary {
        LabelSummary::Classes(self.counts.clone())
    }
}

/// Numbers and their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NumberLabels {
    samples: u64,
    mean: f64,
}

impl Labels for NumberLabels {
    type Target = f64;

    fn add(&mut self, mean: f64, count: u64) {
        self.samples += count;
        if count > 0 {
            self.mean += (mean - self.mean) * count as f64 / self.samples as f64;
        }
    }

    fn merge(&mut self, others: &Self) {
        self.add(others.mean, others.samples);
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn predict(&self, prediction: &mut [f64]) {
        prediction.fill(self.mean);
    }

    fn summary(&self) -> LabelSummary {
        let Self { samples, mean } = *self;
        LabelSummary::Numbers { samples, mean }
    }
}
