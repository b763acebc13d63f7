//! The charts of a comparison: who is best, what it costs, how it learns.

mod cost;
mod learning;
mod standing;

use std::collections::BTreeMap;

use super::section::{Averages, Row, Section};
use crate::plot::axis::{Axis, AxisScale};
use crate::plot::chart::{Chart, Series, Shape};
use crate::plot::palette;
use crate::plot::stroke::{self, Stroke};

pub(super) use standing::ranks;

/// Width and height without a legend.
const SIZE: (u32, u32) = (400, 290);
/// A baseline may widen an axis by this share of the algorithms' range.
const REACH: f64 = 0.25;
/// Maximum number of algorithms without numbers beside their marks.
const MOST_WITHOUT_KEY: usize = 8;
/// Room at an edge where baselines beyond it are named, as a share of the same.
const ROOM: f64 = 0.08;

/// The question that a chart addresses; the page asks them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
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
    /// The question it addresses.
    pub part: Part,
    /// Its subject, the same for all sets.
    pub heading: String,
    /// The data set and the protocol.
    pub title: String,
    /// Instructions for reading it, in a sentence or two.
    pub reading: String,
    /// The picture.
    pub chart: Chart,
}

/// Draws the charts of every section; a section without a result does not have any.
pub fn charts(sections: &[Section]) -> Vec<Vec<NamedChart>> {
    let looks = looks(sections);
    let numbered = (1..).zip(sections);
    let charts = numbered.map(|(number, section)| match learners(section, &looks) {
        learners if learners.is_empty() => Vec::new(),
        learners => SectionCharts {
            section,
            learners,
            number,
        }
        .all(),
    });
    charts.collect()
}

/// The look of an algorithm in all charts.
pub(super) struct Look<'a> {
    pub label: &'a str,
    pub stroke: Stroke,
    /// Its number, where there are too many algorithms to distinguish by colours and marks alone.
    pub key: String,
}

/// Returns the look of each label, in the order in which they appear: the colour follows the name, the dashes the parameters.
pub(super) fn looks(sections: &[Section]) -> Vec<Look<'_>> {
    let mut found: Vec<Look<'_>> = Vec::new();
    let mut variants: BTreeMap<&str, usize> = BTreeMap::new();
    for row in sections.iter().flat_map(|section| &section.rows) {
        if found.iter().any(|look| look.label == row.label) {
            continue;
        }
        let name = if row.baseline {
            ""
        } else {
            row.algorithm.split(':').next().unwrap_or_default()
        };
        let number = variants.entry(name).or_default();
        let stroke = if row.baseline {
            stroke::baseline(*number)
        } else {
            palette::stroke_of(name, *number)
        };
        *number += 1;
        found.push(Look {
            label: &row.label,
            stroke,
            key: String::new(),
        });
    }
    if found.len() > MOST_WITHOUT_KEY {
        let numbered = (1..).zip(&mut found);
        numbered.for_each(|(number, look): (usize, _)| look.key = number.to_string());
    }
    found
}

/// A row with a result.
struct Learner<'a> {
    row: &'a Row,
    result: &'a Averages,
    look: &'a Look<'a>,
}

fn learners<'a>(section: &'a Section, looks: &'a [Look<'a>]) -> Vec<Learner<'a>> {
    let learner = |row: &'a Row| {
        Some(Learner {
            row,
            result: row.result.as_ref()?,
            look: looks.iter().find(|look| look.label == row.label)?,
        })
    };
    section.rows.iter().filter_map(learner).collect()
}

impl Learner<'_> {
    fn series(&self, shape: Shape) -> Series {
        Series::new(&self.row.label, self.look.stroke, shape).with_key(&self.look.key)
    }

    fn mean(&self) -> f64 {
        self.result.value.mean
    }
}

struct SectionCharts<'a> {
    section: &'a Section,
    learners: Vec<Learner<'a>>,
    number: usize,
}

impl SectionCharts<'_> {
    fn all(&self) -> Vec<NamedChart> {
        let mut charts = vec![self.metric()];
        charts.extend(self.costs());
        charts.extend(self.learning());
        charts
    }

    fn named(
        &self,
        part: Part,
        [end, heading, reading]: [&str; 3],
        x: Axis,
        y: Axis,
        series: Vec<Series>,
    ) -> NamedChart {
        NamedChart {
            name: format!("{}-{end}", self.stem()),
            part,
            heading: heading.to_owned(),
            title: self.section.title(),
            reading: reading.to_owned(),
            chart: Chart::with_legend(SIZE, x, y, series),
        }
    }

    /// Returns a unique file name, in characters that every file system accepts.
    fn stem(&self) -> String {
        let (number, setting) = (self.number, &self.section.setting);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let dataset: String = setting.dataset.chars().map(plain).take(60).collect();
        let protocol = setting.protocol.to_string().replace('-', "");
        format!("{number:02}-{dataset}-{protocol}")
    }

    fn algorithms(&self) -> impl Iterator<Item = &Learner<'_>> {
        self.learners.iter().filter(|learner| !learner.row.baseline)
    }

    fn baselines(&self) -> impl Iterator<Item = &Learner<'_>> {
        self.learners.iter().filter(|learner| learner.row.baseline)
    }

    fn decimals(&self) -> usize {
        self.section.decimals()
    }

    /// Returns the interval within the range of the metric.
    fn interval(&self, learner: &Learner<'_>) -> [f64; 3] {
        self.section.columns[0].interval(&learner.result.value)
    }

    /// Returns an axis that covers the intervals of all algorithms.
    fn metric_axis(&self) -> Axis {
        let ends = |learner: &Learner<'_>| self.interval(learner);
        let algorithms = self.algorithms().flat_map(ends);
        let baselines = self.baselines().flat_map(ends);
        let name = self.section.columns[0].axis_name();
        covering(&name, algorithms.collect(), baselines.collect())
    }

    /// Names the baselines beyond the ends of a vertical axis, with their values: a line of text at each end.
    fn beyond(&self, x: &Axis, y: &Axis) -> Vec<Series> {
        let decimals = self.decimals();
        let at_end = |above: bool| {
            let is_there = move |learner: &&Learner<'_>| {
                if above {
                    learner.mean() > y.end()
                } else {
                    learner.mean() < y.start()
                }
            };
            let beyond: Vec<_> = self.baselines().filter(is_there).collect();
            let words = beyond
                .iter()
                .map(|learner| format!("{} {:.decimals$}", learner.row.label, learner.mean()));
            let words = words.collect::<Vec<_>>().join(", ");
            let (place, side) = if above {
                (0.96, "above")
            } else {
                (0.04, "below")
            };
            let at = (x.at(0.02), y.at(place));
            let first = beyond.first()?;
            Some(first.series(Shape::Text(at, format!("{side}: {words}"))))
        };
        [true, false].into_iter().filter_map(at_end).collect()
    }
}

/// Returns a linear axis for values of algorithms, and for those of baselines nearby.
fn covering(name: &str, algorithms: Vec<f64>, baselines: Vec<f64>) -> Axis {
    let low = algorithms.iter().copied().fold(f64::INFINITY, f64::min);
    let high = algorithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = (high - low).max(0.02 * high.abs());
    let (reach, room) = (REACH * width, ROOM * width);
    let value = |baseline: f64| match baseline {
        _ if low > high => baseline, // there are only baselines
        below if below < low - reach => low - room,
        above if above > high + reach => high + room,
        near => near,
    };
    let baselines = baselines.into_iter().map(value);
    let values = algorithms.iter().copied().chain(baselines);
    Axis::spanning(name, AxisScale::Linear, values)
}

#[cfg(test)]
mod tests {
    use datasets::TaskKind;

    use super::*;
    use crate::metric::Metric;
    use crate::plot::Picture as _;
    use crate::plot::chart::WithoutLegend;
    use crate::plot::palette::stroke_of;
    use crate::record::{Curve, Protocol};

    fn row(label: &str, mean: f64) -> Row {
        Row::example(label, label == "majority", &[mean])
    }

    fn section(rows: Vec<Row>) -> Section {
        Section::example("a/b", Metric::of(TaskKind::Classification), rows)
    }

    fn stream(rows: Vec<Row>) -> Section {
        let mut section = section(rows);
        section.setting.protocol = Protocol::Prequential;
        section.setting.window = Some(10);
        section.setting.n_train = 30;
        for result in section.rows.iter_mut().map(|row| row.result.as_mut()) {
            let result = result.unwrap();
            let values = vec![result.value.mean; 3];
            result.curve = Some(Curve {
                rows: vec![10, 20, 30],
                cumulative: values.clone(),
                windowed: values,
                seconds: vec![1e-3; 3],
            });
        }
        section
    }

    fn with_end<'a>(charts: &'a [NamedChart], end: &str) -> &'a NamedChart {
        charts
            .iter()
            .find(|chart| chart.name.ends_with(end))
            .unwrap()
    }

    #[test]
    fn an_algorithm_has_its_own_colour_in_every_report_and_variants_other_dashes() {
        let sections = [section(vec![
            row("majority", 0.4),
            row("obsp", 0.5),
            row("obsp:budget=2", 0.6),
        ])];
        let obsp = [stroke_of("obsp", 0), stroke_of("obsp", 1)];
        let found: Vec<(&str, Stroke)> = looks(&sections)
            .iter()
            .map(|look| (look.label, look.stroke))
            .collect();
        assert_eq!(found[0], ("majority", stroke::baseline(0)));
        assert_eq!(found[1], ("obsp", obsp[0]));
        assert_eq!(found[2], ("obsp:budget=2", obsp[1]));
        let alone = [section(vec![row("amf", 0.7), row("obsp", 0.5)])];
        assert_eq!(looks(&alone)[1].stroke, obsp[0]);
        let charts = charts(&sections);
        let speed = &with_end(&charts[0], "speed").chart;
        let name = |series: &Series| series.name == "obsp:budget=2" && series.stroke == obsp[1];
        assert!(speed.series.iter().any(name), "labels are whole");
        assert_eq!(charts[0][0].name, "01-a-b-holdout-metric");
    }

    #[test]
    fn a_baseline_far_off_is_written_at_the_edge_and_does_not_squeeze_any_axis() {
        let rows = vec![row("majority", 0.1), row("amf", 0.90), row("obsp", 0.91)];
        let charts = charts(&[stream(rows)]);
        let squeezed = |axis: &Axis| axis.contains(0.1) || !axis.contains(0.9);
        for end in ["speed", "memory", "cumulative", "windowed", "metric"] {
            let chart = &with_end(&charts[0], end).chart;
            let axis = match end {
                "metric" => &chart.x,
                _ => &chart.y,
            };
            assert!(!squeezed(axis), "{end}");
            let says = |series: &Series| match &series.shape {
                Shape::Text(_, text) => text.contains("0.1000"),
                Shape::Line(points) => {
                    assert!(points.iter().all(|point| point.1 >= axis.start()));
                    false
                }
                _ => false,
            };
            assert!(chart.series.iter().any(says), "{end}");
        }
    }

    /// Clocks and learners may report a time of 0, 0 bytes, and diverged values.
    #[test]
    fn no_chart_of_a_comparison_has_a_coordinate_that_is_not_a_number() {
        let mut stream = stream(vec![
            row("majority", 0.4),
            row("amf", 0.9),
            row("obsp", 1e305),
            row("urtf", 0.5),
            row("k-nn", 0.5),
        ]);
        let rows = stream.rows.iter_mut();
        for (number, result) in rows.map(|row| row.result.as_mut().unwrap()).enumerate() {
            result.learn_us = [0.0, 0.0, 1.0, f64::NAN, 1.0][number];
            result.bytes = [Some(0.0), Some(0.0), Some(f64::INFINITY), Some(1.0), None][number];
            result.curve.as_mut().unwrap().seconds = vec![0.0, 1.0, f64::NAN];
            result.curve.as_mut().unwrap().windowed = vec![f64::NAN, 1e305, -1e305];
            result.curves = vec![result.curve.clone().unwrap(); 2];
        }
        let overall = crate::report::overall(&vec![stream.clone(); 1]);
        assert_eq!(overall.len(), 1);
        let charts = charts(&[stream]);
        assert_eq!(charts[0].len(), 6);
        for chart in &charts[0] {
            let svg = chart.chart.svg().replace("not finite", "");
            assert!(
                !svg.contains("NaN") && !svg.contains("inf"),
                "{}: {svg}",
                chart.name
            );
        }
        let speed = &with_end(&charts[0], "speed").chart;
        assert_eq!(
            speed.left_out_words().as_deref(),
            Some("3 points left out: no logarithm, or not finite")
        );
    }

    #[test]
    fn many_algorithms_have_numbers_beside_their_marks_and_few_have_none() {
        let rows = |count: usize| {
            (0..count)
                .map(|number| row(&format!("a{number}"), 0.9))
                .collect()
        };
        let keys = |count: usize| -> Vec<String> {
            let charts = charts(&[section(rows(count))]);
            let series = &with_end(&charts[0], "speed").chart.series;
            let keys = series.iter().map(|series| series.key.clone());
            keys.filter(|key| !key.is_empty()).collect()
        };
        assert_eq!(keys(MOST_WITHOUT_KEY), [""; 0]);
        let numbers: Vec<String> = (1..=40).map(|number: u32| number.to_string()).collect();
        assert_eq!(keys(40), numbers);
    }

    #[test]
    fn curves_of_several_seeds_have_a_band_that_the_legend_leaves_out() {
        let mut stream = stream(vec![row("amf", 0.9), row("obsp", 0.8)]);
        let result = stream.rows[0].result.as_mut().unwrap();
        let curve = result.curve.clone().unwrap();
        let lower = Curve {
            cumulative: vec![0.85; 3],
            windowed: vec![0.85; 3],
            ..curve.clone()
        };
        result.curves = vec![curve, lower];
        let charts = charts(&[stream]);
        for end in ["cumulative", "windowed"] {
            let series = &with_end(&charts[0], end).chart.series;
            let bands = series.iter().filter_map(|series| match &series.shape {
                Shape::Band(points) => Some((series.name.as_str(), points[0].1)),
                _ => None,
            });
            assert_eq!(bands.collect::<Vec<_>>(), [("amf", [0.85, 0.9])], "{end}");
        }
    }

    #[test]
    fn a_baseline_nearby_is_a_line() {
        let rows = vec![row("majority", 0.896), row("amf", 0.90), row("obsp", 0.92)];
        let charts = charts(&[section(rows)]);
        let chart = &with_end(&charts[0], "speed").chart;
        assert!(chart.y.contains(0.896));
        let is_text = |series: &Series| matches!(series.shape, Shape::Text(..));
        assert!(!chart.series.iter().any(is_text));
    }

    #[test]
    fn every_chart_says_how_to_read_it_has_words_at_its_axes_and_follows_the_page() {
        let rows = vec![row("majority", 0.88), row("amf", 0.90), row("obsp", 0.91)];
        let charts = charts(&[stream(rows)]);
        assert_eq!(charts[0].len(), 6);
        for chart in &charts[0] {
            assert!(chart.reading.ends_with('.'), "{}", chart.name);
            for axis in [&chart.chart.x, &chart.chart.y] {
                assert!(!axis.name.contains('_'), "{}", axis.name);
            }
            let svg = WithoutLegend(&chart.chart).inline("").into_string();
            assert!(svg.contains("currentColor") && svg.contains("var(--hue-"));
            let fixed = svg.matches("=\"#").count();
            assert_eq!(
                fixed, 0,
                "{}: a colour that does not follow the page",
                chart.name
            );
        }
    }
}
