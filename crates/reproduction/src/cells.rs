//! Measured values, seed by seed, and their means.

use std::collections::BTreeMap;

use comparison::statistics::Estimate;
use indexmap::IndexSet;

use crate::metric;
use crate::record::{Outcome, Record};

/// The values of one place of a figure or table, by metric: seed and value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub panel: String,
    pub series: String,
    pub x: Option<f64>,
    values: BTreeMap<String, Vec<(u64, f64)>>,
}

/// All cells, in the order of the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cells {
    pub cells: Vec<Cell>,
}

impl Cells {
    /// Collects the rows of all records; failed runs have no rows.
    pub(crate) fn new<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut results = Self::default();
        for record in records {
            let Outcome::Rows(rows) = &record.outcome else {
                continue;
            };
            for row in rows {
                let cell = results.cell_mut(&row.panel, &row.series, row.x);
                for (metric, &value) in &row.values {
                    let values = cell.values.entry(metric.clone()).or_default();
                    values.push((record.task.seed, value));
                }
            }
        }
        results
    }

    fn cell_mut(&mut self, panel: &str, series: &str, x: Option<f64>) -> &mut Cell {
        let found = self.cells.iter().position(|cell| cell.is(panel, series, x));
        let place = found.unwrap_or_else(|| {
            self.cells.push(Cell {
                panel: panel.to_owned(),
                series: series.to_owned(),
                x,
                values: BTreeMap::new(),
            });
            self.cells.len() - 1
        });
        &mut self.cells[place]
    }

    pub(crate) fn cell(&self, panel: &str, series: &str, x: Option<f64>) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.is(panel, series, x))
    }

    pub(crate) fn panels(&self) -> Vec<&str> {
        let panels = self.cells.iter().map(|cell| cell.panel.as_str());
        panels.collect::<IndexSet<_>>().into_iter().collect()
    }

    pub(crate) fn series(&self) -> Vec<&str> {
        let series = self.cells.iter().map(|cell| cell.series.as_str());
        series.collect::<IndexSet<_>>().into_iter().collect()
    }

    /// Returns values of `x`, ascending.
    pub(crate) fn xs(&self, panel: &str) -> Vec<f64> {
        let of_panel = self.cells.iter().filter(|cell| cell.panel == panel);
        let mut xs: Vec<f64> = of_panel.filter_map(|cell| cell.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        xs
    }

    /// Returns means of a line against `x`, ascending.
    pub(crate) fn line(&self, panel: &str, series: &str, metric: &str) -> Vec<(f64, Estimate)> {
        let point = |x: f64| {
            let cell = self.cell(panel, series, Some(x))?;
            Some((x, cell.mean(metric)?))
        };
        self.xs(panel).into_iter().filter_map(point).collect()
    }
}

impl Cell {
    fn is(&self, panel: &str, series: &str, x: Option<f64>) -> bool {
        self.panel == panel && self.series == series && self.x == x
    }

    pub(crate) fn mean(&self, metric: &str) -> Option<Estimate> {
        let values = self.values.get(metric)?;
        Estimate::of(&values.iter().map(|(_, value)| *value).collect::<Vec<_>>())
    }

    pub(crate) fn values(&self, metric: &str) -> &[(u64, f64)] {
        self.values.get(metric).map_or(&[], Vec::as_slice)
    }

    /// Returns how much better it is than the other, over the seeds that both have.
    pub(crate) fn gain(&self, other: &Self, metric: &str) -> Option<Estimate> {
        let score = |value: f64| metric::better(metric).score(value);
        let of_other: BTreeMap<u64, f64> = other.values(metric).iter().copied().collect();
        let paired = self.values(metric).iter();
        let paired =
            paired.filter_map(|(seed, value)| Some(score(*value) - score(*of_other.get(seed)?)));
        Estimate::of(&paired.collect::<Vec<_>>())
    }
}

/// Fits a straight line by least squares; returns its slope and its value at 0.
pub(crate) fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let mx = points.iter().map(|p| p.0).sum::<f64>() / n;
    let my = points.iter().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    let slope = covariance / variance;
    (slope, my - slope * mx)
}

/// Returns the power of x that y grows with, by least squares of logarithms.
pub(crate) fn power(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    fit(&logs).0
}

/// Returns how much worse a power of x fits than a logarithm of x: the ratio of their root mean square errors. Above
/// 1, growth is logarithmic.
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
}
