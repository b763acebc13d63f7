//! The split of a feature in a node: at the threshold of a hashed Mondrian process on the line, or between categories.

use forest_core::{SampleId, SampleStore, Task, side};
use serde::{Deserialize, Serialize};

use crate::hash::{Draws, NodeKey};

/// Points whose value of `feature` is at most `threshold` go to the left; [`side`] decides for categories.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Split {
    pub(crate) feature: u32,
    pub(crate) threshold: f32,
}

/// Compares bits, since a threshold that divides categories is a NaN.
impl PartialEq for Split {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.feature == other.feature && self.threshold.to_bits() == other.threshold.to_bits()
    }
}

impl Split {
    #[inline]
    pub(crate) fn side(self, x: &[f32]) -> usize {
        side(x[self.feature as usize], self.threshold)
    }

    /// Returns the threshold for a column whose categories [have been divided](divide_categories).
    #[inline]
    pub(crate) fn level(self) -> f32 {
        if self.threshold.is_nan() {
            return 0.0;
        }
        self.threshold
    }
}

/// The range of a feature in a node: the least and the largest number (∞ and −∞ without numbers).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) feature: u32,
    pub(crate) lo: f32,
    pub(crate) hi: f32,
    pub(crate) has_categories: bool,
}

impl Range {
    /// Reads the values of a feature into `column`, and returns their range.
    #[inline(always)]
    pub(crate) fn read<T: Task>(
        store: &SampleStore<T>,
        ids: &[SampleId],
        feature: u32,
        column: &mut Vec<f32>,
    ) -> Self {
        let points = store.points();
        column.clear();
        column.extend(ids.iter().map(|&id| points.value(id, feature as usize)));
        let has_categories = store.has_categories() && column.iter().any(|value| value.is_nan());
        let (lo, hi) = range(column);
        Self {
            feature,
            lo,
            hi,
            has_categories,
        }
    }

    /// Returns whether the values of the column of this range are not all the same.
    #[inline]
    pub(crate) fn differs(self, column: &[f32]) -> bool {
        let is_other = |&value: &f32| !is_same(value, column[0]);
        self.lo < self.hi || (self.has_categories && column.iter().any(is_other))
    }

    /// Returns split `number` of a feature whose values differ: a threshold between numbers, where [`side`] decides on
    /// the side of each category; or between one number and categories; or, without numbers, between categories.
    #[inline]
    pub(crate) fn split(self, key: NodeKey, number: u32, column: &[f32]) -> Split {
        let feature = self.feature;
        let threshold = if self.lo < self.hi {
            threshold(key.threshold(feature, number), self.lo, self.hi)
        } else {
            self.between_categories(key, number, column)
        };
        Split { feature, threshold }
    }

    #[cold]
    #[inline(never)]
    fn between_categories(self, key: NodeKey, number: u32, column: &[f32]) -> f32 {
        if self.lo == self.hi {
            return f32::NEG_INFINITY;
        }
        let sides = |subset| column.iter().map(move |&value| side(value, subset));
        let divides = |&subset: &f32| sides(subset).any(|of| of != side(column[0], subset));
        let first = subsets(key, self.feature, number).find(divides);
        first.expect("a random subset divides two categories with probability 1/2")
    }
}

/// Returns thresholds that encode random subsets of categories: the first that divides those of the node is its split.
pub(crate) fn subsets(key: NodeKey, feature: u32, number: u32) -> impl Iterator<Item = f32> {
    let mut draws = key.threshold(feature, number);
    std::iter::repeat_with(move || draws.subset())
}

/// Returns whether both are the same number or the same category; the sign of a NaN has no meaning.
#[inline]
pub(crate) fn is_same(a: f32, b: f32) -> bool {
    a == b || (a.is_nan() && a.abs().to_bits() == b.abs().to_bits())
}

pub(crate) fn is_same_point(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(&a, &b)| is_same(a, b))
}

/// Replaces categories left and right of a split by −∞ and ∞, so that its [level](Split::level) divides the column.
#[cold]
#[inline(never)]
pub(crate) fn divide_categories(column: &mut [f32], split: Split) {
    // A subset of categories also decides on numbers, which silent samples can have.
    let all = split.threshold.is_nan();
    for value in column.iter_mut().filter(|value| all || value.is_nan()) {
        *value = match side(*value, split.threshold) {
            0 => f32::NEG_INFINITY,
            _ => f32::INFINITY,
        };
    }
}

/// Returns the least and the largest of the numbers among these values; ∞ and −∞ without numbers.
#[inline(always)]
fn range(column: &[f32]) -> (f32, f32) {
    // Eight independent minima and maxima; a category compares with no number.
    const LANES: usize = 8;
    let (parts, rest) = column.as_chunks::<LANES>();
    let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
    if !parts.is_empty() {
        let (mut los, mut his) = ([lo; LANES], [hi; LANES]);
        // The compiler vectorises two loops, and not one.
        for part in parts {
            (0..LANES).for_each(|lane| los[lane] = least(los[lane], part[lane]));
        }
        for part in parts {
            (0..LANES).for_each(|lane| his[lane] = largest(his[lane], part[lane]));
        }
        lo = los.into_iter().fold(lo, least);
        hi = his.into_iter().fold(hi, largest);
    }
    for &value in rest {
        (lo, hi) = (least(lo, value), largest(hi, value));
    }
    (lo, hi)
}

#[inline]
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline]
fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// Returns the first split inside `[lo, hi)` of a hashed one-dimensional Mondrian process, rounded down to an `f32`,
/// which is in the range still; `lo < hi`, both finite. The sign of 0 makes no difference.
///
/// The process splits the least dyadic interval around the range at a uniform point, continues with the part that
/// contains the range, and ends when a split falls into the range, after about 2 draws. So the threshold is uniform on
/// the range, and moves only into what the range gains (docs/papers/dynamic-forest.md, Theorem 2).
#[inline]
pub(crate) fn threshold(mut draws: Draws, lo: f32, hi: f32) -> f32 {
    let (lo, hi) = (f64::from(lo), f64::from(hi));
    let (mut from, mut to) = interval(lo, hi);
    // Once a split is inside, both ends are equal to it and stay so: a test after every third step is cheaper.
    while from != to {
        for _ in 0..3 {
            let split = from + draws.uniform() * (to - from);
            (from, to) = (
                if split >= hi { from } else { split },
                if split < lo { to } else { split },
            );
        }
    }
    round_down(from)
}

/// Returns the least dyadic interval, `[k·2ᵉ, (k + 1)·2ᵉ)`, that holds the range; `[-2ᵉ, 2ᵉ)` across 0.
#[inline]
fn interval(lo: f64, hi: f64) -> (f64, f64) {
    if lo >= 0.0 {
        dyadic(lo, hi)
    } else if hi <= 0.0 {
        let (from, to) = dyadic(-hi, -lo);
        (-to, -from)
    } else {
        let magnitude = power_above((-lo).max(hi));
        (-magnitude, magnitude)
    }
}

/// Returns the interval for numbers that are not negative: all that begin with the bits that both have in common.
#[inline]
fn dyadic(lo: f64, hi: f64) -> (f64, f64) {
    let different = lo.to_bits() ^ hi.to_bits();
    if different >= EXPONENT_BIT {
        return (0.0, power_above(hi));
    }
    let free = u64::MAX >> different.leading_zeros();
    let from = lo.to_bits() & !free;
    (f64::from_bits(from), f64::from_bits(from + free + 1))
}

/// The least bit of the exponent of an `f64`.
const EXPONENT_BIT: u64 = 1 << 52;

/// Returns the least power of two above `value`, a positive `f32`: as an `f64` it is not subnormal.
#[inline]
fn power_above(value: f64) -> f64 {
    2.0 * f64::from_bits(value.to_bits() & !(EXPONENT_BIT - 1))
}

/// Returns the largest `f32` that is not larger than a value.
#[inline]
fn round_down(value: f64) -> f32 {
    /// The bits that an `f32` lacks.
    const LOST: u64 = (1 << 29) - 1;
    if value.abs() < f64::from(f32::MIN_POSITIVE) {
        return round_down_subnormal(value);
    }
    // Towards 0 if positive, away from it if negative.
    let away = if value < 0.0 { LOST } else { 0 };
    f64::from_bits((value.to_bits() + away) & !LOST) as f32
}

#[cold]
fn round_down_subnormal(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) > value {
        nearest.next_down()
    } else {
        nearest
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::has_distribution;

    use super::*;

    const LEVEL: f64 = 1e-3;

    fn splits(lo: f32, hi: f32) -> Vec<f32> {
        let draws = |seed| NodeKey::root(seed).threshold(4, 0);
        let splits = (0..20_000).map(|seed| threshold(draws(seed), lo, hi));
        splits.collect()
    }

    const RANGES: [(f32, f32); 9] = [
        (0.0, 1.0),
        (-1.0, 0.0),
        (3.0, 5.0),
        (1000.0, 1001.0),
        (-1001.0, -1000.0),
        (-0.25, 7.0),
        (-1e30, 1e-3),
        (1e-40, 3e-39),
        (f32::MIN, f32::MAX),
    ];

    #[test]
    fn it_is_uniform_on_the_range() {
        for (lo, hi) in RANGES {
            let start = f64::from(lo);
            let width = f64::from(hi) - start;
            let share = |split| (f64::from(split) - start) / width;
            let shares = splits(lo, hi).into_iter().map(share).collect();
            assert!(has_distribution(shares, |u| u) > LEVEL, "{lo} to {hi}");
        }
        let splits = splits(3.0, 5.0).into_iter();
        let squeezed = splits.map(|split| f64::from(split - 3.0) / 1.96);
        assert!(has_distribution(squeezed.collect(), |u| u) < LEVEL);
    }

    #[test]
    fn the_sign_of_zero_makes_no_difference() {
        for seed in 0..1000 {
            let split = |lo, hi| threshold(NodeKey::root(seed).threshold(1, 0), lo, hi);
            assert_eq!(split(-0.0, 3.0), split(0.0, 3.0));
            assert_eq!(split(-3.0, -0.0), split(-3.0, 0.0));
        }
    }

    #[test]
    fn numbers_are_rounded_down() {
        let mut draws = NodeKey::root(1).order();
        for scale in [1.0, 1e-38, 1e-44, 1e38] {
            for _ in 0..10_000 {
                let value = (draws.uniform() - 0.5) * scale;
                let rounded = round_down(value);
                assert!(f64::from(rounded) <= value && value < f64::from(rounded.next_up()));
            }
        }
    }

    #[test]
    fn both_sides_of_it_have_a_sample() {
        let neighbours = [
            1.0f32,
            1e-45,
            1e-40,
            -1.0,
            -1e-45,
            16_777_216.0,
            f32::MAX.next_down(),
        ];
        let narrow = neighbours.map(|lo| (lo, lo.next_up()));
        for (lo, hi) in RANGES.into_iter().chain(narrow) {
            let hi = hi + 0.0;
            let mut splits = splits(lo, hi).into_iter();
            let are_inside = splits.all(|split| lo <= split && split < hi);
            assert!(are_inside, "{lo} to {hi}");
        }
    }

    /// Widened from [2, 3] to [2, 3.5], it moves with probability 1/3, and never within the old range.
    #[test]
    fn a_wider_range_moves_it_only_into_what_was_gained() {
        let both: Vec<_> = splits(2.0, 3.0).into_iter().zip(splits(2.0, 3.5)).collect();
        let moved: Vec<_> = both.iter().filter(|(old, new)| old != new).collect();
        assert!(moved.iter().all(|(_, new)| *new >= 3.0));
        let share = moved.len() as f64 / both.len() as f64;
        let expected = 1.0 / 3.0;
        let deviation = (expected * (1.0 - expected) / both.len() as f64).sqrt();
        assert!((share - expected).abs() < 3.3 * deviation, "{share}");
    }

    #[test]
    fn golden_thresholds_are_pinned() {
        let golden = RANGES.map(|(lo, hi)| threshold(NodeKey::root(11).threshold(2, 0), lo, hi));
        assert_eq!(golden, GOLDEN);
    }

    const GOLDEN: [f32; 9] = [
        0.7909118,
        -0.93599194,
        3.1636472,
        1000.7909,
        -1000.93604,
        0.5120649,
        -2.6505073e29,
        2.32428e-39,
        -7.1149015e37,
    ];
}
