//! The metric along the stream, mean over seeds; baselines dashed.

use anyhow::Result;

use super::super::record::Curve;
use super::super::summary::{Row, Section};
use super::legend::{self, coloured, stroke};
use crate::draw::axis::Axis;
use crate::draw::frame;
use crate::draw::pen::{Pen, Place, Surface};

/// Width and height.
pub const SIZE: (u32, u32) = (560, 300);

const LEFT: i32 = 52;
const TOP: i32 = 34;
const BELOW: i32 = 52;

/// Draws the curves that `get` picks.
///
/// # Errors
/// If drawing fails.
pub fn draw<DB: Surface>(
    section: &Section,
    get: fn(&Curve) -> &[f64],
    pen: &Pen<'_, DB>,
) -> Result<()> {
    let (width, height) = pen.size();
    let right = width - legend::WIDTH;
    let values = section
        .rows
        .iter()
        .filter_map(curve)
        .flat_map(|curve| get(curve).to_vec());
    let x = Axis::stream(section.setting.n_train, LEFT..right - 16);
    let y = Axis::linear(values, height - BELOW..TOP);
    frame::left(pen, &x, &y, section.setting.metric.axis())?;
    frame::lower(pen, &x, &y, "rows seen")?;
    for (row, colour) in coloured(&section.rows) {
        let places = curve(row).map_or(Vec::new(), |curve| places(curve, get(curve), &x, &y));
        stroke(row, &places, colour, pen)?;
    }
    legend::draw(coloured(&section.rows), (right + 4, TOP + 8), pen)
}

fn curve(row: &Row) -> Option<&Curve> {
    row.result.as_ref()?.curve.as_ref()
}

fn places(curve: &Curve, values: &[f64], x: &Axis, y: &Axis) -> Vec<Place> {
    let at = |(&rows, &value): (&usize, &f64)| (x.at(rows as f64), y.at(value));
    curve.rows.iter().zip(values).map(at).collect()
}
