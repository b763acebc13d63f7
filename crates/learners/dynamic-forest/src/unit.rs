//! Numbers as integers: the unit of which the targets of a tree are multiples.

use serde::{Deserialize, Serialize};

/// The unit of the targets of a tree: 2ᴱ⁻⁵³, where 2ᴱ is the least power of two above all of them in absolute value. A
/// target is stored as a whole number of units, its *code*, which is below 2⁵³ in absolute value: the largest targets
/// are exact, and others are rounded towards zero. Classes do not use a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Unit {
    /// Exponents of targets, the largest first, and the number of targets with each.
    exponents: Vec<(i16, u32)>,
    /// One divided by the unit. As long as it stays the same, so do the codes of all targets.
    pub(crate) codes_per_one: f64,
}

impl Default for Unit {
    fn default() -> Self {
        Self {
            exponents: Vec::new(),
            codes_per_one: Self::of_largest(&[]),
        }
    }
}

impl Unit {
    /// The exponent of all targets below 2 to this power in absolute value, so that `codes_per_one` is finite.
    const LEAST: i16 = -960;

    /// Returns the exponent of the least power of two above a target.
    #[inline]
    fn exponent(target: f64) -> i16 {
        let biased = (target.to_bits() >> 52) as i16 & 0x7ff;
        (biased - 1022).max(Self::LEAST)
    }

    /// Returns `codes_per_one` for targets with these exponents.
    fn of_largest(exponents: &[(i16, u32)]) -> f64 {
        let largest = exponents.first().map_or(Self::LEAST, |first| first.0);
        f64::from_bits(u64::from((1023 + 53 - largest) as u16) << 52)
    }

    /// Updates `codes_per_one`; returns whether it has changed.
    fn update(&mut self) -> bool {
        let before = std::mem::replace(&mut self.codes_per_one, Self::of_largest(&self.exponents));
        before != self.codes_per_one
    }

    /// Counts a target; returns whether that changes codes.
    #[inline]
    pub(crate) fn add(&mut self, target: f64) -> bool {
        let exponent = Self::exponent(target);
        let is_larger = |&(other, _): &(i16, u32)| other > exponent;
        let place = self.exponents.partition_point(is_larger);
        match self.exponents.get_mut(place) {
            Some((same, count)) if *same == exponent => *count += 1,
            _ => self.exponents.insert(place, (exponent, 1)),
        }
        place == 0 && self.update()
    }

    /// Removes a target that was counted; returns whether that changes codes.
    pub(crate) fn remove(&mut self, target: f64) -> bool {
        let exponent = Self::exponent(target);
        let mut exponents = self.exponents.iter();
        let found = exponents.position(|&(other, _)| other == exponent);
        let place = found.expect("the target has been added");
        self.exponents[place].1 -= 1;
        if self.exponents[place].1 == 0 {
            self.exponents.remove(place);
        }
        place == 0 && self.update()
    }
}

#[cfg(test)]
mod tests {
    use forest_core::Regression;

    use super::*;
    use crate::Labels;

    #[test]
    fn the_unit_is_a_function_of_the_targets_held() {
        let mut unit = Unit::default();
        for target in [0.0, -0.0, 1.0, -3.5, 1e100, 1e-300, 5e-324, 1.0, 0.1] {
            unit.add(target);
        }
        assert!(!unit.remove(1.0));
        assert!(unit.remove(1e100));
        let mut other = Unit::default();
        for target in [0.1, 1.0, 1e-300, -3.5, -0.0, 5e-324, 0.0] {
            other.add(target);
        }
        assert_eq!(unit, other);
    }

    #[test]
    fn codes_are_exact_below_two_to_the_53_and_change_with_the_largest() {
        let below_one = 1.0 - f64::EPSILON / 2.0;
        for target in [0.1, -1e100, 0.3, 12345.678, 1e-280, 0.0, below_one] {
            let mut unit = Unit::default();
            unit.add(target);
            let code = Regression::code(target, &unit);
            let mut back = [0.0];
            Regression::add_vote(code, &unit, &mut back);
            assert!(code.unsigned_abs() < 1 << 53 && back == [target]);
        }
        let mut unit = Unit::default();
        assert!(unit.add(1.5));
        assert!(!unit.add(1.0) && !unit.add(0.75));
        let before = Regression::code(0.75, &unit);
        assert!(unit.add(2.0));
        assert_eq!(Regression::code(0.75, &unit) * 2, before);
    }
}
