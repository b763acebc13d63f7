//! A chart: two axes, named series of lines, marks and intervals, and a legend beside them.

use maud::{Markup, html};

use super::{Axis, GRID, INK, LINE_BREAK, Picture, Place, Stroke, list, short, text, widest};
use crate::number;

/// Height of a line below a chart, and of a row of a legend.
const NOTE: u32 = 18;
const LEGEND_ROW: u32 = 19;
/// Radius of a mark with an interval, and of one on a line.
const MARK: f64 = 5.0;
const DOT: f64 = 3.0;

/// Values across and upwards.
pub type Point = (f64, f64);

/// A named line or mark.
pub struct Series {
    /// Its name in the legend and its tooltip; it has neither without one.
    pub name: String,
    /// Its stroke.
    pub stroke: Stroke,
    /// What its points are.
    pub kind: Kind,
    /// Its points.
    pub points: Vec<Point>,
}

/// What the points of a series are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A line.
    Line,
    /// A line with a mark at each point.
    MarkedLine,
    /// The outline of a pale area.
    Area,
    /// The low end, the mean and the high end of an interval in one of the directions.
    Interval,
}

impl Series {
    /// Returns a series.
    pub fn new(name: &str, stroke: Stroke, kind: Kind, points: Vec<Point>) -> Self {
        let name = name.to_owned();
        Self {
            name,
            stroke,
            kind,
            points,
        }
    }

    /// Returns the points that a reader looks for: of an interval its mean.
    fn shown(&self) -> &[Point] {
        match self.kind {
            Kind::Line | Kind::MarkedLine => &self.points,
            Kind::Interval => &self.points[1..2],
            Kind::Area => &[],
        }
    }
}

/// Series in a plane.
pub struct Chart {
    /// The axis across.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The series, the last drawn on top.
    pub series: Vec<Series>,
    note: String,
    /// Size of the plot with its axes, and the width left of the plot, for the labels of the vertical axis.
    size: (u32, u32),
    left: u32,
    /// Whether the vertical axis names the series.
    is_by_row: bool,
}

impl Chart {
    /// Returns a chart of these series, with a note below that may be empty.
    pub fn new(x: Axis, y: Axis, series: Vec<Series>, note: String) -> Self {
        Self {
            x,
            y,
            series,
            note,
            size: (400, 290),
            left: 68,
            is_by_row: false,
        }
    }

    /// Returns a chart with a row for each label, at 0, 1, … from top to bottom.
    pub fn by_row(x: Axis, labels: Vec<String>, series: Vec<Series>, note: String) -> Self {
        let left = widest(&labels) + 14;
        let height = 26 * labels.len() as u32 + 58;
        Self {
            size: (360 + left, height),
            left,
            is_by_row: true,
            ..Self::new(x, Axis::categories(labels), series, note)
        }
    }

    /// Returns the left, right, lower and upper edges of the plot, around which numbers and names have room.
    fn edges(&self) -> [f64; 4] {
        let left = f64::from(self.left) + 10.0;
        let right = f64::from(self.size.0) - 26.0;
        [left, right, f64::from(self.size.1) - 48.0, 10.0]
    }

    fn across(&self, x: f64) -> f64 {
        let [left, right, ..] = self.edges();
        left + self.x.share(x) * (right - left)
    }

    fn up(&self, y: f64) -> f64 {
        let [.., low, high] = self.edges();
        low + self.y.share(y) * (high - low)
    }

    /// Returns the places of points that have one: 0 does not on a logarithmic axis.
    fn places(&self, points: &[Point]) -> Vec<Place> {
        let places = points.iter().map(|&(x, y)| (self.across(x), self.up(y)));
        let places = places.filter(|(x, y)| x.is_finite() && y.is_finite());
        places.collect()
    }

    /// Returns what is said below the plot: its note, and how many points are outside of the picture, and why.
    pub fn words_below(&self) -> String {
        let mut words = vec![self.note.clone()];
        let mut left_out = 0;
        for points in self.series.iter().map(Series::shown) {
            left_out += points.len() - self.places(points).len();
        }
        if left_out > 0 {
            let points = number::counted(left_out, "point");
            words.push(format!("{points} left out: no logarithm, or not finite"));
        }
        words.retain(|words| !words.is_empty());
        words.join("; ")
    }

    /// Draws it without a legend, for a page that has its own.
    pub fn without_legend(&self) -> Picture {
        let words = self.words_below();
        let below = (8.0, f64::from(self.size.1 + NOTE / 2));
        let mut size = self.size;
        if !words.is_empty() {
            size.0 = size.0.max(16 + widest([&words]));
            size.1 += NOTE;
        }
        let elements = html! {
            (self.axes())
            @for series in &self.series { (self.drawn(series)) (LINE_BREAK) }
            @if !words.is_empty() { (text(below, "start", &words)) }
        };
        Picture { size, elements }
    }

    /// Draws it with a legend at the right, unless its rows have names: a short line or a mark for each series.
    pub fn picture(&self) -> Picture {
        let Picture { size, elements } = self.without_legend();
        if self.is_by_row {
            return Picture { size, elements };
        }
        let mut named: Vec<&Series> = self.series.iter().collect();
        named.retain(|series| !series.name.is_empty());
        let left = f64::from(size.0);
        let elements = html! {
            (elements)
            @for (row, series) in named.iter().enumerate() {
                @let y = (row as f64 + 1.0) * f64::from(LEGEND_ROW);
                @if series.kind == Kind::Interval { (series.stroke.mark((left + 10.0, y), MARK)) }
                @else { (series.stroke.line(&[(left, y), (left + 20.0, y)])) }
                (text((left + 28.0, y), "start", &series.name)) (LINE_BREAK)
            }
        };
        let width = size.0 + 36 + widest(named.iter().map(|series| &series.name));
        let height = size.1.max(LEGEND_ROW * (1 + named.len() as u32));
        let size = (width, height);
        Picture { size, elements }
    }

    /// Draws grid lines, edges, numbers (without those that would overlap) and the names of the axes.
    fn axes(&self) -> Markup {
        let [left, right, low, high] = self.edges();
        let mut named: Vec<(f64, &String)> = Vec::new();
        for (value, label) in &self.x.ticks {
            let x = self.across(*value);
            let width = widest([label]);
            let needed = |before: &String| f64::from(width + widest([before])) / 2.0;
            if named.last().is_none_or(|last| x - last.0 >= needed(last.1)) {
                named.push((x, label));
            }
        }
        let line = |from: Place, to: Place, colour: &str| {
            html! { polyline points=(list(&[from, to])) stroke=(colour) {} }
        };
        let centre = (left + right) / 2.0;
        let middle = (low + high) / 2.0;
        html! {
            g fill="none" {
                @for (x, _) in &self.x.ticks { (line((self.across(*x), low), (self.across(*x), high), GRID)) }
                @for (y, _) in &self.y.ticks { (line((left, self.up(*y)), (right, self.up(*y)), GRID)) }
                (line((left, high), (left, low), INK))
                (line((left, low), (right, low), INK))
            }
            @for (x, label) in named { (text((x, low + 14.0), "middle", label)) }
            @for (y, label) in &self.y.ticks { (text((left - 8.0, self.up(*y)), "end", label)) }
            (text((centre, low + 34.0), "middle", &self.x.name))
            g transform={ "rotate(-90 10 " (short(middle)) ")" } { (text((10.0, middle), "middle", &self.y.name)) }
            (LINE_BREAK)
        }
    }

    /// Draws a series with a tooltip: its name and, of an interval, its mean.
    fn drawn(&self, series: &Series) -> Markup {
        let stroke = series.stroke;
        let places = self.places(&series.points);
        let shown = self.places(series.shown());
        let mut title = series.name.clone();
        if series.kind == Kind::Interval && !shown.is_empty() {
            title += &format!(": {} {}", self.x.name, number::short(series.points[1].0));
            if !self.y.name.is_empty() {
                title += &format!(", {} {}", self.y.name, number::short(series.points[1].1));
            }
        }
        let marks = |radius: f64| html! { @for at in &shown { (stroke.mark(*at, radius)) } };
        html! {
            g {
                @if !series.name.is_empty() { title { (title) } }
                @match series.kind {
                    Kind::Line => { (stroke.line(&places)) },
                    Kind::MarkedLine => { (stroke.line(&places)) (marks(DOT)) },
                    Kind::Area => { polygon points=(list(&places)) fill=(stroke.colour) fill-opacity="0.15" {} },
                    Kind::Interval => {
                        polyline points=(list(&places)) fill="none" stroke=(stroke.colour) {} (marks(MARK))
                    },
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::AxisScale;

    fn chart(scale: AxisScale, kind: Kind, values: &[f64]) -> Chart {
        let axis = |name| Axis::spanning(name, scale, values.iter().copied());
        let points = values.iter().map(|&value| (value, value)).collect();
        let series = Series::new("a < b", Stroke::of(0), kind, points);
        let note = "few".to_owned();
        Chart::new(axis("rows"), axis("accuracy"), vec![series], note)
    }

    #[test]
    fn a_page_has_its_own_colours_a_file_fixed_ones_and_a_mark_its_values() {
        let chart = chart(AxisScale::Linear, Kind::Interval, &[0.5, 0.75, 1.0]);
        let picture = chart.picture();
        let file = picture.svg();
        let page = picture.inline("").into_string();
        for (own, fixed) in [
            (INK, "#3a4048"),
            (GRID, "#dde0e4"),
            ("var(--hue-0)", "#1f5fc4"),
        ] {
            assert!(page.contains(own) && !page.contains(fixed), "{own}");
            assert!(file.contains(fixed) && !file.contains(own), "{own}");
        }
        assert!(!page.contains("#ffffff") && file.contains("#ffffff"));
        let title = "<title>a &lt; b: rows 0.750, accuracy 0.750</title>";
        assert!(file.contains(title) && file.contains(">a &lt; b</text>"));
    }

    #[test]
    fn nothing_has_a_coordinate_that_is_not_a_number() {
        let mut values = vec![1.0, 2.0, 0.0, -1.0, f64::MAX, f64::MIN, 5e-324];
        values.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        for scale in [AxisScale::Linear, AxisScale::Log] {
            for kind in [Kind::Line, Kind::MarkedLine, Kind::Area, Kind::Interval] {
                for all in [&values[..], &values[2..], &values[4..6], &values[7..]] {
                    let svg = chart(scale, kind, all).picture().svg();
                    let svg = svg.replace("not finite", "");
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                }
            }
        }
    }

    #[test]
    fn points_without_a_place_are_counted_in_the_picture_and_the_others_drawn() {
        let chart = chart(AxisScale::Log, Kind::MarkedLine, &[0.0, -1.0, 10.0, 100.0]);
        let picture = chart.picture();
        let words = ">few; 2 points left out: no logarithm, or not finite<";
        assert!(picture.svg().contains(words));
        let marks = picture.svg().matches("<circle").count();
        assert_eq!((marks, picture.size.1), (2, 290 + NOTE));
        let places = chart.places(&[(10.0, 10.0), (100.0, 100.0)]);
        assert!(places[0].0 < places[1].0 && places[0].1 > places[1].1);
    }
}
