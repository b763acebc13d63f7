//! Mean and variance of numbers.

use serde::{Deserialize, Serialize};

/// How many numbers, their mean, and the sum of their squared distances from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    pub(super) weight: f64,
    pub(super) mean: f64,
    pub(super) squares: f64,
}

impl Moments {
    /// Adds `weight` times a number.
    pub(super) fn add(&mut self, number: f64, weight: f64) {
        self.weight += weight;
        // Welford's update: the squares need the distance from the mean before and after it.
        let before = number - self.mean;
        self.mean += before * (weight / self.weight);
        self.squares += weight * before * (number - self.mean);
    }

    /// Adds the numbers of another summary: as many equal ones, and their squared distances.
    pub(super) fn merge(&mut self, other: Self) {
        if other.weight > 0.0 {
            self.add(other.mean, other.weight);
            self.squares += other.squares;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(numbers: &[f64]) -> Moments {
        let mut moments = Moments::default();
        numbers.iter().for_each(|&number| moments.add(number, 1.0));
        moments
    }

    #[test]
    fn moments_are_those_of_the_numbers() {
        let of = moments(&[1.0, 2.0, 6.0]);
        assert!((of.mean - 3.0).abs() < 1e-15 && (of.squares - 14.0).abs() < 1e-13);
    }

    #[test]
    fn merged_moments_are_those_of_all_numbers() {
        let mut merged = moments(&[1.0, 2.0]);
        merged.merge(moments(&[6.0, 7.0, -4.0]));
        let all = moments(&[1.0, 2.0, 6.0, 7.0, -4.0]);
        assert!((merged.mean - all.mean).abs() < 1e-14);
        assert!((merged.squares - all.squares).abs() < 1e-12);
    }
}
