//! Values of features: numbers, missing values and categories.

/// The values of features that a learner accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureValues {
    /// Finite numbers.
    Numbers,
    /// Finite numbers, missing values (NaN) and [categories](category).
    NumbersAndCategories,
}

impl FeatureValues {
    /// Returns whether `value` is one of them; an infinity never is.
    #[inline]
    pub(crate) fn contain(self, value: f32) -> bool {
        match self {
            Self::Numbers => value.is_finite(),
            Self::NumbersAndCategories => !value.is_infinite(),
        }
    }
}

/// Returns the value that stands for category `index` of a feature: a NaN with the index in its lower bits, so that a
/// feature may have numbers and categories. A missing value, `f32::NAN`, is a category of its own.
///
/// Learners that accept [such values](FeatureValues::NumbersAndCategories) compare categories for equality alone;
/// others refuse them as they refuse NaN.
///
/// ```
/// use forest_core::{CATEGORIES, category};
///
/// assert!(category(3).is_nan());
/// assert_ne!(category(3).to_bits(), category(4).to_bits());
/// assert_ne!(category(0).to_bits(), f32::NAN.to_bits());
/// assert!(category(CATEGORIES - 1).is_nan());
/// ```
/// Panics if `index` is not below [`CATEGORIES`].
pub fn category(index: u32) -> f32 {
    assert!(
        index < CATEGORIES,
        "a feature has {CATEGORIES} categories at most"
    );
    f32::from_bits(f32::NAN.to_bits() | (index + 1))
}

/// The number of categories that a feature may have: 2²² − 1.
pub const CATEGORIES: u32 = (1 << 22) - 1;

/// Returns the side of a value at a split: 0, left, where it is at most the threshold; 1, right.
///
/// Categories, among them missing values, go to the side that a hash of threshold and category decides: each split
/// divides them by a random subset of its own, unseen ones included. Two thresholds stand for splits of another kind:
/// −∞ divides categories, which go left, from numbers; a NaN divides all values by a random subset.
#[inline]
pub fn side(value: f32, threshold: f32) -> usize {
    // One comparison of numbers, which is not taken.
    if value.is_nan() || threshold.is_nan() {
        return side_of_category(value, threshold);
    }
    usize::from(value > threshold)
}

#[cold]
#[inline(never)]
fn side_of_category(value: f32, threshold: f32) -> usize {
    if threshold == f32::NEG_INFINITY {
        return 0;
    }
    // The sign of a NaN means nothing, and 0 has two.
    let value = if value.is_nan() {
        value.abs()
    } else {
        value + 0.0
    };
    let bits = u64::from(threshold.to_bits()) << 32 | u64::from(value.to_bits());
    // The finaliser of SplitMix64.
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 63) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeRng;

    /// Returns by how many standard deviations a number of heads differs from half of the throws.
    fn deviation(heads: usize, throws: usize) -> f64 {
        let half = throws as f64 / 2.0;
        (heads as f64 - half).abs() / (half / 2.0).sqrt()
    }

    /// Over thresholds each category is left half of the time, and two of them are on the same side half of the time:
    /// numbers' thresholds and subsets alike.
    #[test]
    fn sides_of_categories_are_fair_and_independent() {
        const THROWS: usize = 20_000;
        let values = [
            f32::NAN,
            category(0),
            category(1),
            category(255),
            category(256),
            3.0,
        ];
        let mut rng = TreeRng::new(4, 0);
        let numbers: Vec<f32> = (0..THROWS).map(|_| rng.uniform() as f32).collect();
        let subset = |_| f32::from_bits(f32::NAN.to_bits() | (rng.below(1 << 22) as u32));
        let subsets: Vec<f32> = (0..THROWS).map(subset).collect();
        for (thresholds, values) in [(&numbers, &values[..5]), (&subsets, &values[..])] {
            for (index, &a) in values.iter().enumerate() {
                let right = thresholds.iter().filter(|&&t| side(a, t) == 1).count();
                assert!(deviation(right, THROWS) < 4.0, "{a:?}: {right}");
                for &b in &values[..index] {
                    let same = thresholds.iter().filter(|&&t| side(a, t) == side(b, t));
                    let same = same.count();
                    assert!(deviation(same, THROWS) < 4.0, "{a:?}, {b:?}: {same}");
                }
            }
        }
        // Of two thresholds next to each other, too.
        let next = |&&t: &&f32| side(f32::NAN, t) == side(f32::NAN, t.next_up());
        let same = numbers.iter().filter(next).count();
        assert!(deviation(same, THROWS) < 4.0, "{same}");
    }

    #[test]
    fn numbers_are_compared_and_the_sign_of_a_missing_value_means_nothing() {
        assert_eq!([side(0.5, 0.5), side(0.6, 0.5), side(-0.0, 0.0)], [0, 1, 0]);
        for bits in 0..1000 {
            let number = bits as f32;
            let subset = f32::from_bits(f32::NAN.to_bits() | bits);
            assert_eq!(side(f32::NAN, number), side(-f32::NAN, number));
            assert_eq!(side(0.0, subset), side(-0.0, subset));
        }
        let between = f32::NEG_INFINITY;
        let left = [f32::NAN, category(4)].map(|value| side(value, between));
        assert_eq!(left, [0, 0]);
        assert_eq!(side(f32::MIN, between), 1);
    }

    #[test]
    fn golden_sides_are_pinned() {
        let side_of = |index| side(category(index), 0.375).to_string();
        let sides: String = (0..32).map(side_of).collect();
        assert_eq!(sides, GOLDEN);
    }

    const GOLDEN: &str = "11010111011011010101111101011000";
}
