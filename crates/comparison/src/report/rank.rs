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
    use super::Rank::{Behind, Best, Tied, Unranked};
    use super::*;

    fn metric(name: &str) -> Metric {
        name.parse().unwrap()
    }

    /// Returns rows by their values; the baseline is marked by a first value of 9.
    fn rows(values: &[&[f64]]) -> Vec<Row> {
        let row = |values: &&[f64]| match values {
            [9.0, rest @ ..] => Row::example("", true, rest),
            values => Row::example("", false, values),
        };
        values.iter().map(row).collect()
    }

    #[test]
    fn ties_come_from_paired_differences_and_baselines_do_not_compete() {
        let tied: &[f64] = &[0.88, 0.94, 0.97];
        for (name, values, expected) in [
            (
                "accuracy",
                &[
                    &[9.0, 0.99, 0.99, 0.99],
                    tied,
                    &[0.9, 0.95, 1.0],
                    &[0.89, 0.9401, 0.99],
                ][..],
                &[Unranked, Tied, Best, Behind][..],
            ),
            // One seed has no interval, and a lower error wins.
            (
                "rmse",
                &[&[1.00004], &[1.0], &[2.0]],
                &[Behind, Best, Behind],
            ),
            // Of equal means all are best, also where they are equal on paper only.
            ("accuracy", &[&[0.9], &[0.9], &[0.8]], &[Best, Best, Behind]),
            (
                "accuracy",
                &[&[70. / 90., 57. / 90.], &[72. / 90., 55. / 90.]],
                &[Best, Best],
            ),
            // Alone is not best.
            ("accuracy", &[&[9.0, 0.5], &[0.9]], &[Unranked, Unranked]),
        ] {
            let mut rows = rows(values);
            rank(&mut rows, metric(name));
            let ranks: Vec<Rank> = rows.iter().map(|row| row.rank).collect();
            assert_eq!(ranks, expected, "{values:?}");
        }
    }

    #[test]
    fn seeds_are_paired_by_number_and_not_by_place() {
        let mut rows = rows(&[&[0.91, 0.8101, 0.71], &[0.9, 0.8, 0.7]]);
        rows[1].result.as_mut().unwrap().by_seed.rotate_left(1);
        rank(&mut rows, metric("accuracy"));
        assert_eq!([rows[0].rank, rows[1].rank], [Best, Behind]);
    }

    #[test]
    fn the_baseline_that_nothing_beats_is_found() {
        for (baseline, is_unbeaten) in [(0.99, true), (0.91, true), (0.90, false)] {
            let rows = rows(&[&[9.0, baseline], &[0.91]]);
            let unbeaten = unbeaten_baseline(&rows, metric("accuracy"));
            assert_eq!(
                unbeaten.is_some_and(|row| row.baseline),
                is_unbeaten,
                "{baseline}"
            );
        }
    }
}
