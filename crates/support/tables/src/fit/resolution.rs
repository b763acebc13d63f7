//! The resolution of a column in `f32`, and the origin that improves it.

use crate::feature::{Meaning, Origin};

/// A difference between neighbours is lost that changes by more than this share of it.
const CHANGED: f64 = 0.1;

/// A share of lost differences above which there is an origin even where no two numbers merge.
const LOST_SHARE: f64 = 0.01;

/// An origin makes the typical number at least this many times smaller: `f32` keeps three more bits of it.
const GAIN: f64 = 8.0;

/// The resolution of the distinct numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resolution {
    pub(crate) origin: Origin,
    /// Different numbers in the table.
    pub(crate) distinct: usize,
    /// Different numbers as features.
    pub(crate) kept: usize,
    /// Different numbers as features, if nothing were subtracted.
    pub(crate) kept_without: usize,
}

/// Differences between neighbours.
struct Differences {
    merged: usize,
    lost: usize,
}

impl Resolution {
    /// `None` if every number is one of `f32`.
    pub(crate) fn of(numbers: &[f64], meaning: &Meaning) -> Option<Self> {
        if numbers
            .iter()
            .all(|number| f64::from(*number as f32) == *number)
        {
            return None;
        }
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let without = Differences::of(&numbers, Origin::NONE);
        let origin = if without.are_worth_an_origin(numbers.len()) {
            origin(&numbers, meaning)
        } else {
            Origin::NONE
        };
        let with = Differences::of(&numbers, origin);
        Some(Self {
            origin,
            distinct: numbers.len(),
            kept: numbers.len() - with.merged,
            kept_without: numbers.len() - without.merged,
        })
    }
}

impl Differences {
    /// Of numbers in ascending order.
    fn of(numbers: &[f64], origin: Origin) -> Self {
        let mut found = Self { merged: 0, lost: 0 };
        for pair in numbers.windows(2) {
            let rounded = |number| f64::from(origin.shifted(number) as f32);
            let (difference, kept) = (pair[1] - pair[0], rounded(pair[1]) - rounded(pair[0]));
            found.merged += usize::from(kept == 0.0);
            found.lost += usize::from((kept - difference).abs() > CHANGED * difference);
        }
        found
    }

    fn are_worth_an_origin(&self, distinct: usize) -> bool {
        self.merged > 0 || self.lost as f64 > LOST_SHARE * distinct as f64
    }
}

/// Returns a round number in the middle, if most numbers are much nearer to it than to 0.
fn origin(numbers: &[f64], meaning: &Meaning) -> Origin {
    let middle = numbers[numbers.len() / 2];
    let distances = numbers.iter().map(|number| (number - middle).abs());
    let mut distances: Vec<f64> = distances.collect();
    distances.sort_unstable_by(f64::total_cmp);
    let spread = distances[numbers.len() / 2];
    if spread > 0.0 && middle.abs() >= GAIN * spread {
        Origin::near(middle, spread, meaning)
    } else {
        Origin::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DateFormat, Numbers};

    fn of(numbers: impl IntoIterator<Item = String>) -> Option<Resolution> {
        let number = |text: String| Numbers::default().parse(&text).unwrap();
        let numbers: Vec<f64> = numbers.into_iter().map(number).collect();
        Resolution::of(&numbers, &Meaning::Number)
    }

    fn subtracted(resolution: Option<Resolution>) -> String {
        resolution.unwrap().origin.subtracted(&Meaning::Number)
    }

    #[test]
    fn an_origin_is_chosen_only_where_it_keeps_numbers_apart() {
        // Exact as they are.
        assert_eq!(of((0..100).map(|i| (1990 + i).to_string())), None);
        // Rounded, but apart; and merged, but not for being far from 0.
        let decimals = of((0..100).map(|i| format!("{}.{i:02}", 20 + i)));
        assert_eq!(subtracted(decimals), "");
        let around_zero = of((0..100).map(|i| format!("{}.00000000{i:02}", i % 2)));
        assert_eq!(subtracted(around_zero), "");
        let ids = of((0..100).map(|i| (10_000_000_000_u64 + i).to_string())).unwrap();
        assert_eq!(subtracted(Some(ids)), " - 10000000050");
        assert_eq!((ids.distinct, ids.kept, ids.kept_without), (100, 100, 1));
        let west = of((0..100).map(|i| format!("-122.41{i:05}")));
        assert_eq!(subtracted(west), " + 122.410005");
    }

    #[test]
    fn days_need_no_origin_and_seconds_do() {
        let date = Meaning::Date(DateFormat::from_pattern(DateFormat::ISO));
        let of = |step: f64| {
            let days = (0..1000).map(|i| 20_000.0 + f64::from(i) * step);
            Resolution::of(&days.collect::<Vec<_>>(), &date)
        };
        assert_eq!(of(1.0), None);
        assert_eq!(of(1.0 / 24.0).unwrap().origin, Origin::NONE);
        for (step, origin) in [
            (1.0 / 96.0, " - 2024-10-09"),
            (1e-7, " - 2024-10-04T00:00:04"),
        ] {
            let found = of(step).unwrap();
            assert_eq!(found.origin.subtracted(&date), origin, "{step}");
            assert_eq!(found.kept, 1000, "{step}");
        }
    }
}
