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
            let known = cells
                .iter()
                .position(|cell| cell.is(&row.panel, &row.series, row.x));
            let place = known.unwrap_or_else(|| {
                let (panel, series) = (row.panel.clone(), row.series.clone());
                cells.push(Cell {
                    panel,
                    series,
                    x: row.x,
                    values: BTreeMap::new(),
                });
                cells.len() - 1
            });
            for (metric, &value) in &row.values {
                cells[place]
                    .values
                    .entry(metric.clone())
                    .or_default()
                    .push((seed, value));
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
    fn is(&self, panel: &str, series: &str, x: Option<f64>) -> bool {
        self.panel == panel && self.series == series && self.x == x
    }

    pub(crate) fn mean(&self, metric: &str) -> Option<Estimate> {
        let values = self.values.get(metric)?.iter();
        Estimate::of(&values.map(|(_, value)| *value).collect::<Vec<_>>())
    }

    /// Returns how much better it is than another, seed by seed.
    pub(crate) fn gain(&self, other: &Self, metric: &str) -> Option<Estimate> {
        let better = better(metric);
        let others: BTreeMap<u64, f64> = other.values.get(metric)?.iter().copied().collect();
        let mut gains = Vec::new();
        for (seed, value) in self.values.get(metric)? {
            gains.extend(
                others
                    .get(seed)
                    .map(|other| better.score(*value) - better.score(*other)),
            );
        }
        Estimate::of(&gains)
    }
}

/// Returns slope and intercept of the line of least squares.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let mx = points.iter().map(|p| p.0).sum::<f64>() / n;
    let my = points.iter().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    let slope = covariance / variance;
    (slope, my - slope * mx)
}

/// Returns the power of x that y grows with, by least squares on logarithmic axes.
pub(crate) fn power(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    fit(&logs).0
}

/// Returns the error of the best power of x over that of the best logarithm.
pub(crate) fn power_against_logarithm(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let half: Vec<_> = points.iter().map(|(x, y)| (x.ln(), *y)).collect();
    let (power, line) = (fit(&logs), fit(&half));
    let error = |curve: &dyn Fn(f64) -> f64| {
        let squares = half.iter().map(|(x, y)| (curve(*x) - y).powi(2));
        squares.sum::<f64>().sqrt()
    };
    error(&|x| (power.1 + power.0 * x).exp()) / error(&|x| line.1 + line.0 * x)
}

/// Metrics that only items have: their names, which values are better, and the title of the axis.
const OWN: [(&str, Better, &str); 12] = [
    (
        "error",
        Better::Lower,
        "error (percent of rows that are wrong)",
    ),
    (
        "training_error",
        Better::Lower,
        "error on the training rows (percent)",
    ),
    ("mse", Better::Lower, "mean squared error"),
    ("leaves", Better::Lower, "leaves per tree"),
    ("bytes", Better::Lower, "bytes of the forest"),
    ("learn_seconds", Better::Lower, "seconds to learn"),
    ("predict_seconds", Better::Lower, "seconds to predict"),
    ("comparisons", Better::Lower, "comparisons per query"),
    (
        "distinct_points",
        Better::Lower,
        "distinct points per query",
    ),
    (
        "triangle_inequality",
        Better::Higher,
        "share of comparisons that the triangle inequality decides",
    ),
    (
        "difference_of_norms",
        Better::Higher,
        "share of comparisons that norms decide",
    ),
    (
        "features_read",
        Better::Lower,
        "share of features read if sums are abandoned",
    ),
];

pub(crate) fn better(metric: &str) -> Better {
    let own = || OWN.iter().find(|own| own.0 == metric).map(|own| own.1);
    let known = metric.parse::<Metric>().ok().map(|metric| metric.better);
    known.or_else(own).unwrap_or(Better::Higher)
}

/// Returns the title of an axis.
pub(crate) fn axis(metric: &str) -> String {
    let own = || {
        OWN.iter()
            .find(|own| own.0 == metric)
            .map(|own| own.2.to_owned())
    };
    let known = metric.parse::<Metric>().ok().map(Metric::axis_name);
    known.or_else(own).unwrap_or_else(|| words(metric))
}

pub(crate) fn words(metric: &str) -> String {
    metric.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_distinguished_from_a_logarithm() {
        let xs = [100.0, 200.0, 400.0, 800.0, 1600.0];
        let root = xs.map(|x: f64| (x, 3.0 * x.sqrt()));
        assert!((power(&root) - 0.5).abs() < 1e-12);
        assert!(power_against_logarithm(&root) < 0.1);
        assert!(power_against_logarithm(&xs.map(|x| (x, 5.0 + x.ln()))) > 10.0);
    }

    #[test]
    fn a_name_has_one_direction() {
        assert!(OWN.iter().all(|own| own.0.parse::<Metric>().is_err()));
        let expected = [Better::Higher, Better::Lower, Better::Lower, Better::Higher];
        assert_eq!(["accuracy", "rmse", "error", "cuts"].map(better), expected);
    }
}
