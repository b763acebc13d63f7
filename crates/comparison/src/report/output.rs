//! Writes the files of a report: tables as CSV, Markdown and LaTeX, plots, `report.html`, `index.json`.

use std::path::Path;

use thiserror::Error;

use super::charts::{self, NamedChart};
use super::index::Index;
use super::overall::overall;
use super::section::Section;
use super::{csv, html, latex, markdown};
use crate::files::{self, FileError, write_atomically};
use crate::plot::Picture as _;

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
    #[error("cannot write the summary as CSV: {0}")]
    Csv(#[from] ::csv::Error),
}

/// Writes everything in the folder `out`, tables before pictures; an incomplete file never appears. Returns a warning for each
/// picture that could not be written.
///
/// # Errors
/// Returns an error if a table or the page cannot be written.
pub fn write(out: &Path, index: Index, sections: &[Section]) -> Result<Vec<String>, ReportError> {
    files::make_folder(out)?;
    let write = |name: &str, text: String| write_atomically(&out.join(name), text.as_bytes());
    write("summary.csv", csv::summary(sections)?)?;
    write("metrics.csv", csv::metrics(sections)?)?;
    write("seeds.csv", csv::seeds(sections)?)?;
    write("tables.tex", latex::render(sections))?;
    write("summary.md", markdown::render(sections, &index.command))?;
    let charts = charts::charts(sections);
    let overall = overall(sections);
    let ranks: Vec<NamedChart> = overall.iter().filter_map(charts::ranks).collect();
    let pictures: Vec<&NamedChart> = ranks.iter().chain(charts.iter().flatten()).collect();
    let plots = out.join("plots");
    let drawn = pictures
        .iter()
        .filter_map(|chart| draw(chart, &plots).err());
    let warnings = drawn.map(|error| error.to_string()).collect();
    let index = Index {
        files: names(out, &pictures),
        ..index
    };
    write("report.html", html::render(&index, sections, &charts))?;
    let json = serde_json::to_string_pretty(&index).expect("every key is a string");
    write(INDEX, json)?;
    Ok(warnings)
}

fn draw(chart: &NamedChart, folder: &Path) -> Result<(), FileError> {
    files::make_folder(folder)?;
    chart.chart.write(folder, &chart.name)
}

/// Returns the names of the files in this folder; runs of an earlier comparison are elsewhere.
fn names(out: &Path, pictures: &[&NamedChart]) -> Vec<String> {
    let runs = out.join(RUNS).is_file().then_some(RUNS);
    let tables = [
        "summary.csv",
        "metrics.csv",
        "seeds.csv",
        "tables.tex",
        "summary.md",
        "report.html",
    ];
    let plots = pictures.iter();
    let plots = plots.map(|chart| format!("plots/{}.svg", chart.name));
    let files = runs.into_iter().chain(tables).map(str::to_owned);
    files.chain(plots).collect()
}
