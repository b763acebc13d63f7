//! What a report is made of: a table for each setting, with a row for each algorithm.

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
    /// What they share.
    pub setting: Setting,
    /// The metrics of its table; the first decides who is best.
    pub columns: Vec<Metric>,
    /// What tells the setting apart from others of the same data set and protocol, in words; mostly empty.
    pub distinction: String,
    /// Trees that forests were asked to have; none of a table without forests.
    pub trees: BTreeSet<usize>,
    /// Where the runs ran and with how many threads, each once.
    pub hosts: Vec<(Host, usize)>,
    /// Runs left out, since a seed counts once.
    pub surplus: usize,
    /// One per algorithm, in the order they ran.
    pub rows: Vec<Row>,
}

/// One algorithm, over its seeds.
#[derive(Clone, Debug)]
pub struct Row {
    /// Algorithm and parameters, and what tells it apart from others that are given alike.
    pub label: String,
    /// Algorithm and parameters as given.
    pub algorithm: String,
    /// Whether it ignores the features.
    pub baseline: bool,
    /// Whether it sees all training rows at once.
    pub offline: bool,
    /// Trees that the learner has; 0 for what has no trees.
    pub trees: usize,
    /// None if no run finished, or none has the first metric of the table.
    pub result: Option<Averages>,
    /// How it compares with the others.
    pub rank: Rank,
    /// Why runs failed, each reason once.
    pub errors: Vec<String>,
}

/// Means over the finished runs of one algorithm.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The first metric of the table.
    pub value: Estimate,
    /// The same, run by run: seed and value.
    pub by_seed: Vec<(u64, f64)>,
    /// The mean of its standard error over the test rows of a run, where it has one.
    pub test_error: Option<f64>,
    /// Every metric that was measured, by name.
    pub metrics: BTreeMap<&'static str, Estimate>,
    /// Microseconds to learn (prequential: to predict and learn) a sample, per tree.
    pub learn_us: f64,
    /// Microseconds to predict a sample, per tree.
    pub predict_us: Option<f64>,
    /// This and what follows is none for learners that do not report it.
    pub nodes: Option<f64>,
    /// Samples that the learner keeps.
    pub stored_samples: Option<f64>,
    /// Bytes that the learner holds.
    pub bytes: Option<f64>,
    /// The metric along a stream.
    pub curve: Option<Curve>,
    /// The same of each seed.
    pub curves: Vec<Curve>,
    /// One per change of the stream.
    pub around_changes: Vec<AroundChange<f64>>,
}

/// How an algorithm compares with the others of its table. Baselines are not ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The best mean, or one that is equal to it.
    Best,
    /// The 95 % interval of its paired difference from the best includes 0.
    Tied,
    /// Neither.
    Behind,
    /// A baseline, an algorithm without result, or the only algorithm.
    Unranked,
}

impl Rank {
    /// The rule, for readers.
    pub const RULE: &str = "Best: the best mean among the algorithms (baselines do not compete), all that have it; tie: the 95 % interval \
                            of its difference from the best, seed by seed, includes 0 (with one seed: no interval)";

    /// What stands in a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tied => "tie",
            Self::Behind | Self::Unranked => "",
        }
    }
}

impl Row {
    /// The metric along a stream.
    pub fn curve(&self) -> Option<&Curve> {
        self.result.as_ref()?.curve.as_ref()
    }

    /// Rows learned (along a stream: tested and learned) per second by the whole forest.
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

/// Per row and tree; what has no trees counts as one.
pub(super) fn microseconds(seconds: f64, rows: usize, trees: usize) -> f64 {
    seconds * 1e6 / rows as f64 / trees.max(1) as f64
}

impl Section {
    /// Words that tell a row of this section apart from others with the same names; mostly empty.
    pub(super) fn distinction_of(&self, row: &Row) -> String {
        let own = row.label.strip_prefix(&row.algorithm);
        let own = own.unwrap_or_default().trim_start_matches(", ");
        let words = [self.distinction.as_str(), own].into_iter();
        let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
        words.join(", ")
    }

    /// The decimals that all values of its first metric are printed with.
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
        /// A hold-out by one metric.
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
        /// A row of one tree whose metric is given for the seeds 0, 1, ….
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
