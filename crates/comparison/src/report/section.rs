//! Sections of a report: a table for each setting, with a row for each algorithm.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use super::table::{Cell, Mark, Table, TableRow};
use super::{rank, trees};
use crate::metric::Metric;
use crate::record::{Curve, Host, Protocol, Reference, Setting, task_name};
use crate::statistics::Estimate;
use crate::{AroundChange, number};

/// Decimals of the metrics beside the first.
const DECIMALS: usize = 4;

/// Maximum number of changes with a column each; of more, only the mean is shown, as a row has to fit on a page.
const MOST_CHANGES: usize = 5;

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
    /// The seeds of runs that failed.
    pub failed: Vec<u64>,
    /// The reasons why runs failed, each once.
    pub errors: Vec<String>,
}

/// Means over the finished runs of one algorithm.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The first metric of the table.
    pub value: Estimate,
    /// The same over the seeds on which no algorithm of the section failed, by which they are ranked: one that fails where it does badly
    /// is not compared by what is left.
    pub compared: Estimate,
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
        let us = self.result.as_ref()?.learn_us * self.trees.max(1) as f64;
        Some(1e6 / us)
    }

    /// Microseconds per row of the whole forest in every window of the stream.
    pub fn window_us(&self) -> Vec<f64> {
        let curve = self
            .result
            .as_ref()
            .and_then(|result| result.curve.as_ref());
        let Some(curve) = curve else {
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

/// Returns the legend of all tables.
pub fn legend() -> String {
    format!(
        "±: the 95 % interval of the mean over n seeds, by Student's t; it covers seeds (shuffles and random trees), not \
         the choice of test rows, whose standard error is \"test s.e.\", nor that of learned rows in prequential k-fold validation, whose standard \
         error over folds is \"fold s.e.\" (folds share rows, so it may be too small); where it reaches beyond the values that a metric can \
         have, such as 0 to 1, it ends there. {}. Data sets are in the order of their names. Stored: samples that the learner keeps. Times \
         are microseconds of wall time per row, of all trees together (learners of other languages: of the processor's time); \
         test+learn predicts a row and then learns it, in one call. Offline: sees all training rows \
         at once, learns in one fit. –: the learner does not report it.",
        Rank::RULE
    )
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

    /// Returns words that distinguish a row of this section from others with the same names; mostly empty.
    pub(super) fn distinction_of(&self, row: &Row) -> String {
        let own = row.label.strip_prefix(&row.algorithm);
        let own = own.unwrap_or_default().trim_start_matches(", ");
        let mut words = vec![self.distinction.as_str(), own];
        words.retain(|words| !words.is_empty());
        words.join(", ")
    }

    /// Returns the decimals that all values of its first metric are printed with.
    pub(super) fn decimals(&self) -> usize {
        let results = self.rows.iter().filter_map(|row| row.result.as_ref());
        let means = results.map(|result| result.value.mean.abs());
        number::decimals_of(means.fold(0.0, f64::max))
    }

    /// Describes the data and protocol in a line.
    fn description(&self) -> String {
        let setting = &self.setting;
        let count = |rows: usize| number::count(rows as f64);
        let (train, test) = (count(setting.n_train), count(setting.n_test));
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
        let features = number::counted(setting.n_features, "feature");
        text += &format!(" ({}); {features}", setting.split);
        if let Some(classes) = setting.n_classes {
            text += &format!(", {classes} classes");
        }
        text += &format!("; {}", setting.preprocessing);
        if let Some(trees) = trees::list(&self.trees) {
            text += &format!("; {trees}");
        }
        if let Some(best) = setting.best_accuracy {
            text += &format!("; best possible accuracy {}", number::short(best));
        }
        text
    }

    /// Returns the table of its algorithms, and the table of the changes of its stream, if there are any.
    pub fn tables(&self) -> Vec<Table> {
        let table = Table {
            title: self.title(),
            about: self.description(),
            header: self.header(),
            rows: self.rows.iter().map(|row| self.line(row)).collect(),
            notes: self.notes(),
        };
        let changes = (!self.setting.changes.is_empty()).then(|| self.changes());
        [table].into_iter().chain(changes).collect()
    }

    /// Returns the names of the columns. ± covers seeds.
    fn header(&self) -> Vec<Cell> {
        let over_seeds = |metric: &Metric| Cell::from(format!("{} ± over seeds", metric.title));
        let mut header = vec!["algorithm".into(), over_seeds(&self.columns[0]), "".into()];
        if self.has_test_errors() {
            header.push(match self.setting.protocol {
                Protocol::PrequentialKFold => "fold s.e.".into(),
                _ => "test s.e.".into(),
            });
        }
        header.extend(self.columns[1..].iter().map(over_seeds));
        header.push("n".into());
        let times: &[&str] = match self.setting.protocol {
            Protocol::Holdout | Protocol::KFold => &["learn µs", "predict µs"],
            _ => &["test+learn µs"],
        };
        header.extend(times.iter().map(|name| Cell::from(*name)));
        header.extend(["nodes", "stored", "size"].map(Cell::from));
        header
    }

    /// Returns whether the first metric has a standard error over test rows.
    fn has_test_errors(&self) -> bool {
        let mut results = self.rows.iter().filter_map(|row| row.result.as_ref());
        results.any(|result| result.test_error.is_some())
    }

    /// Returns the row of an algorithm. Only a hold-out has a time for predictions, and a column for it.
    fn line(&self, row: &Row) -> TableRow {
        let mut cells: Vec<Cell> = vec![row.name().into()];
        if let Some(result) = &row.result {
            let decimals = self.decimals();
            let interval = |estimate: &Estimate, decimals| {
                Cell::new(number::interval(estimate, decimals), estimate.mean)
            };
            cells.push(interval(&result.value, decimals));
            cells.push(row.rank.word().into());
            if self.has_test_errors() {
                let text = |error| format!("{error:.decimals$}");
                cells.push(Cell::or_dash(result.test_error, text));
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
        } else if row.errors.is_empty() {
            cells.push("–".into());
        } else {
            cells.push("failed".into());
        }
        cells.resize(self.header().len(), Cell::default());
        let mark = row.mark();
        TableRow { mark, cells }
    }

    fn notes(&self) -> Vec<String> {
        let Self { setting, rows, .. } = self;
        let mut notes = Vec::new();
        if setting.reference == Reference::NoiseFree {
            notes.push("rmse is measured against the true function, without noise".to_owned());
        }
        if let Some(row) = rank::unbeaten_baseline(rows, self.columns[0]) {
            notes.push(format!("no algorithm beats the baseline {}", row.label));
        }
        let mut results = rows.iter().filter_map(|row| row.result.as_ref()).peekable();
        if results.peek().is_some() && results.all(|result| result.value.n == 1) {
            notes.push("one seed: no interval, and nothing can be called a tie".to_owned());
        }
        if self.surplus > 0 {
            let runs = number::counted(self.surplus, "run");
            notes.push(format!(
                "{runs} left out: a seed counts once, by its first result"
            ));
        }
        let (mut revisions, mut machines) = (BTreeSet::new(), BTreeSet::new());
        for (host, threads) in &self.hosts {
            revisions.insert(host.revision.as_str());
            let threads = number::counted(*threads, "thread");
            machines.insert(format!("{}, {threads}", host.cpu));
        }
        if revisions.len() > 1 {
            let revisions: Vec<&str> = revisions.into_iter().collect();
            let revisions = revisions.join(", ");
            notes.push(format!("the runs are of different revisions: {revisions}"));
        }
        if machines.len() > 1 {
            let machines: Vec<String> = machines.into_iter().collect();
            let machines = machines.join("; ");
            notes.push(format!(
                "times are means over different machines: {machines}"
            ));
        }
        let failed = self.failed_seeds().len();
        if failed > 0 {
            let seeds = number::counted(failed, "seed");
            notes.push(format!("{seeds} left out of the ranks, since a run failed"));
        }
        for row in rows {
            for error in &row.errors {
                notes.push(format!("{} failed: {error}", row.label));
            }
        }
        notes
    }

    /// Returns the seeds on which an algorithm failed that has results for others.
    pub(super) fn failed_seeds(&self) -> BTreeSet<u64> {
        let rows = self.rows.iter().filter(|row| row.result.is_some());
        rows.flat_map(|row| &row.failed).copied().collect()
    }

    /// Returns the table of the metric before and after the changes of the stream.
    fn changes(&self) -> Table {
        let changes = &self.setting.changes;
        let mut header = vec![Cell::from("algorithm")];
        if changes.len() > MOST_CHANGES {
            header.push(format!("mean of {} changes", changes.len()).into());
        } else {
            let at = |row: &usize| Cell::from(format!("row {}", number::count(*row as f64)));
            header.extend(changes.iter().map(at));
        }
        let decimals = self.decimals().saturating_sub(1);
        let mut rows = Vec::new();
        for row in &self.rows {
            let Some(result) = &row.result else { continue };
            let mut cells: Vec<Cell> = vec![row.name().into()];
            if result.around_changes.len() > MOST_CHANGES {
                let mean = AroundChange::mean(result.around_changes.iter());
                cells.push(change_text(&mean, decimals).into());
            } else {
                let changes = result.around_changes.iter();
                cells.extend(changes.map(|change| Cell::from(change_text(change, decimals))));
            }
            let mark = row.mark();
            rows.push(TableRow { mark, cells });
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
    match words {
        "" => name,
        words => format!("{name} · {words}"),
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
    fn a_cell_of_changes_shows_before_after_and_later_and_unknown_values() {
        let (before, after, later) = (Some(0.75), Some(0.5), Some(1.0));
        let first = AroundChange {
            row: 7,
            before,
            after,
            later,
        };
        let second = AroundChange {
            before: None,
            later: None,
            ..first.clone()
        };
        assert_eq!(change_text(&first, 2), "0.75 → 0.50 → 1.00");
        assert_eq!(change_text(&second, 1), "– → 0.5 → –");
        let third = AroundChange {
            before: Some(0.25),
            ..second
        };
        let mean = AroundChange::mean([&first, &third].into_iter());
        assert_eq!(
            (mean.before, mean.after, mean.later),
            (Some(0.5), Some(0.5), Some(1.0))
        );
    }
}
