//! A chart: two axes, named series of lines, marks and error bars, and a legend beside them.

use std::iter;

use plotters::element::{DashedPathElement, DynElement, IntoDynElement};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::Axis;
use super::style::{self, Pattern, Stroke};
use super::{Backend, Canvas, Picture, Result};

/// Room for the numbers and the name of a vertical axis.
pub const NUMBERS: i32 = 68;
const BELOW: i32 = 38;
const MARGIN: i32 = 10;
const MARK_LINE: i32 = 2;
const LEGEND_SAMPLE: i32 = 20;
const LEGEND_ROW: u32 = 19;
/// Diameter of a mark, and length of the ends of an error bar.
const MARK: i32 = 9;
/// Radius of a mark on a line.
const DOT: i32 = 3;
/// Marks are translucent, so that those below others can be seen.
const OPACITY: f64 = 0.8;

type Point = (f64, f64);
type Pixel = (i32, i32);
type Context<'a, DB> = ChartContext<'a, DB, Cartesian2d<Axis, Axis>>;

/// Series in a plane.
pub struct Chart {
    /// Width and height in units.
    pub size: (u32, u32),
    /// The axis across.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
    /// Width left of the plot, for the labels of the vertical axis.
    pub left: i32,
    /// Width right of the plot, for the names of the series; 0 for none.
    pub legend: u32,
}

/// A named line, mark or text.
pub struct Series {
    /// What stands in the legend.
    pub name: String,
    /// How it looks.
    pub stroke: Stroke,
    /// What it is.
    pub shape: Shape,
}

/// What a series is drawn as.
pub enum Shape {
    /// A line through points.
    Line(Vec<Point>),
    /// The same with a mark at each.
    MarkedLine(Vec<Point>),
    /// At this x: low, mean and high y.
    VerticalBar(f64, [f64; 3]),
    /// At this y: low, mean and high x.
    HorizontalBar(f64, [f64; 3]),
    /// Lines at these x, over these y.
    Verticals(Vec<f64>, [f64; 2]),
    /// Begins at this point.
    Text(Point, String),
}

impl Picture for Chart {
    /// Higher than `size` where the legend needs it.
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.size;
        match self.legend {
            0 => (width, height),
            _ => (
                width,
                height.max(LEGEND_ROW * (1 + self.series.len() as u32)),
            ),
        }
    }

    fn draw<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()> {
        let (plot, legend) = canvas.split(self.size.0 - self.legend);
        let mut context = ChartBuilder::on(&plot.area)
            .margin(plot.pixels(MARGIN))
            .x_label_area_size(plot.pixels(BELOW))
            .y_label_area_size(plot.pixels(self.left))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        self.draw_axes(&mut context, &plot)?;
        for series in &self.series {
            context.draw_series(series.elements(&plot))?;
        }
        match self.legend {
            0 => Ok(()),
            _ => self.draw_legend(&legend),
        }
    }
}

impl Chart {
    fn draw_axes<DB: Backend>(
        &self,
        context: &mut Context<'_, DB>,
        canvas: &Canvas<DB>,
    ) -> Result<()> {
        let mut mesh = context.configure_mesh();
        mesh.bold_line_style(canvas.line_style(style::GRID, 1))
            .axis_style(canvas.line_style(style::INK, 1))
            .label_style(canvas.text_style())
            .x_desc(&self.x.name)
            .y_desc(&self.y.name);
        Ok(mesh.draw()?)
    }

    /// plotters draws a legend inside its chart, where it would hide data: so it gets a chart of its own.
    fn draw_legend<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()> {
        let mut context = ChartBuilder::on(&canvas.area)
            .margin_top(canvas.pixels(MARGIN))
            .build_cartesian_2d(0..1, 0..1)?;
        for series in &self.series {
            context
                .draw_series(None::<Circle<Pixel, i32>>)?
                .label(&series.name)
                .legend(|at| series.legend_sample(at, canvas));
        }
        context
            .configure_series_labels()
            .position(SeriesLabelPosition::Coordinate(0, 0))
            .legend_area_size(canvas.pixels(LEGEND_SAMPLE + 8))
            .margin(0)
            .label_font(canvas.text_style())
            .draw()?;
        Ok(())
    }
}

impl Series {
    fn elements<DB: Backend>(&self, canvas: &Canvas<DB>) -> Vec<DynElement<'static, DB, Point>> {
        let (style, width) = (self.mark_style(canvas), canvas.pixels(MARK) as u32);
        match &self.shape {
            Shape::Line(points) => vec![self.line(points.clone(), canvas)],
            Shape::MarkedLine(points) => {
                let radius = canvas.pixels(DOT);
                let mark = |&at: &Point| Circle::new(at, radius, style).into_dyn();
                let line = self.line(points.clone(), canvas);
                iter::once(line).chain(points.iter().map(mark)).collect()
            }
            &Shape::VerticalBar(x, [low, mean, high]) => {
                vec![ErrorBar::new_vertical(x, low, mean, high, style, width).into_dyn()]
            }
            &Shape::HorizontalBar(y, [low, mean, high]) => {
                vec![ErrorBar::new_horizontal(y, low, mean, high, style, width).into_dyn()]
            }
            Shape::Verticals(xs, [low, high]) => {
                let upwards = |x: &f64| self.line(vec![(*x, *low), (*x, *high)], canvas);
                xs.iter().map(upwards).collect()
            }
            Shape::Text(at, text) => {
                let style = canvas.text_style().pos(Pos::new(HPos::Left, VPos::Center));
                vec![Text::new(text.clone(), *at, style).into_dyn()]
            }
        }
    }

    /// A short line, or a mark where the series has no line.
    fn legend_sample<DB: Backend>(
        &self,
        (x, y): Pixel,
        canvas: &Canvas<DB>,
    ) -> DynElement<'static, DB, Pixel> {
        let length = canvas.pixels(LEGEND_SAMPLE);
        match self.shape {
            Shape::VerticalBar(..) | Shape::HorizontalBar(..) => {
                let (middle, radius) = ((x + length / 2, y), canvas.pixels(MARK) / 2);
                Circle::new(middle, radius, self.mark_style(canvas)).into_dyn()
            }
            Shape::Verticals(..) => {
                let (middle, half) = (x + length / 2, length / 3);
                self.line(vec![(middle, y - half), (middle, y + half)], canvas)
            }
            _ => self.line(vec![(x, y), (x + length, y)], canvas),
        }
    }

    fn line<DB: Backend, P: Clone + 'static>(
        &self,
        points: Vec<P>,
        canvas: &Canvas<DB>,
    ) -> DynElement<'static, DB, P> {
        let [dash, gap, width] = self.stroke.pattern.dash_gap_width();
        let (dash, gap) = (canvas.pixels(dash), canvas.pixels(gap));
        let style = canvas.line_style(self.stroke.colour, width);
        DashedPathElement::new(points, dash, gap, style).into_dyn()
    }

    /// A ring if the stroke is dotted.
    fn mark_style<DB: Backend>(&self, canvas: &Canvas<DB>) -> ShapeStyle {
        let style = canvas.line_style(self.stroke.colour, MARK_LINE);
        ShapeStyle {
            color: self.stroke.colour.mix(OPACITY),
            filled: self.stroke.pattern != Pattern::Dotted,
            ..style
        }
    }
}
