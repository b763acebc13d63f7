//! Charts of costs: the metric against rows per second, against bytes, and time along the stream.

use super::{Learner, NamedChart, Part, SectionCharts};
use crate::plot::axis::{Axis, AxisScale};
use crate::plot::chart::{Series, Shape};
use crate::plot::colour::Colour;
use crate::plot::stroke::{Pattern, Stroke};
use crate::record::Protocol;

const FRONT: Stroke = Stroke {
    colour: Colour::Ink,
    pattern: Pattern::Dotted,
};

/// A cost: how it is read from a learner, drawn, and described.
struct Cost {
    of: fn(&Learner<'_>) -> Option<f64>,
    scale: AxisScale,
    /// Whether more of it is better.
    more_is_better: bool,
    /// The end of the file name, the heading, and instructions for reading.
    words: [&'static str; 3],
}

const SPEED: Cost = Cost {
    of: |learner| learner.row.rows_per_second(),
    scale: AxisScale::Log,
    more_is_better: true,
    words: [
        "speed",
        "Metric against speed",
        "Further right is faster: rows per second of the whole forest, on a logarithmic axis. The dotted line is the \
         Pareto line: no algorithm is both faster and better than one that it passes through. A baseline is a line \
         across, or named below with its value if it is beyond the axis.",
    ],
};

const MEMORY: Cost = Cost {
    of: |learner| learner.result.bytes,
    scale: AxisScale::LogBytes,
    more_is_better: false,
    words: [
        "memory",
        "Metric against memory",
        "Further left is smaller: bytes that the whole forest holds at the end, on a logarithmic axis; learners that do \
         not report it are missing. The dotted line is the Pareto line: no algorithm is both smaller and better than one \
         that it passes through. A baseline is a line across, or named below with its value if it is beyond the axis.",
    ],
};

impl SectionCharts<'_> {
    pub(super) fn costs(&self) -> Vec<NamedChart> {
        let speed = match self.section.setting.protocol {
            Protocol::Holdout | Protocol::KFold => "rows learned per second",
            Protocol::Prequential | Protocol::PrequentialKFold | Protocol::Delayed => {
                "rows tested and learned per second"
            }
        };
        let charts = [
            self.against(&SPEED, speed),
            self.against(&MEMORY, "memory of the model"),
        ];
        charts.into_iter().flatten().chain(self.pace()).collect()
    }

    /// Draws the metric against a cost; returns `None` if no learner reports the cost.
    fn against(&self, cost: &Cost, name: &str) -> Option<NamedChart> {
        let reported = |learner: &'_ Learner<'_>| (cost.of)(learner);
        let reported = self
            .algorithms()
            .filter_map(|learner| Some((learner, reported(learner)?)));
        let y = self.metric_axis();
        // A time of 0 is below the resolution of the clock.
        let has_place = |(learner, cost): &(&Learner<'_>, f64)| {
            cost.is_finite() && *cost > 0.0 && y.contains(learner.mean())
        };
        let (priced, placeless): (Vec<_>, Vec<_>) = reported.partition(has_place);
        if priced.is_empty() {
            return None;
        }
        let x = Axis::spanning(name, cost.scale, priced.iter().map(|(_, cost)| *cost));
        let mut series = vec![self.front(cost, &priced, &x, &y)];
        let near = self
            .baselines()
            .filter(|learner| y.contains(learner.mean()));
        series.extend(near.map(|learner| {
            let mean = learner.mean();
            learner.series(Shape::Line(vec![(x.start(), mean), (x.end(), mean)]))
        }));
        series.extend(priced.iter().map(|&(learner, cost)| {
            learner.series(Shape::VerticalBar(cost, self.interval(learner)))
        }));
        let mut named = self.with_note(self.named(Part::Cost, cost.words, x, y, series));
        named.chart.left_out = placeless.len();
        Some(named)
    }

    /// Draws the Pareto line from edge to edge.
    fn front(&self, cost: &Cost, priced: &[(&Learner<'_>, f64)], x: &Axis, y: &Axis) -> Series {
        let metric = self.section.columns[0];
        let score = |learner: &Learner<'_>| metric.score(learner.mean());
        let gain = |price: f64| if cost.more_is_better { price } else { -price };
        let points = priced
            .iter()
            .map(|&(learner, price)| (gain(price), score(learner), (price, learner.mean())));
        let corners = pareto(points.collect());
        let (first, last) = (corners[0], corners[corners.len() - 1]);
        let worst = if metric.score(y.start()) < metric.score(y.end()) {
            y.start()
        } else {
            y.end()
        };
        let dear = if cost.more_is_better {
            x.start()
        } else {
            x.end()
        };
        let mut line = vec![(dear, first.1)];
        for pair in corners.windows(2) {
            line.extend([pair[0], (pair[0].0, pair[1].1)]);
        }
        line.extend([last, (last.0, worst)]);
        Series::new("Pareto line", FRONT, Shape::Line(line))
    }

    /// Draws the time per row along the stream.
    fn pace(&self) -> Option<NamedChart> {
        self.section.setting.window?;
        let lines: Vec<_> = self
            .algorithms()
            .filter_map(|learner| Some((learner, learner.window_us()?)))
            .collect();
        let times = lines.iter().flat_map(|(_, points)| points);
        let name = "µs per row, to test and learn";
        let y = Axis::spanning(name, AxisScale::Log, times.map(|point| point.1));
        let words = [
            "pace",
            "Time along the stream",
            "Lower is faster: microseconds of the whole forest per row in each window, mean over seeds, on a logarithmic \
             axis; a line that rises slows down as the forest grows.",
        ];
        let lines = lines.into_iter();
        let lines = lines.map(|(learner, points)| learner.series(Shape::Line(points)));
        let series = self.changes(&y).into_iter().chain(lines).collect();
        Some(self.named(Part::Cost, words, self.rows_axis(), y, series))
    }
}

impl Learner<'_> {
    /// Returns rows so far and microseconds per row.
    fn window_us(&self) -> Option<Vec<(f64, f64)>> {
        let rows = &self.result.curve.as_ref()?.rows;
        let rows = rows.iter().map(|&rows| rows as f64);
        Some(rows.zip(self.row.window_us()).collect())
    }
}

/// Returns the Pareto-optimal points of two gains: those that no other exceeds in one gain without being below in the other; ascending
/// in the first gain.
fn pareto<P>(mut points: Vec<(f64, f64, P)>) -> Vec<P> {
    points.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let mut best = f64::NEG_INFINITY;
    points.retain(|point| {
        let is_new = point.1 > best;
        best = best.max(point.1);
        is_new
    });
    points
        .into_iter()
        .rev()
        .map(|(_, _, point)| point)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pareto_line_has_what_nothing_exceeds() {
        let points = [
            (1.0, 0.9, 'a'),
            (2.0, 0.8, 'b'),
            (1.5, 0.7, 'c'),
            (3.0, 0.8, 'd'),
            (4.0, 0.1, 'e'),
        ];
        assert_eq!(pareto(points.to_vec()), ['a', 'd', 'e']);
        assert_eq!(pareto(vec![(1.0, 1.0, 'a'), (1.0, 1.0, 'b')]).len(), 1);
    }
}
