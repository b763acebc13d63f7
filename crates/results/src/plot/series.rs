//! What is drawn in a chart.

use maud::{Markup, html};

use super::frame::{Frame, Point};
use super::stroke::Stroke;
use super::{Anchor, Medium, Place, list, text};

/// Radius of a mark with an error bar, and of one on a line.
const MARK: f64 = 5.0;
const DOT: f64 = 3.0;

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

impl Series {
    /// A named series.
    pub fn new(name: impl Into<String>, stroke: Stroke, shape: Shape) -> Self {
        let name = name.into();
        Self {
            name,
            stroke,
            shape,
        }
    }

    pub(super) fn draw(&self, frame: &Frame<'_>, medium: Medium) -> Markup {
        let line = |points: &[Point]| {
            let places = points.iter().map(|point| frame.place(*point));
            self.stroke.line(places, medium)
        };
        let mark = |at: Point, radius: f64| self.stroke.mark(frame.place(at), radius, medium);
        let words =
            |at: Point, anchor: Anchor, words: &str| text(frame.place(at), anchor, words, medium);
        match &self.shape {
            Shape::Line(points) => line(points),
            Shape::MarkedLine(points) => {
                html! { (line(points)) @for at in points { (mark(*at, DOT)) } }
            }
            Shape::Band(points) => self.band(points, frame, medium),
            &Shape::VerticalBar(x, [low, mean, high]) => {
                html! { (self.bar([(x, low), (x, high)], frame, medium)) (mark((x, mean), MARK)) }
            }
            &Shape::HorizontalBar(y, [low, mean, high]) => {
                html! { (self.bar([(low, y), (high, y)], frame, medium)) (mark((mean, y), MARK)) }
            }
            Shape::Verticals(xs, [low, high]) => {
                html! { @for x in xs { (line(&[(*x, *low), (*x, *high)])) } }
            }
            Shape::Text(at, text) => words(*at, Anchor::Start, text),
            Shape::EndingText(at, text) => words(*at, Anchor::End, text),
        }
    }

    /// The thin line of an interval.
    fn bar(&self, ends: [Point; 2], frame: &Frame<'_>, medium: Medium) -> Markup {
        let ends = ends.map(|end| frame.place(end));
        html! { polyline points=(list(ends)) stroke=(self.stroke.colour.on(medium)) {} }
    }

    fn band(&self, points: &[(f64, [f64; 2])], frame: &Frame<'_>, medium: Medium) -> Markup {
        let above = points.iter().map(|&(x, [_, high])| (x, high));
        let below = points.iter().rev().map(|&(x, [low, _])| (x, low));
        let outline = above.chain(below).map(|point| frame.place(point));
        html! { polygon points=(list(outline)) fill=(self.stroke.colour.on(medium)) fill-opacity="0.15" {} }
    }

    /// For the legend: a short line, or a mark where the series has no line.
    pub(super) fn sample(&self, (x, y): Place, width: f64, medium: Medium) -> Markup {
        let (middle, half) = (x + width / 2.0, width / 3.0);
        match self.shape {
            Shape::VerticalBar(..) | Shape::HorizontalBar(..) => {
                self.stroke.mark((middle, y), MARK, medium)
            }
            Shape::Verticals(..) => {
                let ends = [(middle, y - half), (middle, y + half)];
                self.stroke.line(ends, medium)
            }
            _ => self.stroke.line([(x, y), (x + width, y)], medium),
        }
    }
}
