//! Summarises the runs of a setting as a table: a row per algorithm, averaged over seeds.

use std::collections::{BTreeMap, BTreeSet};

use statrs::statistics::Statistics as _;

use super::repetitions::{Repetitions, by_identity, by_setting};
use super::section::{Averages, Rank, Row, Section, microseconds};
use super::{distinction, labels, rank, trees};
use crate::AroundChange;
use crate::metric::Metric;
use crate::record::{Curve, Host, Measured, Outcome, Record, Setting};
use crate::statistics::Estimate;

/// Returns a section per setting, sorted by data set, with a row per algorithm, in the order in which they ran. Tables show accuracy and log loss, or
/// RMSE and MAE.
pub fn sections(records: &[Record]) -> Vec<Section> {
    sections_by(records, &[])
}

/// Returns the same with these metrics as columns, each in the tables of its task; the first determines the best.
///
/// Means are over runs whose [`Identity`](crate::Identity) is the same, and a seed counts once; where settings or algorithms
/// would have the same name, distinguishing words are added to it.
pub fn sections_by(records: &[Record], metrics: &[Metric]) -> Vec<Section> {
    let settings = by_setting(records);
    let groups: Vec<Vec<Repetitions<'_>>> = settings.iter().map(|runs| by_identity(runs)).collect();
    let labels = labels::of_rows(&groups);
    let all: Vec<&Setting> = settings.iter().map(|runs| &runs[0].setting).collect();
    let distinctions = distinction::of_settings(&all).into_iter();
    let parts = groups.iter().zip(labels).zip(distinctions);
    let sections = parts.map(|((groups, labels), distinction)| Section {
        distinction,
        ..Section::new(groups, labels, metrics)
    });
    let mut sections: Vec<Section> = sections.collect();
    sections.sort_by_cached_key(|section| name_key(&section.setting.dataset));
    sections
}

/// Splits a name into words, each with the number after it, so that names are sorted regardless of case and numbers in them by size.
fn name_key(name: &str) -> Vec<(String, u64)> {
    let mut words = vec![(String::new(), 0u64)];
    let mut in_number = false;
    for character in name.to_lowercase().chars() {
        let digit = character.to_digit(10);
        if in_number && digit.is_none() {
            words.push((String::new(), 0));
        }
        in_number = digit.is_some();
        let (word, number) = words.last_mut().expect("there is one from the start");
        match digit {
            Some(digit) => *number = number.saturating_mul(10).saturating_add(digit.into()),
            None => word.push(character),
        }
    }
    words
}

impl Section {
    /// Summarises one setting, with a label for each row.
    fn new(groups: &[Repetitions<'_>], labels: Vec<String>, metrics: &[Metric]) -> Self {
        let setting = groups[0].first().setting.clone();
        let of_task = |metric: &Metric| metric.task() == setting.task;
        let mut columns: Vec<Metric> = metrics.iter().copied().filter(of_task).collect();
        if columns.is_empty() {
            columns.extend(Metric::defaults(setting.task));
        }
        let labelled = groups.iter().zip(labels);
        let rows: Vec<Row> = labelled
            .map(|(group, label)| Row::new(group, label, columns[0]))
            .collect();
        let hosts = groups.iter().flat_map(Repetitions::runs);
        let hosts: BTreeSet<(Host, usize)> =
            hosts.map(|run| (run.host.clone(), run.threads)).collect();
        let mut section = Self {
            trees: trees::forest_sizes(groups),
            hosts: hosts.into_iter().collect(),
            surplus: groups.iter().map(|group| group.surplus).sum(),
            distinction: String::new(),
            setting,
            columns,
            rows,
        };
        section.leave_out_failed_seeds();
        rank::rank(&mut section.rows, section.columns[0]);
        section
    }

    /// Compares algorithms on the seeds on which none failed; on their own, where none is left.
    fn leave_out_failed_seeds(&mut self) {
        let failed = self.failed_seeds();
        for result in self.rows.iter_mut().filter_map(|row| row.result.as_mut()) {
            let kept = result
                .by_seed
                .iter()
                .filter(|(seed, _)| !failed.contains(seed));
            let kept: Vec<f64> = kept.map(|(_, value)| *value).collect();
            result.compared = Estimate::of(&kept).unwrap_or(result.value);
        }
    }
}

impl Row {
    fn new(group: &Repetitions<'_>, shown: String, ranked: Metric) -> Self {
        let (mut finished, mut failed, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for record in group.runs() {
            match &record.outcome {
                Outcome::Measured(measured) => finished.push((record.seed, &**measured)),
                Outcome::Failed { error } => {
                    failed.push(record.seed);
                    errors.push(error.clone());
                }
            }
        }
        errors.dedup();
        let measured = group
            .runs()
            .find(|run| matches!(run.outcome, Outcome::Measured(_)));
        let Record {
            setting,
            label,
            baseline,
            offline,
            trees,
            ..
        } = measured.unwrap_or(group.first());
        Self {
            label: shown,
            algorithm: label.clone(),
            baseline: *baseline,
            offline: *offline,
            trees: *trees,
            result: Averages::of(&finished, setting, ranked, *trees),
            rank: Rank::Unranked,
            failed,
            errors,
        }
    }
}

impl Averages {
    fn of(
        runs: &[(u64, &Measured)],
        setting: &Setting,
        ranked: Metric,
        trees: usize,
    ) -> Option<Self> {
        let finished: Vec<&Measured> = runs.iter().map(|(_, run)| *run).collect();
        let by_seed = runs.iter().filter_map(|(seed, run)| {
            let value = run.metric(ranked, setting)?;
            Some((*seed, value))
        });
        let by_seed: Vec<(u64, f64)> = by_seed.collect();
        let errors = finished
            .iter()
            .filter_map(|run| run.standard_errors.get(ranked.name));
        let errors: Vec<f64> = errors.copied().collect();
        let mean = |get: fn(&Measured) -> f64| finished.iter().map(|run| get(run)).mean();
        let curves = finished.iter().filter_map(|run| run.curve.as_ref());
        let curves: Vec<&Curve> = curves.collect();
        let values: Vec<f64> = by_seed.iter().map(|(_, value)| *value).collect();
        let reported = |get: fn(&Measured) -> Option<f64>| -> Option<f64> {
            let reported: Vec<f64> = finished.iter().filter_map(|run| get(run)).collect();
            Estimate::of(&reported).map(|estimate| estimate.mean)
        };
        let value = Estimate::of(&values)?;
        Some(Self {
            value,
            compared: value,
            by_seed,
            test_error: Estimate::of(&errors).map(|estimate| estimate.mean),
            metrics: all_metrics(&finished, setting),
            learn_us: microseconds(mean(|run| run.learn_seconds), setting.n_train, trees),
            predict_us: reported(|run| run.predict_seconds)
                .map(|seconds| microseconds(seconds, setting.n_test, trees)),
            nodes: reported(|run| run.nodes.map(|count| count as f64)),
            stored_samples: reported(|run| run.stored_samples.map(|count| count as f64)),
            bytes: reported(|run| run.model_bytes.map(|count| count as f64)),
            curve: Curve::mean(&curves),
            curves: curves.into_iter().cloned().collect(),
            around_changes: AroundChange::means(finished.iter().map(|run| &run.around_changes[..])),
        })
    }
}

impl Measured {
    /// Returns a measured metric; the main one may not be finite, and is not among the others then.
    fn metric(&self, metric: Metric, setting: &Setting) -> Option<f64> {
        let main = || (metric == setting.metric).then_some(self.value);
        self.metrics.get(metric.name).copied().or_else(main)
    }
}

fn all_metrics(finished: &[&Measured], setting: &Setting) -> BTreeMap<&'static str, Estimate> {
    let estimates = Metric::of_task(setting.task).filter_map(|metric| {
        let values = finished
            .iter()
            .filter_map(|run| run.metric(metric, setting));
        let estimate = Estimate::of(&values.collect::<Vec<f64>>())?;
        Some((metric.name, estimate))
    });
    estimates.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A learner that fails where it does badly: 0.9 is the luck of seed 0, on which others are better.
    #[test]
    fn seeds_on_which_a_run_failed_compare_nobody() {
        let mut lucky = Row::example("lucky", false, &[0.9]);
        lucky.failed = vec![1];
        let others =
            [[0.95, 0.5, 0.5], [0.6, 0.99, 0.5]].map(|values| Row::example("", false, &values));
        let rows = [vec![lucky], others.to_vec()].concat();
        let mut section = Section::example("one", "accuracy".parse().unwrap(), rows);
        section.leave_out_failed_seeds();
        let compared = |row: &Row| row.result.as_ref().unwrap().compared.mean;
        let compared: Vec<f64> = section.rows.iter().map(compared).collect();
        assert_eq!(compared, [0.9, 0.725, 0.55]);
        section.rows[0].failed = vec![0, 1, 2];
        section.leave_out_failed_seeds();
        assert_eq!(section.rows[0].result.as_ref().unwrap().compared.mean, 0.9);
    }

    #[test]
    fn a_window_takes_time_per_row_whatever_the_number_of_trees() {
        let curve = Curve {
            rows: vec![10, 40],
            seconds: vec![1e-3, 6e-3],
            ..Curve::default()
        };
        let mut row = Row {
            trees: 4,
            ..Row::example("", false, &[0.5])
        };
        row.result.as_mut().unwrap().curve = Some(curve);
        assert_eq!(row.window_us(), [100.0, 200.0]);
        assert_eq!(row.rows_per_second(), Some(250_000.0)); // 1 µs per row and tree, four trees
    }

    #[test]
    fn names_are_sorted_as_people_do() {
        let mut names = [
            "sea:n=3000",
            "led",
            "Adult",
            "sea:n=300,test=5",
            "sea:n=300",
            "phoneme",
        ];
        names.sort_by_key(|name| name_key(name));
        assert_eq!(
            names,
            [
                "Adult",
                "led",
                "phoneme",
                "sea:n=300",
                "sea:n=300,test=5",
                "sea:n=3000"
            ]
        );
    }
}
