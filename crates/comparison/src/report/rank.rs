//! Ranks the algorithms of a table: the best, those tied with it, and a baseline that is not beaten.

use super::section::{Rank, Row};
use crate::metric::Metric;
use crate::statistics::{Estimate, are_equal, largest};

/// Returns the baseline that no algorithm beats, if there is one.
pub(super) fn unbeaten_baseline(rows: &[Row], metric: Metric) -> Option<&Row> {
    let best = &rows[best(rows, metric)?];
    let mut baselines = rows
        .iter()
        .filter(|row| row.baseline && row.result.is_some());
    baselines
        .find(|row| score(row, metric) >= score(best, metric) || have_equal_means(row, best, rows))
}

/// Sets the rank of every row.
pub(super) fn rank(rows: &mut [Row], metric: Metric) {
    let competitors = rows.iter().filter(|row| competes(row)).count();
    let (Some(best), true) = (best(rows, metric), competitors > 1) else {
        return;
    };
    let of = |row: &Row| match &rows[best] {
        _ if !competes(row) => Rank::Unranked,
        best if have_equal_means(best, row, rows) => Rank::Best,
        best if is_tied(best, row, metric) => Rank::Tied,
        _ => Rank::Behind,
    };
    let ranks: Vec<Rank> = rows.iter().map(of).collect();
    for (row, rank) in rows.iter_mut().zip(ranks) {
        row.rank = rank;
    }
}

/// Returns whether two means of a table are equal up to rounding.
fn have_equal_means(one: &Row, other: &Row, rows: &[Row]) -> bool {
    let means: Vec<f64> = rows.iter().filter_map(mean).collect();
    let [Some(one), Some(other)] = [one, other].map(mean) else {
        return false;
    };
    are_equal(one, other, largest(&means))
}

fn mean(row: &Row) -> Option<f64> {
    Some(row.result.as_ref()?.compared.mean)
}

fn score(row: &Row, metric: Metric) -> Option<f64> {
    Some(metric.score(mean(row)?))
}

fn is_tied(best: &Row, other: &Row, metric: Metric) -> bool {
    paired_difference(best, other, metric).is_some_and(|difference| difference.interval()[0] <= 0.0)
}

/// Returns how much better the first is than the second, over the seeds that both have and on which nothing failed, which share split and
/// shuffle.
fn paired_difference(first: &Row, second: &Row, metric: Metric) -> Option<Estimate> {
    let (first, second) = (first.result.as_ref()?, second.result.as_ref()?);
    let mut differences = Vec::new();
    for (seed, value) in &first.by_seed {
        if let Some((_, other)) = second.by_seed.iter().find(|(other, _)| other == seed) {
            differences.push(metric.score(*value) - metric.score(*other));
        }
    }
    Estimate::of(&differences)
}

/// Returns the algorithm with the best mean; of equals the first.
fn best(rows: &[Row], metric: Metric) -> Option<usize> {
    let competitors = (0..rows.len()).filter(|&index| competes(&rows[index]));
    // `max_by` takes the last of equals.
    let scores = competitors.filter_map(|index| Some((index, score(&rows[index], metric)?)));
    scores
        .rev()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

fn competes(row: &Row) -> bool {
    !row.baseline && row.result.is_some()
}

#[cfg(test)]
mod tests {
    use datasets::TaskKind;

    use super::*;

    fn accuracy() -> Metric {
        Metric::of(TaskKind::Classification)
    }

    fn rmse() -> Metric {
        Metric::of(TaskKind::Regression)
    }

    fn row(values: &[f64], baseline: bool) -> Row {
        Row::example("", baseline, values)
    }

    fn ranks(mut rows: Vec<Row>, metric: Metric) -> Vec<Rank> {
        rank(&mut rows, metric);
        rows.iter().map(|row| row.rank).collect()
    }

    /// The second differs from the best by 0.02, 0.01, 0.03: 0.02 ± 0.025. The third differs by 0.01 in every split,
    /// though its own interval overlaps more.
    #[test]
    fn ties_come_from_paired_differences_and_baselines_do_not_compete() {
        let rows = vec![
            row(&[0.99, 0.99, 0.99], true),
            row(&[0.88, 0.94, 0.97], false),
            row(&[0.90, 0.95, 1.00], false),
            row(&[0.89, 0.9401, 0.99], false),
        ];
        let expected = [Rank::Unranked, Rank::Tied, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows, accuracy()), expected);
    }

    #[test]
    fn seeds_are_paired_by_number_and_not_by_place() {
        let mut shifted = row(&[0.9, 0.8, 0.7], false);
        let values = &mut shifted.result.as_mut().unwrap().by_seed;
        values.rotate_left(1);
        let rows = vec![row(&[0.91, 0.8101, 0.71], false), shifted];
        assert_eq!(ranks(rows, accuracy()), [Rank::Best, Rank::Behind]);
    }

    #[test]
    fn one_seed_has_no_interval_and_lower_rmse_wins() {
        let rows = [1.00004, 1.0, 2.0].map(|value| row(&[value], false));
        let expected = [Rank::Behind, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows.to_vec(), rmse()), expected);
    }

    #[test]
    fn of_equal_means_all_are_best() {
        let rows = vec![row(&[0.9], false), row(&[0.9], false), row(&[0.8], false)];
        let expected = [Rank::Best, Rank::Best, Rank::Behind];
        assert_eq!(ranks(rows, accuracy()), expected);
        let rounded = vec![
            row(&[70.0 / 90.0, 57.0 / 90.0], false),
            row(&[72.0 / 90.0, 55.0 / 90.0], false),
        ];
        assert_eq!(ranks(rounded, accuracy()), [Rank::Best; 2]);
    }

    #[test]
    fn alone_is_not_best() {
        let rows = vec![row(&[0.5], true), row(&[0.9], false)];
        assert_eq!(ranks(rows, accuracy()), [Rank::Unranked; 2]);
    }

    #[test]
    fn the_baseline_that_nothing_beats_is_found() {
        let unbeaten = |baseline: f64| {
            let rows = vec![row(&[baseline], true), row(&[0.91], false)];
            unbeaten_baseline(&rows, accuracy()).map(|row| row.result.as_ref().unwrap().value.mean)
        };
        assert_eq!(unbeaten(0.99), Some(0.99));
        assert_eq!(unbeaten(0.91), Some(0.91));
        assert_eq!(unbeaten(0.90), None);
    }
}
