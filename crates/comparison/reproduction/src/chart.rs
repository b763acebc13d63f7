//! The charts of an item, as one picture.

use results::plot::axis::{Axis, AxisScale};
use results::plot::chart::{Chart, Series, Shape};
use results::plot::colour::Colour;
use results::plot::partition::{HIGH, LOW};
use results::plot::stroke::{Pattern, Stroke, stroke};
use results::plot::titled::TitledCharts;
use results::statistics::Estimate;

use crate::cells::{Cell, Cells};
use crate::item::{AxisName, ChartKind, Item};
use crate::metric;

const SIZE: (u32, u32) = (420, 300);
const SQUARE: (u32, u32) = (420, 400);

/// Draws the picture; returns `None` if there is nothing to draw.
pub(crate) fn picture(item: &Item, cells: &Cells) -> Option<TitledCharts> {
    let charts = match item.chart.kind {
        ChartKind::Segments => each_panel(cells, |panel| Some(segments(cells, panel))),
        ChartKind::Map => each_panel(cells, |panel| map(cells, panel)),
        ChartKind::Means => means(item, cells),
    };
    TitledCharts::new(charts)
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

/// Returns the value of each cell of a panel that has one.
fn column(cells: &Cells, panel: &str, name: &str) -> Vec<f64> {
    let own = cells.cells.iter().filter(|cell| cell.panel == panel);
    let values = own.filter_map(|cell| cell.values(name).first());
    values.map(|(_, value)| *value).collect()
}

/// Draws cuts and hulls as recorded.
fn segments(cells: &Cells, panel: &str) -> Chart {
    let of = |name: &'static str, number: usize| {
        let own = move |cell: &&Cell| cell.panel == panel && cell.series == name;
        let segments = cells.cells.iter().filter(own).filter_map(|cell| {
            let end = |name: &str| cell.values(name).first().map(|(_, value)| *value);
            Some(vec![(end("x0")?, end("y0")?), (end("x1")?, end("y1")?)])
        });
        segments.map(move |ends| Series::new(name, stroke(number), Shape::Line(ends)))
    };
    let series = of("hull", 1).chain(of("cut", 0)).collect();
    let names = [
        "first feature; cuts blue, hulls of leaves orange",
        "second feature",
    ];
    in_the_square(names, series)
}

/// Colours of values on a map, from low to high.
const SHADES: usize = 5;

/// Draws points in five colours, by fifths of their ranks.
fn map(cells: &Cells, panel: &str) -> Option<Chart> {
    let [across, up, values] = ["across", "up", "value"].map(|name| column(cells, panel, name));
    across.first()?;
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    let limits = (1..SHADES).map(|fifth| sorted[sorted.len() * fifth / SHADES]);
    let limits: Vec<f64> = limits.collect();
    let shades = [Colour::Hue(0), Colour::Grid, Colour::Hue(1)];
    let points = across.into_iter().zip(up).zip(values);
    let series = points.map(|(point, value)| {
        let shade = limits.iter().filter(|limit| value >= **limit).count();
        let dot = Stroke {
            colour: Colour::between(&shades, shade as f64 / (SHADES - 1) as f64),
            pattern: Pattern::Solid,
        };
        Series::new("", dot, Shape::MarkedLine(vec![point]))
    });
    let names = [
        "longitude, scaled to [0, 1]; blue low, orange high",
        "latitude, scaled to [0, 1]",
    ];
    Some(in_the_square(names, series.collect()))
}

fn in_the_square(names: [&str; 2], series: Vec<Series>) -> Chart {
    let [x, y] = names.map(|name| Axis::exact(name, LOW..HIGH));
    Chart::new(SQUARE, x, y, series)
}
