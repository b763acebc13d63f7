//! The charts of an item, as one picture.

use comparison::plot::{Axis, AxisScale, Chart, Kind, Picture, Series, Stroke};
use comparison::statistics::Estimate;

use crate::cells::{Cells, axis, words};
use crate::item::Item;

/// Returns a chart for each metric and panel, two side by side.
pub(crate) fn picture(item: &Item, cells: &Cells) -> Option<Picture> {
    let shown = item
        .chart
        .against
        .as_ref()
        .map_or(item.metrics.len(), |_| 1);
    let mut charts = Vec::new();
    for (number, metric) in item.metrics.iter().take(shown).enumerate() {
        for panel in cells.panels() {
            let title = match (panel, item.metrics.len()) {
                ("", _) => words(metric),
                (panel, 1) => panel.to_owned(),
                (panel, _) => format!("{panel}: {}", words(metric)),
            };
            let name = item.chart.y.get(number).cloned();
            let name = name.unwrap_or_else(|| axis(metric));
            let has_lines = !cells.xs(panel).is_empty();
            let draw = if has_lines { lines } else { bars };
            let chart = draw(item, cells, panel, metric, &name);
            charts.extend(chart.map(|chart| chart.picture().under(&title)));
        }
    }
    Picture::grid(&charts, 2)
}

/// Draws lines by x, or by the mean of another metric.
fn lines(item: &Item, cells: &Cells, panel: &str, metric: &str, name: &str) -> Option<Chart> {
    let against = item.chart.against.as_deref();
    let (mut series, mut xs, mut ys) = (Vec::new(), Vec::new(), Vec::new());
    for (number, label) in cells.series().into_iter().enumerate() {
        let mut line = Vec::new();
        for (x, mean) in cells.line(panel, label, metric) {
            let cell = cells.cell(panel, label, Some(x));
            let other = against.map(|other| Some(cell?.mean(other)?.mean));
            if let Some(x) = other.unwrap_or(Some(x)) {
                line.push((x, mean.mean));
                xs.push(x);
                ys.extend(ends(mean));
            }
        }
        let one = Series::new(label, Stroke::of(number), Kind::MarkedLine, line);
        series.extend((!one.points.is_empty()).then_some(one));
    }
    let across = against.map_or_else(|| item.chart.x.clone(), axis);
    let (x, y) = (scaled(item, "x", &across, xs), scaled(item, "y", name, ys));
    (!series.is_empty()).then(|| Chart::new(x, y, series, String::new()))
}

fn bars(item: &Item, cells: &Cells, panel: &str, metric: &str, name: &str) -> Option<Chart> {
    let (mut series, mut labels, mut xs) = (Vec::new(), Vec::new(), Vec::new());
    for label in cells.series() {
        let cell = cells.cell(panel, label, None);
        if let Some(mean) = cell.and_then(|cell| cell.mean(metric)) {
            let ([low, high], row) = (ends(mean), labels.len());
            let bar = [low, mean.mean, high].map(|x| (x, row as f64)).to_vec();
            series.push(Series::new(label, Stroke::of(row), Kind::Interval, bar));
            labels.push(label.to_owned());
            xs.extend([low, high]);
        }
    }
    let x = scaled(item, "x", name, xs);
    (!series.is_empty()).then(|| Chart::by_row(x, labels, series, String::new()))
}

fn scaled(item: &Item, axis: &str, name: &str, values: Vec<f64>) -> Axis {
    let is_log = item.chart.log.iter().any(|log| log == axis);
    let scale = [AxisScale::Linear, AxisScale::Log][usize::from(is_log)];
    Axis::spanning(name, scale, values)
}

fn ends(mean: Estimate) -> [f64; 2] {
    let half = mean.normal_half_width();
    [mean.mean - half, mean.mean + half]
}
