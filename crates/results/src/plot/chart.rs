//! A chart: two axes, named series of lines, marks and error bars, and a legend beside them.

use maud::{Markup, html};

use super::axis::Axis;
use super::colour::Colour;
use super::stroke::Stroke;
use super::{Anchor, LINE_BREAK, Medium, Picture, Place, list, short, text};

/// Room for the numbers and the name of a vertical axis.
const NUMBERS: u32 = 68;
/// Room for those of a horizontal one, above the plot, and right of it for half of the last number.
const BELOW: f64 = 48.0;
const ABOVE: f64 = 10.0;
const RIGHT: f64 = 26.0;
/// Width of a letter, and of what stands beside a name in a legend.
const LETTER: u32 = 8;
const BESIDE_NAME: u32 = 36;
const SAMPLE: f64 = 20.0;
const LEGEND_ROW: u32 = 19;
/// Radius of a mark with an error bar, and of one on a line.
const MARK: f64 = 5.0;
const DOT: f64 = 3.0;
/// Of a chart with a row for each label: width of the plot, height of a row and of all else.
const PLOT: u32 = 360;
const ROW: u32 = 26;
const AXIS: u32 = 58;

type Point = (f64, f64);

/// Series in a plane.
pub struct Chart {
    /// The axis across.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn, the last on top.
    pub series: Vec<Series>,
    size: (u32, u32),
    /// Width left of the plot, for the labels of the vertical axis.
    left: u32,
    /// Width right of the plot, for the names of the series; 0 for none.
    legend: u32,
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

impl Chart {
    /// Without a legend.
    pub fn new(size: (u32, u32), x: Axis, y: Axis, series: Vec<Series>) -> Self {
        let (left, legend) = (NUMBERS, 0);
        Self {
            x,
            y,
            series,
            size,
            left,
            legend,
        }
    }

    /// Its legend widens it.
    pub fn with_legend((width, height): (u32, u32), x: Axis, y: Axis, series: Vec<Series>) -> Self {
        let legend = BESIDE_NAME + text_width(series.iter().map(|series| series.name.as_str()));
        let size = (width + legend, height);
        Self {
            legend,
            ..Self::new(size, x, y, series)
        }
    }

    /// With a row for each label, at 0, 1, … from top to bottom.
    pub fn by_row(x: Axis, labels: Vec<String>, series: Vec<Series>) -> Self {
        let left = text_width(labels.iter().map(String::as_str)) + 14;
        let size = (PLOT + left, ROW * labels.len() as u32 + AXIS);
        Self {
            left,
            ..Self::new(size, x, Axis::categories(labels.into_iter()), series)
        }
    }

    fn plot(&self, medium: Medium) -> Markup {
        let frame = self.frame();
        html! {
            (frame.axes(medium))
            @for series in &self.series { (series.draw(&frame, medium)) (LINE_BREAK) }
        }
    }

    fn frame(&self) -> Frame<'_> {
        let (width, height) = (self.size.0 - self.legend, self.size.1);
        Frame {
            x: &self.x,
            y: &self.y,
            across: [f64::from(self.left) + ABOVE, f64::from(width) - RIGHT],
            up: [f64::from(height) - BELOW, ABOVE],
        }
    }

    /// All but texts, which say themselves what they are, and bands, which lie around a line.
    fn in_legend(&self) -> impl Iterator<Item = &Series> {
        let is_text = |shape: &Shape| matches!(shape, Shape::Text(..) | Shape::EndingText(..));
        let is_band = |shape: &Shape| matches!(shape, Shape::Band(_));
        let series = self.series.iter();
        series.filter(move |series| !is_text(&series.shape) && !is_band(&series.shape))
    }

    fn legend(&self, medium: Medium) -> Markup {
        let left = f64::from(self.size.0 - self.legend);
        let row = |row: usize| (row as f64 + 1.0) * f64::from(LEGEND_ROW);
        html! {
            @for (number, series) in self.in_legend().enumerate() {
                (series.sample((left, row(number)), medium))
                (text((left + SAMPLE + 8.0, row(number)), Anchor::Start, &series.name, medium))
                (LINE_BREAK)
            }
        }
    }
}

impl Picture for Chart {
    /// As high as the legend needs.
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.size;
        let rows = match self.legend {
            0 => 0,
            _ => 1 + self.in_legend().count() as u32,
        };
        (width, height.max(LEGEND_ROW * rows))
    }

    fn draw(&self, medium: Medium) -> Markup {
        html! { (self.plot(medium)) @if self.legend > 0 { (self.legend(medium)) } }
    }
}

/// A chart without its legend, for a page that has one of its own.
pub struct WithoutLegend<'a>(pub &'a Chart);

impl Picture for WithoutLegend<'_> {
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.0.size;
        (width - self.0.legend, height)
    }

    fn draw(&self, medium: Medium) -> Markup {
        self.0.plot(medium)
    }
}

/// The width of the longest of these texts.
fn text_width<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    LETTER * texts.map(|text| text.chars().count()).max().unwrap_or(0) as u32
}

/// The labels that do not reach into the one before, in the order of their places.
fn apart<'a>(labels: impl Iterator<Item = (f64, &'a String)>) -> Vec<(f64, &'a String)> {
    let mut end = f64::NEG_INFINITY;
    let is_apart = |(x, label): &(f64, &String)| {
        let half = f64::from(text_width([label.as_str()].into_iter())) / 2.0;
        let is_apart = x - half >= end;
        end = if is_apart { x + half } else { end };
        is_apart
    };
    labels.filter(is_apart).collect()
}

/// Where the plot is, and what its axes are.
struct Frame<'a> {
    x: &'a Axis,
    y: &'a Axis,
    /// The left and the right edge; the lower and the upper one.
    across: [f64; 2],
    up: [f64; 2],
}

impl Frame<'_> {
    fn place(&self, (x, y): Point) -> Place {
        let between = |[from, to]: [f64; 2], share: f64| from + share * (to - from);
        let (across, up) = (self.x.share(x), self.y.share(y));
        (between(self.across, across), between(self.up, up))
    }

    /// Grid lines with their numbers, the edges, and the names of the axes.
    fn axes(&self, medium: Medium) -> Markup {
        let ([left, right], [low, high]) = (self.across, self.up);
        let across = self.x.ticks().iter();
        let across = across.map(|(x, label)| (self.place((*x, self.y.start())).0, label));
        let named = apart(across.clone());
        let up = self.y.ticks().iter();
        let up = up.map(|(y, label)| (self.place((self.x.start(), *y)).1, label));
        let line = |ends: [Place; 2], colour: Colour| html! { polyline points=(list(ends)) stroke=(colour.on(medium)) {} };
        let turn = format!("rotate(-90 10 {})", short((low + high) / 2.0));
        html! {
            g fill="none" {
                @for (x, _) in across.clone() { (line([(x, low), (x, high)], Colour::Grid)) }
                @for (y, _) in up.clone() { (line([(left, y), (right, y)], Colour::Grid)) }
                (line([(left, high), (left, low)], Colour::Ink))
                (line([(left, low), (right, low)], Colour::Ink))
            }
            @for (x, label) in named { (text((x, low + 14.0), Anchor::Middle, label, medium)) }
            @for (y, label) in up { (text((left - 8.0, y), Anchor::End, label, medium)) }
            (text(((left + right) / 2.0, low + 34.0), Anchor::Middle, &self.x.name, medium))
            g transform=(turn) { (text((10.0, (low + high) / 2.0), Anchor::Middle, &self.y.name, medium)) }
            (LINE_BREAK)
        }
    }
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

    fn draw(&self, frame: &Frame<'_>, medium: Medium) -> Markup {
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

    /// A short line, or a mark where the series has no line.
    fn sample(&self, (x, y): Place, medium: Medium) -> Markup {
        let (middle, half) = (x + SAMPLE / 2.0, SAMPLE / 3.0);
        match self.shape {
            Shape::VerticalBar(..) | Shape::HorizontalBar(..) => {
                self.stroke.mark((middle, y), MARK, medium)
            }
            Shape::Verticals(..) => {
                let ends = [(middle, y - half), (middle, y + half)];
                self.stroke.line(ends, medium)
            }
            _ => self.stroke.line([(x, y), (x + SAMPLE, y)], medium),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::AxisScale;
    use super::super::colour::hex;
    use super::super::stroke::stroke;
    use super::*;

    fn chart() -> Chart {
        let axis = || Axis::spanning("axis", AxisScale::Linear, [1.0, 2.0].into_iter());
        let line = Shape::MarkedLine(vec![(1.0, 1.0), (2.0, 2.0)]);
        let series = vec![Series::new("a < b", stroke(0), line)];
        Chart::with_legend((300, 200), axis(), axis(), series)
    }

    #[test]
    fn an_inline_picture_has_the_ink_and_the_grid_of_its_page_and_no_background() {
        let (file, inline) = (chart().svg(), chart().inline().into_string());
        let own = [Colour::Ink, Colour::Grid, Colour::Hue(0)].map(|own| hex(own.on_white()));
        for colour in own.iter().chain([&"#ffffff".to_owned()]) {
            assert!(
                file.contains(colour) && !inline.contains(colour),
                "{colour}"
            );
        }
        for variable in ["currentColor", "var(--faint)", "var(--hue-0)"] {
            assert!(inline.contains(variable), "{variable}");
        }
        assert!(file.contains("a &lt; b"));
    }

    #[test]
    fn labels_do_not_overlap() {
        let label = "12345678".to_owned();
        let at = [0.0, 40.0, 64.0, 130.0].map(|x| (x, &label));
        let places = apart(at.into_iter()).into_iter().map(|(x, _)| x);
        assert_eq!(places.collect::<Vec<_>>(), [0.0, 64.0, 130.0]);
    }

    #[test]
    fn larger_values_are_further_right_and_further_up() {
        let chart = chart();
        let frame = chart.frame();
        let [first, second] = [(1.0, 1.0), (2.0, 2.0)].map(|point| frame.place(point));
        assert!(first.0 < second.0 && first.1 > second.1);
        let corner = frame.place((chart.x.start(), chart.y.end()));
        assert_eq!(corner, (frame.across[0], frame.up[1]));
    }
}
