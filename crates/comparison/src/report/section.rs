//! Sections of a report: a table for each setting, with a row for each algorithm.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use crate::AroundChange;
use crate::metric::Metric;
use crate::number;
use crate::record::{Curve, Host, Setting};
use crate::statistics::Estimate;

/// All that ran in one setting.
#[derive(Clone, Debug)]
pub struct Section {
    /// The setting they share.
    pub setting: Setting,
    /// The metrics of its table; the first determines the best.
    pub columns: Vec<Metric>,
    /// Words that distinguish the setting from others of the same data set and protocol; mostly empty.
    pub distinction: String,
    /// The requested numbers of trees; empty for a table without forests.
    pub trees: BTreeSet<usize>,
    /// The hosts and numbers of threads of the runs, each once.
    pub hosts: Vec<(Host, usize)>,
    /// The number of runs left out, since a seed counts once.
    pub surplus: usize,
    /// One per algorithm, in the order they ran.
    pub rows: Vec<Row>,
}

/// One algorithm, over its seeds.
#[derive(Clone, Debug)]
pub struct Row {
    /// Algorithm and parameters, and words that distinguish it from others written alike.
    pub label: String,
    /// Algorithm and parameters as the user wrote them.
    pub algorithm: String,
    /// Whether it ignores the features.
    pub baseline: bool,
    /// Whether it sees all training rows at once.
    pub offline: bool,
    /// Trees of the learner; 0 for a learner without trees.
    pub trees: usize,
    /// `None` if no finished run has the first metric of the table.
    pub result: Option<Averages>,
    /// Its standing among the others.
    pub rank: Rank,
    /// The reasons why runs failed, each once.
    pub errors: Vec<String>,
}

/// Means over the finished runs of one algorithm.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The first metric of the table.
    pub value: Estimate,
    /// The first metric run by run: seed and value.
    pub by_seed: Vec<(u64, f64)>,
    /// The mean of its standard error over the test rows of a run, if it has one.
    pub test_error: Option<f64>,
    /// Every metric that was measured, by name.
    pub metrics: BTreeMap<&'static str, Estimate>,
    /// Microseconds to learn (prequential: to predict and learn) a sample, per tree.
    pub learn_us: f64,
    /// Microseconds to predict a sample, per tree.
    pub predict_us: Option<f64>,
    /// Nodes. This and the following fields are `None` for learners that do not report them.
    pub nodes: Option<f64>,
    /// Samples that the learner keeps.
    pub stored_samples: Option<f64>,
    /// Bytes that the learner holds.
    pub bytes: Option<f64>,
    /// The metric along a stream.
    pub curve: Option<Curve>,
    /// The curve of each seed.
    pub curves: Vec<Curve>,
    /// One per change of the stream.
    pub around_changes: Vec<AroundChange<f64>>,
}

/// The standing of an algorithm in its table. Baselines are not ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The best mean, or one that is equal to it.
    Best,
    /// The 95 % interval of its paired difference from the best includes 0.
    Tied,
    /// Neither best nor tied.
    Behind,
    /// A baseline, an algorithm without result, or the only algorithm.
    Unranked,
}

impl Rank {
    /// The rule, for readers.
    pub const RULE: &str = "Best: the best mean among the algorithms (baselines do not compete), all that have it; tie: the 95 % interval \
                            of its difference from the best, seed by seed, includes 0 (with one seed: no interval)";

    /// Returns the word in a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tied => "tie",
            Self::Behind | Self::Unranked => "",
        }
    }
}

impl Row {
    /// Returns the metric along a stream.
    pub fn curve(&self) -> Option<&Curve> {
        self.result.as_ref()?.curve.as_ref()
    }

    /// Returns rows learned (along a stream: tested and learned) per second by the whole forest.
    pub fn rows_per_second(&self) -> Option<f64> {
        let us = self.result.as_ref()?.learn_us * self.trees.max(1) as f64;
        Some(1e6 / us)
    }

    /// Microseconds per row of the whole forest in every window of the stream.
    pub fn window_us(&self) -> Vec<f64> {
        let Some(curve) = self.curve() else {
            return Vec::new();
        };
        let starts = iter::once(&0).chain(&curve.rows);
        let sizes = curve
            .rows
            .iter()
            .zip(starts)
            .map(|(end, start)| end - start);
        let us = |(&seconds, rows): (&f64, usize)| microseconds(seconds, rows, 1);
        curve.seconds.iter().zip(sizes).map(us).collect()
    }
}

/// Converts to microseconds per row and tree; a learner without trees counts as one tree.
pub(super) fn microseconds(seconds: f64, rows: usize, trees: usize) -> f64 {
    seconds * 1e6 / rows as f64 / trees.max(1) as f64
}

impl Section {
    /// Returns words that distinguish a row of this section from others with the same names; mostly empty.
    pub(super) fn distinction_of(&self, row: &Row) -> String {
        let own = row.label.strip_prefix(&row.algorithm);
        let own = own.unwrap_or_default().trim_start_matches(", ");
        let words = [self.distinction.as_str(), own].into_iter();
        let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
        words.join(", ")
    }

    /// Returns the decimals that all values of its first metric are printed with.
    pub(super) fn decimals(&self) -> usize {
        let results = self.rows.iter().filter_map(|row| row.result.as_ref());
        let means = results.map(|result| result.value.mean.abs());
        number::decimals_of(means.fold(0.0, f64::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Protocol, Reference};

    impl Section {
        /// Returns a hold-out by one metric.
        pub fn example(dataset: &str, metric: Metric, rows: Vec<Row>) -> Self {
            let setting = Setting {
                dataset: dataset.to_owned(),
                data_sha256: dataset.to_owned(),
                rows_sha256: dataset.to_owned(),
                target: None,
                task: metric.task(),
                protocol: Protocol::Holdout,
                split: String::new(),
                order: None,
                preprocessing: String::new(),
                n_train: 1,
                n_test: 1,
                n_features: 1,
                n_classes: None,
                metric,
                reference: Reference::Observed,
                folds: None,
                validation: None,
                delay: None,
                window: None,
                changes: Vec::new(),
                best_accuracy: None,
            };
            Self {
                setting,
                distinction: String::new(),
                columns: vec![metric],
                trees: [1].into(),
                hosts: Vec::new(),
                surplus: 0,
                rows,
            }
        }
    }

    impl Row {
        /// Returns a row of one tree whose metric is given for the seeds 0, 1, ….
        pub fn example(label: &str, baseline: bool, values: &[f64]) -> Self {
            let averages = Averages {
                value: Estimate::of(values).unwrap(),
                by_seed: (0..).zip(values.iter().copied()).collect(),
                test_error: None,
                metrics: BTreeMap::new(),
                learn_us: 1.0,
                predict_us: None,
                nodes: Some(1.0),
                stored_samples: Some(0.0),
                bytes: Some(1.0),
                curve: None,
                curves: Vec::new(),
                around_changes: Vec::new(),
            };
            Self {
                label: label.to_owned(),
                algorithm: label.to_owned(),
                baseline,
                offline: false,
                trees: 1,
                result: Some(averages),
                rank: Rank::Unranked,
                errors: Vec::new(),
            }
        }
    }
}
