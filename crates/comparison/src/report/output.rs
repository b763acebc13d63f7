//! Writes the files of a report: tables as CSV, Markdown and LaTeX, plots, `report.html`, `index.json`.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::charts::{self, NamedChart};
use super::html;
use super::overall::{Detail, Overall, overall};
use super::section::{Section, legend};
use super::table::{Table, escape};
use crate::files::{self, FileError, write_atomically};
use crate::metric::Metric;
use crate::plot::Picture as _;
use crate::record::{Host, Record, task_name};

const INDEX: &str = "index.json";
const RUNS: &str = "runs.jsonl";

/// The content of `index.json`: command, host, and the files beside it. The names of fields are its keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The command line.
    pub command: String,
    /// Threads to learn and predict with.
    pub threads: usize,
    /// The host it ran on.
    #[serde(flatten)]
    pub host: Host,
    /// Trees of every forest; the least if they differ.
    pub trees: usize,
    /// Repetitions.
    pub seeds: u64,
    /// Runs in `runs.jsonl`.
    pub runs: usize,
    /// Whether these are all requested runs.
    pub complete: bool,
    /// The files beside it; [`write()`](super::write()) fills this in.
    pub files: Vec<String>,
}

impl Index {
    /// Describes records of an earlier comparison; returns `None` without records.
    pub fn of(records: &[Record], command: String) -> Option<Self> {
        let seeds: BTreeSet<u64> = records.iter().map(|record| record.seed).collect();
        let trees = records.iter().map(|record| record.asked_trees);
        let last = records.last()?;
        Some(Self {
            command,
            threads: last.threads,
            host: last.host.clone(),
            trees: trees.filter(|&trees| trees > 0).min().unwrap_or(0),
            seeds: seeds.len() as u64,
            runs: records.len(),
            complete: true,
            files: Vec::new(),
        })
    }
}

/// An error of writing a report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table of means.
    #[error("cannot write the results as CSV: {0}")]
    Csv(#[from] ::csv::Error),
}

/// Returns the tables of all sections, and those over all sets, as text for a terminal.
pub fn tables(sections: &[Section]) -> String {
    let mut text = String::new();
    let each = sections.iter().flat_map(Section::tables);
    for table in each.chain(over_all_sets(&overall(sections))) {
        text += &table.terminal();
    }
    format!("{text}{}\n", legend())
}

/// Returns the tables over several sets.
fn over_all_sets(overall: &[Overall]) -> Vec<Table> {
    let several = overall.iter().filter(|one| one.matrix.sets().len() > 1);
    several.map(|one| one.table(Detail::Short)).collect()
}

/// Writes everything in the folder `out`, tables before pictures; an incomplete file never appears. Returns a warning for each
/// picture that could not be written.
///
/// # Errors
/// Returns an error if a table or the page cannot be written.
pub fn write(out: &Path, index: Index, sections: &[Section]) -> Result<Vec<String>, ReportError> {
    files::make_folder(out)?;
    let write = |name: &str, text: String| write_atomically(&out.join(name), text.as_bytes());
    let overall = overall(sections);
    let mut all = over_all_sets(&overall);
    all.extend(sections.iter().flat_map(Section::tables));
    let latex: String = all.iter().map(Table::latex).collect();
    let markdown: String = all.iter().map(Table::markdown).collect();
    let (command, legend) = (&index.command, escape(&legend()));
    write("results.csv", results(sections)?)?;
    write(
        "tables.tex",
        format!(
            "% Needs \\usepackage{{booktabs}}. Written by a comparison; the best rows are bold.\n{latex}"
        ),
    )?;
    write(
        "summary.md",
        format!("# Comparison\n\n```console\n$ {command}\n```\n\n{markdown}{legend}\n"),
    )?;
    let charts = charts::charts(sections);
    let ranks: Vec<NamedChart> = overall.iter().filter_map(charts::ranks).collect();
    let plots = out.join("plots");
    let mut warnings = Vec::new();
    let mut names = vec!["results.csv", "tables.tex", "summary.md", "report.html"];
    if out.join(RUNS).is_file() {
        names.insert(0, RUNS);
    }
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    for chart in ranks.iter().chain(charts.iter().flatten()) {
        let drawn =
            files::make_folder(&plots).and_then(|()| chart.chart.write(&plots, &chart.name));
        warnings.extend(drawn.err().map(|error| error.to_string()));
        names.push(format!("plots/{}.svg", chart.name));
    }
    let index = Index {
        files: names,
        ..index
    };
    write(
        "report.html",
        html::render(&index, sections, &overall, &charts),
    )?;
    let json = serde_json::to_string_pretty(&index).expect("every key is a string");
    write(INDEX, json)?;
    Ok(warnings)
}

/// The columns of `results.csv`; `distinction` has words for settings and algorithms of the same names, `standing` is that by the first metric.
const COLUMNS: &str = "dataset protocol task algorithm distinction baseline offline trees metric unit n mean half_width standing errors";

/// Returns the text of `results.csv`: metrics, times and sizes of each algorithm; its first line has the metric that ranks.
fn results(sections: &[Section]) -> Result<String, ::csv::Error> {
    let mut csv = ::csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    csv.write_record(COLUMNS.split(' '))?;
    for section in sections {
        let (setting, ranked) = (&section.setting, section.columns[0]);
        for row in &section.rows {
            let own = row.label.strip_prefix(&row.algorithm).unwrap_or_default();
            let mut words = vec![section.distinction.as_str(), own.trim_start_matches(", ")];
            words.retain(|words| !words.is_empty());
            let algorithm = (
                &row.algorithm,
                words.join(", "),
                row.baseline,
                row.offline,
                row.trees,
            );
            let errors = row.errors.join("; ");
            let mut write = |metric: (&str, &str), value: (usize, Option<f64>, Option<f64>)| {
                let set = (&setting.dataset, setting.protocol, task_name(setting.task));
                csv.serialize((set, &algorithm, metric, value, row.rank.word(), &errors))
            };
            let Some(result) = &row.result else {
                write((ranked.name, ranked.unit), (0, None, None))?;
                continue;
            };
            let others = Metric::of_task(setting.task).filter(|metric| *metric != ranked);
            for metric in [ranked].into_iter().chain(others) {
                if let Some(estimate) = result.metrics.get(metric.name) {
                    let value = (estimate.n, Some(estimate.mean), estimate.half_width());
                    write((metric.name, metric.unit), value)?;
                }
            }
            for (name, unit, mean) in [
                ("learn_us_per_sample_and_tree", "µs", Some(result.learn_us)),
                ("predict_us_per_sample_and_tree", "µs", result.predict_us),
                ("nodes", "", result.nodes),
                ("stored_samples", "", result.stored_samples),
                ("model_bytes", "B", result.bytes),
            ] {
                if mean.is_some() {
                    write((name, unit), (result.value.n, mean, None))?;
                }
            }
        }
    }
    let bytes = csv.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("every field is text"))
}
