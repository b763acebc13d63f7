//! The charts of a comparison.

use plotters::coord::ranged1d::Ranged as _;

use super::number;
use super::record::{Curve, Protocol};
use super::summary::{Row, Section};
use crate::draw::axis::{Axis, AxisScale};
use crate::draw::chart::{Chart, NUMBERS, Series, Shape};
use crate::draw::style::{self, Stroke};

const SIZE: (u32, u32) = (560, 300);
const LEGEND: u32 = 172;
/// Of a chart with a row per algorithm: room for names, height of a row and of all else.
const NAMES: i32 = 150;
const ROW: usize = 30;
const AXIS: usize = 62;
const LONGEST_NAME: usize = 20;

pub struct NamedChart {
    /// File name without ending.
    pub name: String,
    pub caption: String,
    pub chart: Chart,
}

/// The charts of every section; one without a result has none.
pub fn charts(sections: &[Section]) -> Vec<Vec<NamedChart>> {
    let strokes = Strokes::new(sections);
    let sections = sections.iter().enumerate();
    let charts = sections.map(|(index, section)| section_charts(index, section, &strokes));
    charts.collect()
}

fn section_charts(index: usize, section: &Section, strokes: &Strokes<'_>) -> Vec<NamedChart> {
    let rows = section.rows.iter().filter(|row| row.result.is_some());
    let rows: Vec<(&Row, Stroke)> = rows.map(|row| (row, strokes.of(row))).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let stem = stem(index, section);
    let named = |(end, caption, chart): (&str, String, Chart)| {
        let name = format!("{stem}-{end}");
        NamedChart {
            name,
            caption,
            chart,
        }
    };
    let intervals = "Mean ± 1.96 standard errors over seeds".to_owned();
    let time = "Metric against time per sample and tree".to_owned();
    let mut charts = vec![
        ("metric", intervals, metric_chart(section, &rows)),
        ("time", time, time_chart(section, &rows)),
    ];
    if let Some(window) = section.setting.window {
        let all = "Over all rows so far, mean over seeds".to_owned();
        let last = format!("Over the last {window} rows, mean over seeds");
        let time = "Time per sample and tree along the stream, mean over seeds".to_owned();
        charts.push((
            "cumulative",
            all,
            metric_curves(section, &rows, |curve| &curve.cumulative),
        ));
        charts.push((
            "windowed",
            last,
            metric_curves(section, &rows, |curve| &curve.windowed),
        ));
        charts.push(("pace", time, time_curves(section, &rows)));
    }
    charts.into_iter().map(named).collect()
}

/// A file name that no other section has, in characters that every file system takes.
fn stem(index: usize, section: &Section) -> String {
    let setting = &section.setting;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let dataset: String = setting.dataset.chars().map(plain).take(60).collect();
    let protocol = setting.protocol.to_string().replace('-', "");
    format!("{:02}-{dataset}-{protocol}", index + 1)
}

/// A stroke per algorithm, the same in all sections.
struct Strokes<'a>(Vec<&'a str>);

impl<'a> Strokes<'a> {
    fn new(sections: &'a [Section]) -> Self {
        let mut labels: Vec<&str> = Vec::new();
        let rows = sections.iter().flat_map(|section| &section.rows);
        for row in rows.filter(|row| !row.baseline) {
            if !labels.contains(&row.label.as_str()) {
                labels.push(&row.label);
            }
        }
        Self(labels)
    }

    fn of(&self, row: &Row) -> Stroke {
        let index = self.0.iter().position(|label| *label == row.label);
        index.map_or(style::BASELINE, style::stroke)
    }
}

/// The metric by algorithm, with intervals; baselines as lines across.
fn metric_chart(section: &Section, rows: &[(&Row, Stroke)]) -> Chart {
    let x = metric_axis(section);
    let y = Axis::categories(rows.iter().map(|(row, _)| shortened(&row.label)));
    let decimals = number::decimals(&section.rows);
    let mut series = Vec::new();
    for (index, (row, stroke)) in rows.iter().enumerate() {
        let (y, [low, mean, high]) = (index as f64, interval(row));
        let shape = match x.contains(mean) {
            true => Shape::HorizontalBar(y, [low, mean, high]),
            false => Shape::Text(
                (x.range().start, y),
                format!(" {mean:.decimals$} (off the axis)"),
            ),
        };
        series.push(named(row, *stroke, shape));
        if row.baseline && x.contains(mean) {
            let bottom = rows.len() as f64 - 0.5;
            let line = Shape::Line(vec![(mean, -0.5), (mean, bottom)]);
            series.push(named(row, *stroke, line));
        }
    }
    Chart {
        size: (SIZE.0, (ROW * rows.len() + AXIS) as u32),
        x,
        y,
        series,
        left: NAMES,
        legend: 0,
    }
}

/// The metric against time; baselines, which have no trees to take time, as lines across.
fn time_chart(section: &Section, rows: &[(&Row, Stroke)]) -> Chart {
    let name = match section.setting.protocol {
        Protocol::Holdout => "learn: µs per sample and tree",
        Protocol::Prequential => "test+learn: µs per sample and tree",
    };
    let forests = rows.iter().filter(|(row, _)| !row.baseline);
    let x = Axis::spanning(
        name,
        AxisScale::Log,
        forests.filter_map(|(row, _)| learn_us(row)),
    );
    let y = metric_axis(section);
    let near = rows.iter().filter(|(row, _)| y.contains(interval(row)[1]));
    let series = near.map(|(row, stroke)| {
        let [low, mean, high] = interval(row);
        let across = || vec![(x.range().start, mean), (x.range().end, mean)];
        let shape = match row.baseline {
            true => Shape::Line(across()),
            false => Shape::VerticalBar(learn_us(row).unwrap_or(0.0), [low, mean, high]),
        };
        named(row, *stroke, shape)
    });
    let series = series.collect();
    chart(x, y, series)
}

fn metric_curves(
    section: &Section,
    rows: &[(&Row, Stroke)],
    values: fn(&Curve) -> &[f64],
) -> Chart {
    let curves = rows.iter().filter_map(|(row, stroke)| {
        let curve = row.curve()?;
        Some(named(
            row,
            *stroke,
            line(curve, values(curve).iter().copied()),
        ))
    });
    let curves: Vec<Series> = curves.collect();
    let y = Axis::spanning(
        section.setting.metric.axis_name(),
        AxisScale::Linear,
        ys(&curves),
    );
    chart(stream_axis(section), y, curves)
}

fn time_curves(section: &Section, rows: &[(&Row, Stroke)]) -> Chart {
    let forests = rows.iter().filter(|(row, _)| !row.baseline);
    let curves = forests.filter_map(|(row, stroke)| {
        let line = line(row.curve()?, row.window_us().into_iter());
        Some(named(row, *stroke, line))
    });
    let curves: Vec<Series> = curves.collect();
    let y = Axis::spanning("µs per sample and tree", AxisScale::Log, ys(&curves));
    chart(stream_axis(section), y, curves)
}

fn chart(x: Axis, y: Axis, series: Vec<Series>) -> Chart {
    Chart {
        size: SIZE,
        x,
        y,
        series,
        left: NUMBERS,
        legend: LEGEND,
    }
}

fn named(row: &Row, stroke: Stroke, shape: Shape) -> Series {
    let name = shortened(&row.label);
    Series {
        name,
        stroke,
        shape,
    }
}

/// From the intervals of all algorithms to the baselines near them: a baseline far off would leave
/// little room for what is to be compared.
fn metric_axis(section: &Section) -> Axis {
    let ends = |baseline: bool| {
        let rows = section.rows.iter();
        let rows = rows.filter(move |row| row.baseline == baseline && row.result.is_some());
        rows.flat_map(interval)
    };
    let low = ends(false).fold(f64::INFINITY, f64::min);
    let high = ends(false).fold(f64::NEG_INFINITY, f64::max);
    let reach = (high - low).max(0.25 * high.abs()) * 1.5;
    let near = |value: &f64| low > high || (low - reach..=high + reach).contains(value);
    let values = ends(false).chain(ends(true).filter(near));
    Axis::spanning(
        section.setting.metric.axis_name(),
        AxisScale::Linear,
        values,
    )
}

fn stream_axis(section: &Section) -> Axis {
    Axis::exact("rows seen", 0.0..section.setting.n_train as f64)
}

fn interval(row: &Row) -> [f64; 3] {
    let result = row.result.as_ref();
    result.map_or([f64::NAN; 3], |result| result.value.interval())
}

fn learn_us(row: &Row) -> Option<f64> {
    row.result.as_ref().map(|result| result.learn_us)
}

fn line(curve: &Curve, values: impl Iterator<Item = f64>) -> Shape {
    let rows = curve.rows.iter().map(|&rows| rows as f64);
    Shape::Line(rows.zip(values).collect())
}

fn ys(series: &[Series]) -> impl Iterator<Item = f64> {
    let points = series.iter().flat_map(|series| match &series.shape {
        Shape::Line(points) => &points[..],
        _ => &[],
    });
    points.map(|point| point.1)
}

/// A label that fits beside a chart.
fn shortened(label: &str) -> String {
    match label.char_indices().nth(LONGEST_NAME) {
        None => label.to_owned(),
        Some(_) => label.chars().take(LONGEST_NAME - 1).chain(['…']).collect(),
    }
}
