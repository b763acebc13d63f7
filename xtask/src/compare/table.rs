//! A section as text, for terminal, Markdown and HTML.

use super::number;
use super::rank::{self, Rank};
use super::record::{Protocol, Reference, Setting};
use super::summary::{Averages, Row, Section};

#[derive(Clone, Debug)]
pub struct TextTable {
    pub title: String,
    /// The data and what is done with it, in a line.
    pub description: String,
    pub header: Vec<&'static str>,
    pub rows: Vec<TextRow>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct TextRow {
    /// One per column; the first is the algorithm.
    pub cells: Vec<String>,
    pub rank: Rank,
    pub baseline: bool,
}

impl TextTable {
    pub fn new(section: &Section) -> Self {
        let setting = &section.setting;
        let header = header(setting);
        let decimals = number::decimals(&section.rows);
        let rows = section.rows.iter();
        Self {
            title: format!("{} · {}", setting.dataset, setting.protocol),
            description: description(section),
            rows: rows
                .map(|row| text_row(row, header.len(), decimals))
                .collect(),
            header,
            notes: notes(section),
        }
    }
}

/// What holds for all tables.
pub fn legend() -> String {
    format!(
        "Mean ± 1.96 standard errors over n seeds. {}. Stored: samples that the learner keeps. Times \
         are microseconds of wall time per sample and tree (a baseline has no trees: per sample); \
         test+learn predicts a row and then learns it, in one call.",
        Rank::RULE
    )
}

fn description(section: &Section) -> String {
    let setting = &section.setting;
    let count = |rows: usize| number::count(rows as f64);
    let (train, test) = (count(setting.n_train), count(setting.n_test));
    let rows = match setting.protocol {
        Protocol::Holdout => format!("{train} rows learned, {test} tested"),
        Protocol::Prequential => format!("{train} rows tested, then learned"),
    };
    let classes = setting
        .n_classes
        .map(|classes| format!(", {classes} classes"));
    format!(
        "{}: {rows} ({}); {} features{}; {}; {} trees",
        setting.task,
        setting.split,
        setting.n_features,
        classes.unwrap_or_default(),
        setting.preprocessing,
        section.trees
    )
}

fn header(setting: &Setting) -> Vec<&'static str> {
    let times: &[&str] = match setting.protocol {
        Protocol::Holdout => &["learn µs", "predict µs"],
        Protocol::Prequential => &["test+learn µs"],
    };
    let first = ["algorithm", setting.metric.name(), "", "n"];
    [&first, times, &["nodes", "stored", "size"]].concat()
}

fn text_row(row: &Row, columns: usize, decimals: usize) -> TextRow {
    let baseline = if row.baseline { " (baseline)" } else { "" };
    let mut cells = vec![format!("{}{baseline}", row.label)];
    match &row.result {
        Some(result) => cells.extend(numbers(result, row.rank, decimals)),
        None => cells.push("failed".to_owned()),
    }
    cells.resize(columns, String::new());
    TextRow {
        cells,
        rank: row.rank,
        baseline: row.baseline,
    }
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
    cells.push(number::count(result.nodes));
    cells.push(number::count(result.stored_samples));
    cells.push(number::bytes(result.bytes));
    cells
}

fn notes(section: &Section) -> Vec<String> {
    let Section { setting, rows, .. } = section;
    let mut notes = Vec::new();
    if setting.reference == Reference::NoiseFree {
        notes.push("rmse is measured against the true function, without noise".to_owned());
    }
    if let Some(row) = rank::unbeaten_baseline(rows, setting.metric) {
        notes.push(format!("no algorithm beats the baseline {}", row.label));
    }
    for row in rows {
        let label = &row.label;
        notes.extend(
            row.errors
                .iter()
                .map(|error| format!("{label} failed: {error}")),
        );
    }
    notes
}
