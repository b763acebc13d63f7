//! Names beside a plot, each with a sample of its line.

use anyhow::Result;
use plotters::style::text_anchor::HPos;

use super::super::summary::Row;
use crate::draw::pen::{Pen, Place, Surface};
use crate::draw::style::{self, Stroke};

/// Width kept free for it.
pub const WIDTH: i32 = 164;

const LINE: i32 = 20;
const SAMPLE: i32 = 18;
const LONGEST: usize = 20;

/// The rows with a result, each with its manner: that of baselines, or one of its own.
pub fn styled(rows: &[Row]) -> impl Iterator<Item = (&Row, Stroke)> {
    let mut others = 0;
    let styled = rows.iter().map(move |row| {
        if row.baseline {
            return (row, style::BASELINE_STROKE);
        }
        others += 1;
        (row, style::stroke(others - 1))
    });
    styled.filter(|(row, _)| row.result.is_some())
}

/// Lists the rows that are drawn, from `at` downwards.
///
/// # Errors
/// If drawing fails.
pub fn draw<'r, DB: Surface>(
    drawn: impl Iterator<Item = (&'r Row, Stroke)>,
    at: Place,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    for (index, (row, stroke)) in drawn.enumerate() {
        let (x, y) = (at.0, at.1 + LINE * index as i32);
        let sample = [(x, y), (x + SAMPLE, y)];
        pen.stroke(&sample, stroke)?;
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
