//! The files made from finished runs: `summary.csv`, `summary.md`, plots, `report.html`, `index.json`.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Component, Path};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::files::{self, write_whole};
use super::grid::Grid;
use super::host;
use super::plot::{self, Plot};
use super::record::Host;
use super::report::{self, Chapter};
use super::session::Session;
use super::summary::Section;
use super::{markdown, summary_csv};

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
    sections: &[Section],
    grids: &[Grid],
) -> Result<()> {
    plot::register_font()?;
    let plots: Vec<Vec<Plot<'_>>> = sections
        .iter()
        .enumerate()
        .map(|(index, section)| plot::plots(index, section))
        .collect();
    let index = index(session, flow, &plots);
    write_plots(out, plots.iter().flatten())?;
    let chapters: Vec<Chapter<'_>> = sections
        .iter()
        .zip(grids)
        .zip(&plots)
        .map(Chapter::from)
        .collect();
    write_whole(&out.join("summary.csv"), &summary_csv::render(sections)?)?;
    write_whole(
        &out.join("summary.md"),
        markdown::render(grids, &index.command).as_bytes(),
    )?;
    write_whole(
        &out.join("report.html"),
        report::render(&index, &chapters)?.as_bytes(),
    )?;
    write_whole(&out.join(INDEX), &serde_json::to_vec_pretty(&index)?)
}

fn index(session: &Session, flow: ControlFlow<()>, plots: &[Vec<Plot<'_>>]) -> Index {
    let fixed = ["runs.jsonl", "summary.csv", "summary.md", "report.html"].map(str::to_owned);
    let drawn = plots
        .iter()
        .flatten()
        .flat_map(|plot| ["svg", "png"].map(|ending| format!("plots/{}.{ending}", plot.name)));
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

fn write_plots<'a>(out: &Path, plots: impl Iterator<Item = &'a Plot<'a>>) -> Result<()> {
    let folder = out.join("plots");
    files::make_folder(&folder)?;
    for plot in plots {
        write_whole(
            &folder.join(format!("{}.svg", plot.name)),
            plot.svg()?.as_bytes(),
        )?;
        plot.write_png(&folder.join(format!("{}.png", plot.name)))?;
    }
    Ok(())
}
