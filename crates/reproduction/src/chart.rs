//! The charts of an item, as one picture.

use comparison::plot::axis::{Axis, AxisScale};
use comparison::plot::chart::{Chart, Series, Shape};
use comparison::plot::stroke::stroke;
use comparison::plot::titled::TitledCharts;
use comparison::statistics::Estimate;

use crate::cells::{Cells, axis, words};
use crate::item::Item;

const SIZE: (u32, u32) = (420, 300);

/// Returns a chart for each metric and panel.
pub(crate) fn picture(item: &Item, cells: &Cells) -> Option<TitledCharts> {
    let shown = if item.chart.against.is_some() {
        1
    } else {
        item.metrics.len()
    };
    let mut charts = Vec::new();
    for (number, metric) in item.metrics.iter().take(shown).enumerate() {
        let own = item.chart.y.get(number).cloned();
        let name = own.unwrap_or_else(|| axis(metric));
        for panel in cells.panels() {
            let means = Means {
                item,
                cells,
                panel,
                metric,
                name: &name,
            };
            let chart = if cells.xs(panel).is_empty() {
                means.bars()
            } else {
                means.lines()
            };
            let title = match (panel.is_empty(), item.metrics.len()) {
                (true, _) => words(metric),
                (false, 1) => panel.to_owned(),
                (false, _) => format!("{panel}: {}", words(metric)),
            };
            charts.extend(chart.map(|chart| (title, chart)));
        }
    }
    TitledCharts::new(charts)
}

/// The means of a metric in a panel.
struct Means<'a> {
    item: &'a Item,
    cells: &'a Cells,
    panel: &'a str,
    metric: &'a str,
    /// The name of its axis.
    name: &'a str,
}

impl Means<'_> {
    fn scale(&self, axis: &str) -> AxisScale {
        if self.item.chart.log.iter().any(|log| log == axis) {
            AxisScale::Log
        } else {
            AxisScale::Linear
        }
    }

    fn lines(&self) -> Option<Chart> {
        let mut lines = Vec::new();
        for (number, name) in self.cells.series().into_iter().enumerate() {
            let line = self.line(name);
            if !line.is_empty() {
                lines.push((number, name, line));
            }
        }
        let points = || lines.iter().flat_map(|(_, _, line)| line);
        points().next()?;
        let across = match &self.item.chart.against {
            None => self.item.chart.x.clone(),
            Some(other) => axis(other),
        };
        let x = Axis::spanning(&across, self.scale("x"), points().map(|p| p.0));
        let y = Axis::spanning(self.name, self.scale("y"), points().flat_map(|p| ends(p.1)));
        let series = lines.iter().map(|(number, name, line)| {
            let line = line.iter().map(|(x, mean)| (*x, mean.mean));
            Series::new(*name, stroke(*number), Shape::MarkedLine(line.collect()))
        });
        Some(Chart::with_legend(SIZE, x, y, series.collect()))
    }

    /// Returns the points of a line by x, or by the mean of another metric.
    fn line(&self, name: &str) -> Vec<(f64, Estimate)> {
        let mut line = self.cells.line(self.panel, name, self.metric);
        if let Some(other) = &self.item.chart.against {
            let across = |x| {
                Some(
                    self.cells
                        .cell(self.panel, name, Some(x))?
                        .mean(other)?
                        .mean,
                )
            };
            let moved = line
                .into_iter()
                .filter_map(|(x, mean)| Some((across(x)?, mean)));
            line = moved.collect();
        }
        line
    }

    fn bars(&self) -> Option<Chart> {
        let of_panel = self
            .cells
            .cells
            .iter()
            .filter(|cell| cell.panel == self.panel && cell.x.is_none());
        let means =
            of_panel.filter_map(|cell| Some((cell.series.as_str(), cell.mean(self.metric)?)));
        let means: Vec<(&str, Estimate)> = means.collect();
        means.first()?;
        let bar = |(place, (name, mean)): (usize, &(&str, Estimate))| {
            let [low, high] = ends(*mean);
            let bar = Shape::HorizontalBar(place as f64, [low, mean.mean, high]);
            Series::new(*name, stroke(place), bar)
        };
        let series = means.iter().enumerate().map(bar).collect();
        let labels = means.iter().map(|(name, _)| (*name).to_owned()).collect();
        let x = Axis::spanning(
            self.name,
            self.scale("x"),
            means.iter().flat_map(|(_, mean)| ends(*mean)),
        );
        Some(Chart::by_row(x, labels, series))
    }
}

fn ends(mean: Estimate) -> [f64; 2] {
    let half = mean.normal_half_width();
    [mean.mean - half, mean.mean + half]
}
