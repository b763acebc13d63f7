//! The charts of an item, as one picture.

use comparison::plot::{Axis, AxisScale, Chart, Kind, Picture, Series, Stroke};
use comparison::statistics::Estimate;

use crate::cells::{Cell, Cells, axis, words};
use crate::item::Item;

/// Returns a chart for each metric and panel, two side by side.
pub(crate) fn picture(item: &Item, cells: &Cells) -> Option<Picture> {
    let is_against = item.chart.against.is_some();
    let shown = if is_against { 1 } else { item.metrics.len() };
    let mut charts = Vec::new();
    for (number, metric) in item.metrics.iter().take(shown).enumerate() {
        let name = item.chart.y.get(number).cloned();
        let name = name.unwrap_or_else(|| axis(metric));
        for panel in cells.panels() {
            let of_panel = Panel {
                item,
                cells,
                panel,
                metric,
                name: &name,
            };
            let title = match (panel, item.metrics.len()) {
                ("", _) => words(metric),
                (panel, 1) => panel.to_owned(),
                (panel, _) => format!("{panel}: {}", words(metric)),
            };
            let has_lines = !cells.xs(panel).is_empty();
            let chart = if has_lines {
                of_panel.lines()
            } else {
                of_panel.bars()
            };
            charts.extend(chart.map(|chart| chart.picture().under(&title)));
        }
    }
    Picture::grid(&charts, 2)
}

/// The means of a metric in a panel.
struct Panel<'a> {
    item: &'a Item,
    cells: &'a Cells,
    panel: &'a str,
    metric: &'a str,
    /// The name of its axis.
    name: &'a str,
}

impl Panel<'_> {
    fn axis(&self, name: &str, axis: &str, values: Vec<f64>) -> Axis {
        let is_log = self.item.chart.log.iter().any(|log| log == axis);
        let scale = if is_log {
            AxisScale::Log
        } else {
            AxisScale::Linear
        };
        Axis::spanning(name, scale, values)
    }

    /// Draws lines by x, or by the mean of another metric.
    fn lines(&self) -> Option<Chart> {
        let against = self.item.chart.against.as_deref();
        let (mut series, mut xs, mut ys) = (Vec::new(), Vec::new(), Vec::new());
        for (number, name) in self.cells.series().into_iter().enumerate() {
            let mut line = Vec::new();
            for (x, mean) in self.cells.line(self.panel, name, self.metric) {
                let cell = self.cells.cell(self.panel, name, Some(x));
                let other = against.map(|other| Some(cell?.mean(other)?.mean));
                let Some(x) = other.unwrap_or(Some(x)) else {
                    continue;
                };
                line.push((x, mean.mean));
                xs.push(x);
                ys.extend(ends(mean));
            }
            if !line.is_empty() {
                series.push(Series::new(
                    name,
                    Stroke::of(number),
                    Kind::MarkedLine,
                    line,
                ));
            }
        }
        let across = against.map_or_else(|| self.item.chart.x.clone(), axis);
        let (x, y) = (self.axis(&across, "x", xs), self.axis(self.name, "y", ys));
        (!series.is_empty()).then(|| Chart::new(x, y, series, String::new()))
    }

    fn bars(&self) -> Option<Chart> {
        let is_bar = |cell: &&Cell| cell.panel == self.panel && cell.x.is_none();
        let (mut series, mut labels, mut xs) = (Vec::new(), Vec::new(), Vec::new());
        for cell in self.cells.cells.iter().filter(is_bar) {
            let Some(mean) = cell.mean(self.metric) else {
                continue;
            };
            let ([low, high], row) = (ends(mean), labels.len());
            let bar = [low, mean.mean, high].map(|x| (x, row as f64)).to_vec();
            series.push(Series::new(
                &cell.series,
                Stroke::of(row),
                Kind::Interval,
                bar,
            ));
            labels.push(cell.series.clone());
            xs.extend([low, high]);
        }
        let x = self.axis(self.name, "x", xs);
        (!series.is_empty()).then(|| Chart::by_row(x, labels, series, String::new()))
    }
}

fn ends(mean: Estimate) -> [f64; 2] {
    let half = mean.normal_half_width();
    [mean.mean - half, mean.mean + half]
}
