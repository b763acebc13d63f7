//! Summarises the runs of a setting as a table: a row per algorithm, averaged over seeds.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use indexmap::map::Entry;
use statrs::statistics::Statistics as _;

use super::section::{Averages, Rank, Row, Section};
use super::{names, rank};
use crate::metric::Metric;
use crate::record::{AroundChange, Curve, Measured, Outcome, Record, Setting};
use crate::statistics::Estimate;

/// Returns a section per setting, sorted by data set, with a row per algorithm, in the order in which they ran. Tables show accuracy and log loss, or
/// RMSE and MAE.
pub fn sections(records: &[Record]) -> Vec<Section> {
    sections_by(records, &[])
}

/// Runs of one key, by seed.
type Repetitions<'a> = IndexMap<u64, &'a Record>;

/// The algorithms of a setting, by key, and the number of runs that are left out, as their seed was counted.
#[derive(Default)]
struct Group<'a> {
    by_key: IndexMap<&'a str, Repetitions<'a>>,
    surplus: usize,
}

impl<'a> Group<'a> {
    /// A seed counts once: by its first result, or its first failure if there is none.
    fn add(&mut self, run: &'a Record) {
        match self.by_key.entry(&run.key).or_default().entry(run.seed) {
            Entry::Vacant(place) => drop(place.insert(run)),
            Entry::Occupied(mut place) => {
                self.surplus += 1;
                if place.get().failed() && !run.failed() {
                    place.insert(run);
                }
            }
        }
    }
}

/// Returns the same with these metrics as columns, each in the tables of its task; the first determines the best.
///
/// Means are over runs of the same [key](Record::key), and a seed counts once; where settings or algorithms would have the same name,
/// distinguishing words are added to it.
pub fn sections_by(records: &[Record], metrics: &[Metric]) -> Vec<Section> {
    let mut groups: Vec<(&Setting, Group<'_>)> = Vec::new();
    for record in records {
        let known = groups
            .iter()
            .position(|(setting, _)| **setting == record.setting);
        let place = known.unwrap_or_else(|| {
            groups.push((&record.setting, Group::default()));
            groups.len() - 1
        });
        groups[place].1.add(record);
    }
    let shown: Vec<Vec<&Record>> = groups
        .iter()
        .map(|(_, group)| group.by_key.values().map(representative).collect())
        .collect();
    let labels = names::of_rows(&shown);
    let settings: Vec<&Setting> = groups.iter().map(|(setting, _)| *setting).collect();
    let distinctions = names::of_settings(&settings);
    let mut sections = Vec::new();
    for (((setting, group), labels), distinction) in
        groups.into_iter().zip(labels).zip(distinctions)
    {
        sections.push(Section::new(setting, &group, labels, distinction, metrics));
    }
    sections.sort_by_cached_key(|section| name_key(&section.setting.dataset));
    sections
}

/// Returns the first run that was completed, or else the first.
fn representative<'a>(runs: &Repetitions<'a>) -> &'a Record {
    runs.values().find(|run| !run.failed()).unwrap_or(&runs[0])
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
    fn new(
        setting: &Setting,
        group: &Group<'_>,
        labels: Vec<String>,
        distinction: String,
        metrics: &[Metric],
    ) -> Self {
        let mut columns: Vec<Metric> = metrics
            .iter()
            .copied()
            .filter(|metric| metric.task() == setting.task)
            .collect();
        if columns.is_empty() {
            columns.extend(Metric::defaults(setting.task));
        }
        let mut section = Self {
            setting: setting.clone(),
            distinction,
            trees: Default::default(),
            hosts: Default::default(),
            surplus: group.surplus,
            rows: Vec::new(),
            columns,
        };
        for (runs, label) in group.by_key.values().zip(labels) {
            let first = representative(runs);
            if first.asked_trees > 0 {
                section.trees.insert(first.asked_trees);
            }
            section
                .hosts
                .extend(runs.values().map(|run| (run.host.clone(), run.threads)));
            section.rows.push(Row::new(runs, label, section.columns[0]));
        }
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
    fn new(runs: &Repetitions<'_>, label: String, ranked: Metric) -> Self {
        let (mut finished, mut failed, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for record in runs.values() {
            match &record.outcome {
                Outcome::Measured(measured) => finished.push((record.seed, &**measured)),
                Outcome::Failed { error } => {
                    failed.push(record.seed);
                    errors.push(error.clone());
                }
            }
        }
        errors.dedup();
        let first = representative(runs);
        Self {
            label,
            algorithm: first.label.clone(),
            baseline: first.baseline,
            offline: first.offline,
            trees: first.trees,
            result: Averages::of(&finished, &first.setting, ranked, first.trees),
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
        // The main metric may not be finite, and is not among the others then.
        let metric = |run: &Measured, metric: Metric| {
            let main = (metric == setting.metric).then_some(run.value);
            run.metrics.get(metric.name).copied().or(main)
        };
        let by_seed: Vec<(u64, f64)> = runs
            .iter()
            .filter_map(|(seed, run)| Some((*seed, metric(run, ranked)?)))
            .collect();
        let values: Vec<f64> = by_seed.iter().map(|(_, value)| *value).collect();
        let value = Estimate::of(&values)?;
        let reported = |get: &dyn Fn(&Measured) -> Option<f64>| -> Option<f64> {
            let reported: Vec<f64> = finished.iter().filter_map(|run| get(run)).collect();
            Estimate::of(&reported).map(|estimate| estimate.mean)
        };
        let count = |get: fn(&Measured) -> Option<usize>| reported(&|run| Some(get(run)? as f64));
        let mut metrics = BTreeMap::new();
        for one in Metric::of_task(setting.task) {
            let values: Vec<f64> = finished.iter().filter_map(|run| metric(run, one)).collect();
            metrics.extend(Estimate::of(&values).map(|estimate| (one.name, estimate)));
        }
        let us = |seconds: f64, rows: usize| seconds * 1e6 / rows as f64 / trees.max(1) as f64;
        let curves: Vec<&Curve> = finished
            .iter()
            .filter_map(|run| run.curve.as_ref())
            .collect();
        Some(Self {
            value,
            compared: value,
            by_seed,
            test_error: reported(&|run| run.standard_errors.get(ranked.name).copied()),
            metrics,
            learn_us: us(
                finished.iter().map(|run| run.learn_seconds).mean(),
                setting.n_train,
            ),
            predict_us: reported(&|run| run.predict_seconds).map(|time| us(time, setting.n_test)),
            nodes: count(|run| run.nodes),
            stored_samples: count(|run| run.stored_samples),
            bytes: count(|run| run.model_bytes),
            curve: Curve::mean(&curves),
            curves: curves.into_iter().cloned().collect(),
            around_changes: AroundChange::means(finished.iter().map(|run| &run.around_changes[..])),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A learner that fails where it does badly: 0.9 is the luck of seed 0, on which others are better.
    #[test]
    fn seeds_on_which_a_run_failed_compare_nobody() {
        let mut lucky = Row::example("lucky", false, &[0.9]);
        lucky.failed = vec![1];
        let others = [[0.95, 0.5, 0.5], [0.6, 0.99, 0.5]];
        let others = others.map(|values| Row::example("", false, &values));
        let rows = [vec![lucky], others.to_vec()].concat();
        let mut section = Section::example("one", "accuracy".parse().unwrap(), rows);
        section.leave_out_failed_seeds();
        let compared = |row: &Row| row.result.as_ref().unwrap().compared.mean;
        assert_eq!(
            section.rows.iter().map(compared).collect::<Vec<_>>(),
            [0.9, 0.725, 0.55]
        );
        section.rows[0].failed = vec![0, 1, 2];
        section.leave_out_failed_seeds();
        assert_eq!(compared(&section.rows[0]), 0.9);
    }

    #[test]
    fn a_window_takes_time_per_row_whatever_the_number_of_trees() {
        let mut row = Row::example("", false, &[0.5]);
        row.trees = 4;
        row.result.as_mut().unwrap().curve = Some(Curve {
            rows: vec![10, 40],
            seconds: vec![1e-3, 6e-3],
            ..Curve::default()
        });
        assert_eq!(row.window_us(), [100.0, 200.0]);
        assert_eq!(row.rows_per_second(), Some(250_000.0)); // 1 µs per row and tree, four trees
    }

    #[test]
    fn names_are_sorted_as_people_do() {
        let sorted = [
            "Adult",
            "led",
            "phoneme",
            "sea:n=300",
            "sea:n=300,test=5",
            "sea:n=3000",
        ];
        let mut names = [
            sorted[5], sorted[1], sorted[0], sorted[4], sorted[3], sorted[2],
        ];
        names.sort_by_key(|name| name_key(name));
        assert_eq!(names, sorted);
    }
}
