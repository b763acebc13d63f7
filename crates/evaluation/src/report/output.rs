//! The files made from finished runs: `summary.csv`, `summary.md`, plots, `report.html`, `index.json`.

use std::fs;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::charts::{self, NamedChart};
use super::summary::Section;
use super::{html, markdown, summary_csv};
use crate::files::{self, FileError, write_atomically};
use crate::plot::{Picture as _, PictureError, style};
use crate::record::Host;

const INDEX: &str = "index.json";

/// Why a report is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The table of means.
    #[error("cannot write the summary as CSV: {0}")]
    Csv(csv::Error),
}

/// `index.json`: what was run, where, and the files beside it. The names of fields are its keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The command line.
    pub command: String,
    /// Where it ran.
    #[serde(flatten)]
    pub host: Host,
    /// Trees of every forest.
    pub trees: usize,
    /// Repetitions.
    pub seeds: u64,
    /// Runs in `runs.jsonl`.
    pub runs: usize,
    /// Whether these are all that were asked for.
    pub complete: bool,
    /// The files beside it; [`write`] fills this in.
    pub files: Vec<String>,
}

/// Removes the files of an earlier comparison, which its index lists, and no others.
///
/// # Errors
/// A file cannot be removed.
pub fn remove_earlier(out: &Path) -> Result<(), FileError> {
    let Ok(text) = fs::read(out.join(INDEX)) else {
        return Ok(());
    };
    let earlier: Value = serde_json::from_slice(&text).unwrap_or_default();
    let names = earlier["files"].as_array().into_iter().flatten();
    for name in names
        .filter_map(Value::as_str)
        .filter(|name| is_inside(name))
    {
        let file = out.join(name);
        if file.is_file() {
            files::remove(&file)?;
        }
    }
    Ok(())
}

fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Writes everything in the folder `out`, each file whole or not at all.
///
/// # Errors
/// A file or a picture that cannot be written.
pub fn write(out: &Path, index: Index, sections: &[Section]) -> Result<(), ReportError> {
    style::register_font()?;
    let charts = charts::charts(sections);
    let plots = out.join("plots");
    files::make_folder(&plots)?;
    for chart in charts.iter().flatten() {
        chart.chart.write(&plots, &chart.name)?;
    }
    let index = Index {
        files: names(&charts),
        ..index
    };
    let write = |name: &str, text: String| write_atomically(&out.join(name), text.as_bytes());
    let summary = summary_csv::render(sections).map_err(ReportError::Csv)?;
    write("summary.csv", summary)?;
    write("summary.md", markdown::render(sections, &index.command))?;
    write("report.html", html::render(&index, sections, &charts)?)?;
    let json = serde_json::to_string_pretty(&index).expect("every key is a string");
    Ok(write(INDEX, json)?)
}

fn names(charts: &[Vec<NamedChart>]) -> Vec<String> {
    let fixed = ["runs.jsonl", "summary.csv", "summary.md", "report.html"].map(str::to_owned);
    let endings =
        |chart: &NamedChart| ["svg", "png"].map(|end| format!("plots/{}.{end}", chart.name));
    let plots = charts.iter().flatten().flat_map(endings);
    fixed.into_iter().chain(plots).collect()
}
