//! The threshold of a feature in a node: a hashed Mondrian process on the line.

use crate::hash::Draws;

/// Returns the first cut inside `[lo, hi)` of a hashed one-dimensional Mondrian process, rounded down to an `f32`, which is in
/// the range still; `lo < hi`, both finite. The sign of 0 makes no difference.
///
/// The process cuts the least dyadic interval around the range at a uniform point, continues with the part that contains the
/// range, and ends when a cut falls into the range. Given the range each cut is uniform on an interval that contains it, so
/// the first one inside is uniform on the range. A wider range within the same interval has the same cuts up to the
/// first that falls into it: so the threshold stays unless that cut lies in what the range has gained, which has
/// probability gain / (new width).
///
/// Takes ln(interval / range) + 1 draws in expectation: about 2.
#[inline]
pub(crate) fn threshold(mut draws: Draws, lo: f32, hi: f32) -> f32 {
    let (lo, hi) = (f64::from(lo), f64::from(hi));
    let (mut from, mut to) = interval(lo, hi);
    // Once a cut is inside, both ends are that cut and stay so. In most cases one of a few is, so that an unconditional
    // step is cheaper than one that tests whether it is the last.
    while from != to {
        for _ in 0..STEPS {
            let cut = from + draws.uniform() * (to - from);
            (from, to) = (
                if cut >= hi { from } else { cut },
                if cut < lo { to } else { cut },
            );
        }
    }
    round_down(from)
}

/// Steps between two tests of whether a cut is inside.
const STEPS: usize = 3;

/// Returns the least dyadic interval, `[k·2ᵉ, (k + 1)·2ᵉ)`, that holds the range; `[-2ᵉ, 2ᵉ)` if it has numbers of both signs.
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

/// Returns the same for numbers that are not negative: all that begin with the bits that both have in common.
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

/// Returns the largest `f32` that is not larger.
#[inline]
fn round_down(value: f64) -> f32 {
    /// The bits of the fraction that an `f32` lacks.
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
    use crate::hash::NodeKey;

    const LEVEL: f64 = 1e-3;

    fn cuts(lo: f32, hi: f32) -> Vec<f32> {
        let draws = |seed| NodeKey::root(seed).threshold(4);
        (0..20_000)
            .map(|seed| threshold(draws(seed), lo, hi))
            .collect()
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
            let (start, width) = (f64::from(lo), f64::from(hi) - f64::from(lo));
            let shares = cuts(lo, hi)
                .into_iter()
                .map(|cut| (f64::from(cut) - start) / width);
            assert!(
                has_distribution(shares.collect(), |u| u) > LEVEL,
                "{lo} to {hi}"
            );
        }
        let squeezed = cuts(3.0, 5.0)
            .into_iter()
            .map(|cut| f64::from(cut - 3.0) / 1.96);
        assert!(has_distribution(squeezed.collect(), |u| u) < LEVEL);
    }

    #[test]
    fn the_sign_of_zero_makes_no_difference() {
        for seed in 0..1000 {
            let draws = || NodeKey::root(seed).threshold(1);
            assert_eq!(threshold(draws(), -0.0, 3.0), threshold(draws(), 0.0, 3.0));
            assert_eq!(
                threshold(draws(), -3.0, -0.0),
                threshold(draws(), -3.0, 0.0)
            );
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
            assert!(
                cuts(lo, hi).into_iter().all(|cut| lo <= cut && cut < hi),
                "{lo} to {hi}"
            );
        }
    }

    /// Widened from [2, 3] to [2, 3.5], it moves with probability 1/3, and never within the old range.
    #[test]
    fn a_wider_range_moves_it_only_into_what_was_gained() {
        let both: Vec<_> = cuts(2.0, 3.0).into_iter().zip(cuts(2.0, 3.5)).collect();
        let moved: Vec<_> = both.iter().filter(|(old, new)| old != new).collect();
        assert!(moved.iter().all(|(_, new)| *new >= 3.0));
        let (share, expected) = (moved.len() as f64 / both.len() as f64, 1.0 / 3.0);
        let deviation = (expected * (1.0 - expected) / both.len() as f64).sqrt();
        assert!((share - expected).abs() < 3.3 * deviation, "{share}");
    }

    #[test]
    fn golden_thresholds_are_pinned() {
        let golden = RANGES.map(|(lo, hi)| threshold(NodeKey::root(11).threshold(2), lo, hi));
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
