//! Charts of standing: the metric by algorithm, and mean ranks over sets.

use super::{NamedChart, Part, SectionCharts};
use crate::plot::axis::{Axis, AxisScale};
use crate::plot::chart::{Chart, Series, Shape};
use crate::plot::colour::Colour;
use crate::plot::stroke::{Pattern, Stroke};
use crate::report::overall::Overall;

/// The distance from the worst rank to the first bar, and from bar to bar, as a share of the number of algorithms.
const MARGIN: f64 = 0.04;

/// The stroke of bars that join algorithms.
const JOIN: Stroke = Stroke {
    colour: Colour::Ink,
    pattern: Pattern::Solid,
};

/// Draws mean ranks over data sets with Nemenyi's critical difference; returns `None` where ranks cannot differ by so much.
pub(in crate::report) fn ranks(overall: &Overall) -> Option<NamedChart> {
    let difference = overall.reachable_difference()?;
    let names = overall.matrix.algorithms();
    let joined = overall.joined(difference);
    let mut series = vec![ruler(difference)];
    let marks = overall.ranks.iter().zip(1..);
    series.extend(marks.map(|(&rank, row)| {
        Series::new("", JOIN, Shape::HorizontalBar(f64::from(row), [rank; 3]))
    }));
    series.extend(bars(&joined, names.len()));
    let labels = std::iter::once("critical difference".to_owned()).chain(names.iter().cloned());
    let labels: Vec<String> = labels.collect();
    let ends = [1.0, across(joined.len(), names.len())];
    let x = Axis::spanning("mean rank, 1 is best", AxisScale::Linear, ends.into_iter());
    let protocol = overall.protocol.to_string().replace([' ', '-'], "");
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let conditions: String = overall.distinction.chars().map(plain).collect();
    let end = if conditions.is_empty() { "" } else { "-" };
    Some(NamedChart {
        name: format!("ranks-{protocol}-{}{end}{conditions}", overall.metric.name),
        part: Part::Standing,
        heading: String::new(),
        title: overall.title(),
        reading: format!(
            "Further left is better; bars at the right join algorithms whose mean ranks do not differ at 5 % (Nemenyi's \
             critical difference, {difference:.2}, is the length of the line at the top). Algorithms that no bar joins differ."
        ),
        chart: Chart::by_row(x.with_ticks_to(names.len() as f64), labels, series),
    })
}

/// Draws thick vertical lines, side by side, from the first to the last of the algorithms that do not differ.
fn bars(joined: &[(usize, usize)], algorithms: usize) -> impl Iterator<Item = Series> {
    let width = algorithms as f64 * MARGIN / 6.0;
    let thick = move |(number, &(first, last)): (usize, &(usize, usize))| {
        let middle = across(number, algorithms);
        let ends = [first as f64 + 0.7, last as f64 + 1.3];
        [-0.5, 0.0, 0.5].map(|shift| {
            let line = ends.map(|y| (middle + shift * width, y));
            Series::new("", JOIN, Shape::Line(line.to_vec()))
        })
    };
    joined.iter().enumerate().flat_map(thick)
}

/// Returns the place of bar number `number`, right of the worst rank.
fn across(number: usize, algorithms: usize) -> f64 {
    algorithms as f64 * (1.0 + MARGIN * (number as f64 + 1.0))
}

/// Draws the critical difference as a length.
fn ruler(difference: f64) -> Series {
    let ends = vec![(1.0, 0.0), (1.0 + difference, 0.0)];
    Series::new("", JOIN, Shape::Line(ends))
}

impl SectionCharts<'_> {
    /// Draws the metric by algorithm, with intervals; baselines are vertical lines.
    pub(super) fn metric(&self) -> NamedChart {
        let x = self.metric_axis();
        let bottom = self.learners.len() as f64 - 0.5;
        let mut series = Vec::new();
        for (y, learner) in self.learners.iter().enumerate() {
            let mean = learner.mean();
            let shape = if !learner.row.baseline {
                Shape::HorizontalBar(y as f64, self.interval(learner))
            } else if x.contains(mean) {
                Shape::Line(vec![(mean, -0.5), (mean, bottom)])
            } else {
                continue;
            };
            series.push(learner.series(shape).with_key(""));
        }
        let labels = self.learners.iter();
        let labels = labels.map(|learner| learner.row.label.clone()).collect();
        let mut chart = Chart::by_row(x, labels, series);
        chart.note = self.beyond(&chart.x);
        NamedChart {
            name: format!("{}-metric", self.stem()),
            part: Part::Standing,
            heading: String::new(),
            title: self.section.title(),
            reading: "Marks are means over seeds, lines beside them their 95 % intervals, cut at the bounds of the metric; a baseline is a line from top to \
                      bottom, or named below with its value if it is beyond the axis."
                .to_owned(),
            chart,
        }
    }
}
