//! Measured values, seed by seed, and their means; metrics of items by name.

use std::collections::BTreeMap;

use comparison::metric::{Better, Metric};
use comparison::statistics::Estimate;
use indexmap::IndexSet;

use crate::runs::Row;

/// The values of a line at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub panel: String,
    pub series: String,
    pub x: Option<f64>,
    /// By metric, each with its seed.
    values: BTreeMap<String, Vec<(u64, f64)>>,
}

/// Cells in the order of their runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cells {
    pub cells: Vec<Cell>,
}

impl Cells {
    /// Collects rows, each with its seed.
    pub(crate) fn new<'a>(rows: impl IntoIterator<Item = (u64, &'a Row)>) -> Self {
        let mut cells: Vec<Cell> = Vec::new();
        for (seed, row) in rows {
            let is_place = |cell: &Cell| cell.is(&row.panel, &row.series, row.x);
            let place = cells.iter().position(is_place).unwrap_or_else(|| {
                cells.push(Cell::new(row));
                cells.len() - 1
            });
            for (metric, &value) in &row.values {
                let values = cells[place].values.entry(metric.clone());
                values.or_default().push((seed, value));
            }
        }
        Self { cells }
    }

    pub(crate) fn cell(&self, panel: &str, series: &str, x: Option<f64>) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.is(panel, series, x))
    }

    pub(crate) fn panels(&self) -> IndexSet<&str> {
        self.cells.iter().map(|cell| cell.panel.as_str()).collect()
    }

    pub(crate) fn series(&self) -> IndexSet<&str> {
        self.cells.iter().map(|cell| cell.series.as_str()).collect()
    }

    /// Returns the values of x in a panel, ascending.
    pub(crate) fn xs(&self, panel: &str) -> Vec<f64> {
        let of_panel = self.cells.iter().filter(|cell| cell.panel == panel);
        let mut xs: Vec<f64> = of_panel.filter_map(|cell| cell.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        xs
    }

    /// Returns the means of a line by x.
    pub(crate) fn line(&self, panel: &str, series: &str, metric: &str) -> Vec<(f64, Estimate)> {
        let point = |x: f64| Some((x, self.cell(panel, series, Some(x))?.mean(metric)?));
        self.xs(panel).into_iter().filter_map(point).collect()
    }
}

impl Cell {
    fn new(row: &Row) -> Self {
        Self {
            panel: row.panel.clone(),
            series: row.series.clone(),
            x: row.x,
            values: BTreeMap::new(),
        }
    }

    fn is(&self, panel: &str, series: &str, x: Option<f64>) -> bool {
        self.panel == panel && self.series == series && self.x == x
    }

    pub(crate) fn mean(&self, metric: &str) -> Option<Estimate> {
        let values = self.values.get(metric)?.iter().map(|value| value.1);
        Estimate::of(&values.collect::<Vec<f64>>())
    }

    /// Returns how much better it is than another, seed by seed.
    pub(crate) fn gain(&self, other: &Self, metric: &str) -> Option<Estimate> {
        let others: BTreeMap<_, _> = other.values.get(metric)?.iter().copied().collect();
        let better = better(metric);
        let mut gains = Vec::new();
        for (seed, value) in self.values.get(metric)? {
            if let Some(other) = others.get(seed) {
                gains.push(better.score(*value) - better.score(*other));
            }
        }
        Estimate::of(&gains)
    }
}

/// Returns the line of least squares.
fn fit(points: &[(f64, f64)]) -> impl Fn(f64) -> f64 {
    let n = points.len() as f64;
    let mx = points.iter().map(|p| p.0).sum::<f64>() / n;
    let my = points.iter().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    let slope = covariance / variance;
    let intercept = my - slope * mx;
    move |x| slope * x + intercept
}

/// Returns the power of x that y grows with, by least squares on logarithmic axes.
pub(crate) fn power(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let line = fit(&logs);
    line(1.0) - line(0.0)
}

/// Returns the error of the best power of x over that of the best logarithm.
pub(crate) fn power_against_logarithm(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let half: Vec<_> = points.iter().map(|(x, y)| (x.ln(), *y)).collect();
    let (power, line) = (fit(&logs), fit(&half));
    let (mut of_power, mut of_line) = (0.0, 0.0);
    for (x, y) in &half {
        of_power += (power(*x).exp() - y).powi(2);
        of_line += (line(*x) - y).powi(2);
    }
    f64::sqrt(of_power) / f64::sqrt(of_line)
}

/// Returns the title of the axis of a metric that only items have.
fn own(metric: &str) -> Option<&'static str> {
    Some(match metric {
        "error" => "error (percent of rows that are wrong)",
        "training_error" => "error on the training rows (percent)",
        "mse" => "mean squared error",
        "leaves" => "leaves per tree",
        "bytes" => "bytes of the forest",
        "learn_seconds" => "seconds to learn",
        "predict_seconds" => "seconds to predict",
        "comparisons" => "comparisons per query",
        "distinct_points" => "distinct points per query",
        "triangle_inequality" => "share of comparisons that the triangle inequality decides",
        "difference_of_norms" => "share of comparisons that norms decide",
        "features_read" => "share of features read if sums are abandoned",
        _ => return None,
    })
}

pub(crate) fn better(metric: &str) -> Better {
    let is_share = ["triangle_inequality", "difference_of_norms"].contains(&metric);
    match metric.parse::<Metric>() {
        Ok(known) => known.better,
        Err(_) if is_share || own(metric).is_none() => Better::Higher,
        Err(_) => Better::Lower,
    }
}

/// Returns the title of an axis.
pub(crate) fn axis(metric: &str) -> String {
    let known = metric.parse::<Metric>().map(Metric::axis_name);
    known.unwrap_or_else(|_| own(metric).map_or_else(|| words(metric), str::to_owned))
}

pub(crate) fn words(metric: &str) -> String {
    metric.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_distinguished_from_a_logarithm_and_a_name_has_one_direction() {
        let xs = [100.0, 200.0, 400.0, 800.0, 1600.0];
        let root = xs.map(|x: f64| (x, 3.0 * x.sqrt()));
        assert!((power(&root) - 0.5).abs() < 1e-12 && power_against_logarithm(&root) < 0.1);
        assert!(power_against_logarithm(&xs.map(|x| (x, 5.0 + x.ln()))) > 10.0);
        let expected = [Better::Higher, Better::Lower, Better::Lower, Better::Higher];
        assert_eq!(["accuracy", "rmse", "error", "cuts"].map(better), expected);
    }
}
