//! Measured values, seed by seed, and their means; metrics of items by name.

use std::collections::BTreeMap;

use comparison::metric::{Better, Metric};
use comparison::statistics::Estimate;
use indexmap::IndexSet;

use crate::reproduce::record::{Place, Record, RecordRow};

/// Rows in the order of their runs, each with its seed.
pub(crate) struct Results<'a>(Vec<(u64, &'a RecordRow)>);

fn place(row: &RecordRow) -> Place<'_> {
    (&row.panel, &row.series, row.x)
}

impl<'a> Results<'a> {
    pub(crate) fn new(records: &[&'a Record]) -> Self {
        let rows = |record: &&'a Record| record.rows.iter().map(|row| (record.run.seed, row));
        Self(records.iter().flat_map(rows).collect())
    }

    /// Returns the places that have values, each once.
    pub(crate) fn places(&self) -> Vec<Place<'a>> {
        let mut places = Vec::new();
        for place in self.0.iter().map(|(_, row)| place(row)) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    pub(crate) fn panels(&self) -> IndexSet<&'a str> {
        self.0.iter().map(|(_, row)| &row.panel[..]).collect()
    }

    pub(crate) fn lines(&self) -> IndexSet<&'a str> {
        self.0.iter().map(|(_, row)| &row.series[..]).collect()
    }

    /// Returns the values of x in a panel, ascending.
    pub(crate) fn xs(&self, panel: &str) -> Vec<f64> {
        let of_panel = self.0.iter().filter(|(_, row)| row.panel == panel);
        let mut xs: Vec<f64> = of_panel.filter_map(|(_, row)| row.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        xs
    }

    /// Returns the values of a metric by seed.
    fn values(&self, at: Place<'_>, metric: &str) -> BTreeMap<u64, f64> {
        let own = self.0.iter().filter(|(_, row)| place(row) == at);
        let value = |(seed, row): &(u64, &RecordRow)| Some((*seed, *row.values.get(metric)?));
        own.filter_map(value).collect()
    }

    pub(crate) fn mean(&self, place: Place<'_>, metric: &str) -> Option<Estimate> {
        Estimate::of(&self.values(place, metric).into_values().collect::<Vec<_>>())
    }

    /// Returns the means of a line by x.
    pub(crate) fn along(&self, panel: &str, line: &str, metric: &str) -> Vec<(f64, f64)> {
        let mean = |x| Some((x, self.mean((panel, line, Some(x)), metric)?.mean));
        self.xs(panel).into_iter().filter_map(mean).collect()
    }

    /// Returns how much better one is than another, seed by seed.
    pub(crate) fn gain(&self, one: Place<'_>, other: Place<'_>, metric: &str) -> Option<Estimate> {
        let better = better(metric);
        let others = self.values(other, metric);
        let mut gains = Vec::new();
        for (seed, value) in self.values(one, metric) {
            let other = others.get(&seed);
            gains.extend(other.map(|other| better.score(value) - better.score(*other)));
        }
        Estimate::of(&gains)
    }
}

/// Returns the line of least squares.
fn fit(points: impl Iterator<Item = (f64, f64)> + Clone) -> impl Fn(f64) -> f64 {
    let n = points.clone().count() as f64;
    let mx = points.clone().map(|p| p.0).sum::<f64>() / n;
    let my = points.clone().map(|p| p.1).sum::<f64>() / n;
    let covariance: f64 = points.clone().map(|(x, y)| (x - mx) * (y - my)).sum();
    let variance: f64 = points.map(|(x, _)| (x - mx).powi(2)).sum();
    let slope = covariance / variance;
    let intercept = my - slope * mx;
    move |x| slope * x + intercept
}

/// Returns the power of x that y grows with, by least squares on logarithmic axes.
pub(crate) fn power(points: &[(f64, f64)]) -> f64 {
    let line = fit(points.iter().map(|(x, y)| (x.ln(), y.ln())));
    line(1.0) - line(0.0)
}

/// Returns the error of the best power of x over that of the best logarithm.
pub(crate) fn power_against_logarithm(points: &[(f64, f64)]) -> f64 {
    let power = fit(points.iter().map(|(x, y)| (x.ln(), y.ln())));
    let line = fit(points.iter().map(|(x, y)| (x.ln(), *y)));
    let (mut of_power, mut of_line) = (0.0, 0.0);
    for (x, y) in points.iter().map(|(x, y)| (x.ln(), y)) {
        of_power += (power(x).exp() - y).powi(2);
        of_line += (line(x) - y).powi(2);
    }
    f64::sqrt(of_power) / f64::sqrt(of_line)
}

/// Returns which values of a metric are better.
pub(crate) fn better(metric: &str) -> Better {
    match metric {
        "error" | "training_error" | "mse" | "leaves" | "bytes" | "comparisons" => Better::Lower,
        _ if metric.ends_with("_seconds") => Better::Lower,
        _ => (metric.parse()).map_or(Better::Higher, |known: Metric| known.better),
    }
}

/// Returns the title of an axis.
pub(crate) fn axis(metric: &str) -> String {
    let known = metric.parse();
    known.map_or_else(|_| words(metric), Metric::axis_name)
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
