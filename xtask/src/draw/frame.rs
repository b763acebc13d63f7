//! The frame of a plot: two axes with grid, numbers and names.

use anyhow::Result;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::pen::{Pen, Surface};
use super::style;

/// From the axis to its numbers, and from there to its name.
const GAP: i32 = 8;
const BELOW: i32 = 16;
const NAME_BELOW: i32 = 36;
const NAME_ABOVE: i32 = 16;

/// Draws the lower axis with its grid, over the height of `y`, and its name below.
///
/// # Errors
/// If drawing fails.
pub fn lower<DB: Surface>(pen: &Pen<'_, DB>, x: &Axis, y: &Axis, name: &str) -> Result<()> {
    let (top, bottom) = (y.place().end, y.place().start);
    for (at, text) in x.ticks() {
        pen.line(&[(at, top), (at, bottom)], style::FAINT, 1)?;
        pen.text(&text, (at, bottom + BELOW), HPos::Center, style::INK)?;
    }
    pen.line(
        &[(x.place().start, bottom), (x.place().end, bottom)],
        style::INK,
        1,
    )?;
    let middle = (x.place().start + x.place().end) / 2;
    pen.text(
        name,
        (middle, bottom + NAME_BELOW),
        HPos::Center,
        style::INK,
    )
}

/// Draws the left axis with its grid, over the width of `x`, and its name above.
///
/// # Errors
/// If drawing fails.
pub fn left<DB: Surface>(pen: &Pen<'_, DB>, x: &Axis, y: &Axis, name: &str) -> Result<()> {
    let (start, end) = (x.place().start, x.place().end);
    for (at, text) in y.ticks() {
        pen.line(&[(start, at), (end, at)], style::FAINT, 1)?;
        pen.text(&text, (start - GAP, at), HPos::Right, style::INK)?;
    }
    pen.text(
        name,
        (GAP, y.place().end - NAME_ABOVE),
        HPos::Left,
        style::INK,
    )
}
