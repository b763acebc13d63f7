//! Origins, which are subtracted from columns so that `f32` keeps their numbers apart.

use jiff::SignedDuration;
use jiff::civil::date;
use serde::{Deserialize, Serialize};

use super::Meaning;
use crate::DateFormat;

/// A share of different numbers that become equal as `f32`, above which it is said, and an origin is looked for.
pub(crate) const MERGED_SHARE: f64 = 0.01;

/// What is subtracted from the numbers of a column before they are rounded to `f32`; of dates in days since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin(f64);

/// Different numbers of a column, before and after they become `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resolution {
    pub(crate) origin: Origin,
    pub(crate) distinct: usize,
    pub(crate) kept: usize,
    /// Different numbers, if nothing were subtracted.
    pub(crate) kept_without: usize,
}

impl Resolution {
    /// Returns whether more numbers become equal than can be chance.
    pub(crate) fn merges(&self, kept: usize) -> bool {
        (self.distinct - kept) as f64 > MERGED_SHARE * self.distinct as f64
    }

    /// Chooses the origin of finite numbers: the whole number below their median, if numbers become equal without it, and with it less
    /// than half as many do. Returns `None` if every number is one of `f32`.
    pub(crate) fn of(numbers: &[f64]) -> Option<Self> {
        let is_exact = |number: &f64| f64::from(*number as f32) == *number;
        if numbers.iter().all(is_exact) {
            return None;
        }
        let mut numbers = numbers.to_vec();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let kept = |origin: Origin| {
            let mut rounded: Vec<f32> = numbers
                .iter()
                .map(|it| origin.shifted(*it) as f32)
                .collect();
            rounded.dedup();
            rounded.len()
        };
        let distinct = numbers.len();
        let kept_without = kept(Origin::NONE);
        let mut found = Self {
            origin: Origin::NONE,
            distinct,
            kept: kept_without,
            kept_without,
        };
        if found.merges(kept_without) {
            // Adding 0.0 turns -0 into 0.
            let middle = Origin(numbers[distinct / 2].floor() + 0.0);
            let kept = kept(middle);
            if 2 * (distinct - kept) < distinct - kept_without {
                (found.origin, found.kept) = (middle, kept);
            }
        }
        Some(found)
    }
}

impl Origin {
    /// Nothing is subtracted.
    pub(crate) const NONE: Self = Self(0.0);

    pub(crate) fn shifted(self, number: f64) -> f64 {
        // Adding 0.0 turns -0 into 0.
        number - self.0 + 0.0
    }

    /// Returns the date, or the time of day, that was `shifted` days when this was subtracted.
    pub(crate) fn date(self, shifted: f64, format: &DateFormat) -> String {
        let date = Self(self.0 + shifted).as_date();
        match (format.has_days(), date.split_once('T')) {
            (true, _) => date,
            (false, Some((_, time))) => time.to_owned(),
            (false, None) => "00:00:00".to_owned(),
        }
    }

    pub(crate) fn is_sound(self) -> bool {
        self.0.is_finite()
    }

    /// As it is written behind the name of a column: ` - 1000`, ` + 122`, ` - 2026-11-25`; empty if there is none.
    pub(crate) fn subtracted(self, meaning: &Meaning) -> String {
        match meaning {
            _ if self == Self::NONE => String::new(),
            Meaning::Date(_) => format!(" - {}", self.as_date()),
            _ if self.0 < 0.0 => format!(" + {}", -self.0),
            _ => format!(" - {}", self.0),
        }
    }

    fn as_date(self) -> String {
        let epoch = date(1970, 1, 1).at(0, 0, 0, 0);
        let seconds = SignedDuration::try_from_secs_f64((self.0 * 86400.0).round());
        let datetime = seconds.map(|seconds| epoch.saturating_add(seconds));
        match datetime {
            Ok(day) if self.0.fract() == 0.0 => day.date().to_string(),
            Ok(datetime) => datetime.to_string(),
            Err(_) => self.0.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_chosen_only_where_it_keeps_numbers_apart() {
        let of = |number: &dyn Fn(f64) -> f64| {
            let numbers: Vec<f64> = (0..100).map(|i| number(f64::from(i))).collect();
            Resolution::of(&numbers)
        };
        // Exact as they are.
        assert_eq!(of(&|i| 1990.0 + i), None);
        // Rounded, but apart; and merged, but not for being far from 0.
        assert_eq!(of(&|i| 20.0 + 1.01 * i).unwrap().origin, Origin::NONE);
        let around_zero = of(&|i| i % 2.0 + 1e-10 * i).unwrap();
        assert_eq!(around_zero.origin, Origin::NONE);
        let ids = of(&|i| 1e10 + i).unwrap();
        assert_eq!(ids.origin.subtracted(&Meaning::Number), " - 10000000050");
        assert_eq!((ids.distinct, ids.kept, ids.kept_without), (100, 100, 1));
        let west = of(&|i| -122.41 - 1e-6 * i).unwrap();
        assert_eq!(west.origin.subtracted(&Meaning::Number), " + 123");
        // Days since 1970, seconds and a day apart.
        let iso = Meaning::Date(DateFormat::from_pattern(DateFormat::ISO));
        let seconds = of(&|i| 20_000.0 + i / 86400.0).unwrap();
        assert_eq!(seconds.origin.subtracted(&iso), " - 2024-10-04");
        assert_eq!(of(&|i| 20_000.0 + i), None);
    }
}
