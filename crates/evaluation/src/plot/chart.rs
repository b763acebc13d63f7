//! A chart: two axes, named series of lines, marks and error bars, and a legend beside them.

use std::iter;

use plotters::element::{DashedPathElement, Drawable, DynElement, IntoDynElement, PointCollection};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::DrawingErrorKind;

use super::axis::Axis;
use super::stroke::Stroke;
use super::style;
use super::{Backend, Canvas, Picture, Result, palette};

/// Room for the numbers and the name of a vertical axis.
pub const NUMBERS: i32 = 68;
const BELOW: i32 = 38;
const MARGIN: i32 = 10;
const MARK_LINE: i32 = 2;
/// Width of a letter, and of what stands beside a name in a legend.
const LETTER: u32 = 8;
const BESIDE_NAME: u32 = 36;
const LEGEND_SAMPLE: i32 = 20;
const LEGEND_ROW: u32 = 19;
/// Radius of a mark with or without an error bar.
const MARK: i32 = 5;
/// Radius of a mark on a line.
const DOT: i32 = 3;
/// Opacity of a band.
const PALE: f64 = 0.15;
/// Room for half of the last number of a horizontal axis.
const RIGHT: i32 = 26;

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

/// The width that a legend of these series takes.
pub fn legend_width(series: &[Series]) -> u32 {
    BESIDE_NAME + text_width(series.iter().map(|series| series.name.as_str()))
}

/// The width of the longest of these texts.
pub fn text_width<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    LETTER * texts.map(|text| text.chars().count()).max().unwrap_or(0) as u32
}

/// What a series is drawn as.
pub enum Shape {
    /// A line through points.
    Line(Vec<Point>),
    /// The same with a mark at each.
    MarkedLine(Vec<Point>),
    /// A pale area: at each x, from the low to the high y.
    Band(Vec<(f64, [f64; 2])>),
    /// At this x: low, mean and high y.
    VerticalBar(f64, [f64; 3]),
    /// At this y: low, mean and high x.
    HorizontalBar(f64, [f64; 3]),
    /// Lines at these x, over these y.
    Verticals(Vec<f64>, [f64; 2]),
    /// Begins at this point.
    Text(Point, String),
    /// Ends at this point.
    EndingText(Point, String),
}

impl Picture for Chart {
    /// Higher than `size` where the legend needs it.
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.size;
        match self.legend {
            0 => (width, height),
            _ => (
                width,
                height.max(LEGEND_ROW * (1 + self.in_legend().count() as u32)),
            ),
        }
    }

    fn draw<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()> {
        if self.legend == 0 {
            return self.draw_plot(canvas);
        }
        let (plot, legend) = canvas.split(self.size.0 - self.legend);
        self.draw_plot(&plot)?;
        self.draw_legend(&legend)
    }
}

/// A chart without its legend, for a page that has one of its own.
pub struct WithoutLegend<'a>(pub &'a Chart);

impl Picture for WithoutLegend<'_> {
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.0.size;
        (width - self.0.legend, height)
    }

    fn draw<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()> {
        self.0.draw_plot(canvas)
    }
}

impl Chart {
    fn draw_plot<DB: Backend>(&self, plot: &Canvas<DB>) -> Result<()> {
        let mut context = ChartBuilder::on(&plot.area)
            .margin(plot.pixels(MARGIN))
            .margin_right(plot.pixels(RIGHT))
            .x_label_area_size(plot.pixels(BELOW))
            .y_label_area_size(plot.pixels(self.left))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        self.draw_axes(&mut context, plot)?;
        for series in &self.series {
            context.draw_series(series.elements(plot))?;
        }
        Ok(())
    }

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

    /// All but texts, which say themselves what they are, and bands, which lie around a line.
    fn in_legend(&self) -> impl Iterator<Item = &Series> {
        let is_named = |shape: &Shape| {
            !matches!(
                shape,
                Shape::Text(..) | Shape::EndingText(..) | Shape::Band(_)
            )
        };
        self.series
            .iter()
            .filter(move |series| is_named(&series.shape))
    }

    /// plotters draws a legend inside its chart, where it would hide data: so it gets a chart of its own.
    fn draw_legend<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()> {
        let mut context = ChartBuilder::on(&canvas.area)
            .margin_top(canvas.pixels(MARGIN))
            .build_cartesian_2d(0..1, 0..1)?;
        for series in self.in_legend() {
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
        let with_mark = |ends: [Point; 2], at: Point| {
            let bar = PathElement::new(ends.to_vec(), self.bar_style(canvas));
            vec![bar.into_dyn(), self.mark(at, MARK, canvas)]
        };
        let text = |at: Point, text: &str, side: HPos| {
            let style = canvas.text_style().pos(Pos::new(side, VPos::Center));
            vec![Text::new(text.to_owned(), at, style).into_dyn()]
        };
        match &self.shape {
            Shape::Line(points) => vec![self.line(points.clone(), canvas)],
            Shape::MarkedLine(points) => {
                let line = self.line(points.clone(), canvas);
                let marks = points.iter().map(|&at| self.mark(at, DOT, canvas));
                iter::once(line).chain(marks).collect()
            }
            Shape::Band(points) => {
                let above = points.iter().map(|&(x, [_, high])| (x, high));
                let below = points.iter().rev().map(|&(x, [low, _])| (x, low));
                let outline: Vec<Point> = above.chain(below).collect();
                let pale = self.stroke.colour.mix(PALE).filled();
                vec![Polygon::new(outline, pale).into_dyn()]
            }
            &Shape::VerticalBar(x, [low, mean, high]) => {
                with_mark([(x, low), (x, high)], (x, mean))
            }
            &Shape::HorizontalBar(y, [low, mean, high]) => {
                with_mark([(low, y), (high, y)], (mean, y))
            }
            Shape::Verticals(xs, [low, high]) => {
                let upwards = |x: &f64| self.line(vec![(*x, *low), (*x, *high)], canvas);
                xs.iter().map(upwards).collect()
            }
            Shape::Text(at, words) => text(*at, words, HPos::Left),
            Shape::EndingText(at, words) => text(*at, words, HPos::Right),
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
                self.mark((x + length / 2, y), MARK, canvas)
            }
            Shape::Verticals(..) => {
                let (middle, half) = (x + length / 2, length / 3);
                self.line(vec![(middle, y - half), (middle, y + half)], canvas)
            }
            _ => self.line(vec![(x, y), (x + length, y)], canvas),
        }
    }

    /// The hollow mark of the series.
    fn mark<DB: Backend, P: Clone + 'static>(
        &self,
        at: P,
        radius: i32,
        canvas: &Canvas<DB>,
    ) -> DynElement<'static, DB, P> {
        let outline = palette::mark(self.stroke, canvas.pixels(radius));
        let style = canvas.line_style(self.stroke.colour, MARK_LINE);
        Mark { at, outline, style }.into_dyn()
    }

    fn bar_style<DB: Backend>(&self, canvas: &Canvas<DB>) -> ShapeStyle {
        canvas.line_style(self.stroke.colour, 1)
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
}

/// A hollow mark at a point.
struct Mark<P> {
    at: P,
    /// Around 0, in pixels.
    outline: Vec<Pixel>,
    style: ShapeStyle,
}

impl<'a, P: 'a> PointCollection<'a, P> for &'a Mark<P> {
    type IntoIter = iter::Once<&'a P>;
    type Point = &'a P;

    fn point_iter(self) -> Self::IntoIter {
        iter::once(&self.at)
    }
}

impl<P, DB: DrawingBackend> Drawable<DB> for Mark<P> {
    fn draw<I: Iterator<Item = Pixel>>(
        &self,
        mut at: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> std::result::Result<(), DrawingErrorKind<DB::ErrorType>> {
        let Some((x, y)) = at.next() else {
            return Ok(());
        };
        let outline = self.outline.iter().map(|(dx, dy)| (x + dx, y + dy));
        backend.draw_path(outline, &self.style)
    }
}
