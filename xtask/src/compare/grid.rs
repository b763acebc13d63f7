//! A table as text, once: terminal, Markdown and HTML only dress it.

use super::number;
use super::record::{Protocol, Reference, Setting};
use super::standing::{self, Standing};
use super::summary::{Averages, Row, Section};

/// A section in words.
#[derive(Clone, Debug)]
pub struct Grid {
    /// What and how.
    pub title: String,
    /// The data, in a line.
    pub about: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub lines: Vec<Line>,
    /// What a reader needs to know.
    pub notes: Vec<String>,
}

/// A row in words.
#[derive(Clone, Debug)]
pub struct Line {
    /// One text per column; the first is the algorithm.
    pub cells: Vec<String>,
    /// How it compares.
    pub standing: Standing,
    /// Whether it is a trivial baseline.
    pub baseline: bool,
}

impl Grid {
    /// Puts `section` into words.
    pub fn new(section: &Section) -> Self {
        let setting = &section.setting;
        let decimals = number::decimals(&section.rows);
        Self {
            title: format!("{} · {}", setting.dataset, setting.protocol),
            about: about(section),
            header: header(setting),
            lines: section
                .rows
                .iter()
                .map(|row| line(row, setting, decimals))
                .collect(),
            notes: notes(section),
        }
    }
}

fn about(section: &Section) -> String {
    let setting = &section.setting;
    let classes = setting
        .n_classes
        .map_or(String::new(), |count| format!(", {count} classes"));
    let rows = match setting.protocol {
        Protocol::Holdout => {
            format!(
                "{} rows learned, {} tested",
                grouped(setting.n_train),
                grouped(setting.n_test)
            )
        }
        Protocol::Prequential => format!("{} rows tested, then learned", grouped(setting.n_train)),
    };
    format!(
        "{}: {rows} ({}); {} features{classes}; {}; {} trees",
        setting.task, setting.split, setting.n_features, setting.preprocessing, section.trees
    )
}

fn grouped(rows: usize) -> String {
    number::count(rows as f64)
}

fn header(setting: &Setting) -> Vec<String> {
    let time: &[&str] = match setting.protocol {
        Protocol::Holdout => &["learn µs", "predict µs"],
        Protocol::Prequential => &["test+learn µs"],
    };
    let metric = setting.metric.name();
    let head = ["algorithm", metric, "", "n"].into_iter();
    let tail = ["nodes", "stored", "size"].into_iter();
    head.chain(time.iter().copied())
        .chain(tail)
        .map(str::to_owned)
        .collect()
}

fn line(row: &Row, setting: &Setting, decimals: usize) -> Line {
    let mut cells = vec![name(row)];
    cells.extend(match &row.result {
        Some(result) => numbers(result, row.standing, decimals),
        None => vec!["failed".to_owned()],
    });
    cells.resize(header(setting).len(), String::new());
    Line {
        cells,
        standing: row.standing,
        baseline: row.baseline,
    }
}

fn name(row: &Row) -> String {
    let mark = if row.baseline { " (baseline)" } else { "" };
    format!("{}{mark}", row.label)
}

/// The cells behind the name. Only a hold-out has a time for predictions, as its header says.
fn numbers(result: &Averages, standing: Standing, decimals: usize) -> Vec<String> {
    let mut cells = vec![
        number::interval(&result.value, decimals),
        standing.word().to_owned(),
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
    if let Some(row) = standing::unbeaten_baseline(rows, setting.metric) {
        notes.push(format!("no algorithm beats the baseline {}", row.label));
    }
    let failed = |row: &Row| -> Vec<String> {
        row.errors
            .iter()
            .map(|error| format!("{} failed: {error}", row.label))
            .collect()
    };
    notes.extend(rows.iter().flat_map(failed));
    notes
}

/// What holds for all tables.
pub fn legend() -> String {
    format!(
        "Mean ± 1.96 standard errors over n seeds. {}. Stored: samples that the learner keeps. Times are microseconds of wall time per sample and tree \
         (a baseline has no trees: per sample); \
         test+learn answers a row and then learns it, and cannot be told apart.",
        capitalised(standing::RULE)
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
