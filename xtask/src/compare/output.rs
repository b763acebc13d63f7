//! The files made from finished runs: `summary.csv`, `summary.md`, plots, `report.html`, `index.json`.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Component, Path};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::host;
use super::record::Host;
use super::report;
use super::report_section::ReportSection;
use super::session::Session;
use super::{markdown, summary_csv};
use crate::draw::{Picture, style};
use crate::files::{self, write_whole};

/// The list of files, and what they are the result of.
const INDEX: &str = "index.json";

/// What was run, where, and what became of it: the report says the same.
#[derive(Debug, Serialize)]
pub struct Index {
    /// The command line.
    pub command: String,
    /// Where it ran.
    #[serde(flatten)]
    pub host: Host,
    /// Trees of every forest.
    pub trees: usize,
    /// Number of seeds asked for.
    pub seeds: u64,
    /// Number of runs that are in `runs.jsonl`.
    pub runs: usize,
    /// Whether that is all that was asked for.
    pub complete: bool,
    /// Files beside this one.
    pub files: Vec<String>,
}

/// Removes what an earlier comparison left in `out`: its own list says what that is. Nothing else
/// is touched, whatever folder the user chose.
///
/// # Errors
/// If a file is there and cannot be removed.
pub fn clear(out: &Path) -> Result<()> {
    let Ok(text) = fs::read(out.join(INDEX)) else {
        return Ok(());
    };
    let earlier: Earlier = serde_json::from_slice(&text).unwrap_or_default();
    let names = earlier
        .files
        .iter()
        .map(Path::new)
        .filter(|name| is_inside(name));
    for file in names
        .map(|name| out.join(name))
        .filter(|file| file.is_file())
    {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    Ok(())
}

/// What is read of an [`Index`].
#[derive(Debug, Default, Deserialize)]
struct Earlier {
    files: Vec<String>,
}

fn is_inside(name: &Path) -> bool {
    name.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

/// Writes everything, each file whole or not at all.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    out: &Path,
    session: &Session,
    flow: ControlFlow<()>,
    report_sections: &[ReportSection<'_>],
) -> Result<()> {
    style::register_font()?;
    let index = index(session, flow, report_sections);
    write_plots(&out.join("plots"), report_sections)?;
    let text = |name: &str, content: String| write_whole(&out.join(name), content.as_bytes());
    text("summary.csv", summary_csv::render(report_sections)?)?;
    text(
        "summary.md",
        markdown::render(report_sections, &index.command),
    )?;
    text("report.html", report::render(&index, report_sections)?)?;
    text(INDEX, serde_json::to_string_pretty(&index)?)
}

fn index(session: &Session, flow: ControlFlow<()>, report_sections: &[ReportSection<'_>]) -> Index {
    let fixed = ["runs.jsonl", "summary.csv", "summary.md", "report.html"].map(str::to_owned);
    let plots = report_sections
        .iter()
        .flat_map(|report_section| &report_section.plots);
    let drawn =
        plots.flat_map(|plot| ["svg", "png"].map(|end| format!("plots/{}.{end}", plot.name)));
    Index {
        command: host::command(),
        host: session.host.clone(),
        trees: session.trees,
        seeds: session.seeds,
        runs: session.records.len(),
        complete: flow.is_continue(),
        files: fixed.into_iter().chain(drawn).collect(),
    }
}

fn write_plots(folder: &Path, report_sections: &[ReportSection<'_>]) -> Result<()> {
    files::make_folder(folder)?;
    for plot in report_sections
        .iter()
        .flat_map(|report_section| &report_section.plots)
    {
        plot.write(folder, &plot.name)?;
    }
    Ok(())
}
