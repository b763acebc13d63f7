//! Which algorithm of a table is best, which are tied with it, and which baseline none of them beats.

use super::number;
use super::summary::Row;
use crate::metric::Metric;

/// How an algorithm compares with the others of its table.
///
/// Baselines are not ranked. Intervals are compared as printed; without intervals, algorithms are
/// tied whose means are printed the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The best mean.
    Best,
    /// Its interval overlaps that of the best.
    Tied,
    /// Neither.
    Behind,
    /// A baseline, an algorithm without result, or the only algorithm.
    Unranked,
}

impl Rank {
    /// The rule, for readers.
    pub const RULE: &str = "Best: the best mean among the algorithms (baselines do not compete); \
                            tie: its interval, as printed, overlaps that of the best";

    /// What stands in a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Tied => "tie",
            Self::Behind | Self::Unranked => "",
        }
    }
}

/// The baseline that no algorithm beats, if there is one.
pub(super) fn unbeaten_baseline(rows: &[Row], metric: Metric) -> Option<&Row> {
    let score = |row: &Row| Some(metric.score(row.result.as_ref()?.value.mean));
    let best = score(&rows[best(rows, metric)?]);
    let mut baselines = rows
        .iter()
        .filter(|row| row.baseline && row.result.is_some());
    baselines.find(|row| score(row) >= best)
}

/// Sets the rank of every row.
pub(super) fn rank(rows: &mut [Row], metric: Metric) {
    let decimals = number::decimals(rows);
    let competitors = rows.iter().filter(|row| competes(row)).count();
    let (Some(best), true) = (best(rows, metric), competitors > 1) else {
        return;
    };
    let best_interval = printed_interval(&rows[best], decimals);
    for (index, row) in rows.iter_mut().enumerate().filter(|(_, row)| competes(row)) {
        row.rank = match index == best {
            true => Rank::Best,
            false if overlap(best_interval, printed_interval(row, decimals)) => Rank::Tied,
            false => Rank::Behind,
        };
    }
}

/// The algorithm with the best mean; of equals the first.
fn best(rows: &[Row], metric: Metric) -> Option<usize> {
    let score = |row: &Row| Some(metric.score(row.result.as_ref()?.value.mean));
    let competitors = (0..rows.len()).filter(|&index| competes(&rows[index]));
    // `max_by` takes the last of equals.
    let scores = competitors.filter_map(|index| Some((index, score(&rows[index])?)));
    scores
        .rev()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

/// In units of the last decimal printed.
fn printed_interval(row: &Row, decimals: usize) -> Option<(i64, i64)> {
    let unit = 10f64.powi(decimals as i32);
    let printed = |number: f64| (number * unit).round() as i64;
    let value = row.result.as_ref()?.value;
    let (mean, half) = (
        printed(value.mean),
        printed(value.half_width.unwrap_or(0.0)),
    );
    Some((mean - half, mean + half))
}

fn overlap(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
}

fn competes(row: &Row) -> bool {
    !row.baseline && row.result.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean: f64, half_width: Option<f64>, baseline: bool) -> Row {
        Row::example("", baseline, mean, half_width)
    }

    fn ranks(mut rows: Vec<Row>, metric: Metric) -> Vec<Rank> {
        rank(&mut rows, metric);
        rows.iter().map(|row| row.rank).collect()
    }

    #[test]
    fn overlapping_intervals_tie_and_baselines_do_not_compete() {
        let rows = vec![
            row(0.99, Some(0.0), true),
            row(0.90, Some(0.01), false),
            row(0.91, Some(0.01), false),
            row(0.80, Some(0.01), false),
        ];
        let expected = [Rank::Unranked, Rank::Tied, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows, Metric::Accuracy), expected);
    }

    #[test]
    fn without_intervals_equal_print_ties_and_lower_rmse_wins() {
        let rows = [1.00004, 1.0, 2.0].map(|mean| row(mean, None, false));
        let expected = [Rank::Tied, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows.to_vec(), Metric::Rmse), expected);
    }

    #[test]
    fn of_equal_means_the_first_is_best() {
        let rows = vec![row(0.9, None, false), row(0.9, None, false)];
        assert_eq!(ranks(rows, Metric::Accuracy), [Rank::Best, Rank::Tied]);
    }

    #[test]
    fn alone_is_not_best() {
        let rows = vec![row(0.5, None, true), row(0.9, None, false)];
        assert_eq!(ranks(rows, Metric::Accuracy), [Rank::Unranked; 2]);
    }

    #[test]
    fn the_baseline_that_nothing_beats_is_found() {
        let unbeaten = |baseline| {
            let rows = vec![row(baseline, None, true), row(0.91, None, false)];
            unbeaten_baseline(&rows, Metric::Accuracy)
                .map(|row| row.result.as_ref().unwrap().value.mean)
        };
        assert_eq!(unbeaten(0.99), Some(0.99));
        assert_eq!(unbeaten(0.91), Some(0.91));
        assert_eq!(unbeaten(0.90), None);
    }
}
