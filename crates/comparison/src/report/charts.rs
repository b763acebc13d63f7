//! The charts of a comparison: who is best, what it costs, how it learns.

mod cost;
mod learning;
mod standing;

use super::section::{Averages, Row, Section};
use crate::plot::axis::{Axis, AxisScale};
use crate::plot::chart::{Chart, Series, Shape};
use crate::plot::stroke::{self, Stroke};

pub(super) use standing::ranks;

/// Width and height without a legend.
const SIZE: (u32, u32) = (400, 290);
/// A baseline may widen an axis by this share of the algorithms' range.
const REACH: f64 = 0.25;
/// Maximum number of algorithms without numbers beside their marks.
const MOST_WITHOUT_KEY: usize = 8;

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

/// Returns the look of each label, in the order in which they appear.
pub(super) fn looks(sections: &[Section]) -> Vec<Look<'_>> {
    let mut found: Vec<Look<'_>> = Vec::new();
    let (mut baselines, mut algorithms) = (0.., 0..);
    for row in sections.iter().flat_map(|section| &section.rows) {
        if found.iter().any(|look| look.label == row.label) {
            continue;
        }
        let stroke = if row.baseline {
            baselines.next().map(stroke::baseline)
        } else {
            algorithms.next().map(stroke::stroke)
        };
        found.extend(stroke.map(|stroke| Look {
            label: &row.label,
            stroke,
            key: String::new(),
        }));
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

    /// Names a chart of the metric, whose picture says which baselines are beyond its axis.
    fn with_note(&self, mut named: NamedChart) -> NamedChart {
        named.chart.note = self.beyond(&named.chart.y);
        named
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

    /// Names the baselines beyond an axis of the metric, with their values.
    fn beyond(&self, axis: &Axis) -> String {
        let beyond = self
            .baselines()
            .filter(|learner| !axis.contains(learner.mean()));
        let decimals = self.decimals();
        let words: Vec<String> = beyond
            .map(|learner| format!("{} {:.decimals$}", learner.row.label, learner.mean()))
            .collect();
        if words.is_empty() {
            String::new()
        } else {
            format!("beyond the axis: {}", words.join(", "))
        }
    }
}

/// Returns a linear axis for values of algorithms, and for those of baselines nearby.
fn covering(name: &str, algorithms: Vec<f64>, baselines: Vec<f64>) -> Axis {
    let low = algorithms.iter().copied().fold(f64::INFINITY, f64::min);
    let high = algorithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let reach = REACH * (high - low).max(0.02 * high.abs());
    let is_near = |value: &f64| low > high || (low - reach..=high + reach).contains(value);
    let near = baselines.into_iter().filter(is_near);
    Axis::spanning(
        name,
        AxisScale::Linear,
        algorithms.iter().copied().chain(near),
    )
}

#[cfg(test)]
mod tests {
    use datasets::TaskKind;

    use super::*;
    use crate::metric::Metric;
    use crate::plot::Picture as _;
    use crate::plot::chart::WithoutLegend;
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
    fn an_algorithm_has_the_same_look_in_all_charts_of_a_report() {
        let rows = |others: &[&str]| {
            let rows = others.iter().map(|label| row(label, 0.5));
            section(rows.collect())
        };
        let sections = [rows(&["majority", "obsp", "amf"]), rows(&["amf", "urtf"])];
        let found = looks(&sections);
        let found: Vec<(&str, Stroke)> =
            found.iter().map(|look| (look.label, look.stroke)).collect();
        assert_eq!(
            found,
            [
                ("majority", stroke::baseline(0)),
                ("obsp", stroke::stroke(0)),
                ("amf", stroke::stroke(1)),
                ("urtf", stroke::stroke(2))
            ]
        );
        let charts = charts(&sections);
        for (of_set, stroke) in [(0, stroke::stroke(1)), (1, stroke::stroke(1))] {
            let speed = &with_end(&charts[of_set], "speed").chart;
            let is_amf = |series: &Series| series.name == "amf" && series.stroke == stroke;
            assert!(speed.series.iter().any(is_amf));
        }
        assert_eq!(charts[0][0].name, "01-a-b-holdout-metric");
    }

    #[test]
    fn a_baseline_far_off_is_named_below_and_does_not_squeeze_any_axis() {
        let rows = vec![row("majority", 0.1), row("amf", 0.90), row("obsp", 0.91)];
        let charts = charts(&[stream(rows)]);
        for end in ["speed", "memory", "cumulative", "windowed", "metric"] {
            let chart = &with_end(&charts[0], end).chart;
            let axis = match end {
                "metric" => &chart.x,
                _ => &chart.y,
            };
            assert!(!axis.contains(0.1) && axis.contains(0.9), "{end}");
            let said = "beyond the axis: majority 0.1000";
            assert!(chart.words_below().contains(said), "{end}");
            for series in &chart.series {
                if let Shape::Line(points) = &series.shape {
                    let inside = |point: &(f64, f64)| end == "metric" || point.1 >= axis.start();
                    assert!(points.iter().all(inside), "{end}");
                }
            }
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
            speed.words_below(),
            "3 points left out: no logarithm, or not finite"
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
        assert_eq!(chart.words_below(), "");
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
