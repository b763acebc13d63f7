//! Weights of classes, and the Gini index of what a cut leaves together.

mod sides;

pub(crate) use sides::WeightedClassSides;

use super::ClassTally;
use crate::labels::sealed::Tally;
use crate::labels::weighted::Weighted;
use crate::settings::Choice;

/// Returns how good a cut is: for each side the sum of the squares of the weights of its classes, over their sum, added up. `classes`
/// has the weights of each class on the left and in all.
///
/// Squares are exact while the weights of the node are below 2³⁴; of heavier nodes each weight loses as many of its last digits as
/// that takes, which are a function of the node's weight.
#[inline]
fn gain(classes: impl Iterator<Item = (u128, u128)> + Clone) -> f64 {
    let all: u128 = classes.clone().map(|(_, all)| all).sum();
    let lost = (u128::BITS - all.leading_zeros()).saturating_sub(64);
    let (mut left, mut right) = (Side::default(), Side::default());
    for (of_left, of_all) in classes {
        left.add(of_left >> lost);
        right.add((of_all - of_left) >> lost);
    }
    left.gain() + right.gain()
}

/// The weights on one side of a cut.
#[derive(Clone, Copy, Default)]
struct Side {
    sum: u128,
    squares: u128,
}

impl Side {
    fn add(&mut self, units: u128) {
        self.sum += units;
        self.squares += units * units;
    }

    /// A side that has lost all its digits gains nothing.
    fn gain(self) -> f64 {
        if self.sum == 0 {
            return 0.0;
        }
        self.squares as f64 / self.sum as f64
    }
}

/// Weights of the classes of a node's samples, and of those left of a candidate.
#[derive(Clone, Debug, Default)]
pub(crate) struct WeightedClassTally {
    classes: Vec<u32>,
    /// Numbers the classes of the node.
    numbers: ClassTally,
    totals: Vec<u128>,
    lefts: Vec<u128>,
}

impl Tally<Weighted<u32>> for WeightedClassTally {
    fn fit(&mut self, samples: usize) {
        crate::scratch::fit(&mut self.classes, samples);
        self.numbers.fit(samples);
    }

    fn begin(&mut self, codes: &[Weighted<u32>], side: u32) {
        self.classes.clear();
        self.classes.extend(codes.iter().map(|code| code.code));
        self.numbers.begin(&self.classes, side);
        self.totals.clear();
        self.totals.resize(self.numbers.totals.len(), 0);
        for (code, &class) in codes.iter().zip(&self.numbers.classes) {
            self.totals[class as usize] += u128::from(code.units);
        }
    }

    fn gain(&mut self, column: &[f32], threshold: f32, codes: &[Weighted<u32>]) -> f64 {
        self.lefts.clear();
        self.lefts.resize(self.totals.len(), 0);
        let mut count = 0;
        for ((&value, code), &class) in column.iter().zip(codes).zip(&self.numbers.classes) {
            let is_left = value <= threshold;
            count += u32::from(is_left);
            self.lefts[class as usize] += u128::from(code.units) * u128::from(is_left);
        }
        if !Choice::allows(self.numbers.side, count, codes.len() as u32) {
            return f64::NEG_INFINITY;
        }
        gain(self.lefts.iter().copied().zip(self.totals.iter().copied()))
    }

    /// Not known: rounding may put one pure cut above another.
    fn largest_gain(&self) -> f64 {
        f64::INFINITY
    }

    fn end(&mut self, _: &[Weighted<u32>]) {
        self.numbers.end(&self.classes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights of any size have the gain of those in another unit, whether digits are lost or not.
    #[test]
    fn the_unit_of_weights_scales_the_gain() {
        let classes = [
            (3u128, 10u128),
            (0, 7),
            ((1 << 50) + 1, (1 << 51) + 5),
            (5, 5),
        ];
        let of = |shift: u32| {
            let scaled = classes.map(|(left, all)| (left << shift, all << shift));
            gain(scaled.into_iter())
        };
        for shift in 0u32..60 {
            let lost = (52 + shift).saturating_sub(64);
            let expected = of(0) * (2.0f64).powi((shift - lost) as i32);
            assert_eq!(of(shift), expected, "{shift}");
        }
    }

    #[test]
    fn a_side_that_weighs_next_to_nothing_gains_a_number() {
        let classes = [(1u128, 1u128), (0, 1 << 80)];
        assert!(gain(classes.into_iter()).is_finite());
    }
}
