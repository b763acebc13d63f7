//! A section as text, for terminal, Markdown and HTML.

use super::number;
use super::rank::{self, Rank};
use super::summary::{Averages, Row, Section};
use crate::comparison::task_name;
use crate::record::{Protocol, Reference};

/// What holds for all tables.
pub fn legend() -> String {
    format!(
        "Mean ± 1.96 standard errors over n seeds. {}. Stored: samples that the learner keeps. Times \
         are microseconds of wall time per sample and tree (what has no trees: per sample); \
         test+learn predicts a row and then learns it, in one call. Offline: sees all training rows \
         at once, learns in one fit. –: the learner does not tell.",
        Rank::RULE
    )
}

impl Section {
    /// The data set and the protocol.
    pub fn title(&self) -> String {
        format!("{} · {}", self.setting.dataset, self.setting.protocol)
    }

    /// The data and what is done with it, in a line.
    pub fn description(&self) -> String {
        let setting = &self.setting;
        let count = |rows: usize| number::count(rows as f64);
        let (train, test) = (count(setting.n_train), count(setting.n_test));
        let rows = match setting.protocol {
            Protocol::Holdout => format!("{train} rows learned, {test} tested"),
            Protocol::Prequential => format!("{train} rows tested, then learned"),
        };
        let classes = setting
            .n_classes
            .map(|classes| format!(", {classes} classes"));
        let best = setting.best_accuracy;
        let best = best.map(|best| format!("; best possible accuracy {}", number::short(best)));
        format!(
            "{}: {rows} ({}); {} features{}; {}; {} trees{}",
            task_name(setting.task),
            setting.split,
            setting.n_features,
            classes.unwrap_or_default(),
            setting.preprocessing,
            self.trees,
            best.unwrap_or_default()
        )
    }

    /// The names of the columns.
    pub fn header(&self) -> Vec<&'static str> {
        let times: &[&str] = match self.setting.protocol {
            Protocol::Holdout => &["learn µs", "predict µs"],
            Protocol::Prequential => &["test+learn µs"],
        };
        let first = ["algorithm", self.setting.metric.name(), "", "n"];
        [&first, times, &["nodes", "stored", "size"]].concat()
    }

    /// The rows, each with the text of its cells; the first is the algorithm.
    pub fn lines(&self) -> impl Iterator<Item = (&Row, Vec<String>)> {
        let decimals = number::decimals(&self.rows);
        let columns = self.header().len();
        self.rows
            .iter()
            .map(move |row| (row, cells(row, columns, decimals)))
    }

    /// What a reader has to know besides.
    pub fn notes(&self) -> Vec<String> {
        let Self { setting, rows, .. } = self;
        let mut notes = Vec::new();
        if setting.reference == Reference::NoiseFree {
            notes.push("rmse is measured against the true function, without noise".to_owned());
        }
        if let Some(row) = rank::unbeaten_baseline(rows, setting.metric) {
            notes.push(format!("no algorithm beats the baseline {}", row.label));
        }
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

impl Row {
    /// The label, and what sets the algorithm apart.
    pub fn name(&self) -> String {
        let mark = match (self.baseline, self.offline) {
            (true, _) => " (baseline)",
            (_, true) => " (offline)",
            _ => "",
        };
        format!("{}{mark}", self.label)
    }
}

fn cells(row: &Row, columns: usize, decimals: usize) -> Vec<String> {
    let mut cells = vec![row.name()];
    match &row.result {
        Some(result) => cells.extend(numbers(result, row.rank, decimals)),
        None => cells.push("failed".to_owned()),
    }
    cells.resize(columns, String::new());
    cells
}

/// The cells after the name. Only a hold-out has a time for predictions, and a column for it.
fn numbers(result: &Averages, rank: Rank, decimals: usize) -> Vec<String> {
    let mut cells = vec![
        number::interval(&result.value, decimals),
        rank.word().to_owned(),
        result.value.n.to_string(),
        number::short(result.learn_us),
    ];
    cells.extend(result.predict_us.map(number::short));
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    cells.push(or_dash(result.nodes.map(number::count)));
    cells.push(or_dash(result.stored_samples.map(number::count)));
    cells.push(or_dash(result.bytes.map(number::bytes)));
    cells
}
