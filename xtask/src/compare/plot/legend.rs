//! Names beside a plot, each with a sample of its line.

use anyhow::Result;
use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::super::summary::Row;
use super::pen::{Pen, Place};
use super::style;

/// Width kept free for it.
pub const WIDTH: i32 = 164;

const LINE: i32 = 20;
const SAMPLE: i32 = 18;
const LONGEST: usize = 20;

/// The rows with a result, each with its colour.
pub fn coloured(rows: &[Row]) -> impl Iterator<Item = (&Row, RGBColor)> {
    let colour = |(index, row): (usize, &Row)| match row.baseline {
        true => style::BASELINE,
        false => style::colour(index - rows[..index].iter().filter(|row| row.baseline).count()),
    };
    let all = rows
        .iter()
        .enumerate()
        .map(move |(index, row)| (row, colour((index, row))));
    all.filter(|(row, _)| row.result.is_some())
}

/// Lists the rows that are drawn, from `at` downwards.
///
/// # Errors
/// If drawing fails.
pub fn draw<'r, DB: DrawingBackend>(
    drawn: impl Iterator<Item = (&'r Row, RGBColor)>,
    at: Place,
    pen: &Pen<'_, DB>,
) -> Result<()>
where
    DB::ErrorType: 'static,
{
    for (index, (row, colour)) in drawn.enumerate() {
        let (x, y) = (at.0, at.1 + LINE * index as i32);
        let sample = [(x, y), (x + SAMPLE, y)];
        match row.baseline {
            true => pen.dashes(&sample, colour)?,
            false => pen.line(&sample, colour, 2)?,
        }
        pen.text(
            &shortened(&row.label),
            (x + SAMPLE + 8, y),
            HPos::Left,
            style::INK,
        )?;
    }
    Ok(())
}

/// A label that fits.
pub fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST {
        return label.to_owned();
    }
    let start: String = label.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}
