//! Names beside a plot, each with a sample of its line.

use anyhow::Result;
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::super::summary::Row;
use crate::draw::pen::{Pen, Place, Surface};
use crate::draw::style;

/// Width kept free for it.
pub const WIDTH: i32 = 164;

const LINE: i32 = 20;
const SAMPLE: i32 = 18;
const LONGEST: usize = 20;

/// The rows with a result, each with its colour: grey for baselines, one of its own for every other.
pub fn coloured(rows: &[Row]) -> impl Iterator<Item = (&Row, RGBColor)> {
    let mut others = 0;
    let coloured = rows.iter().map(move |row| {
        let colour = style::colour(others);
        others += usize::from(!row.baseline);
        (
            row,
            if row.baseline {
                style::BASELINE
            } else {
                colour
            },
        )
    });
    coloured.filter(|(row, _)| row.result.is_some())
}

/// Lists the rows that are drawn, from `at` downwards.
///
/// # Errors
/// If drawing fails.
pub fn draw<'r, DB: Surface>(
    drawn: impl Iterator<Item = (&'r Row, RGBColor)>,
    at: Place,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    for (index, (row, colour)) in drawn.enumerate() {
        let (x, y) = (at.0, at.1 + LINE * index as i32);
        let sample = [(x, y), (x + SAMPLE, y)];
        stroke(row, &sample, colour, pen)?;
        pen.text(
            &shortened(&row.label),
            (x + SAMPLE + 8, y),
            HPos::Left,
            style::INK,
        )?;
    }
    Ok(())
}

/// A line through `places` in the manner of `row`: baselines are dashed.
///
/// # Errors
/// If drawing fails.
pub fn stroke<DB: Surface>(
    row: &Row,
    places: &[Place],
    colour: RGBColor,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    if row.baseline {
        pen.dashes(places, colour)
    } else {
        pen.line(places, colour, 2)
    }
}

/// A label that fits.
pub fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST {
        return label.to_owned();
    }
    let start: String = label.chars().take(LONGEST - 1).collect();
    format!("{start}…")
}
