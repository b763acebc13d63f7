//! A section as text, for terminal, Markdown and HTML.

use super::section::Rank;
use super::section::{Averages, Row, Section};
use super::{order, origins, rank, trees};
use crate::metric::Metric;
use crate::number;
use crate::record::{Protocol, Reference, Setting, task_name};
use crate::statistics::Estimate;

/// Decimals of the metrics beside the first.
const DECIMALS: usize = 4;

/// A cell: its text, and the number its column is sorted by; text without a number is sorted as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// The number behind it.
    pub value: Option<f64>,
}

impl Cell {
    /// Returns the cell of a number.
    pub fn new(text: String, value: f64) -> Self {
        let value = Some(value);
        Self { text, value }
    }

    /// Returns the cell of a value, or a dash for an unknown one.
    fn or_dash(value: Option<f64>, text: impl Fn(f64) -> String) -> Self {
        let text = value.map_or_else(|| "–".to_owned(), text);
        Self { text, value }
    }

    fn interval(estimate: &Estimate, decimals: usize) -> Self {
        Self::new(number::interval(estimate, decimals), estimate.mean)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, value: None }
    }
}

/// Returns the legend of all tables.
pub fn legend() -> String {
    format!(
        "±: the 95 % interval of the mean over n seeds, by Student's t; it covers seeds (shuffles and random trees), not \
         the choice of test rows, whose standard error is \"test s.e.\", nor that of learned rows in prequential k-fold validation, whose standard \
         error over folds is \"fold s.e.\" (folds share rows, so it may be too small); where it reaches beyond the values that a metric can \
         have, such as 0 to 1, it ends there. {}. {}. Stored: samples that the learner keeps. Times \
         are microseconds of wall time per row, of all trees together (learners of other languages: of the processor's time); \
         test+learn predicts a row and then learns it, in one call. Offline: sees all training rows \
         at once, learns in one fit. –: the learner does not report it.",
        Rank::RULE,
        order::WORDS
    )
}

impl Section {
    /// Returns the data set and the protocol, and words that distinguish it from others of both.
    pub fn title(&self) -> String {
        let Setting {
            dataset, protocol, ..
        } = &self.setting;
        match self.distinction.as_str() {
            "" => format!("{dataset} · {protocol}"),
            distinction => format!("{dataset} · {protocol} · {distinction}"),
        }
    }

    /// Returns the data set, and words that distinguish its settings.
    pub fn set(&self) -> String {
        match self.distinction.as_str() {
            "" => self.setting.dataset.clone(),
            distinction => format!("{} · {distinction}", self.setting.dataset),
        }
    }

    /// Describes the data and protocol in a line.
    pub fn description(&self) -> String {
        let setting = &self.setting;
        let count = |rows: usize| number::count(rows as f64);
        let (train, test) = (count(setting.n_train), count(setting.n_test));
        let rows = match setting.protocol {
            Protocol::Holdout => format!("{train} rows learned, {test} tested"),
            Protocol::KFold => format!("{train} rows learned in each part, {test} tested in all"),
            Protocol::Prequential | Protocol::Delayed => {
                format!("{train} rows tested, then learned")
            }
            Protocol::PrequentialKFold => {
                format!("{train} rows tested, then learned by some of the learners")
            }
        };
        let classes = setting
            .n_classes
            .map(|classes| format!(", {classes} classes"));
        let best = setting.best_accuracy;
        let best = best.map(|best| format!("; best possible accuracy {}", number::short(best)));
        let of = setting
            .target
            .as_ref()
            .map(|target| format!(" of {target}"));
        let features = number::counted(setting.n_features, "feature");
        let trees = trees::list(&self.trees).map(|trees| format!("; {trees}"));
        format!(
            "{}{}: {rows} ({}); {features}{}; {}{}{}",
            task_name(setting.task),
            of.unwrap_or_default(),
            setting.split,
            classes.unwrap_or_default(),
            setting.preprocessing,
            trees.unwrap_or_default(),
            best.unwrap_or_default()
        )
    }

    /// Returns the names of the columns. ± covers seeds.
    pub fn header(&self) -> Vec<String> {
        let times: &[&str] = match self.setting.protocol {
            Protocol::Holdout | Protocol::KFold => &["learn µs", "predict µs"],
            Protocol::Prequential | Protocol::PrequentialKFold | Protocol::Delayed => {
                &["test+learn µs"]
            }
        };
        let over_seeds = |metric: &Metric| format!("{} ± over seeds", metric.title);
        let error = match self.setting.protocol {
            Protocol::PrequentialKFold => "fold s.e.",
            _ => "test s.e.",
        };
        let test_error = self.has_test_errors().then(|| error.to_owned());
        let after = ["n"]
            .iter()
            .chain(times)
            .chain(&["nodes", "stored", "size"]);
        let mut header = vec![
            "algorithm".to_owned(),
            over_seeds(&self.columns[0]),
            String::new(),
        ];
        header.extend(test_error);
        header.extend(self.columns[1..].iter().map(over_seeds));
        header.extend(after.map(|name| (*name).to_owned()));
        header
    }

    /// Returns whether the first metric has a standard error over test rows.
    fn has_test_errors(&self) -> bool {
        let mut results = self.rows.iter().filter_map(|row| row.result.as_ref());
        results.any(|result| result.test_error.is_some())
    }

    /// Returns the rows, each with its cells; the first is the algorithm.
    pub fn lines(&self) -> impl Iterator<Item = (&Row, Vec<Cell>)> {
        let width = self.header().len();
        self.rows.iter().map(move |row| {
            let mut cells = vec![row.name().into()];
            match &row.result {
                Some(result) => cells.extend(self.numbers(row, result)),
                None if row.errors.is_empty() => cells.push("–".to_owned().into()),
                None => cells.push("failed".to_owned().into()),
            }
            cells.resize(width, String::new().into());
            (row, cells)
        })
    }

    /// Returns the cells after the name. Only a hold-out has a time for predictions, and a column for it.
    fn numbers(&self, row: &Row, result: &Averages) -> Vec<Cell> {
        let decimals = self.decimals();
        let mut cells = vec![
            Cell::interval(&result.value, decimals),
            row.rank.word().to_owned().into(),
        ];
        if self.has_test_errors() {
            let text = |error| format!("{error:.decimals$}");
            cells.push(Cell::or_dash(result.test_error, text));
        }
        for metric in &self.columns[1..] {
            let estimate = result.metrics.get(metric.name);
            let cell = |estimate| Cell::interval(estimate, DECIMALS);
            cells.push(estimate.map_or_else(|| "–".to_owned().into(), cell));
        }
        let n = result.value.n;
        cells.push(Cell::new(n.to_string(), n as f64));
        // One unit for learners with and without trees.
        let of_all_trees = |us| us * row.trees.max(1) as f64;
        let times = [Some(result.learn_us), result.predict_us];
        let times = times.into_iter().flatten().map(of_all_trees);
        cells.extend(times.map(|us| Cell::new(number::short(us), us)));
        cells.push(Cell::or_dash(result.nodes, number::count));
        cells.push(Cell::or_dash(result.stored_samples, number::count));
        cells.push(Cell::or_dash(result.bytes, number::bytes));
        cells
    }

    /// Returns further notes for readers.
    pub fn notes(&self) -> Vec<String> {
        let Self { setting, rows, .. } = self;
        let mut notes = Vec::new();
        if setting.reference == Reference::NoiseFree {
            notes.push("rmse is measured against the true function, without noise".to_owned());
        }
        if let Some(row) = rank::unbeaten_baseline(rows, self.columns[0]) {
            notes.push(format!("no algorithm beats the baseline {}", row.label));
        }
        let one_seed = rows.iter().filter_map(|row| row.result.as_ref());
        if one_seed.clone().count() > 0 && one_seed.clone().all(|result| result.value.n == 1) {
            notes.push("one seed: no interval, and nothing can be called a tie".to_owned());
        }
        notes.extend(self.surplus_note());
        notes.extend(origins::notes(&self.hosts));
        for Row { label, errors, .. } in rows {
            notes.extend(
                errors
                    .iter()
                    .map(|error| format!("{label} failed: {error}")),
            );
        }
        notes
    }
}

impl Section {
    fn surplus_note(&self) -> Option<String> {
        let runs = number::counted(self.surplus, "run");
        (self.surplus > 0)
            .then(|| format!("{runs} left out: a seed counts once, by its first result"))
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
}
