//! The charts of a comparison: who is best, what it costs, how it learns.

use std::cmp::Ordering;

use indexmap::IndexMap;

use super::overall::Overall;
use super::section::{Section, SectionRow, joined};
use crate::metric::Metric;
use crate::plot::{Axis, AxisScale, Chart, Kind, Point, Series, Stroke};
use crate::record::Curve;
use crate::statistics::Estimate;

/// The distance from the worst rank to the first bar, and from bar to bar, as a share of the number of algorithms.
const MARGIN: f64 = 0.04;

/// The question that a chart addresses; the page asks them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Who is best?
    Standing,
    /// What does it cost?
    Cost,
    /// How does it learn?
    Learning,
}

/// A chart and its words.
pub struct NamedChart {
    /// File name without ending.
    pub name: String,
    pub(super) question: Question,
    pub(super) heading: &'static str,
    pub(super) title: String,
    /// Instructions for reading it, in a sentence or two.
    pub(super) reading: String,
    /// The picture.
    pub chart: Chart,
}

/// Draws the charts of every section; a section without a result does not have any.
pub fn charts(sections: &[Section]) -> Vec<Vec<NamedChart>> {
    let looks = looks(sections);
    let mut all = Vec::new();
    for (number, section) in (1..).zip(sections) {
        let mut learners = Vec::new();
        for row in &section.rows {
            let stroke = looks[row.label.as_str()];
            learners.extend(row.value.map(|value| Learner { row, value, stroke }));
        }
        let drawing = Drawing {
            section,
            learners,
            number,
        };
        all.push(drawing.all());
    }
    all
}

/// Returns the look of each label, in the order in which they appear.
pub(super) fn looks(sections: &[Section]) -> IndexMap<&str, Stroke> {
    let mut found = IndexMap::new();
    let mut algorithms = 0;
    let mut baselines = 0;
    for row in sections.iter().flat_map(|section| &section.rows) {
        found.entry(row.label.as_str()).or_insert_with(|| {
            if row.is_baseline() {
                baselines += 1;
                return Stroke::baseline(baselines - 1);
            }
            algorithms += 1;
            Stroke::of(algorithms - 1)
        });
    }
    found
}

/// An algorithm that has a result.
struct Learner<'a> {
    row: &'a SectionRow,
    value: Estimate,
    stroke: Stroke,
}

impl Learner<'_> {
    fn series(&self, kind: Kind, points: Vec<Point>) -> Series {
        Series::new(&self.row.label, self.stroke, kind, points)
    }
}

/// The end of the file name, the heading, and instructions for reading.
type Words = [&'static str; 3];

const SPEED: Words = [
    "speed",
    "Metric against speed",
    "Further right is faster: rows per second of the whole forest, on a logarithmic axis. The dotted line is the \
     Pareto line: no algorithm is both faster and better than one that it passes through. A baseline is a line \
     across, or named below with its value if it is beyond the axis.",
];

const MEMORY: Words = [
    "memory",
    "Metric against memory",
    "Further left is smaller: what the whole forest holds at the end, on a logarithmic axis; learners that do \
     not report it are missing. The dotted line is the Pareto line: no algorithm is both smaller and better than one \
     that it passes through. A baseline is a line across, or named below with its value if it is beyond the axis.",
];

const CUMULATIVE: Words = [
    "cumulative",
    "Over all rows so far",
    "Each point is the metric over all rows so far, mean over seeds; a band is from the least to the largest of the \
     seeds; its end is the value in the tables. A baseline beyond the axis runs along its edge.",
];

const WINDOWED: Words = [
    "windowed",
    "Over the rows of a window",
    "Each point is the metric over the window that ends there, mean over seeds; a band is from the least to the \
     largest of the seeds. A baseline beyond the axis runs along its edge.",
];

const METRIC: Words = [
    "metric",
    "",
    "Marks are means over seeds, lines beside them their 95 % intervals, cut at the bounds of the metric; a baseline \
     is a line from top to bottom, or named below with its value if it is beyond the axis.",
];

/// The charts of a section.
struct Drawing<'a> {
    section: &'a Section,
    learners: Vec<Learner<'a>>,
    /// The number of the section in the names of files.
    number: usize,
}

impl Drawing<'_> {
    fn all(&self) -> Vec<NamedChart> {
        if self.learners.is_empty() {
            return Vec::new();
        }
        let setting = &self.section.setting;
        let speed = if setting.protocol.is_stream() {
            "rows tested and learned per second"
        } else {
            "rows learned per second"
        };
        let mut charts = vec![self.metric()];
        let speeds = |row: &SectionRow| Some(1e6 / row.microseconds()[0]?);
        charts.extend(self.against(SPEED, speed, 1.0, speeds));
        let mebibytes = |row: &SectionRow| Some(row.footprint()[2]? / f64::from(1 << 20));
        charts.extend(self.against(MEMORY, "memory of the model, MiB", -1.0, mebibytes));
        if let Some(window) = setting.window {
            let mut windowed = self.curves(WINDOWED, |curve| curve.windowed.clone());
            windowed.title += &format!(" · windows of {window} rows");
            let cumulative = self.curves(CUMULATIVE, |curve| curve.cumulative.clone());
            charts.extend([cumulative, windowed]);
        }
        charts
    }

    fn named(&self, question: Question, words: Words, chart: Chart) -> NamedChart {
        let [end, heading, reading] = words;
        let setting = &self.section.setting;
        let dataset: String = plain(&setting.dataset).chars().take(60).collect();
        let protocol = setting.protocol.to_string().replace('-', "");
        NamedChart {
            name: format!("{:02}-{dataset}-{protocol}-{end}", self.number),
            question,
            heading,
            title: self.section.title(),
            reading: reading.to_owned(),
            chart,
        }
    }

    /// Returns the ends of the interval within the range of the metric, and the mean.
    fn interval(&self, learner: &Learner<'_>) -> [f64; 3] {
        self.section.metrics[0].cut(learner.value.interval())
    }

    /// Returns a linear axis of the metric that covers these values of all algorithms, or else of all baselines.
    fn axis(&self, metric: Metric, values: impl Fn(&Learner<'_>) -> Vec<f64>) -> Axis {
        let mut covered: Vec<&Learner<'_>> = self.learners.iter().collect();
        if covered.iter().any(|one| !one.row.is_baseline()) {
            covered.retain(|one| !one.row.is_baseline());
        }
        let covered = covered.into_iter().flat_map(values);
        Axis::spanning(&metric.axis_name(), AxisScale::Linear, covered)
    }

    fn intervals(&self) -> Axis {
        let ends = |learner: &Learner<'_>| self.interval(learner).to_vec();
        self.axis(self.section.metrics[0], ends)
    }

    /// Names the baselines beyond an axis of the metric, with their values.
    fn beyond(&self, axis: &Axis) -> String {
        let decimals = self.section.decimals();
        let mut words = Vec::new();
        for Learner { row, value, .. } in &self.learners {
            if row.is_baseline() && !axis.contains(value.mean) {
                words.push(format!("{} {:.decimals$}", row.label, value.mean));
            }
        }
        joined("", "beyond the axis: ", &words.join(", "))
    }

    fn metric(&self) -> NamedChart {
        let x = self.intervals();
        let bottom = self.learners.len() as f64 - 0.5;
        let mut series = Vec::new();
        for (y, learner) in (0..).map(f64::from).zip(&self.learners) {
            let mean = learner.value.mean;
            series.push(if !learner.row.is_baseline() {
                let interval = self.interval(learner).map(|x| (x, y));
                learner.series(Kind::Interval, interval.to_vec())
            } else if x.contains(mean) {
                learner.series(Kind::Line, vec![(mean, -0.5), (mean, bottom)])
            } else {
                continue;
            });
        }
        let labels = self.learners.iter().map(|one| one.row.label.clone());
        let note = self.beyond(&x);
        let chart = Chart::by_row(x, labels.collect(), series, note);
        self.named(Question::Standing, METRIC, chart)
    }

    /// Draws the metric against a cost, of which more (1) or less (−1) is better; `None` if no learner reports it.
    fn against(
        &self,
        words: Words,
        name: &str,
        better: f64,
        cost: impl Fn(&SectionRow) -> Option<f64>,
    ) -> Option<NamedChart> {
        let y = self.intervals();
        let mut priced = Vec::new();
        for learner in self.learners.iter().filter(|one| !one.row.is_baseline()) {
            priced.extend(cost(learner.row).map(|cost| (cost, learner)));
        }
        let x = Axis::spanning(name, AxisScale::Log, priced.iter().map(|priced| priced.0));
        let points = priced.iter().map(|(cost, one)| (*cost, one.value.mean));
        // A time of 0 is below the resolution of the clock.
        let points = points.filter(|point| x.contains(point.0) && y.contains(point.1));
        let score = |value: f64| self.section.metrics[0].better.score(value);
        let corners = pareto(points.collect(), |(x, y)| (better * x, score(y)));
        let [left, right] = x.ends();
        let [low, high] = y.ends();
        let dear = if better < 0.0 { right } else { left };
        let worst = if score(1.0) < score(0.0) { high } else { low };
        let mut front = vec![(corners.first()?.0, worst)];
        for corner in &corners {
            front.extend([(corner.0, front[front.len() - 1].1), *corner]);
        }
        front.push((dear, corners.last()?.1));
        let mut series = vec![Series::new("Pareto line", Stroke::FRONT, Kind::Line, front)];
        for learner in &self.learners {
            if learner.row.is_baseline() && y.contains(learner.value.mean) {
                let line = x.ends().map(|x| (x, learner.value.mean)).to_vec();
                series.push(learner.series(Kind::Line, line));
            }
        }
        for (cost, learner) in priced {
            let interval = self.interval(learner).map(|y| (cost, y)).to_vec();
            series.push(learner.series(Kind::Interval, interval));
        }
        let note = self.beyond(&y);
        Some(self.named(Question::Cost, words, Chart::new(x, y, series, note)))
    }

    /// Draws vertical lines at the changes of the stream; the legend has one.
    fn changes(&self, y: &Axis) -> Vec<Series> {
        let mut all = Vec::new();
        for &row in &self.section.setting.changes {
            let line = y.ends().map(|y| (row as f64, y)).to_vec();
            let name = if all.is_empty() { "change" } else { "" };
            all.push(Series::new(name, Stroke::CHANGE, Kind::Line, line));
        }
        all
    }

    /// Draws the mean curves of learners, and bands from the least to the largest of the seeds, within the axis.
    fn curves(&self, words: Words, values: impl Fn(&Curve) -> Vec<f64>) -> NamedChart {
        let mean = |row: &SectionRow| row.curves().map(|(_, mean)| values(&mean));
        let y = self.axis(self.section.setting.metric, |learner| {
            mean(learner.row).unwrap_or_default()
        });
        let [low, high] = y.ends();
        let mut series = Vec::new();
        let mut lines = Vec::new();
        for learner in &self.learners {
            let Some((curves, curve)) = learner.row.curves() else {
                continue;
            };
            let points = |values: Vec<f64>| -> Vec<Point> {
                let rows = curve.rows.iter().map(|&rows| rows as f64);
                let values = values.into_iter().map(|value| value.clamp(low, high));
                rows.zip(values).collect()
            };
            lines.push(learner.series(Kind::Line, points(values(&curve))));
            if !learner.row.is_baseline() && curves.len() > 1 {
                let curves = curves.into_iter().map(&values).collect();
                let [mut outline, mut back] = ends(curves, curve.rows.len()).map(points);
                back.reverse();
                outline.extend(back);
                series.push(Series::new("", learner.stroke, Kind::Area, outline));
            }
        }
        series.extend(self.changes(&y));
        series.extend(lines);
        let note = self.beyond(&y);
        let x = Axis::exact("rows seen", 0.0..self.section.setting.n_train as f64);
        let chart = Chart::new(x, y, series, note);
        self.named(Question::Learning, words, chart)
    }
}

/// Returns the least and the largest of several curves at each of the last entries, which they have in common.
fn ends(curves: Vec<Vec<f64>>, entries: usize) -> [Vec<f64>; 2] {
    let (mut least, mut largest) = (vec![f64::NAN; entries], vec![f64::NAN; entries]);
    for curve in curves {
        for (entry, value) in curve[curve.len() - entries..].iter().enumerate() {
            least[entry] = least[entry].min(*value);
            largest[entry] = largest[entry].max(*value);
        }
    }
    [least, largest]
}

/// Returns the points that no other exceeds in one gain without being below in the other; descending in the first gain.
fn pareto(mut points: Vec<Point>, gains: impl Fn(Point) -> (f64, f64)) -> Vec<Point> {
    points.sort_by(|a, b| gains(*b).partial_cmp(&gains(*a)).unwrap_or(Ordering::Equal));
    let mut best = f64::NEG_INFINITY;
    points.retain(|point| {
        let gain = gains(*point).1;
        let is_better = gain > best;
        best = best.max(gain);
        is_better
    });
    points
}

/// Replaces characters that a file system may refuse.
fn plain(text: &str) -> String {
    text.replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// Draws mean ranks over data sets with Nemenyi's critical difference; `None` where ranks cannot differ by so much.
pub(super) fn ranks(overall: &Overall) -> Option<NamedChart> {
    let difference = overall.reachable_difference()?;
    let mut labels = vec!["critical difference".to_owned()];
    labels.extend(overall.matrix.algorithms.iter().cloned());
    let count = labels.len() as f64 - 1.0;
    let line = |points: [Point; 2]| Series::new("", Stroke::INK, Kind::Line, points.to_vec());
    let mut series = vec![line([(1.0, 0.0), (1.0 + difference, 0.0)])];
    for (&rank, row) in overall.ranks.iter().zip((1..).map(f64::from)) {
        let mark = vec![(rank, row); 3];
        series.push(Series::new("", Stroke::INK, Kind::Interval, mark));
    }
    let mut right = count * (1.0 + MARGIN);
    for (first, last) in overall.joined(difference) {
        let [top, bottom] = [first as f64 + 0.7, last as f64 + 1.3];
        // Three lines are a thick one.
        for x in [-0.5, 0.0, 0.5].map(|shift| right + shift * count * MARGIN / 6.0) {
            series.push(line([(x, top), (x, bottom)]));
        }
        right += count * MARGIN;
    }
    let mut x = Axis::spanning("mean rank, 1 is best", AxisScale::Linear, [1.0, right]);
    x.ticks.retain(|(value, _)| *value <= count);
    let protocol = overall.protocol.to_string().replace([' ', '-'], "");
    let words = joined("", "-", &plain(&overall.distinction));
    Some(NamedChart {
        name: format!("ranks-{protocol}-{}{words}", overall.metric.name),
        question: Question::Standing,
        heading: "",
        title: overall.title(),
        reading: format!(
            "Further left is better; bars at the right join algorithms whose mean ranks do not differ at 5 % \
             (Nemenyi's critical difference, {difference:.2}, is the length of the line at the top). Algorithms that \
             no bar joins differ."
        ),
        chart: Chart::by_row(x, labels, series, String::new()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Protocol;
    use crate::record::Outcome;
    use crate::report::sections;
    use crate::report::testing::{record, section};

    /// Returns runs along a stream of three windows, on each of which learners have their means; the second seed is .05
    /// worse.
    fn stream(learners: &[(&str, f64)]) -> Section {
        let mut runs = Vec::new();
        for (label, mean) in learners {
            for (seed, value) in [(0, *mean), (1, mean - 0.05)] {
                let mut run = record("a/b", "accuracy", label, seed, value);
                run.setting.protocol = Protocol::Prequential;
                run.setting.window = Some(10);
                run.setting.n_train = 30;
                let Outcome::Measured(measured) = &mut run.outcome else {
                    continue;
                };
                measured.curve = Some(Curve {
                    rows: vec![10, 20, 30],
                    cumulative: vec![value; 3],
                    windowed: vec![value; 3],
                    seconds: vec![1e-3; 3],
                });
                runs.push(run);
            }
        }
        sections(&runs).remove(0)
    }

    #[test]
    fn an_algorithm_has_the_same_look_in_all_charts() {
        let rows = |labels: &str| section("a/b", "accuracy", &labels.replace('|', ".5 |"));
        let sections = [rows("majority | obsp | amf .5"), rows("amf | urtf .5")];
        let found: Vec<Stroke> = looks(&sections).into_values().collect();
        assert_eq!(found[0], Stroke::baseline(0));
        assert_eq!(found[1..], [0, 1, 2].map(Stroke::of));
        let drawn = charts(&sections);
        assert_eq!(drawn[1][1].name, "02-a-b-holdout-speed");
        for series in drawn.iter().map(|charts| &charts[1].chart.series) {
            let amf = series.iter().find(|series| series.name == "amf");
            assert_eq!(amf.unwrap().stroke, Stroke::of(1));
        }
    }

    #[test]
    fn a_baseline_far_off_is_named_below_and_does_not_squeeze_any_axis_and_one_among_algorithms_is_a_line()
     {
        for (baseline, words) in [(0.1, "beyond the axis: majority 0.0750"), (0.905, "")] {
            let learners = [("majority", baseline), ("amf", 0.90), ("obsp", 0.91)];
            let charts = charts(&[stream(&learners)]).remove(0);
            assert_eq!(charts.len(), 5);
            let [low, high] = charts[3].chart.y.ends();
            for series in &charts[3].chart.series {
                let is_inside = |point: &Point| (low..=high).contains(&point.1);
                let count = if series.name.is_empty() { 6 } else { 3 };
                assert_eq!(series.points.len(), count);
                assert!(series.points.iter().all(is_inside));
            }
            for NamedChart { name, chart, .. } in &charts {
                let is_metric = name.ends_with("metric");
                let axis = if is_metric { &chart.x } else { &chart.y };
                assert_eq!(axis.contains(baseline - 0.025), words.is_empty(), "{name}");
                assert_eq!(chart.words_below(), words, "{name}");
            }
        }
    }

    #[test]
    fn the_pareto_line_has_what_nothing_exceeds() {
        let points = [(1.0, 0.9), (2.0, 0.8), (1.5, 0.7), (3.0, 0.8), (4.0, 0.1)];
        let found = pareto([&points[..], &points[..1]].concat(), |point| point);
        assert_eq!(found, [points[4], points[3], points[0]]);
    }
}
