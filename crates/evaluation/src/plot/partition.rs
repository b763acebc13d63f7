//! Panels of a partition: points, hulls and cuts in the unit square.

use datasets::Target;
use online_forests::planar::DrawnNode;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use crate::planar::{HIGH, LOW, WINDOW};
use crate::plot::{Backend, Canvas, Picture, PictureError, style};

type Result<V> = std::result::Result<V, PictureError>;

const SIDE: u32 = 300;
const GAP: i32 = 10;
/// Two lines and the gap above them.
const TITLE: u32 = 54;

/// All panels of a picture, row by row.
pub struct Panels {
    /// At least one.
    pub panels: Vec<Panel>,
    /// In order of arrival, with the colours of their targets.
    pub points: Vec<([f64; 2], RGBColor)>,
    /// Panels in a row.
    pub columns: usize,
}

/// A tree after some of the points.
pub struct Panel {
    /// The line above it.
    pub title: String,
    /// The line below the title.
    pub subtitle: String,
    /// Parents before children.
    pub nodes: Vec<DrawnNode>,
    /// Points learned.
    pub seen: usize,
}

/// A colour for each row: that of its class, or between that of the least value (blue) and that of the greatest (orange).
pub fn colours(target: &Target) -> Vec<RGBColor> {
    match target {
        Target::Classes { labels, .. } => class_colours(labels),
        Target::Values { values, .. } => value_colours(values),
    }
}

fn class_colours(labels: &[u32]) -> Vec<RGBColor> {
    let colours = labels.iter().map(|&class| style::colour(class as usize));
    colours.collect()
}

fn value_colours(values: &[f64]) -> Vec<RGBColor> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = if high > low { high - low } else { 1.0 };
    let scale = DerivedColorMap::new(&[style::colour(0), style::colour(1)]);
    let colour = |value: &f64| scale.get_color((value - low) / width);
    values.iter().map(colour).collect()
}

impl Panels {
    fn draw_panel<DB: Backend>(&self, panel: &Panel, canvas: &Canvas<DB>) -> Result<()> {
        let area = canvas.area.margin(canvas.pixels(GAP), 0, 0, 0);
        let area = area.titled(&panel.title, canvas.text_style())?;
        let area = area.titled(&panel.subtitle, canvas.text_style())?;
        let mut context = ChartBuilder::on(&area)
            .margin(canvas.pixels(GAP))
            .build_cartesian_2d(LOW..HIGH, LOW..HIGH)?;
        // Edge by edge: plotters would draw a spike where a line turns back, as around two points.
        let leaves = panel.nodes.iter().filter(|node| node.is_leaf);
        let hulls = leaves.flat_map(|leaf| edges(&leaf.hull));
        let edge_style = canvas.line_style(style::baseline(0).colour, 1);
        let (dash, gap) = (canvas.pixels(6), canvas.pixels(4));
        let hulls = hulls.map(|edge| DashedPathElement::new(edge, dash, gap, edge_style));
        context.draw_series(hulls)?;
        let cuts = panel.nodes.iter().filter_map(|node| node.cut);
        let cut_style = canvas.line_style(style::INK, 1);
        context.draw_series(cuts.map(|cut| PathElement::new(cut.map(point), cut_style)))?;
        let points = self.points[..panel.seen].iter();
        let radius = canvas.pixels(2);
        context.draw_series(points.map(|(at, c)| Circle::new(point(*at), radius, c.filled())))?;
        let border = canvas.line_style(style::GRID, 1);
        context.draw_series(edges(&WINDOW).map(|edge| PathElement::new(edge, border)))?;
        Ok(())
    }
}

impl Picture for Panels {
    fn size(&self) -> (u32, u32) {
        let (rows, columns) = (self.panels.len().div_ceil(self.columns), self.columns);
        let side = SIDE + 2 * GAP as u32;
        (side * columns as u32, (side + TITLE) * rows as u32)
    }

    fn draw<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()> {
        let rows = self.panels.len().div_ceil(self.columns);
        let parts = canvas.grid(rows, self.columns);
        let mut panels = self.panels.iter().zip(&parts);
        panels.try_for_each(|(panel, part)| self.draw_panel(panel, part))
    }
}

fn point([x, y]: [f64; 2]) -> (f64, f64) {
    (x, y)
}

fn edges(polygon: &[[f64; 2]]) -> impl Iterator<Item = [(f64, f64); 2]> {
    let next = polygon.iter().cycle().skip(1);
    let edges = polygon.iter().zip(next);
    edges.map(|(a, b)| [*a, *b].map(point))
}
