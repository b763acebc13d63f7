//! Targets as integers: multiples of a unit that is a function of the tree's samples.

use forest_core::{Classification, Regression};
use serde::{Deserialize, Serialize};

use crate::labels::sealed::CodeUnit;

/// Classes are integers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct NoUnit;

impl CodeUnit<Classification> for NoUnit {
    type Code = u32;

    #[inline]
    fn code(&self, target: u32) -> u32 {
        target
    }

    fn add(&mut self, _: u32) -> bool {
        false
    }

    fn remove(&mut self, _: u32) -> bool {
        false
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Numbers are multiples of 2ᴱ⁻⁵³, where 2ᴱ is the least power of two above all targets of the tree, in absolute
/// value. The largest targets lose nothing, and others what is beyond 53 bits of the largest, towards 0.
///
/// Codes are below 2⁵³ in absolute value; sums of 2³¹ of them are below 2⁸⁴.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unit {
    /// Exponents of targets, the largest first, and the number of targets with each.
    exponents: Vec<(i16, u32)>,
    codes_per_one: f64,
}

impl Unit {
    const BITS: i16 = 53;

    /// Targets below 2 to this power, in absolute value, have it as their exponent: what turns them into codes is finite.
    const LEAST: i16 = -960;

    /// Returns the least power of two above a target.
    #[inline]
    fn exponent(target: f64) -> i16 {
        let biased = (target.to_bits() >> 52) as i16 & 0x7ff;
        (biased - 1022).max(Self::LEAST)
    }

    fn power_of_two(exponent: i16) -> f64 {
        f64::from_bits(u64::from((1023 + exponent) as u16) << 52)
    }

    fn of_largest(exponents: &[(i16, u32)]) -> f64 {
        let largest = exponents
            .first()
            .map_or(Self::LEAST, |&(largest, _)| largest);
        Self::power_of_two(Self::BITS - largest)
    }

    /// Notes a change of the largest exponent, and whether there was one.
    fn follow(&mut self) -> bool {
        let before = std::mem::replace(&mut self.codes_per_one, Self::of_largest(&self.exponents));
        before != self.codes_per_one
    }

    /// Returns how many codes are one: with the same, targets have the same codes.
    pub(crate) fn scale(&self) -> f64 {
        self.codes_per_one
    }

    /// Returns the target with this code.
    #[inline]
    pub(crate) fn target(&self, code: i64) -> f64 {
        code as f64 / self.codes_per_one
    }

    /// Returns the mean of `count` targets whose codes add up to `sum`.
    pub(crate) fn mean(&self, sum: i128, count: f64) -> f64 {
        sum as f64 / count / self.codes_per_one
    }
}

impl Default for Unit {
    fn default() -> Self {
        let codes_per_one = Self::of_largest(&[]);
        Self {
            exponents: Vec::new(),
            codes_per_one,
        }
    }
}

impl CodeUnit<Regression> for Unit {
    type Code = i64;

    #[inline]
    fn code(&self, target: f64) -> i64 {
        (target * self.codes_per_one) as i64
    }

    #[inline]
    fn add(&mut self, target: f64) -> bool {
        let exponent = Self::exponent(target);
        let place = self
            .exponents
            .iter()
            .position(|&(other, _)| other <= exponent);
        let place = place.unwrap_or(self.exponents.len());
        match self.exponents.get_mut(place) {
            Some((same, count)) if *same == exponent => *count += 1,
            _ => self.exponents.insert(place, (exponent, 1)),
        }
        place == 0 && self.follow()
    }

    fn remove(&mut self, target: f64) -> bool {
        let exponent = Self::exponent(target);
        let place = self
            .exponents
            .iter()
            .position(|&(other, _)| other == exponent);
        let place = place.expect("the target has been added");
        self.exponents[place].1 -= 1;
        if self.exponents[place].1 == 0 {
            self.exponents.remove(place);
        }
        place == 0 && self.follow()
    }

    fn bytes(&self) -> usize {
        self.exponents.capacity() * size_of::<(i16, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_a_function_of_the_targets_held() {
        let targets = [0.0, -0.0, 1.0, -3.5, 1e100, 1e-300, 5e-324, 1.0, 0.1];
        let mut unit = Unit::default();
        targets.iter().for_each(|&target| {
            unit.add(target);
        });
        assert!(!unit.remove(1.0));
        assert!(unit.remove(1e100));
        let mut other = Unit::default();
        for target in [0.1, 1.0, 1e-300, -3.5, -0.0, 5e-324, 0.0] {
            other.add(target);
        }
        assert_eq!(unit, other);
    }

    #[test]
    fn codes_are_exact_and_below_two_to_the_53() {
        for target in [
            0.1,
            -1e100,
            0.3,
            12345.678,
            1e-280,
            0.0,
            1.0 - f64::EPSILON / 2.0,
        ] {
            let mut unit = Unit::default();
            unit.add(target);
            let code = unit.code(target);
            assert!(code.unsigned_abs() < 1 << 53 && unit.target(code) == target);
        }
    }

    #[test]
    fn a_larger_target_changes_the_codes_of_others() {
        let mut unit = Unit::default();
        assert!(unit.add(1.5));
        assert!(!unit.add(1.0) && !unit.add(0.75));
        let before = unit.code(0.75);
        assert!(unit.add(2.0));
        assert_eq!(unit.code(0.75) * 2, before);
    }
}
