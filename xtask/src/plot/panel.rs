//! Panels of a partition: points, hulls and cuts in the unit square.

use anyhow::Result;
use online_forests::planar::DrawnNode;
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::draw::Picture;
use crate::draw::pen::{Pen, Place, Surface};
use crate::draw::style;

/// The square that is drawn: the data's, and a little around it.
pub const WINDOW: [[f64; 2]; 4] = [[-0.03, -0.03], [1.03, -0.03], [1.03, 1.03], [-0.03, 1.03]];

const SIDE: i32 = 300;
const GAP: i32 = 20;
const TITLE: i32 = 26;

/// All panels of a picture, row by row.
#[derive(Clone, Debug)]
pub struct Panels {
    /// The panels.
    pub panels: Vec<Panel>,
    /// The points in order of arrival.
    pub points: Vec<Point>,
    /// Panels in a row.
    pub columns: usize,
}

/// A tree after some of the points.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The tree's nodes, parents before children.
    pub nodes: Vec<DrawnNode>,
    /// Points learned.
    pub seen: usize,
}

/// A sample.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its place.
    pub at: [f64; 2],
    /// Its target.
    pub tint: Tint,
}

/// How a target is shown.
#[derive(Clone, Copy, Debug)]
pub enum Tint {
    /// A colour per class.
    Class(u32),
    /// From blue (0, the least) to orange (1, the most).
    Shade(f64),
}

impl Tint {
    /// The shades of numbers, from the least to the most of them.
    pub fn shades(values: &[f64]) -> Vec<Self> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let width = if high > low { high - low } else { 1.0 };
        values
            .iter()
            .map(|value| Self::Shade((value - low) / width))
            .collect()
    }

    fn colour(self) -> RGBColor {
        match self {
            Self::Class(class) => style::colour(class as usize),
            Self::Shade(share) => {
                let (RGBColor(a, b, c), RGBColor(d, e, f)) = (style::colour(0), style::colour(1));
                let mix = |low: u8, high: u8| {
                    (f64::from(low) + share * (f64::from(high) - f64::from(low))) as u8
                };
                RGBColor(mix(a, d), mix(b, e), mix(c, f))
            }
        }
    }
}

/// Where the unit square lies on the picture.
#[derive(Clone, Copy)]
struct Square {
    left: i32,
    top: i32,
}

impl Square {
    fn place(self, [x, y]: [f64; 2]) -> Place {
        let [low, _] = WINDOW[0];
        let [high, _] = WINDOW[1];
        let share = |c: f64| (c - low) / (high - low) * f64::from(SIDE);
        (
            self.left + share(x).round() as i32,
            self.top + SIDE - share(y).round() as i32,
        )
    }

    fn closed(self, polygon: &[[f64; 2]]) -> Vec<Place> {
        polygon
            .iter()
            .chain(polygon.first())
            .map(|&p| self.place(p))
            .collect()
    }
}

impl Panels {
    fn draw_panel<DB: Surface>(
        &self,
        panel: &Panel,
        square: Square,
        pen: &Pen<'_, DB>,
    ) -> Result<()> {
        let title = (square.left, square.top - TITLE / 2);
        pen.text(&panel.title, title, HPos::Left, style::INK)?;
        for hull in panel
            .nodes
            .iter()
            .filter(|node| node.is_leaf)
            .map(|node| &node.hull)
        {
            pen.dashes(&square.closed(hull), style::BASELINE)?;
        }
        for [a, b] in panel.nodes.iter().filter_map(|node| node.cut) {
            pen.line(&[square.place(a), square.place(b)], style::INK, 1)?;
        }
        for point in &self.points[..panel.seen] {
            pen.dot(square.place(point.at), 2, point.tint.colour())?;
        }
        pen.line(&square.closed(&WINDOW), style::FAINT, 1)
    }
}

impl Picture for Panels {
    fn size(&self) -> (u32, u32) {
        let rows = self.panels.len().div_ceil(self.columns) as i32;
        let width = GAP + (SIDE + GAP) * self.columns as i32;
        let height = GAP + (TITLE + SIDE + GAP) * rows;
        (width as u32, height as u32)
    }

    fn draw<DB: Surface>(&self, pen: &Pen<'_, DB>) -> Result<()> {
        for (index, panel) in self.panels.iter().enumerate() {
            let (row, column) = ((index / self.columns) as i32, (index % self.columns) as i32);
            let left = GAP + (SIDE + GAP) * column;
            let top = GAP + TITLE + (TITLE + SIDE + GAP) * row;
            self.draw_panel(panel, Square { left, top }, pen)?;
        }
        Ok(())
    }
}
