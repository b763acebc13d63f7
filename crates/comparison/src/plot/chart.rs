//! A chart: two axes, named series of lines, marks and error bars, and a legend beside them.

use maud::{Markup, html};

use super::axis::Axis;
use super::frame::{ABOVE, BELOW, Frame, RIGHT};
use super::{Anchor, LINE_BREAK, Medium, Picture, text, text_width};
use crate::number;

pub use super::series::{Series, Shape};

/// Room for the numbers and the name of a vertical axis.
const NUMBERS: u32 = 68;
/// Width of the sample and its margins beside a name in a legend, and of the sample itself.
const BESIDE_NAME: u32 = 36;
const SAMPLE: f64 = 20.0;
const LEGEND_ROW: u32 = 19;
/// Height of a line below a chart.
const NOTE: f64 = 18.0;
/// Sizes of a chart with a row for each label: width of the plot, height of a row and of the rest.
const PLOT: u32 = 360;
const ROW: u32 = 26;
const AXIS: u32 = 58;

/// Series in a plane.
pub struct Chart {
    /// The axis across.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The series, the last drawn on top.
    pub series: Vec<Series>,
    /// Points that were left out of the series since they are not finite; the picture states their number, with those of the series that
    /// do not have a place on the axes.
    pub left_out: usize,
    /// What the picture says below the plot; may be empty.
    pub note: String,
    size: (u32, u32),
    /// Width left of the plot, for the labels of the vertical axis.
    left: u32,
    /// Width right of the plot, for the names of the series; 0 for none.
    legend: u32,
}

impl Chart {
    /// Returns a chart without a legend.
    pub fn new(size: (u32, u32), x: Axis, y: Axis, series: Vec<Series>) -> Self {
        let (left, legend) = (NUMBERS, 0);
        Self {
            x,
            y,
            series,
            left_out: 0,
            note: String::new(),
            size,
            left,
            legend,
        }
    }

    /// Returns a chart that is widened by its legend.
    pub fn with_legend(size: (u32, u32), x: Axis, y: Axis, series: Vec<Series>) -> Self {
        let labels: Vec<String> = series.iter().map(Series::label).collect();
        let legend = BESIDE_NAME + text_width(labels.iter().map(String::as_str));
        let size = (size.0 + legend, size.1);
        Self {
            legend,
            ..Self::new(size, x, y, series)
        }
    }

    /// Returns a chart with a row for each label, at 0, 1, … from top to bottom.
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
            @let words = self.words_below();
            @if !words.is_empty() {
                (text((8.0, f64::from(self.size.1) + NOTE / 2.0), Anchor::Start, &words, medium))
            }
        }
    }

    /// Returns what is said below the plot: its note, and how many points are outside of the picture, and why.
    pub fn words_below(&self) -> String {
        let frame = self.frame();
        let placeless = self.series.iter().map(|series| series.left_out(&frame));
        let left_out = self.left_out + placeless.sum::<usize>();
        let mut words = vec![];
        if !self.note.is_empty() {
            words.push(self.note.clone());
        }
        if left_out > 0 {
            let points = number::counted(left_out, "point");
            words.push(format!("{points} left out: no logarithm, or not finite"));
        }
        words.join("; ")
    }

    /// Returns the size with room for the note below.
    fn plot_size(&self) -> (u32, u32) {
        let (width, height) = (self.size.0 - self.legend, self.size.1);
        match self.words_below().as_str() {
            "" => (width, height),
            words => (
                width.max(16 + text_width([words].into_iter())),
                height + NOTE as u32,
            ),
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

    /// Returns all series but bands, which belong to a line.
    fn in_legend(&self) -> impl Iterator<Item = &Series> {
        let series = self.series.iter();
        series.filter(|series| !matches!(series.shape, Shape::Band(_)))
    }

    fn legend(&self, medium: Medium) -> Markup {
        let left = f64::from(self.size.0 - self.legend);
        let row = |row: usize| (row as f64 + 1.0) * f64::from(LEGEND_ROW);
        html! {
            @for (number, series) in self.in_legend().enumerate() {
                (series.sample((left, row(number)), SAMPLE, medium))
                (text((left + SAMPLE + 8.0, row(number)), Anchor::Start, &series.label(), medium))
                (LINE_BREAK)
            }
        }
    }
}

impl Picture for Chart {
    /// Returns a height that fits the legend.
    fn size(&self) -> (u32, u32) {
        let (width, height) = self.plot_size();
        let rows = match self.legend {
            0 => 0,
            _ => 1 + self.in_legend().count() as u32,
        };
        (width.max(self.size.0), height.max(LEGEND_ROW * rows))
    }

    fn draw(&self, medium: Medium) -> Markup {
        html! { (self.plot(medium)) @if self.legend > 0 { (self.legend(medium)) } }
    }
}

/// A chart without its legend, for a page that has its own.
pub struct WithoutLegend<'a>(pub &'a Chart);

impl Picture for WithoutLegend<'_> {
    fn size(&self) -> (u32, u32) {
        self.0.plot_size()
    }

    fn draw(&self, medium: Medium) -> Markup {
        self.0.plot(medium)
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::AxisScale;
    use super::super::colour::{Colour, hex};
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
        let (file, inline) = (chart().svg(), chart().inline("").into_string());
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

    /// Returns shapes of every kind, with points at these values in both directions.
    fn shapes(values: &[f64]) -> Vec<Shape> {
        let points: Vec<(f64, f64)> = values.iter().map(|&value| (value, value)).collect();
        let bands = values.iter().map(|&value| (value, [value, 2.0]));
        let mut shapes = vec![
            Shape::Line(points.clone()),
            Shape::MarkedLine(points.clone()),
            Shape::Band(bands.collect()),
            Shape::Verticals(values.to_vec(), [1.0, 2.0]),
        ];
        for &(x, y) in &points {
            shapes.push(Shape::VerticalBar(x, [y, 1.0, 2.0]));
            shapes.push(Shape::HorizontalBar(y, [1.0, x, 2.0]));
        }
        shapes
    }

    #[test]
    fn no_shape_has_a_coordinate_that_is_not_a_number() {
        let values = [
            1.0,
            2.0,
            0.0,
            -1.0,
            f64::MAX,
            f64::MIN,
            5e-324,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        for scale in [AxisScale::Linear, AxisScale::Log, AxisScale::LogBytes] {
            for all in [&values[..], &values[2..], &values[4..6], &values[6..]] {
                let axis = || Axis::spanning("x", scale, all.iter().copied());
                let series = shapes(all).into_iter();
                let series = series.map(|shape| Series::new("s", stroke(0), shape).with_key("1"));
                let svg = Chart::with_legend((300, 200), axis(), axis(), series.collect()).svg();
                for word in ["NaN", "inf"] {
                    let plain = svg.replace("not finite", "");
                    let coordinates = plain.split('"').filter(|part| part.contains(word));
                    assert_eq!(
                        coordinates.collect::<Vec<_>>(),
                        [""; 0],
                        "{scale:?} {all:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn points_without_a_place_are_counted_in_the_picture_and_the_others_drawn() {
        let line = Shape::MarkedLine(vec![(0.0, 1.0), (1.0, -1.0), (10.0, 1.0), (100.0, 2.0)]);
        let axis = |values: [f64; 2]| Axis::spanning("", AxisScale::Log, values.into_iter());
        let series = vec![Series::new("a", stroke(0), line)];
        let mut chart = Chart::new((400, 200), axis([10.0, 100.0]), axis([1.0, 2.0]), series);
        chart.left_out = 3;
        let svg = chart.svg();
        assert!(
            svg.contains(">5 points left out: no logarithm, or not finite<"),
            "{svg}"
        );
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(
            svg.contains("height=\"218\""),
            "there is room for the words"
        );
    }

    #[test]
    fn a_tooltip_shows_the_name_and_values_of_a_mark() {
        let bar = Series::new("amf", stroke(0), Shape::VerticalBar(10.0, [0.5, 0.75, 1.0]));
        let x = Axis::spanning("rows per second", AxisScale::Log, [1.0, 100.0].into_iter());
        let y = Axis::spanning("accuracy", AxisScale::Linear, [0.5, 1.0].into_iter());
        let svg = Chart::with_legend((300, 200), x, y, vec![bar.with_key("12")]).svg();
        assert!(
            svg.contains("<title>12 amf: rows per second 10.0, accuracy 0.750</title>"),
            "{svg}"
        );
        assert!(
            svg.contains(">12 amf</text>"),
            "the legend has the number, too"
        );
        assert!(svg.contains(">12</text>"), "{svg}");
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
