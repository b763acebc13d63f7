//! The charts of an item, as one SVG document.

use plotters::prelude::*;

use crate::item::{AxisName, ChartKind, Item};
use crate::metric;
use crate::results::{Cell, Mean, Results};
use evaluation::planar;
use evaluation::plot::axis::{Axis, AxisScale};
use evaluation::plot::chart::{Chart, NUMBERS, Series, Shape, legend_width, text_width};
use evaluation::plot::stroke::{Pattern, Stroke};
use evaluation::plot::{Backend, Canvas, Picture, PictureError, style};

const SIZE: (u32, u32) = (420, 300);
const SQUARE: (u32, u32) = (420, 400);
/// Charts side by side.
const COLUMNS: usize = 2;
const TITLE: u32 = 26;
/// Height of a bar, of the axes, and of a letter in front of a bar.
const BAR: u32 = 22;
const AXES: u32 = 70;

/// Charts in a grid, each with a title.
struct Grid {
    charts: Vec<(String, Chart)>,
    /// Of one chart with its title.
    cell: (u32, u32),
}

/// The picture; `None` if there is nothing to draw.
pub fn svg(item: &Item, results: &Results) -> Result<Option<String>, PictureError> {
    let charts = match item.chart.kind {
        ChartKind::Segments => segments(results),
        ChartKind::Map => maps(results),
        ChartKind::Means => means(item, results),
    };
    let size = |(_, chart): &(String, Chart)| chart.size();
    let width = charts.iter().map(size).map(|size| size.0).max();
    let height = charts.iter().map(size).map(|size| size.1).max();
    let (Some(width), Some(height)) = (width, height) else {
        return Ok(None);
    };
    let cell = (width, height + TITLE);
    Ok(Some(Grid { charts, cell }.svg()?))
}

impl Picture for Grid {
    fn size(&self) -> (u32, u32) {
        let columns = self.charts.len().min(COLUMNS);
        let rows = self.charts.len().div_ceil(COLUMNS);
        (self.cell.0 * columns as u32, self.cell.1 * rows as u32)
    }

    fn draw<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<(), PictureError> {
        let columns = self.charts.len().min(COLUMNS);
        let rows = self.charts.len().div_ceil(COLUMNS);
        for ((title, chart), part) in self.charts.iter().zip(canvas.grid(rows, columns)) {
            let at = (part.pixels(NUMBERS), part.pixels(6));
            part.area
                .draw(&Text::new(title.clone(), at, part.text_style()))?;
            let (_, below) = part.area.split_vertically(part.pixels(TITLE as i32));
            chart.draw(&part.with(below))?;
        }
        Ok(())
    }
}

/// A chart for each metric and panel.
fn means(item: &Item, results: &Results) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    let metrics = match item.chart.against {
        Some(_) => &item.metrics[..1],
        None => &item.metrics[..],
    };
    for (number, name) in metrics.iter().enumerate() {
        for panel in results.panels() {
            let title = title(item, panel, name);
            let chart = match results.xs(panel).is_empty() {
                true => bars(item, results, panel, number),
                false => lines(item, results, panel, number),
            };
            charts.extend(chart.map(|chart| (title, chart)));
        }
    }
    charts
}

fn title(item: &Item, panel: &str, metric: &str) -> String {
    match (panel.is_empty(), item.metrics.len()) {
        (true, _) => metric.replace('_', " "),
        (false, 1) => panel.to_owned(),
        (false, _) => format!("{panel}: {}", metric.replace('_', " ")),
    }
}

fn y_name(item: &Item, number: usize) -> String {
    let own = item.chart.y.get(number).cloned();
    own.unwrap_or_else(|| metric::axis(&item.metrics[number]))
}

fn scale(item: &Item, axis: AxisName) -> AxisScale {
    match item.chart.log.contains(&axis) {
        true => AxisScale::Log,
        false => AxisScale::Linear,
    }
}

/// A line for each series; intervals are in the tables.
fn lines(item: &Item, results: &Results, panel: &str, number: usize) -> Option<Chart> {
    let metric = &item.metrics[number];
    let line = |name: &str| -> Vec<(f64, Mean)> {
        let line = results.line(panel, name, metric).into_iter();
        let across = |x: f64| match &item.chart.against {
            None => Some(x),
            Some(other) => Some(results.cell(panel, name, Some(x))?.mean(other)?.mean),
        };
        line.filter_map(|(x, mean)| Some((across(x)?, mean)))
            .collect()
    };
    let all: Vec<(&str, Vec<(f64, Mean)>)> = results
        .series()
        .into_iter()
        .map(|name| (name, line(name)))
        .collect();
    let points = || all.iter().flat_map(|(_, line)| line);
    points().next()?;
    let x_name = match &item.chart.against {
        None => item.chart.x.clone(),
        Some(other) => metric::axis(other),
    };
    let ends = points().flat_map(|(_, mean)| ends(*mean));
    let x = Axis::spanning(&x_name, scale(item, AxisName::X), points().map(|p| p.0));
    let y = Axis::spanning(&y_name(item, number), scale(item, AxisName::Y), ends);
    let mut series = Vec::new();
    for (index, (name, line)) in all
        .iter()
        .enumerate()
        .filter(|(_, (_, line))| !line.is_empty())
    {
        let stroke = style::stroke(index);
        let marked = line.iter().map(|(x, mean)| (*x, mean.mean)).collect();
        series.push(Series {
            name: (*name).to_owned(),
            stroke,
            shape: Shape::MarkedLine(marked),
        });
    }
    Some(Chart {
        size: (SIZE.0 + legend_width(&series), SIZE.1),
        x,
        y,
        legend: legend_width(&series),
        series,
        left: NUMBERS,
    })
}

fn ends(mean: Mean) -> [f64; 2] {
    let half = mean.normal_interval();
    [mean.mean - half, mean.mean + half]
}

/// A bar of ± 1.96 standard errors for each series.
fn bars(item: &Item, results: &Results, panel: &str, number: usize) -> Option<Chart> {
    let metric = &item.metrics[number];
    let of_panel = |cell: &&Cell| cell.panel == panel && cell.x.is_none();
    let cells = results.cells.iter().filter(of_panel);
    let means: Vec<(&str, Mean)> = cells
        .filter_map(|cell| Some((cell.series.as_str(), cell.mean(metric)?)))
        .collect();
    if means.is_empty() {
        return None;
    }
    let series = means.iter().enumerate().map(|(place, (name, mean))| {
        let [low, high] = ends(*mean);
        Series {
            name: (*name).to_owned(),
            stroke: style::stroke(place),
            shape: Shape::HorizontalBar(place as f64, [low, mean.mean, high]),
        }
    });
    let left = NUMBERS.max(text_width(means.iter().map(|(name, _)| *name)) as i32);
    let values = means.iter().flat_map(|(_, mean)| ends(*mean));
    Some(Chart {
        size: (SIZE.0 + left as u32, AXES + BAR * means.len() as u32),
        x: Axis::spanning(&y_name(item, number), scale(item, AxisName::X), values),
        y: Axis::categories(means.iter().map(|(name, _)| (*name).to_owned())),
        series: series.collect(),
        left,
        legend: 0,
    })
}

/// Cuts and hulls, as the records have them.
fn segments(results: &Results) -> Vec<(String, Chart)> {
    let chart = |panel: &str| {
        let of = |name: &str| {
            let own = |cell: &&Cell| cell.panel == panel && cell.series == name;
            let ends = ["x0", "y0", "x1", "y1"];
            let value = |cell: &Cell, end: &str| cell.values(end).first().map(|(_, value)| *value);
            let cells = results.cells.iter().filter(own);
            let points = cells.filter_map(|cell| {
                let [x0, y0, x1, y1] = ends.map(|end| value(cell, end));
                Some([(x0?, y0?), (x1?, y1?)])
            });
            points.collect::<Vec<_>>()
        };
        let series = [("hull", 1), ("cut", 0)]
            .into_iter()
            .flat_map(|(name, colour)| {
                of(name).into_iter().map(move |[a, b]| Series {
                    name: name.to_owned(),
                    stroke: style::stroke(colour),
                    shape: Shape::Line(vec![a, b]),
                })
            });
        Chart {
            size: SQUARE,
            x: Axis::exact(
                "first feature; cuts blue, hulls of leaves orange",
                planar::LOW..planar::HIGH,
            ),
            y: Axis::exact("second feature", planar::LOW..planar::HIGH),
            series: series.collect(),
            left: NUMBERS,
            legend: 0,
        }
    };
    let panels = results.panels().into_iter();
    panels
        .map(|panel| (panel.to_owned(), chart(panel)))
        .collect()
}

/// Colours of values on a map, from low to high.
const SHADES: usize = 5;

/// Points in five colours, by fifths of their ranks.
fn maps(results: &Results) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    let shades = DerivedColorMap::new(&[style::colour(0), style::GRID, style::colour(1)]);
    for panel in results.panels() {
        let of = |name: &str| {
            let own = results.cells.iter().filter(|cell| cell.panel == panel);
            own.filter_map(|cell| cell.values(name).first().map(|(_, v)| *v))
                .collect::<Vec<_>>()
        };
        let (across, up, values) = (of("across"), of("up"), of("value"));
        if across.is_empty() {
            continue;
        }
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let limits: Vec<f64> = (1..SHADES)
            .map(|fifth| sorted[sorted.len() * fifth / SHADES])
            .collect();
        let series = (0..values.len()).map(|place| {
            let shade = limits
                .iter()
                .filter(|limit| values[place] >= **limit)
                .count();
            let at = up[place];
            Series {
                name: String::new(),
                stroke: Stroke {
                    colour: shades.get_color(shade as f64 / (SHADES - 1) as f64),
                    pattern: Pattern::Solid,
                },
                shape: Shape::MarkedLine(vec![(across[place], at)]),
            }
        });
        let series: Vec<Series> = series.collect();
        charts.push((
            panel.to_owned(),
            Chart {
                size: SQUARE,
                x: Axis::exact(
                    "longitude, scaled to [0, 1]; blue low, orange high",
                    planar::LOW..planar::HIGH,
                ),
                y: Axis::exact("latitude, scaled to [0, 1]", planar::LOW..planar::HIGH),
                series,
                left: NUMBERS,
                legend: 0,
            },
        ));
    }
    charts
}
