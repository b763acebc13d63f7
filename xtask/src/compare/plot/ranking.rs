//! The metric by algorithm, with intervals; the baseline as a dashed line.

use anyhow::Result;
use plotters::style::text_anchor::HPos;

use super::super::number;
use super::super::summary::{Row, Section};
use super::legend::{shortened, styled};
use crate::draw::axis::Axis;
use crate::draw::frame;
use crate::draw::pen::{Pen, Surface};
use crate::draw::style::{self, Stroke};

const WIDTH: i32 = 560;
const ROW: i32 = 30;
const TOP: i32 = 10;
const BELOW: i32 = 52;
const NAMES: i32 = 160;
const RIGHT: i32 = 24;

/// As high as its rows need.
pub fn size(section: &Section) -> (u32, u32) {
    let height = TOP + ROW * styled(&section.rows).count() as i32 + BELOW;
    (WIDTH as u32, height as u32)
}

/// Draws it.
///
/// # Errors
/// If drawing fails.
pub fn draw<DB: Surface>(section: &Section, pen: &Pen<'_, DB>) -> Result<()> {
    let (width, height) = pen.size();
    let x = Axis::linear(values(section), NAMES..width - RIGHT);
    let y = Axis::stream(1, height - BELOW..TOP);
    frame::lower(pen, &x, &y, section.setting.metric.axis())?;
    let decimals = number::decimals(&section.rows);
    for (index, (row, stroke)) in styled(&section.rows).enumerate() {
        let at = TOP + ROW * index as i32 + ROW / 2;
        pen.text(
            &shortened(&row.label),
            (NAMES - 12, at),
            HPos::Right,
            style::INK,
        )?;
        if row.baseline {
            baseline(row, at, &x, &y, decimals, pen)?;
        } else {
            interval(row, at, &x, stroke, pen)?;
        }
    }
    Ok(())
}

/// The ends of all intervals, and the baselines that are near them: one far off would squeeze
/// what is to be compared.
fn values(section: &Section) -> impl Iterator<Item = f64> {
    near_values(&section.rows).into_iter()
}

/// Values that the axis of the metric has to span.
pub fn near_values(rows: &[Row]) -> Vec<f64> {
    let ends = |baseline: bool| -> Vec<f64> {
        let rows = rows.iter().filter(|row| row.baseline == baseline);
        let ends = rows
            .filter_map(|row| row.result.as_ref())
            .map(|result| result.value.ends());
        ends.flat_map(|(low, high)| [low, high]).collect()
    };
    let (mut ends, baselines) = (ends(false), ends(true));
    let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let reach = (high - low).max(0.25 * high.abs()) * 1.5;
    let near = |value: &f64| low > high || (low - reach..=high + reach).contains(value);
    ends.extend(baselines.into_iter().filter(near));
    ends
}

fn interval<DB: Surface>(
    row: &Row,
    at: i32,
    x: &Axis,
    stroke: Stroke,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    let Some(result) = &row.result else {
        return Ok(());
    };
    let (low, high) = result.value.ends();
    let (low, high) = (x.at(low), x.at(high));
    pen.line(&[(low, at), (high, at)], stroke.colour, 2)?;
    for end in [low, high] {
        pen.line(&[(end, at - 5), (end, at + 5)], stroke.colour, 2)?;
    }
    pen.mark((x.at(result.value.mean), at), 4, stroke)
}

fn baseline<DB: Surface>(
    row: &Row,
    at: i32,
    x: &Axis,
    y: &Axis,
    decimals: usize,
    pen: &Pen<'_, DB>,
) -> Result<()> {
    let Some(result) = &row.result else {
        return Ok(());
    };
    let mean = result.value.mean;
    if x.spans(mean) {
        let place = x.at(mean);
        pen.dot((place, at), 3, style::BASELINE)?;
        return pen.dashes(
            &[(place, y.place().end), (place, y.place().start)],
            style::BASELINE,
        );
    }
    let text = format!("{mean:.decimals$} (beyond this axis)");
    pen.text(
        &text,
        (x.place().start + 8, at),
        HPos::Left,
        style::BASELINE,
    )
}
