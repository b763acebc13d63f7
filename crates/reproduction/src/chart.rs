//! The charts of an item, as one picture.

use comparison::plot::axis::{Axis, AxisScale};
use comparison::plot::chart::{Chart, Series, Shape};
use comparison::plot::stroke::stroke;
use comparison::plot::titled::TitledCharts;
use comparison::statistics::Estimate;

use crate::cells::{Cell, Cells};
use crate::item::{AxisName, Item};
use crate::metric;

const SIZE: (u32, u32) = (420, 300);

/// Draws the picture; returns `None` if there is nothing to draw.
pub(crate) fn picture(item: &Item, cells: &Cells) -> Option<TitledCharts> {
    TitledCharts::new(means(item, cells))
}

fn each_panel(cells: &Cells, chart: impl Fn(&str) -> Option<Chart>) -> Vec<(String, Chart)> {
    let panels = cells.panels().into_iter();
    let charts = panels.filter_map(|panel| Some((panel.to_owned(), chart(panel)?)));
    charts.collect()
}

/// Draws a chart for each metric and panel.
fn means(item: &Item, cells: &Cells) -> Vec<(String, Chart)> {
    let shown = match item.chart.against {
        Some(_) => 1,
        None => item.metrics.len(),
    };
    let charts = (0..shown).flat_map(|metric| {
        let charts = each_panel(cells, |panel| {
            let means = Means {
                item,
                cells,
                panel,
                metric,
            };
            if cells.xs(panel).is_empty() {
                means.bars()
            } else {
                means.lines()
            }
        });
        let charts = charts.into_iter();
        charts.map(move |(panel, chart)| (title(item, &panel, metric), chart))
    });
    charts.collect()
}

fn title(item: &Item, panel: &str, metric: usize) -> String {
    let metric = metric::words(&item.metrics[metric]);
    match (panel.is_empty(), item.metrics.len()) {
        (true, _) => metric,
        (false, 1) => panel.to_owned(),
        (false, _) => format!("{panel}: {metric}"),
    }
}

/// One metric, by its number, in one panel.
struct Means<'a> {
    item: &'a Item,
    cells: &'a Cells,
    panel: &'a str,
    metric: usize,
}

impl Means<'_> {
    fn metric(&self) -> &str {
        &self.item.metrics[self.metric]
    }

    /// Returns the axis of the metric.
    fn values(&self, axis: AxisName, means: impl Iterator<Item = Estimate>) -> Axis {
        let own = self.item.chart.y.get(self.metric).cloned();
        let name = own.unwrap_or_else(|| metric::axis(self.metric()));
        Axis::spanning(&name, self.scale(axis), means.flat_map(ends))
    }

    fn scale(&self, axis: AxisName) -> AxisScale {
        if self.item.chart.log.contains(&axis) {
            AxisScale::Log
        } else {
            AxisScale::Linear
        }
    }

    /// Returns a line for each series; intervals are in the tables.
    fn lines(&self) -> Option<Chart> {
        let names = self.cells.series().into_iter().enumerate();
        let lines = names.map(|(number, name)| (number, name, self.line(name)));
        let lines: Vec<_> = lines.filter(|(_, _, line)| !line.is_empty()).collect();
        let points = || lines.iter().flat_map(|(_, _, line)| line);
        points().next()?;
        let name = match &self.item.chart.against {
            None => self.item.chart.x.clone(),
            Some(other) => metric::axis(other),
        };
        let x = Axis::spanning(&name, self.scale(AxisName::X), points().map(|p| p.0));
        let y = self.values(AxisName::Y, points().map(|p| p.1));
        let series = lines.iter().map(|(number, name, line)| {
            let line = line.iter().map(|(x, mean)| (*x, mean.mean));
            Series::new(*name, stroke(*number), Shape::MarkedLine(line.collect()))
        });
        Some(Chart::with_legend(SIZE, x, y, series.collect()))
    }

    /// Draws a line against `x`, or against another metric.
    fn line(&self, name: &str) -> Vec<(f64, Estimate)> {
        let across = |x: f64| match &self.item.chart.against {
            None => Some(x),
            Some(other) => Some(
                self.cells
                    .cell(self.panel, name, Some(x))?
                    .mean(other)?
                    .mean,
            ),
        };
        let line = self.cells.line(self.panel, name, self.metric()).into_iter();
        line.filter_map(|(x, mean)| Some((across(x)?, mean)))
            .collect()
    }

    /// Returns a bar of ± 1.96 standard errors for each series.
    fn bars(&self) -> Option<Chart> {
        let of_panel = |cell: &&Cell| cell.panel == self.panel && cell.x.is_none();
        let cells = self.cells.cells.iter().filter(of_panel);
        let means =
            cells.filter_map(|cell| Some((cell.series.as_str(), cell.mean(self.metric())?)));
        let means: Vec<(&str, Estimate)> = means.collect();
        means.first()?;
        let bar = |(place, (name, mean)): (usize, &(&str, Estimate))| {
            let [low, high] = ends(*mean);
            let bar = Shape::HorizontalBar(place as f64, [low, mean.mean, high]);
            Series::new(*name, stroke(place), bar)
        };
        let series = means.iter().enumerate().map(bar).collect();
        let labels = means.iter().map(|(name, _)| (*name).to_owned()).collect();
        let x = self.values(AxisName::X, means.iter().map(|(_, mean)| *mean));
        Some(Chart::by_row(x, labels, series))
    }
}

fn ends(mean: Estimate) -> [f64; 2] {
    let half = mean.normal_half_width();
    [mean.mean - half, mean.mean + half]
}
