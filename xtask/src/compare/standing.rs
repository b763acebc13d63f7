//! Who is best, who is tied with the best, and whether anyone beats the baseline.
//!
//! The best is the algorithm with the best mean; baselines do not compete. Another is tied with it
//! if their intervals, as printed, have a point in common (without intervals: if the numbers as
//! printed are the same). The rule is written under every table.

use super::estimate::Estimate;
use super::metric::Metric;
use super::number;
use super::summary::Row;

/// How an algorithm compares with the others of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The best mean.
    Best,
    /// Its interval overlaps that of the best.
    Tied,
    /// Worse than the best.
    Behind,
    /// A baseline, an algorithm without result, or one without competitors.
    Unranked,
}

/// The rule, for readers.
pub const RULE: &str = "best: the best mean among the algorithms (baselines do not compete); \
                        tie: its interval, as printed, overlaps that of the best";

impl Standing {
    /// A word for it, for where bold print cannot be seen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tied => "tie",
            Self::Behind | Self::Unranked => "",
        }
    }
}

/// Sets the standing of every row.
pub fn judge(rows: &mut [Row], metric: Metric) {
    let decimals = number::decimals(rows);
    let (Some(best), true) = (best(rows, metric), competitors(rows) > 1) else {
        return;
    };
    let winner = ends(&value(&rows[best]), decimals);
    for (index, row) in rows.iter_mut().enumerate().filter(|(_, row)| competes(row)) {
        row.standing = if index == best {
            Standing::Best
        } else if overlap(winner, ends(&value(row), decimals)) {
            Standing::Tied
        } else {
            Standing::Behind
        };
    }
}

/// The baseline that no algorithm beats, if there is one.
pub fn unbeaten_baseline(rows: &[Row], metric: Metric) -> Option<&Row> {
    let good = |row: &Row| metric.score(value(row).mean);
    let best = good(&rows[best(rows, metric)?]);
    let baselines = rows
        .iter()
        .filter(|row| row.baseline && row.result.is_some());
    baselines.into_iter().find(|row| good(row) >= best)
}

fn best(rows: &[Row], metric: Metric) -> Option<usize> {
    let good = |index: &usize| metric.score(value(&rows[*index]).mean);
    let able = (0..rows.len()).filter(|&index| competes(&rows[index]));
    // Of equals the first: `max_by` would take the last.
    able.rev().max_by(|a, b| good(a).total_cmp(&good(b)))
}

fn competitors(rows: &[Row]) -> usize {
    rows.iter().filter(|row| competes(row)).count()
}

fn competes(row: &Row) -> bool {
    !row.baseline && row.result.is_some()
}

fn value(row: &Row) -> Estimate {
    row.result
        .as_ref()
        .expect("only rows with a result are compared")
        .value
}

/// The interval in units of the last decimal printed.
fn ends(estimate: &Estimate, decimals: usize) -> (i64, i64) {
    let unit = 10f64.powi(decimals as i32);
    let round = |number: f64| (number * unit).round() as i64;
    let (mean, half) = (
        round(estimate.mean),
        round(estimate.half_width.unwrap_or(0.0)),
    );
    (mean - half, mean + half)
}

fn overlap(a: (i64, i64), b: (i64, i64)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::summary::Averages;

    fn row(mean: f64, half_width: Option<f64>, baseline: bool) -> Row {
        let value = Estimate {
            mean,
            half_width,
            n: 3,
        };
        let result = Averages {
            value,
            learn_us: 1.0,
            predict_us: None,
            nodes: 1.0,
            stored_samples: 0.0,
            bytes: 1.0,
            curve: None,
        };
        let (label, standing, errors) = (String::new(), Standing::Unranked, Vec::new());
        Row {
            label,
            baseline,
            trees: 1,
            result: Some(result),
            standing,
            errors,
        }
    }

    fn standings(mut rows: Vec<Row>, metric: Metric) -> Vec<Standing> {
        judge(&mut rows, metric);
        rows.iter().map(|row| row.standing).collect()
    }

    #[test]
    fn overlapping_intervals_tie_and_baselines_do_not_compete() {
        let rows = vec![
            row(0.99, Some(0.0), true),
            row(0.90, Some(0.01), false),
            row(0.91, Some(0.01), false),
            row(0.80, Some(0.01), false),
        ];
        let expected = [
            Standing::Unranked,
            Standing::Tied,
            Standing::Best,
            Standing::Behind,
        ];
        assert_eq!(
            unbeaten_baseline(&rows, Metric::Accuracy)
                .unwrap()
                .value_mean(),
            0.99
        );
        assert_eq!(standings(rows, Metric::Accuracy), expected);
    }

    #[test]
    fn without_intervals_equal_print_ties_and_lower_rmse_wins() {
        let rows = vec![
            row(1.00004, None, false),
            row(1.0, None, false),
            row(2.0, None, false),
        ];
        let expected = [Standing::Tied, Standing::Best, Standing::Behind];
        assert_eq!(standings(rows, Metric::Rmse), expected);
    }

    #[test]
    fn alone_is_not_best() {
        let rows = vec![row(0.5, None, true), row(0.9, None, false)];
        assert_eq!(standings(rows, Metric::Accuracy), [Standing::Unranked; 2]);
    }

    impl Row {
        fn value_mean(&self) -> f64 {
            value(self).mean
        }
    }
}
