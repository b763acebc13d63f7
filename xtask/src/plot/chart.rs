//! `cargo xtask plot chart`: lines through the rows of a table.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use evaluation::notice::print_line;
use evaluation::plot::Picture;
use evaluation::plot::axis::{Axis, AxisScale};
use evaluation::plot::chart::{Chart, Series, Shape};
use evaluation::plot::stroke::{Pattern, Stroke, stroke};
use evaluation::plot::titled::TitledCharts;

use super::table::{self, Columns, Line};

const SIZE: (u32, u32) = (760, 380);
/// The size of one chart in a grid.
const PANEL_SIZE: (u32, u32) = (420, 300);

/// Lines through the rows of a table.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The table: JSON lines (`runs.jsonl`), or CSV with a header
    table: PathBuf,

    #[command(flatten)]
    columns: Columns,

    /// Scale of the horizontal axis
    #[arg(long, value_enum, default_value_t = Spacing::Linear)]
    x_scale: Spacing,

    /// Scale of the vertical axis
    #[arg(long, value_enum, default_value_t = Spacing::Linear)]
    y_scale: Spacing,

    /// A column whose values have a chart each, in a grid
    #[arg(long, value_name = "COLUMN")]
    panel: Option<String>,

    /// A vertical line at this place across; may be repeated
    #[arg(long, value_name = "NAME=X", value_parser = parse_mark)]
    mark: Vec<Mark>,

    /// The picture without its ending `.svg` [default: beside the table]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// A named place across.
#[derive(Clone, Debug, PartialEq)]
struct Mark {
    name: String,
    x: f64,
}

fn parse_mark(text: &str) -> Result<Mark> {
    let parts = text.rsplit_once('=').map(|(name, x)| (name, x.parse()));
    let Some((name, Ok(x))) = parts else {
        bail!("not a name, `=` and a number");
    };
    Ok(Mark {
        name: name.to_owned(),
        x,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Spacing {
    /// Linear.
    Linear,
    /// Logarithmic.
    Log,
}

impl Spacing {
    fn scale(self) -> AxisScale {
        match self {
            Self::Linear => AxisScale::Linear,
            Self::Log => AxisScale::Log,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    let charts = charts(args).with_context(|| args.table.display().to_string())?;
    for (title, chart) in &charts {
        if let Some(words) = chart.left_out_words() {
            let of = if title.is_empty() { "" } else { ": " };
            print_line(&format!("warning: {title}{of}{words}"));
        }
    }
    let picture = picture(charts)?;
    let beside = || args.table.with_extension("");
    let out = args.out.clone().unwrap_or_else(beside);
    let stem = out.file_name().context("--out names no file")?;
    let folder = out.parent().unwrap_or(Path::new(""));
    Ok(picture.write(folder, &stem.to_string_lossy())?)
}

/// Returns each chart with its title; a single chart does not have one.
fn charts(args: &Args) -> Result<Vec<(String, Chart)>> {
    let rows = table::read(&args.table)?;
    let Some(column) = &args.panel else {
        let lines = table::lines(&rows, &args.columns)?;
        return Ok(vec![(String::new(), chart(SIZE, lines, args)?)]);
    };
    let panels = table::panels(rows, column)?.into_iter();
    let charts = panels.map(|(title, rows)| {
        let lines = table::lines(&rows, &args.columns)?;
        Ok((title, chart(PANEL_SIZE, lines, args)?))
    });
    charts.collect()
}

fn picture(mut charts: Vec<(String, Chart)>) -> Result<Box<dyn Picture>> {
    match charts.len() {
        1 if charts[0].0.is_empty() => Ok(Box::new(charts.remove(0).1)),
        _ => Ok(Box::new(
            TitledCharts::new(charts).context("no rows to draw")?,
        )),
    }
}

fn chart(size: (u32, u32), lines: Vec<Line>, args: &Args) -> Result<Chart> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (x, y) = (&args.columns.x, &args.columns.y);
    let marks = args.mark.iter().map(|mark| mark.x);
    let across = points().map(|point| point.0).chain(marks);
    let x = Axis::spanning(x, args.x_scale.scale(), across);
    let y = Axis::spanning(y, args.y_scale.scale(), points().map(|point| point.1));
    ensure!(
        points().any(|point| x.contains(point.0) && y.contains(point.1)),
        "no row can be drawn: on a logarithmic axis, numbers have to be positive, and quotients need a divisor other than 0"
    );
    let left_out = lines.iter().map(|line| line.left_out).sum();
    let lines = lines.into_iter().enumerate().map(|(number, line)| {
        Series::new(line.name, stroke(number), Shape::MarkedLine(line.points))
    });
    let mut series: Vec<Series> = lines.collect();
    for mark in &args.mark {
        let dashed = Stroke {
            pattern: Pattern::Dashed,
            ..stroke(series.len())
        };
        let line = Shape::Verticals(vec![mark.x], [y.start(), y.end()]);
        series.push(Series::new(&mark.name, dashed, line));
    }
    let mut chart = Chart::with_legend(size, x, y, series);
    chart.left_out = left_out;
    Ok(chart)
}
