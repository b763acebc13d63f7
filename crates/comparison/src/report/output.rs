//! Writes the files of a report: tables as CSV, Markdown and LaTeX, plots, `report.html`, `index.json`.

use std::path::Path;

use serde::Serialize;
use thiserror::Error;

use super::charts::{self, NamedChart};
use super::html;
use super::index::Index;
use super::overall::{Detail, Overall, overall};
use super::section::{Row, Section, legend};
use super::table::Table;
use crate::files::{self, FileError, write_atomically};
use crate::markdown::escape;
use crate::metric::Metric;
use crate::plot::Picture as _;
use crate::record::{Protocol, task_name};

const INDEX: &str = "index.json";
const RUNS: &str = "runs.jsonl";

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

/// A line of `results.csv`: a metric, a time or a size of an algorithm. The names of fields are its columns.
#[derive(Serialize)]
struct Line<'a> {
    dataset: &'a str,
    protocol: Protocol,
    task: &'a str,
    algorithm: &'a str,
    /// Words that distinguish a setting or an algorithm from others with these names.
    distinction: String,
    baseline: bool,
    offline: bool,
    trees: usize,
    metric: &'a str,
    unit: &'a str,
    n: usize,
    mean: Option<f64>,
    half_width: Option<f64>,
    /// The standing by the first metric of the table.
    standing: &'a str,
    errors: String,
}

/// Returns the text of `results.csv`; the first line of an algorithm has the metric that ranks.
fn results(sections: &[Section]) -> Result<String, ::csv::Error> {
    let mut csv = ::csv::Writer::from_writer(Vec::new());
    for section in sections {
        for row in &section.rows {
            for line in lines(section, row) {
                csv.serialize(line)?;
            }
        }
    }
    let bytes = csv.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8(bytes).expect("every field is text"))
}

fn lines<'a>(section: &'a Section, row: &'a Row) -> Vec<Line<'a>> {
    let ranked = section.columns[0];
    let line = |metric: &'a str, unit: &'a str| Line {
        dataset: &section.setting.dataset,
        protocol: section.setting.protocol,
        task: task_name(section.setting.task),
        algorithm: &row.algorithm,
        distinction: section.distinction_of(row),
        baseline: row.baseline,
        offline: row.offline,
        trees: row.trees,
        metric,
        unit,
        n: 0,
        mean: None,
        half_width: None,
        standing: row.rank.word(),
        errors: row.errors.join("; "),
    };
    let Some(result) = &row.result else {
        return vec![line(ranked.name, ranked.entry().unit)];
    };
    let others = Metric::of_task(section.setting.task).filter(|metric| *metric != ranked);
    let mut lines = Vec::new();
    for metric in [ranked].into_iter().chain(others) {
        if let Some(estimate) = result.metrics.get(metric.name) {
            lines.push(Line {
                n: estimate.n,
                mean: Some(estimate.mean),
                half_width: estimate.half_width(),
                ..line(metric.entry().name, metric.entry().unit)
            });
        }
    }
    let costs = [
        ("learn_us_per_sample_and_tree", "µs", Some(result.learn_us)),
        ("predict_us_per_sample_and_tree", "µs", result.predict_us),
        ("nodes", "", result.nodes),
        ("stored_samples", "", result.stored_samples),
        ("model_bytes", "B", result.bytes),
    ];
    for (name, unit, mean) in costs {
        if mean.is_some() {
            lines.push(Line {
                n: result.value.n,
                mean,
                ..line(name, unit)
            });
        }
    }
    lines
}
