//! The charts of a comparison.

use super::number;
use super::overall::Overall;
use super::summary::{Averages, Row, Section};
use crate::plot::axis::{Axis, AxisScale};
use crate::plot::chart::{Chart, NUMBERS, Series, Shape};
use crate::plot::style::{self, Stroke};
use crate::record::{Curve, Protocol};

const SIZE: (u32, u32) = (560, 300);
const LEGEND: u32 = 172;
/// Of a chart with a row per algorithm: room for names, height of a row and of all else.
const NAMES: i32 = 150;
const ROW: usize = 30;
const AXIS: usize = 58;
const LONGEST_NAME: usize = 20;

/// A chart and its words.
pub struct NamedChart {
    /// File name without ending.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub chart: Chart,
}

/// The charts of every section; one without a result has none.
pub fn charts(sections: &[Section]) -> Vec<Vec<NamedChart>> {
    let labels = labels(sections);
    let numbered = (1..).zip(sections);
    let charts = numbered.map(|(number, section)| match learners(section, &labels) {
        learners if learners.is_empty() => Vec::new(),
        learners => SectionCharts { section, learners }.all(number),
    });
    charts.collect()
}

/// Mean ranks over data sets, each with half the critical difference to both sides: two differ if their bars are apart.
pub(super) fn ranks(overall: &Overall) -> NamedChart {
    let half = overall.critical_difference / 2.0;
    let bar = |rank: f64| [rank - half, rank, rank + half];
    let algorithms = overall.matrix.algorithms().iter();
    let series = algorithms.zip(&overall.ranks).enumerate();
    let series = series.map(|(index, (name, &rank))| Series {
        name: name.clone(),
        stroke: style::stroke(0),
        shape: Shape::HorizontalBar(index as f64, bar(rank)),
    });
    let ends = overall.ranks.iter().flat_map(|&rank| bar(rank));
    let names = overall.matrix.algorithms().iter();
    let protocol = overall.protocol.to_string().replace([' ', '-'], "");
    let chart = Chart {
        size: (SIZE.0, (ROW * overall.ranks.len() + AXIS) as u32),
        x: Axis::spanning("mean rank (1 is best)", AxisScale::Linear, ends),
        y: Axis::categories(names.map(|name| shortened(name))),
        series: series.collect(),
        left: NAMES,
        legend: 0,
    };
    NamedChart {
        name: format!("ranks-{protocol}-{}", overall.metric.name),
        caption: "Mean ranks and Nemenyi's critical difference at 5 %: two algorithms differ if their bars do not overlap"
            .to_owned(),
        chart,
    }
}

/// The algorithms of all sections, each once: an algorithm has the same stroke everywhere.
fn labels(sections: &[Section]) -> Vec<&str> {
    let mut labels = Vec::new();
    let rows = sections.iter().flat_map(|section| &section.rows);
    for row in rows.filter(|row| !row.baseline) {
        if !labels.contains(&row.label.as_str()) {
            labels.push(row.label.as_str());
        }
    }
    labels
}

/// A row with a result.
struct Learner<'a> {
    row: &'a Row,
    result: &'a Averages,
    stroke: Stroke,
}

fn learners<'a>(section: &'a Section, labels: &[&str]) -> Vec<Learner<'a>> {
    let mut baselines = 0..;
    let learner = |row: &'a Row| {
        let index = labels.iter().position(|label| *label == row.label);
        let baseline = || style::baseline(baselines.next().unwrap_or(0));
        let stroke = index.map_or_else(baseline, style::stroke);
        let result = row.result.as_ref()?;
        Some(Learner {
            row,
            result,
            stroke,
        })
    };
    section.rows.iter().filter_map(learner).collect()
}

impl Learner<'_> {
    fn series(&self, shape: Shape) -> Series {
        Series {
            name: shortened(&self.row.label),
            stroke: self.stroke,
            shape,
        }
    }

    /// `values` along the stream.
    fn curve(&self, values: fn(&Self, &Curve) -> Vec<f64>) -> Option<Vec<(f64, f64)>> {
        let curve = self.result.curve.as_ref()?;
        let rows = curve.rows.iter().map(|&rows| rows as f64);
        Some(rows.zip(values(self, curve)).collect())
    }
}

struct SectionCharts<'a> {
    section: &'a Section,
    learners: Vec<Learner<'a>>,
}

impl SectionCharts<'_> {
    fn all(&self, number: usize) -> Vec<NamedChart> {
        let stem = self.stem(number);
        let named = |end: &str, caption: &str, chart| NamedChart {
            name: format!("{stem}-{end}"),
            caption: caption.to_owned(),
            chart,
        };
        let interval = "Mean over seeds and its 95 % interval";
        let time = "Metric against time per sample and tree";
        let mut charts = vec![
            named("metric", interval, self.metric()),
            named("time", time, self.time()),
        ];
        if let Some(window) = self.section.setting.window {
            let all = "Over all rows so far, mean over seeds";
            let last = format!("Over the last {window} rows, mean over seeds");
            let time = "Time per sample and tree along the stream, mean over seeds";
            let cumulative = self.metric_curves(|_, curve| curve.cumulative.clone());
            let windowed = self.metric_curves(|_, curve| curve.windowed.clone());
            charts.push(named("cumulative", all, cumulative));
            charts.push(named("windowed", &last, windowed));
            charts.push(named("pace", time, self.time_curves()));
        }
        charts
    }

    /// A file name that no other section has, in characters that every file system takes.
    fn stem(&self, number: usize) -> String {
        let setting = &self.section.setting;
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let dataset: String = setting.dataset.chars().map(plain).take(60).collect();
        let protocol = setting.protocol.to_string().replace('-', "");
        format!("{number:02}-{dataset}-{protocol}")
    }

    /// The metric by algorithm, with intervals; baselines as lines across.
    fn metric(&self) -> Chart {
        let x = self.metric_axis();
        let names = self
            .learners
            .iter()
            .map(|learner| shortened(&learner.row.label));
        let decimals = number::decimals(&self.section.rows);
        let mut series = Vec::new();
        for (index, learner) in self.learners.iter().enumerate() {
            let (y, value) = (index as f64, learner.result.value);
            let mean = value.mean;
            if !x.contains(mean) {
                let text = format!(" {mean:.decimals$} (off the axis)");
                series.push(learner.series(Shape::Text((x.start(), y), text)));
                continue;
            }
            series.push(learner.series(Shape::HorizontalBar(y, value.interval())));
            if learner.row.baseline {
                let bottom = self.learners.len() as f64 - 0.5;
                series.push(learner.series(Shape::Line(vec![(mean, -0.5), (mean, bottom)])));
            }
        }
        Chart {
            size: (SIZE.0, (ROW * self.learners.len() + AXIS) as u32),
            x,
            y: Axis::categories(names),
            series,
            left: NAMES,
            legend: 0,
        }
    }

    /// The metric against time; baselines, which have no trees to take time, as lines across.
    fn time(&self) -> Chart {
        let name = match self.section.setting.protocol {
            Protocol::Holdout | Protocol::KFold => "learn: µs per sample and tree",
            Protocol::Prequential | Protocol::Delayed => "test+learn: µs per sample and tree",
        };
        let times = self.forests().map(|learner| learner.result.learn_us);
        let x = Axis::spanning(name, AxisScale::Log, times);
        let y = self.metric_axis();
        let all = self.learners.iter();
        let near = all.filter(|learner| y.contains(learner.result.value.mean));
        let series = near.map(|learner| {
            let value = learner.result.value;
            learner.series(match learner.row.baseline {
                true => Shape::Line(vec![(x.start(), value.mean), (x.end(), value.mean)]),
                false => Shape::VerticalBar(learner.result.learn_us, value.interval()),
            })
        });
        let series = series.collect();
        with_legend(x, y, series)
    }

    fn metric_curves(&self, values: fn(&Learner<'_>, &Curve) -> Vec<f64>) -> Chart {
        let name = self.section.setting.metric.axis_name();
        self.curves(&name, AxisScale::Linear, self.learners.iter(), values)
    }

    fn time_curves(&self) -> Chart {
        let name = "µs per sample and tree";
        let values = |learner: &Learner<'_>, _: &Curve| learner.row.window_us();
        self.curves(name, AxisScale::Log, self.forests(), values)
    }

    fn curves<'a>(
        &self,
        name: &str,
        scale: AxisScale,
        learners: impl Iterator<Item = &'a Learner<'a>>,
        values: fn(&Learner<'_>, &Curve) -> Vec<f64>,
    ) -> Chart {
        let curves = learners.filter_map(|learner| Some((learner, learner.curve(values)?)));
        let curves: Vec<_> = curves.collect();
        let points = curves.iter().flat_map(|(_, points)| points);
        let y = Axis::spanning(name, scale, points.map(|point| point.1));
        let x = Axis::exact("rows seen", 0.0..self.section.setting.n_train as f64);
        let marks = self.changes(&y);
        let curves = curves.into_iter();
        let curves = curves.map(|(learner, points)| learner.series(Shape::Line(points)));
        with_legend(x, y, marks.into_iter().chain(curves).collect())
    }

    /// Lines upwards at the changes of the stream, if there are any.
    fn changes(&self, y: &Axis) -> Option<Series> {
        let changes = &self.section.setting.changes;
        let rows = changes.iter().map(|&row| row as f64);
        (!changes.is_empty()).then(|| Series {
            name: "change".to_owned(),
            stroke: style::CHANGE,
            shape: Shape::Verticals(rows.collect(), [y.start(), y.end()]),
        })
    }

    fn forests(&self) -> impl Iterator<Item = &Learner<'_>> {
        self.learners.iter().filter(|learner| !learner.row.baseline)
    }

    /// From the intervals of all algorithms to the baselines near them: a baseline far off would
    /// leave little room for what is to be compared.
    fn metric_axis(&self) -> Axis {
        let ends = |baseline: bool| {
            let learners = self.learners.iter();
            let learners = learners.filter(move |learner| learner.row.baseline == baseline);
            learners.flat_map(|learner| learner.result.value.interval())
        };
        let low = ends(false).fold(f64::INFINITY, f64::min);
        let high = ends(false).fold(f64::NEG_INFINITY, f64::max);
        let reach = (high - low).max(0.25 * high.abs()) * 1.5;
        let near = |value: &f64| low > high || (low - reach..=high + reach).contains(value);
        let values = ends(false).chain(ends(true).filter(near));
        let name = self.section.columns[0].axis_name();
        Axis::spanning(&name, AxisScale::Linear, values)
    }
}

fn with_legend(x: Axis, y: Axis, series: Vec<Series>) -> Chart {
    Chart {
        size: SIZE,
        x,
        y,
        series,
        left: NUMBERS,
        legend: LEGEND,
    }
}

/// A label that fits beside a chart.
fn shortened(label: &str) -> String {
    match label.char_indices().nth(LONGEST_NAME) {
        None => label.to_owned(),
        Some(_) => label.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datasets::TaskKind;

    use crate::metric::Metric;

    fn row(label: &str, mean: f64) -> Row {
        Row::example(label, label == "majority", &[mean])
    }

    fn section(rows: Vec<Row>) -> Section {
        Section::example("a/b", Metric::of(TaskKind::Classification), rows)
    }

    #[test]
    fn an_algorithm_has_one_stroke_in_all_sections() {
        let sections = [
            section(vec![row("majority", 0.4), row("a", 0.5), row("b", 0.6)]),
            section(vec![row("b", 0.6), row("c", 0.7)]),
        ];
        let charts = charts(&sections);
        let stroke = |section: usize, series: usize| charts[section][1].chart.series[series].stroke;
        assert_eq!(stroke(0, 0), style::baseline(0));
        assert_eq!(stroke(0, 1), style::stroke(0));
        assert_eq!(stroke(0, 2), stroke(1, 0));
        assert_eq!(stroke(1, 1), style::stroke(2));
        assert_eq!(charts[1][0].name, "02-a-b-holdout-metric");
    }

    #[test]
    fn a_baseline_far_off_is_written_and_does_not_stretch_the_axis() {
        let rows = vec![row("majority", 0.1), row("a", 0.90), row("b", 0.91)];
        let charts = charts(&[section(rows)]);
        let metric = &charts[0][0].chart;
        assert!(!metric.x.contains(0.1) && metric.x.contains(0.9));
        let text = |series: &Series| matches!(&series.shape, Shape::Text(_, text) if text.contains("0.1000"));
        assert!(text(&metric.series[0]));
        assert_eq!(
            charts[0][1].chart.series.len(),
            2,
            "nor is it a line across"
        );
    }
}
