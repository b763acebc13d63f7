//! The exact distribution of Friedman's statistic: every order of the ranks of a set is as likely as any other.

use std::collections::BTreeMap;

/// Maximum number of orders of ranks, which take a tenth of a second.
const MOST_ORDERS: usize = 300_000;

/// The distribution of Friedman's statistic if all algorithms are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Permutations {
    /// The p-value: the probability of sums of ranks at least as far apart as those observed.
    pub p: f64,
    /// The least possible p-value of these ranks, in the best of all orders.
    pub least: f64,
}

impl Permutations {
    /// Counts the orders of ranks, set by set; returns `None` where there are too many.
    ///
    /// Sums are kept in ascending order, with the probability of each: all orders of the algorithms are alike. The order of the first
    /// set only names them.
    pub(super) fn of(ranks: &[Vec<f64>]) -> Option<Self> {
        // Ranks are multiples of one half.
        let doubled = |row: &Vec<f64>| row.iter().map(|rank| (2.0 * rank).round() as u64).collect();
        let rows: Vec<Vec<u64>> = ranks.iter().map(doubled).collect();
        let (first, others) = rows.split_first()?;
        let mut sums = BTreeMap::from([(first.clone(), 1.0)]);
        let mut left = MOST_ORDERS;
        for row in others {
            left = left.checked_sub(sums.len().checked_mul(count(row)?)?)?;
            sums = added(&sums, &orders(row));
        }
        let observed = (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).sum());
        let observed = squares(&observed.collect::<Vec<u64>>());
        let most = sums.keys().map(|sums| squares(sums)).max()?;
        let at_least = |least: u64| -> f64 {
            let far = sums.iter().filter(|(sums, _)| squares(sums) >= least);
            far.map(|(_, p)| p).sum()
        };
        Some(Self {
            p: at_least(observed).min(1.0),
            least: at_least(most),
        })
    }
}

/// Adds a set, whose orders are all equally likely.
fn added(sums: &BTreeMap<Vec<u64>, f64>, orders: &[Vec<u64>]) -> BTreeMap<Vec<u64>, f64> {
    let mut more = BTreeMap::new();
    for (sums, p) in sums {
        for order in orders {
            let mut sums: Vec<u64> = sums.iter().zip(order).map(|(a, b)| a + b).collect();
            sums.sort_unstable();
            *more.entry(sums).or_insert(0.0) += p / orders.len() as f64;
        }
    }
    more
}

/// Returns the sum of squares, which grows with Friedman's statistic, as the mean of the sums is fixed.
fn squares(sums: &[u64]) -> u64 {
    sums.iter().map(|sum| sum * sum).sum()
}

/// Returns the number of orders of values; `None` on overflow.
fn count(values: &[u64]) -> Option<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let mut equal = sorted
        .chunk_by(|a, b| a == b)
        .map(|group| factorial(group.len()));
    let repeated = equal.try_fold(1, |product: usize, group| product.checked_mul(group?))?;
    Some(factorial(values.len())? / repeated)
}

fn factorial(n: usize) -> Option<usize> {
    (1..=n).try_fold(1, |product: usize, number| product.checked_mul(number))
}

/// Returns all different orders of values, ascending.
fn orders(values: &[u64]) -> Vec<Vec<u64>> {
    let mut order = values.to_vec();
    order.sort_unstable();
    let mut all = vec![order.clone()];
    while next(&mut order) {
        all.push(order.clone());
    }
    all
}

/// Moves to the next order in lexicographic order; returns false after the last.
fn next(order: &mut [u64]) -> bool {
    let Some(place) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let larger = order.iter().rposition(|value| *value > order[place]);
    order.swap(place, larger.expect("the one after it is larger"));
    order[place + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[f64]]) -> Permutations {
        Permutations::of(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn different_orders_are_listed_once() {
        let three = [[1, 1, 2], [1, 2, 1], [2, 1, 1]].map(Vec::from);
        assert_eq!(
            (orders(&[2, 1, 1]), count(&[2, 1, 1])),
            (three.to_vec(), Some(3))
        );
        let four = [1, 2, 3, 4];
        assert_eq!((orders(&four).len(), count(&four)), (24, Some(24)));
        assert_eq!(count(&(0..40).collect::<Vec<_>>()), None);
    }

    /// Two sets of two: alike or not, which is a coin. Table of Friedman (1937): three columns, three rows, χ² = 6 has 0.028,
    /// χ² = 4.667 has 0.194.
    #[test]
    fn probabilities_are_the_published_ones() {
        let two = of(&[&[1.0, 2.0], &[1.0, 2.0]]);
        assert_eq!((two.p, two.least), (0.5, 0.5));
        let alike: &[f64] = &[1.0, 2.0, 3.0];
        let three = of(&[alike; 3]);
        assert!((three.p - 1.0 / 36.0).abs() < 1e-12, "{three:?}");
        let nearly = of(&[alike, alike, &[1.0, 3.0, 2.0]]);
        assert!((nearly.p - 7.0 / 36.0).abs() < 1e-12, "{nearly:?}");
        let tied = of(&[&[1.5, 1.5], &[1.5, 1.5]]);
        assert_eq!((tied.p, tied.least), (1.0, 1.0));
    }

    #[test]
    fn too_many_orders_are_not_counted() {
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(Permutations::of(&vec![ten; 3]), None);
    }
}
