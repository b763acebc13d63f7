//! The files made from finished runs: `summary.csv`, `summary.md`, plots, `report.html`, `index.json`.

use std::fs;
use std::path::{Component, Path};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

use super::charts::{self, NamedChart};
use super::record::Host;
use super::runner::Runner;
use super::summary::Section;
use super::{host, html, markdown, summary_csv};
use crate::draw::{Picture as _, style};
use crate::files::{self, write_atomically};

const INDEX: &str = "index.json";

/// `index.json`: what was run, where, and the files beside it. The names of fields are its keys.
#[derive(Debug, Serialize)]
pub struct Index {
    pub command: String,
    #[serde(flatten)]
    pub host: Host,
    pub trees: usize,
    pub seeds: u64,
    /// Runs in `runs.jsonl`.
    pub runs: usize,
    /// Whether these are all that were asked for.
    pub complete: bool,
    pub files: Vec<String>,
}

/// Removes the files of an earlier comparison, which its index lists, and no others.
pub fn remove_earlier(out: &Path) -> Result<()> {
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
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        }
    }
    Ok(())
}

fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Writes everything, each file whole or not at all.
pub fn write(out: &Path, runner: &Runner, complete: bool, sections: &[Section]) -> Result<()> {
    style::register_font()?;
    let charts = charts::charts(sections);
    let plots = out.join("plots");
    files::make_folder(&plots)?;
    for chart in charts.iter().flatten() {
        chart.chart.write(&plots, &chart.name)?;
    }
    let index = index(runner, complete, &charts);
    let write = |name: &str, text: String| write_atomically(&out.join(name), text.as_bytes());
    write("summary.csv", summary_csv::render(sections)?)?;
    write("summary.md", markdown::render(sections, &index.command))?;
    write("report.html", html::render(&index, sections, &charts)?)?;
    write(INDEX, serde_json::to_string_pretty(&index)?)
}

fn index(runner: &Runner, complete: bool, charts: &[Vec<NamedChart>]) -> Index {
    let fixed = ["runs.jsonl", "summary.csv", "summary.md", "report.html"].map(str::to_owned);
    let endings =
        |chart: &NamedChart| ["svg", "png"].map(|end| format!("plots/{}.{end}", chart.name));
    let plots = charts.iter().flatten().flat_map(endings);
    Index {
        command: host::command(),
        host: runner.host.clone(),
        trees: runner.trees,
        seeds: runner.seeds,
        runs: runner.records.len(),
        complete,
        files: fixed.into_iter().chain(plots).collect(),
    }
}
