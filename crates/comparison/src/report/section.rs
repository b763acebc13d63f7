//! Sections of a report: the runs of a setting, with a row for each algorithm, averaged over seeds.

use std::collections::{BTreeMap, BTreeSet};

use super::table::Mark;
use crate::metric::Metric;
use crate::record::{Curve, Measured, Outcome, Record, Setting};
use crate::statistics::{Estimate, are_equal, largest};

/// One setting with its algorithms.
#[derive(Clone, Debug)]
pub struct Section {
    pub(super) setting: Setting,
    /// The metrics that are shown; the first one ranks.
    pub(super) metrics: Vec<Metric>,
    /// Words that distinguish it from other settings of the data set and protocol; mostly empty.
    pub(super) distinction: String,
    /// Runs that are left out, as their seed was counted.
    pub(super) surplus: usize,
    /// The algorithms in the order in which they ran.
    pub(super) rows: Vec<SectionRow>,
}

/// An algorithm in a section.
#[derive(Clone, Debug, Default)]
pub(super) struct SectionRow {
    /// Its name, and words that distinguish it from others of that name.
    pub label: String,
    /// Its runs, one a seed.
    pub runs: Vec<Record>,
    /// The first metric of the section; `None` if every run failed.
    pub value: Option<Estimate>,
    /// The same over the seeds on which no algorithm failed: what is compared with others.
    pub compared: Option<Estimate>,
    /// Its standing.
    pub mark: Mark,
}

impl Section {
    pub(super) fn new(run: &Record, metrics: &[Metric]) -> Self {
        let mut metrics = metrics.to_vec();
        metrics.retain(|metric| metric.task == run.setting.task);
        if metrics.is_empty() {
            metrics.extend(Metric::defaults(run.setting.task));
        }
        let mut section = Self {
            setting: run.setting.clone(),
            metrics,
            distinction: String::new(),
            surplus: 0,
            rows: Vec::new(),
        };
        section.add(run);
        section
    }

    pub(super) fn add(&mut self, run: &Record) {
        let Some(row) = self.rows.iter_mut().find(|row| row.runs[0].key == run.key) else {
            let runs = vec![run.clone()];
            self.rows.push(SectionRow {
                runs,
                ..SectionRow::default()
            });
            return;
        };
        match row.runs.iter_mut().find(|known| known.seed == run.seed) {
            None => row.runs.push(run.clone()),
            Some(known) => {
                self.surplus += 1;
                if known.failed() && !run.failed() {
                    *known = run.clone();
                }
            }
        }
    }

    /// Returns the data set, and words that distinguish its settings.
    pub(super) fn set(&self) -> String {
        joined(&self.setting.dataset, " · ", &self.distinction)
    }

    /// Returns the data set and the protocol, and words that distinguish it from others of both.
    pub(super) fn title(&self) -> String {
        let title = format!("{} · {}", self.setting.dataset, self.setting.protocol);
        joined(&title, " · ", &self.distinction)
    }

    pub(super) fn results(&self) -> impl Iterator<Item = &SectionRow> {
        self.rows.iter().filter(|row| row.value.is_some())
    }

    /// Returns the seeds on which an algorithm failed that has results for others.
    pub(super) fn failed_seeds(&self) -> BTreeSet<u64> {
        let runs = self.results().flat_map(|row| &row.runs);
        let failed = runs.filter(|run| run.failed());
        failed.map(|run| run.seed).collect()
    }

    /// Compares algorithms on the seeds on which none failed, or else on their own, and marks the best and its ties.
    pub(super) fn compare(&mut self) {
        let metric = self.metrics[0];
        for row in &mut self.rows {
            row.value = row.metric(metric);
        }
        let failed = self.failed_seeds();
        for row in &mut self.rows {
            let mut kept = row.by_seed(metric);
            kept.retain(|seed, _| !failed.contains(seed));
            let kept: Vec<f64> = kept.into_values().collect();
            row.compared = Estimate::of(&kept).or(row.value);
            if row.is_baseline() {
                row.mark = Mark::Baseline;
            }
        }
        let competitors = self.competitors().count();
        let Some(best) = self.best().cloned().filter(|_| competitors > 1) else {
            return;
        };
        for index in 0..self.rows.len() {
            let row = &self.rows[index];
            if !row.is_baseline() && self.are_equal(&best, row) {
                self.rows[index].mark = Mark::Best;
            } else if !row.is_baseline() && best.is_tied_with(row, metric) {
                self.rows[index].mark = Mark::Tied;
            }
        }
    }

    fn competitors(&self) -> impl Iterator<Item = &SectionRow> {
        self.results().filter(|row| !row.is_baseline())
    }

    /// Returns the algorithm with the best mean; of equals the first.
    fn best(&self) -> Option<&SectionRow> {
        let mut best: Option<&SectionRow> = None;
        for row in self.competitors() {
            if best.is_none_or(|best| self.score(row) > self.score(best)) {
                best = Some(row);
            }
        }
        best
    }

    fn score(&self, row: &SectionRow) -> Option<f64> {
        Some(self.metrics[0].better.score(row.compared?.mean))
    }

    /// Returns whether two means are equal up to rounding.
    fn are_equal(&self, one: &SectionRow, other: &SectionRow) -> bool {
        let means: Vec<f64> = self.rows.iter().filter_map(|row| self.score(row)).collect();
        let scores = self.score(one).zip(self.score(other));
        scores.is_some_and(|(one, other)| are_equal(one, other, largest(&means)))
    }

    /// Returns the baseline that no algorithm beats, if there is one.
    pub(super) fn unbeaten_baseline(&self) -> Option<&SectionRow> {
        let best = self.best()?;
        let mut baselines = self.results().filter(|row| row.is_baseline());
        baselines.find(|row| self.score(row) >= self.score(best) || self.are_equal(row, best))
    }
}

impl SectionRow {
    /// Returns the first run that was completed, or else the first.
    pub(super) fn first(&self) -> &Record {
        let completed = self.runs.iter().find(|run| !run.failed());
        completed.unwrap_or(&self.runs[0])
    }

    pub(super) fn is_baseline(&self) -> bool {
        self.first().baseline
    }

    /// Returns the label, and whether the algorithm is a baseline or offline.
    pub(super) fn name(&self) -> String {
        let kind = match self.first() {
            Record { baseline: true, .. } => " (baseline)",
            Record { offline: true, .. } => " (offline)",
            _ => "",
        };
        format!("{}{kind}", self.label)
    }

    /// Returns the reasons of failures; of equals in a row the first.
    pub(super) fn errors(&self) -> Vec<&str> {
        let mut errors = Vec::new();
        for run in &self.runs {
            if let Outcome::Failed { error } = &run.outcome {
                errors.push(error.as_str());
            }
        }
        errors.dedup();
        errors
    }

    pub(super) fn measured(&self) -> impl Iterator<Item = (u64, &Measured)> + Clone {
        self.runs.iter().filter_map(|run| match &run.outcome {
            Outcome::Measured(measured) => Some((run.seed, &**measured)),
            Outcome::Failed { .. } => None,
        })
    }

    pub(super) fn mean(&self, get: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.measured().filter_map(|(_, run)| get(run)).collect();
        Some(Estimate::of(&values)?.mean)
    }

    /// Returns a metric of each seed. The main metric may not be finite, and is not among the others then.
    fn by_seed(&self, metric: Metric) -> BTreeMap<u64, f64> {
        let is_main = metric == self.first().setting.metric;
        let mut values = BTreeMap::new();
        for (seed, run) in self.measured() {
            let value = run.metrics.get(metric.name).copied();
            let value = value.or(is_main.then_some(run.value));
            values.extend(value.map(|value| (seed, value)));
        }
        values
    }

    pub(super) fn metric(&self, metric: Metric) -> Option<Estimate> {
        Estimate::of(&self.by_seed(metric).into_values().collect::<Vec<_>>())
    }

    /// Returns the processor time per row, in microseconds, that the whole forest takes to learn, and to predict.
    pub(super) fn microseconds(&self) -> [Option<f64>; 2] {
        let setting = &self.first().setting;
        let us = |mean: Option<f64>, rows: usize| Some(mean? * 1e6 / rows as f64);
        let learn = self.mean(|run| run.learn_processor_seconds.or(Some(run.learn_seconds)));
        let predict = self.mean(|run| run.predict_processor_seconds.or(run.predict_seconds));
        [us(learn, setting.n_train), us(predict, setting.n_test)]
    }

    /// Returns the nodes, training samples and bytes of all trees together.
    pub(super) fn footprint(&self) -> [Option<f64>; 3] {
        let mean = |size: fn(&Measured) -> Option<usize>| self.mean(|run| Some(size(run)? as f64));
        [
            mean(|run| run.nodes),
            mean(|run| run.stored_samples),
            mean(|run| run.model_bytes),
        ]
    }

    /// Returns the curves of the seeds along a stream, and their mean.
    pub(super) fn curves(&self) -> Option<(Vec<&Curve>, Curve)> {
        let curves = self.measured().filter_map(|(_, run)| run.curve.as_ref());
        let curves: Vec<&Curve> = curves.collect();
        let mean = Curve::mean(&curves)?;
        Some((curves, mean))
    }

    /// Returns whether the 95 % interval of the difference from another, over the seeds of both, includes 0.
    fn is_tied_with(&self, other: &Self, metric: Metric) -> bool {
        let others = other.by_seed(metric);
        let mut gains = Vec::new();
        for (seed, value) in self.by_seed(metric) {
            if let Some(other) = others.get(&seed) {
                gains.push(metric.better.score(value) - metric.better.score(*other));
            }
        }
        Estimate::of(&gains).is_some_and(|gain| gain.interval()[0] <= 0.0)
    }
}

/// Adds words to a name, if there are any.
pub(super) fn joined(name: &str, by: &str, words: &str) -> String {
    let by = if words.is_empty() { "" } else { by };
    format!("{name}{by}{words}")
}

#[cfg(test)]
mod tests {
    use crate::report::sections;
    use crate::report::testing::{record, section};

    #[test]
    fn ties_come_from_paired_differences_and_baselines_do_not_compete() {
        let all = "majority .99 .99 .99 | a .88 .94 .97 | b .9 .95 1.0 | c .89 .9401 .99";
        let [one, other] = [(70.0, 57.0), (72.0, 55.0)].map(|(a, b)| (a / 90.0, b / 90.0));
        let on_paper = format!("a {} {} | b {} {}", one.0, one.1, other.0, other.1);
        for (metric, rows, expected, unbeaten) in [
            ("accuracy", all, "Baseline Tied Best Plain", true),
            // One seed has no interval, and a lower error wins.
            ("rmse", "a 1.00004 | b 1.0", "Plain Best", false),
            // Of equal means all are best, also where they are equal on paper only.
            ("accuracy", "a .9 | b .9", "Best Best", false),
            ("accuracy", &on_paper, "Best Best", false),
            // Alone is not best.
            ("accuracy", "majority .9 | a .9", "Baseline Plain", true),
            ("accuracy", "majority .9 | a .91", "Baseline Plain", false),
        ] {
            let section = section("one", metric, rows);
            let marks = section.rows.iter().map(|row| format!("{:?}", row.mark));
            assert_eq!(marks.collect::<Vec<_>>().join(" "), expected);
            assert_eq!(section.unbeaten_baseline().is_some(), unbeaten, "{rows}");
        }
    }

    /// A learner that fails where it does badly: the others are compared with it on seed 0 alone. Seeds are paired by
    /// number.
    #[test]
    fn algorithms_are_compared_on_seeds_without_a_failed_run_and_a_seed_counts_once() {
        let rows = "lucky .9 NaN | a .95 .5 .5 | b .6 .99 .5";
        let found = section("one", "accuracy", rows).rows.into_iter();
        let compared: Vec<f64> = found.map(|row| row.compared.unwrap().mean).collect();
        assert_eq!(compared, [0.9, 0.725, 0.55]);
        let run = |(seed, value)| record("", "accuracy", "a", seed, value);
        let found = &sections(&[(1, 0.5), (0, 0.9), (1, 0.1)].map(run))[0];
        assert_eq!((found.rows[0].value.unwrap().mean, found.surplus), (0.7, 1));
    }
}
