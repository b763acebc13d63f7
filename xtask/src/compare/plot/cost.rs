//! The metric against time; baselines as dashed lines across.

use anyhow::Result;

use super::super::record::Protocol;
use super::super::summary::{Averages, Row, Section};
use super::legend::{self, styled};
use super::ranking::near_values;
use crate::draw::axis::Axis;
use crate::draw::frame;
use crate::draw::pen::{Pen, Surface};
use crate::draw::style::Stroke;

/// Width and height.
pub const SIZE: (u32, u32) = (560, 300);

const LEFT: i32 = 52;
const TOP: i32 = 34;
const BELOW: i32 = 52;

/// Draws it.
///
/// # Errors
/// If drawing fails.
pub fn draw<DB: Surface>(section: &Section, pen: &Pen<'_, DB>) -> Result<()> {
    let (width, height) = pen.size();
    let right = width - legend::WIDTH;
    let rows = &section.rows;
    let times = styled(rows).filter(|(row, _)| !row.baseline);
    let times = times.filter_map(|(row, _)| Some(row.result.as_ref()?.learn_us));
    let x = Axis::logarithmic(times, LEFT..right - 16);
    let y = Axis::linear(near_values(rows).into_iter(), height - BELOW..TOP);
    frame::left(pen, &x, &y, section.setting.metric.axis())?;
    frame::lower(pen, &x, &y, time_axis(section.setting.protocol))?;
    let drawn = || styled(rows).filter(|(row, _)| is_near(row, &y));
    for (row, stroke) in drawn() {
        match &row.result {
            Some(result) if row.baseline => across(result, &x, &y, stroke, pen)?,
            Some(result) => point(result, &x, &y, stroke, pen)?,
            None => {}
        }
    }
    legend::draw(drawn(), (right + 4, TOP + 8), pen)
}

/// A baseline far off is left to the table.
fn is_near(row: &Row, y: &Axis) -> bool {
    let result = row.result.as_ref();
    result.is_some_and(|result| y.spans(result.value.mean))
}

fn time_axis(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Holdout => "µs to learn a sample, per tree",
        Protocol::Prequential => "µs to answer and learn a sample, per tree",
    }
}

fn point<DB: Surface>(
    result: &Averages,
    x: &Axis,
    y: &Axis,
    stroke: Stroke,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    let at = x.at(result.learn_us);
    let (low, high) = result.value.ends();
    pen.line(&[(at, y.at(low)), (at, y.at(high))], stroke.colour, 2)?;
    pen.mark((at, y.at(result.value.mean)), 5, stroke)
}

fn across<DB: Surface>(
    result: &Averages,
    x: &Axis,
    y: &Axis,
    stroke: Stroke,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    let at = y.at(result.value.mean);
    pen.stroke(&[(x.place().start, at), (x.place().end, at)], stroke)
}
