//! Sections of a report: a table for each setting, with a row for each algorithm.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Cell, Mark, Table, TableRow};
use super::{names, rank};
use crate::metric::Metric;
use crate::number::{self, counted};
use crate::record::{AroundChange, Curve, Host, Protocol, Reference, Setting, task_name};
use crate::statistics::Estimate;

/// Decimals of the metrics after the first.
const DECIMALS: usize = 4;

/// Changes that have a column each.
const MOST_CHANGES: usize = 5;

/// One setting with its algorithms.
#[derive(Clone, Debug)]
pub struct Section {
    /// The setting of all runs.
    pub setting: Setting,
    /// The metrics that are shown; the first one ranks.
    pub columns: Vec<Metric>,
    /// Words that distinguish it from other settings of the data set and protocol; mostly empty.
    pub distinction: String,
    /// Numbers of trees that were asked for.
    pub trees: BTreeSet<usize>,
    /// Hosts and numbers of threads.
    pub hosts: BTreeSet<(Host, usize)>,
    /// Runs that are left out, as their seed was counted.
    pub surplus: usize,
    /// The algorithms in the order in which they ran.
    pub rows: Vec<Row>,
}

/// An algorithm in a section.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name, and words that distinguish it from others of that name.
    pub label: String,
    /// Its name as the user wrote it.
    pub algorithm: String,
    /// Whether it is a trivial baseline.
    pub baseline: bool,
    /// Whether it sees all training rows at once.
    pub offline: bool,
    /// Trees of the learner; 0 for one without trees.
    pub trees: usize,
    /// Means over seeds; `None` if every run failed.
    pub result: Option<Averages>,
    /// Its standing.
    pub rank: Rank,
    /// Seeds of runs that failed.
    pub failed: Vec<u64>,
    /// Their reasons.
    pub errors: Vec<String>,
}

/// Means over seeds.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The first metric of the section.
    pub value: Estimate,
    /// The same over the seeds on which no algorithm failed: what is compared with others.
    pub compared: Estimate,
    /// The first metric of each seed.
    pub by_seed: Vec<(u64, f64)>,
    /// Standard error over test rows, if there is one.
    pub test_error: Option<f64>,
    /// All metrics of the task by name.
    pub metrics: BTreeMap<&'static str, Estimate>,
    /// Microseconds per row and tree to learn.
    pub learn_us: f64,
    /// Microseconds per row and tree to predict, if measured.
    pub predict_us: Option<f64>,
    /// Nodes of all trees together.
    pub nodes: Option<f64>,
    /// Training samples held by all trees together.
    pub stored_samples: Option<f64>,
    /// Bytes held.
    pub bytes: Option<f64>,
    /// The mean curve along a stream.
    pub curve: Option<Curve>,
    /// The curves of the seeds.
    pub curves: Vec<Curve>,
    /// The metric around the changes of a stream.
    pub around_changes: Vec<AroundChange<f64>>,
}

/// The standing of an algorithm in its section.
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

/// Returns the legend of all tables.
pub fn legend() -> String {
    format!(
        "±: the 95 % interval of the mean over n seeds, by Student's t; it covers seeds (shuffles and random trees), not \
         the choice of test rows, whose standard error is \"test s.e.\", nor that of learned rows in prequential k-fold validation, whose standard \
         error over folds is \"fold s.e.\" (folds share rows, so it may be too small); where it reaches beyond the values that a metric can \
         have, such as 0 to 1, it ends there. {}. Data sets are in the order of their names. Stored: samples that the learner keeps. Times \
         are microseconds of wall time per row, of all trees together, without the conversion of rows for learners of other languages; \
         test+learn predicts a row and then learns it, in one call. Offline: sees all training rows \
         at once, learns in one fit. –: the learner does not report it.",
        Rank::RULE
    )
}

impl Row {
    /// Returns the label, and whether the algorithm is a baseline or offline.
    pub fn name(&self) -> String {
        let mark = match (self.baseline, self.offline) {
            (true, _) => " (baseline)",
            (_, true) => " (offline)",
            _ => "",
        };
        format!("{}{mark}", self.label)
    }

    fn mark(&self) -> Mark {
        match self.rank {
            Rank::Best => Mark::Best,
            _ if self.baseline => Mark::Baseline,
            _ => Mark::Plain,
        }
    }

    /// Returns rows learned (along a stream: tested and learned) per second by the whole forest.
    pub fn rows_per_second(&self) -> Option<f64> {
        Some(1e6 / (self.result.as_ref()?.learn_us * self.trees.max(1) as f64))
    }

    /// Returns the microseconds per row of the whole forest in every window of the stream.
    pub fn window_us(&self) -> Vec<f64> {
        let Some(curve) = self
            .result
            .as_ref()
            .and_then(|result| result.curve.as_ref())
        else {
            return Vec::new();
        };
        let (mut times, mut start) = (Vec::new(), 0);
        for (&end, seconds) in curve.rows.iter().zip(&curve.seconds) {
            times.push(1e6 * seconds / (end - start) as f64);
            start = end;
        }
        times
    }
}

impl Section {
    /// Returns the data set and the protocol, and words that distinguish it from others of both.
    pub fn title(&self) -> String {
        let title = format!("{} · {}", self.setting.dataset, self.setting.protocol);
        with_words(title, &self.distinction)
    }

    /// Returns the data set, and words that distinguish its settings.
    pub fn set(&self) -> String {
        with_words(self.setting.dataset.clone(), &self.distinction)
    }

    /// Returns the results of the rows that have one.
    fn results(&self) -> impl Iterator<Item = &Averages> {
        self.rows.iter().filter_map(|row| row.result.as_ref())
    }

    /// Returns the decimals that all values of its first metric are printed with.
    pub(super) fn decimals(&self) -> usize {
        let means = self.results().map(|result| result.value.mean.abs());
        number::decimals_of(means.fold(0.0, f64::max))
    }

    /// Returns the seeds on which an algorithm failed that has results for others.
    pub(super) fn failed_seeds(&self) -> BTreeSet<u64> {
        let rows = self.rows.iter().filter(|row| row.result.is_some());
        rows.flat_map(|row| &row.failed).copied().collect()
    }

    /// Describes the data and protocol in a line.
    fn description(&self) -> String {
        let setting = &self.setting;
        let [train, test] =
            [setting.n_train, setting.n_test].map(|rows| number::count(rows as f64));
        let mut text = task_name(setting.task).to_owned();
        if let Some(target) = &setting.target {
            text += &format!(" of {target}");
        }
        text += &match setting.protocol {
            Protocol::Holdout => format!(": {train} rows learned, {test} tested"),
            Protocol::KFold => format!(": {train} rows learned in each part, {test} tested in all"),
            Protocol::Prequential | Protocol::Delayed => {
                format!(": {train} rows tested, then learned")
            }
            Protocol::PrequentialKFold => {
                format!(": {train} rows tested, then learned by some of the learners")
            }
        };
        text += &format!(" ({}", names::rows_of(setting));
        if let Some(window) = setting.window {
            text += &format!(", windows of {} rows", number::count(window as f64));
        }
        if let Some(delay) = setting.delay {
            text += &format!(", labels {} rows late", number::count(delay as f64));
        }
        text += &format!("); {}", counted(setting.n_features, "feature"));
        if let Some(classes) = setting.n_classes {
            text += &format!(", {classes} classes");
        }
        text += &format!("; {}", setting.preprocessing);
        if setting.preprocessing != Default::default() {
            let is_stream = setting.protocol.is_stream();
            let known = if is_stream {
                "the first window"
            } else {
                "the training rows"
            };
            text += &format!(", fitted on {known}");
        }
        if let Some(trees) = names::trees(&self.trees) {
            text += &format!("; {trees}");
        }
        if let Some(best) = setting.best_accuracy {
            text += &format!("; best possible accuracy {}", number::short(best));
        }
        text
    }

    /// Returns the table of its algorithms, and the table of the changes of its stream, if there are any.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![Table {
            title: self.title(),
            about: self.description(),
            header: self.header(),
            rows: self.rows.iter().map(|row| self.line(row)).collect(),
            notes: self.notes(),
        }];
        if !self.setting.changes.is_empty() {
            tables.push(self.changes());
        }
        tables
    }

    /// Returns the names of the columns. ± covers seeds.
    fn header(&self) -> Vec<Cell> {
        let over_seeds = |metric: &Metric| Cell::from(format!("{} ± over seeds", metric.title));
        let mut header = vec!["algorithm".into(), over_seeds(&self.columns[0]), "".into()];
        if self.has_test_errors() {
            let is_folded = self.setting.protocol == Protocol::PrequentialKFold;
            header.push(if is_folded { "fold s.e." } else { "test s.e." }.into());
        }
        header.extend(self.columns[1..].iter().map(over_seeds));
        header.push("n".into());
        let times: &[&str] = if self.setting.protocol.is_stream() {
            &["test+learn µs"]
        } else {
            &["learn µs", "predict µs"]
        };
        header.extend(times.iter().map(|name| Cell::from(*name)));
        header.extend(["nodes", "stored", "size"].map(Cell::from));
        header
    }

    /// Returns whether the first metric has a standard error over test rows.
    fn has_test_errors(&self) -> bool {
        self.results().any(|result| result.test_error.is_some())
    }

    /// Returns the row of an algorithm. Only a hold-out has a time for predictions, and a column for it.
    fn line(&self, row: &Row) -> TableRow {
        let mut cells: Vec<Cell> = vec![row.name().into()];
        if let Some(result) = &row.result {
            let decimals = self.decimals();
            let interval = |estimate: &Estimate, decimals| {
                Cell::new(number::interval(estimate, decimals), estimate.mean)
            };
            cells.extend([interval(&result.value, decimals), row.rank.word().into()]);
            if self.has_test_errors() {
                cells.push(Cell::or_dash(result.test_error, |error| {
                    format!("{error:.decimals$}")
                }));
            }
            for metric in &self.columns[1..] {
                let estimate = result.metrics.get(metric.name);
                cells.push(estimate.map_or_else(|| "–".into(), |mean| interval(mean, DECIMALS)));
            }
            let n = result.value.n;
            cells.push(Cell::new(n.to_string(), n as f64));
            // One unit for learners with and without trees.
            for us in [Some(result.learn_us), result.predict_us]
                .into_iter()
                .flatten()
            {
                let us = us * row.trees.max(1) as f64;
                cells.push(Cell::new(number::short(us), us));
            }
            cells.push(Cell::or_dash(result.nodes, number::count));
            cells.push(Cell::or_dash(result.stored_samples, number::count));
            cells.push(Cell::or_dash(result.bytes, number::bytes));
        } else {
            cells.push(
                if row.errors.is_empty() {
                    "–"
                } else {
                    "failed"
                }
                .into(),
            );
        }
        cells.resize(self.header().len(), Cell::default());
        TableRow {
            mark: row.mark(),
            cells,
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.setting.reference == Reference::NoiseFree {
            notes.push("rmse is measured against the true function, without noise".to_owned());
        }
        if let Some(row) = rank::unbeaten_baseline(&self.rows, self.columns[0]) {
            notes.push(format!("no algorithm beats the baseline {}", row.label));
        }
        let mut results = self.results().peekable();
        if results.peek().is_some() && results.all(|result| result.value.n == 1) {
            notes.push("one seed: no interval, and nothing can be called a tie".to_owned());
        }
        if self.surplus > 0 {
            let runs = counted(self.surplus, "run");
            notes.push(format!(
                "{runs} left out: a seed counts once, by its first result"
            ));
        }
        let (mut revisions, mut machines) = (BTreeSet::new(), BTreeSet::new());
        for (host, threads) in &self.hosts {
            revisions.insert(host.revision.clone());
            machines.insert(format!("{}, {}", host.cpu, counted(*threads, "thread")));
        }
        let list = |names: BTreeSet<String>, by| names.into_iter().collect::<Vec<_>>().join(by);
        if revisions.len() > 1 {
            let revisions = list(revisions, ", ");
            notes.push(format!("the runs are of different revisions: {revisions}"));
        }
        if machines.len() > 1 {
            let machines = list(machines, "; ");
            notes.push(format!(
                "times are means over different machines: {machines}"
            ));
        }
        let failed = self.failed_seeds().len();
        if failed > 0 {
            let seeds = counted(failed, "seed");
            notes.push(format!("{seeds} left out of the ranks, since a run failed"));
        }
        for row in &self.rows {
            notes.extend(
                row.errors
                    .iter()
                    .map(|error| format!("{} failed: {error}", row.label)),
            );
        }
        notes
    }

    /// Returns the table of the metric before and after the changes of the stream.
    fn changes(&self) -> Table {
        let changes = &self.setting.changes;
        let has_columns = changes.len() <= MOST_CHANGES;
        let mut header = vec![Cell::from("algorithm")];
        if has_columns {
            let at = |row: &usize| Cell::from(format!("row {}", number::count(*row as f64)));
            header.extend(changes.iter().map(at));
        } else {
            header.push(format!("mean of {} changes", changes.len()).into());
        }
        let decimals = self.decimals().saturating_sub(1);
        let mut rows = Vec::new();
        for row in &self.rows {
            let Some(result) = &row.result else { continue };
            let around = &result.around_changes;
            let mut cells: Vec<Cell> = vec![row.name().into()];
            if has_columns {
                cells.extend(
                    around
                        .iter()
                        .map(|at| Cell::from(change_text(at, decimals))),
                );
            } else {
                cells.push(change_text(&AroundChange::mean(around.iter()), decimals).into());
            }
            cells.resize(header.len(), "–".into());
            rows.push(TableRow {
                mark: row.mark(),
                cells,
            });
        }
        Table {
            about: format!(
                "Changes: {} over the {window} rows before a change → over the {window} rows from it on → over the \
                 {window} rows that begin {} rows after it; means over seeds.",
                self.setting.metric.name,
                number::count(AroundChange::<f64>::LATER as f64),
                window = AroundChange::<f64>::WINDOW,
            ),
            header,
            rows,
            ..Table::default()
        }
    }
}

/// Adds words to a name, if there are any.
pub(super) fn with_words(name: String, words: &str) -> String {
    if words.is_empty() {
        name
    } else {
        format!("{name} · {words}")
    }
}

/// Formats a change: `0.912 → 0.455 → 0.880`.
fn change_text(change: &AroundChange<f64>, decimals: usize) -> String {
    let parts = [change.before, change.after, change.later]
        .map(|value| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}")));
    parts.join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Preprocessing;

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
                split: None,
                order: None,
                preprocessing: Preprocessing::default(),
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
                hosts: BTreeSet::new(),
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
                compared: Estimate::of(values).unwrap(),
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
                failed: Vec::new(),
                errors: Vec::new(),
            }
        }
    }

    #[test]
    fn a_table_of_changes_has_their_values_or_means_and_a_dash_for_what_is_unknown() {
        let change = |before, later| AroundChange {
            row: 7,
            before,
            after: Some(0.5),
            later,
        };
        let texts = |around: Vec<AroundChange<f64>>, changes: usize| {
            let rows = vec![
                Row::example("a", false, &[0.5]),
                Row::example("b", false, &[0.5]),
            ];
            let mut section = Section::example("one", "accuracy".parse().unwrap(), rows);
            section.setting.changes = vec![7; changes];
            section.rows[0].result.as_mut().unwrap().around_changes = around;
            let table = section.changes();
            let texts = |row: &TableRow| {
                row.cells
                    .iter()
                    .map(|cell| cell.text.clone())
                    .collect::<Vec<_>>()
            };
            (
                table.header[1].text.clone(),
                table.rows.iter().map(texts).collect::<Vec<_>>(),
            )
        };
        let two = vec![change(Some(0.75), Some(1.0)), change(None, None)];
        let (_, rows) = texts(two, 2);
        assert_eq!(
            rows,
            [
                vec!["a", "0.750 → 0.500 → 1.000", "– → 0.500 → –"],
                vec!["b", "–", "–"]
            ]
        );
        let six = [
            vec![change(Some(0.25), None); 3],
            vec![change(None, None); 3],
        ]
        .concat();
        let (name, rows) = texts(six, 6);
        assert_eq!(name, "mean of 6 changes");
        assert_eq!(rows, [["a", "0.250 → 0.500 → –"], ["b", "– → – → –"]]);
    }
}
