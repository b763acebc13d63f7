//! The series of a chart.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{Frame, Point};
use super::stroke::Stroke;
use super::{Anchor, Medium, Place, list, text};
use crate::number;

/// Radius of a mark with an error bar, and of one on a line.
const MARK: f64 = 5.0;
const DOT: f64 = 3.0;

/// Size of the letters of a key, and its distance from the mark.
const KEY: f64 = 10.0;
const BESIDE: f64 = 7.0;

/// A named line or mark.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The text beside its mark or at the end of its line, and before its name in the legend; may be empty.
    pub key: String,
    /// Its stroke.
    pub stroke: Stroke,
    /// Its shape.
    pub shape: Shape,
}

/// The shape of a series.
pub enum Shape {
    /// A line through points.
    Line(Vec<Point>),
    /// A line with a mark at each point.
    MarkedLine(Vec<Point>),
    /// A pale area from the low to the high y at each x.
    Band(Vec<(f64, [f64; 2])>),
    /// Low, mean and high y at this x.
    VerticalBar(f64, [f64; 3]),
    /// Low, mean and high x at this y.
    HorizontalBar(f64, [f64; 3]),
    /// Vertical lines at these x, over these y.
    Verticals(Vec<f64>, [f64; 2]),
}

impl Shape {
    /// Returns the points that a reader looks for: of an interval its mean.
    fn points(&self) -> Vec<Point> {
        match self {
            Self::Line(points) | Self::MarkedLine(points) => points.clone(),
            Self::VerticalBar(x, [_, mean, _]) => vec![(*x, *mean)],
            Self::HorizontalBar(y, [_, mean, _]) => vec![(*mean, *y)],
            Self::Verticals(xs, [low, _]) => xs.iter().map(|x| (*x, *low)).collect(),
            Self::Band(_) => Vec::new(),
        }
    }
}

impl Series {
    /// Returns a named series without a key.
    pub fn new(name: impl Into<String>, stroke: Stroke, shape: Shape) -> Self {
        Self {
            name: name.into(),
            key: String::new(),
            stroke,
            shape,
        }
    }

    /// Returns the same with a key.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        let key = key.into();
        Self { key, ..self }
    }

    /// Returns the label in a legend.
    pub(super) fn label(&self) -> String {
        format!("{} {}", self.key, self.name)
            .trim_start()
            .to_owned()
    }

    /// Returns how many of its points are outside of the frame.
    pub(super) fn left_out(&self, frame: &Frame<'_>) -> usize {
        let points = self.shape.points().into_iter();
        points
            .filter(|point| frame.visible(*point).is_none())
            .count()
    }

    /// Draws it with a tooltip: its name and, of a single point, its values.
    pub(super) fn draw(&self, frame: &Frame<'_>, medium: Medium) -> Markup {
        html! {
            @if self.name.is_empty() {
                (self.plain(frame, medium))
            } @else {
                g { title { (self.title(frame)) } (self.plain(frame, medium)) (self.key(frame, medium)) }
            }
        }
    }

    fn title(&self, frame: &Frame<'_>) -> String {
        let short = number::short;
        let of = |axis: &Axis, value: f64| format!("{} {}", axis.name, short(value));
        match self.shape {
            _ if self.left_out(frame) > 0 => self.label(),
            Shape::VerticalBar(x, [_, y, _]) => {
                format!("{}: {}, {}", self.label(), of(frame.x, x), of(frame.y, y))
            }
            Shape::HorizontalBar(_, [_, x, _]) => format!("{}: {}", self.label(), of(frame.x, x)),
            _ => self.label(),
        }
    }

    fn key(&self, frame: &Frame<'_>, medium: Medium) -> Markup {
        let last = self.shape.points().into_iter().rev();
        let last = last.filter_map(|point| frame.visible(point)).next();
        html! {
            @if let (Some((x, y)), false) = (last, self.key.is_empty()) {
                g font-size=(KEY) { (text((x + BESIDE, y), Anchor::Start, &self.key, medium)) }
            }
        }
    }

    fn plain(&self, frame: &Frame<'_>, medium: Medium) -> Markup {
        let line = |points: &[Point]| {
            let places = points.iter().filter_map(|point| frame.visible(*point));
            self.stroke.line(places, medium)
        };
        let mark = |at: Point, radius: f64| {
            let place = frame.visible(at);
            place.map(|place| self.stroke.mark(place, radius, medium))
        };
        let optional = |markup: Option<Markup>| markup.unwrap_or_default();
        match &self.shape {
            Shape::Line(points) => line(points),
            Shape::MarkedLine(points) => {
                html! { (line(points)) @for at in points { (optional(mark(*at, DOT))) } }
            }
            Shape::Band(points) => self.band(points, frame, medium),
            &Shape::VerticalBar(x, ys) => {
                html! { (self.bar(ys.map(|y| (x, y)), frame, medium)) (optional(mark((x, ys[1]), MARK))) }
            }
            &Shape::HorizontalBar(y, xs) => {
                html! { (self.bar(xs.map(|x| (x, y)), frame, medium)) (optional(mark((xs[1], y), MARK))) }
            }
            Shape::Verticals(xs, [low, high]) => {
                html! { @for x in xs { (line(&[(*x, *low), (*x, *high)])) } }
            }
        }
    }

    /// Draws the thin line of an interval, from end to end through its mean.
    fn bar(&self, points: [Point; 3], frame: &Frame<'_>, medium: Medium) -> Markup {
        let places = points.into_iter().filter_map(|point| frame.visible(point));
        html! { polyline points=(list(places)) fill="none" stroke=(self.stroke.colour.on(medium)) {} }
    }

    fn band(&self, points: &[(f64, [f64; 2])], frame: &Frame<'_>, medium: Medium) -> Markup {
        let above = points.iter().map(|&(x, [_, high])| (x, high));
        let below = points.iter().rev().map(|&(x, [low, _])| (x, low));
        let outline = above.chain(below).filter_map(|point| frame.visible(point));
        html! { polygon points=(list(outline)) fill=(self.stroke.colour.on(medium)) fill-opacity="0.15" {} }
    }

    /// Draws its sample in the legend: a short line, or a mark for a series without a line.
    pub(super) fn sample(&self, place: Place, width: f64, medium: Medium) -> Markup {
        let (x, y) = place;
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
