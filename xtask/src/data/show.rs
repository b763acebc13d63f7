//! `cargo xtask data show`.

use std::fmt::Write;

use anyhow::Result;
use comfy_table::Table;
use datasets::{Dataset, Target, manifest};
use statrs::statistics::Statistics as _;

use crate::terminal::{align_right, table};

const ROWS: usize = 5;
const COLUMNS: usize = 8;

/// Returns the text for standard output.
pub(super) fn render(data: &Dataset) -> Result<String> {
    let mut text = facts(data);
    write!(text, "\n{}\n\n{}\n", target(data), first_rows(data))?;
    Ok(text)
}

fn facts(data: &Dataset) -> String {
    let mut lines = vec![("name", data.name.clone())];
    if let Some(set) = manifest::find(&data.name) {
        lines.push(("what", set.title.clone()));
        lines.push(("source", set.source.clone()));
        lines.push(("licence", set.licence.clone()));
        lines.push(("note", set.note.clone()));
    }
    lines.push(("task", data.task().to_string()));
    lines.push(("rows", rows(data)));
    lines.push(("features", data.n_features().to_string()));
    if !data.changes.is_empty() {
        let changes: Vec<String> = data.changes.iter().map(usize::to_string).collect();
        lines.push(("changes", format!("at row {}", changes.join(", "))));
    }
    if let Some(best) = data.best_accuracy {
        lines.push(("best", format!("possible accuracy {best:.4}")));
    }
    lines.push(("sha256", data.sha256.replace('+', "\n          ")));
    lines
        .iter()
        .map(|(key, value)| format!("{key:<9} {value}\n"))
        .collect()
}

fn rows(data: &Dataset) -> String {
    match data.split {
        None => format!("{}, no standard split", data.rows()),
        Some(train) => format!(
            "{}: {train} train, {} test",
            data.rows(),
            data.rows() - train
        ),
    }
}

fn target(data: &Dataset) -> Table {
    match &data.target {
        Target::Classes { labels, names } => class_counts(labels, names, data.split),
        Target::Values { values, .. } => values_summary(values),
    }
}

/// Counts rows of each class, per part if there is a standard split.
fn class_counts(labels: &[u32], names: &[String], split: Option<usize>) -> Table {
    let parts = match split {
        None => vec![("rows", labels)],
        Some(train) => vec![("train", &labels[..train]), ("test", &labels[train..])],
    };
    let count = |labels: &[u32], class| labels.iter().filter(|label| **label == class).count();
    let mut counts = table(["class"]);
    counts.set_header(["class"].into_iter().chain(parts.iter().map(|part| part.0)));
    for (class, name) in (0..).zip(names) {
        let row = parts.iter().map(|part| count(part.1, class).to_string());
        counts.add_row([name.clone()].into_iter().chain(row));
    }
    align_right(&mut counts, 1..3);
    counts
}

fn values_summary(values: &[f64]) -> Table {
    let mut summary = table(["mean target", "standard deviation", "minimum", "maximum"]);
    let numbers = [values.mean(), values.std_dev(), values.min(), values.max()];
    summary.add_row(numbers.map(|x| format!("{x:.4}")));
    align_right(&mut summary, 0..4);
    summary
}

fn first_rows(data: &Dataset) -> Table {
    let shown = data.n_features().min(COLUMNS);
    let more = match data.n_features() - shown {
        0 => Vec::new(),
        hidden => vec![format!("{hidden} more")],
    };
    let mut first = table::<0>([]);
    first.set_header([&data.feature_names[..shown], &more, &["target".to_owned()]].concat());
    for row in 0..data.rows().min(ROWS) {
        let cells = (0..shown).map(|column| data.features[[row, column]].to_string());
        let hidden = more.iter().map(|_| "…".to_owned());
        first.add_row(cells.chain(hidden).chain([target_of(data, row)]));
    }
    align_right(&mut first, 0..shown);
    first
}

fn target_of(data: &Dataset, row: usize) -> String {
    match &data.target {
        Target::Classes { labels, names } => names[labels[row] as usize].clone(),
        Target::Values { values, .. } => values[row].to_string(),
    }
}
