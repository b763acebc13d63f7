//! Metric and time along the stream, mean over seeds; baselines dashed.

use anyhow::Result;

use super::super::record::Curve;
use super::super::summary::{Row, Section};
use super::legend::{self, styled};
use crate::draw::axis::Axis;
use crate::draw::frame;
use crate::draw::pen::{Pen, Place, Surface};

/// Width and height.
pub const SIZE: (u32, u32) = (560, 300);

const LEFT: i32 = 52;
const TOP: i32 = 34;
const BELOW: i32 = 52;

/// What is followed along the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// The metric over all rows so far.
    Cumulative,
    /// The metric over the last window.
    Windowed,
    /// Time per sample and tree in the last window.
    Pace,
}

impl Along {
    fn values(self, row: &Row) -> Vec<f64> {
        match (self, curve(row)) {
            (_, None) => Vec::new(),
            (Self::Cumulative, Some(curve)) => curve.cumulative.clone(),
            (Self::Windowed, Some(curve)) => curve.windowed.clone(),
            (Self::Pace, Some(_)) => row.pace(),
        }
    }

    fn name(self, section: &Section) -> &'static str {
        match self {
            Self::Cumulative | Self::Windowed => section.setting.metric.axis(),
            Self::Pace => "µs to answer and learn a sample, per tree",
        }
    }

    /// Baselines have no trees to take time.
    fn follows(self, row: &Row) -> bool {
        self != Self::Pace || !row.baseline
    }
}

/// Draws a curve a row.
///
/// # Errors
/// If drawing fails.
pub fn draw<DB: Surface>(section: &Section, along: Along, pen: &Pen<'_, DB>) -> Result<()> {
    let (width, height) = pen.size();
    let right = width - legend::WIDTH;
    let drawn = || styled(&section.rows).filter(|(row, _)| along.follows(row));
    let values = drawn().flat_map(|(row, _)| along.values(row));
    let x = Axis::stream(section.setting.n_train, LEFT..right - 16);
    let y = Axis::linear(values, height - BELOW..TOP);
    frame::left(pen, &x, &y, along.name(section))?;
    frame::lower(pen, &x, &y, "rows seen")?;
    for (row, stroke) in drawn() {
        pen.stroke(&places(row, along, &x, &y), stroke)?;
    }
    legend::draw(drawn(), (right + 4, TOP + 8), pen)
}

fn curve(row: &Row) -> Option<&Curve> {
    row.result.as_ref()?.curve.as_ref()
}

fn places(row: &Row, along: Along, x: &Axis, y: &Axis) -> Vec<Place> {
    let rows = curve(row).map_or(&[][..], |curve| &curve.rows);
    let at = |(&rows, value): (&usize, f64)| (x.at(rows as f64), y.at(value));
    rows.iter().zip(along.values(row)).map(at).collect()
}
