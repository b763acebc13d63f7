//! `cargo xtask plot chart`: lines through the rows of a CSV table.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use plotters::style::text_anchor::HPos;

use super::record;
use super::table::{self, Columns, Series};
use crate::draw::axis::Axis;
use crate::draw::pen::{Pen, Place, Surface};
use crate::draw::{Picture, frame, style};

/// Lines through the rows of a table.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The table: JSON lines (`runs.jsonl`), or CSV with a header
    table: PathBuf,

    /// A column that names the line a row belongs to; may be repeated
    #[arg(long, value_name = "COLUMN", required = true)]
    series: Vec<String>,

    /// The column drawn across, or one divided by another (`nodes/trees`)
    #[arg(long, value_name = "COLUMN[/COLUMN]")]
    x: String,

    /// The column drawn upwards, likewise
    #[arg(long, value_name = "COLUMN[/COLUMN]")]
    y: String,

    /// The column that rows which repeat a point agree in, such as `label` for seeds; they are
    /// averaged [default: rows with the same x]
    #[arg(long, value_name = "COLUMN")]
    point: Option<String>,

    /// Draw only rows with this value; may be repeated
    #[arg(long, value_name = "COLUMN=VALUE")]
    only: Vec<String>,

    /// How numbers are spaced across
    #[arg(long, value_enum, default_value_t = Spacing::Linear)]
    x_scale: Spacing,

    /// How numbers are spaced upwards
    #[arg(long, value_enum, default_value_t = Spacing::Linear)]
    y_scale: Spacing,

    /// The picture without its ending; `.svg` and `.png` are written [default: beside the table]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// How numbers are spaced on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Spacing {
    /// By their differences.
    Linear,
    /// By their ratios.
    Log,
}

/// Draws the table.
///
/// # Errors
/// A table that cannot be read, or a file that cannot be written.
pub fn run(args: &Args) -> Result<()> {
    let columns = Columns {
        series: &args.series,
        x: &args.x,
        y: &args.y,
        point: args.point.as_deref(),
        only: &args.only,
    };
    let series = table::lines(&args.table, &record::read(&args.table)?, columns)?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| args.table.with_extension(""));
    let stem = out
        .file_name()
        .context("--out names no file")?
        .to_string_lossy();
    let folder = out.parent().unwrap_or(Path::new(""));
    Chart { series, args }.write(folder, &stem)
}

struct Chart<'a> {
    series: Vec<Series>,
    args: &'a Args,
}

const SIZE: (u32, u32) = (760, 380);
const LEFT: i32 = 60;
const TOP: i32 = 34;
const BELOW: i32 = 52;
/// Room for the sample of a line beside its name, and for a letter of the name.
const SAMPLE: i32 = 34;
const LETTER: i32 = 8;
const LINE: i32 = 20;

impl Chart<'_> {
    fn axis(
        &self,
        spacing: Spacing,
        get: fn(&(f64, f64)) -> f64,
        place: std::ops::Range<i32>,
    ) -> Axis {
        let values = self
            .series
            .iter()
            .flat_map(|series| &series.points)
            .map(get);
        match spacing {
            Spacing::Linear => Axis::linear(values, place),
            Spacing::Log => Axis::logarithmic(values, place),
        }
    }
}

impl Picture for Chart<'_> {
    fn size(&self) -> (u32, u32) {
        SIZE
    }

    fn draw<DB: Surface>(&self, pen: &Pen<'_, DB>) -> Result<()> {
        let (width, height) = pen.size();
        let longest = self
            .series
            .iter()
            .map(|series| series.name.chars().count())
            .max();
        let right = width - SAMPLE - LETTER * longest.unwrap_or(0) as i32;
        let x = self.axis(self.args.x_scale, |p| p.0, LEFT..right - 16);
        let y = self.axis(self.args.y_scale, |p| p.1, height - BELOW..TOP);
        frame::left(pen, &x, &y, &self.args.y)?;
        frame::lower(pen, &x, &y, &self.args.x)?;
        for (index, series) in self.series.iter().enumerate() {
            let stroke = style::stroke(index);
            let places: Vec<Place> = series
                .points
                .iter()
                .map(|p| (x.at(p.0), y.at(p.1)))
                .collect();
            pen.stroke(&places, stroke)?;
            for &place in &places {
                pen.mark(place, 3, stroke)?;
            }
            let at = (right + 4, TOP + 8 + LINE * index as i32);
            pen.stroke(&[at, (at.0 + 18, at.1)], stroke)?;
            pen.text(&series.name, (at.0 + 26, at.1), HPos::Left, style::INK)?;
        }
        Ok(())
    }
}
