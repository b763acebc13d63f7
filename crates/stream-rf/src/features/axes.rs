//! The coordinates themselves: the paper's axis-aligned splits.

use forest_core::{SettingError, TreeRng};
use serde::{Deserialize, Serialize};

use super::FeatureSpace;

/// The D coordinates of a point; a feature is the index of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axes;

impl FeatureSpace for Axes {
    type Feature = u32;

    fn check(&self, _: usize) -> Result<(), SettingError> {
        Ok(())
    }

    /// Returns the first `count` steps of a shuffle.
    fn draw(&self, count: usize, width: usize, rng: &mut TreeRng) -> Vec<u32> {
        let mut axes: Vec<u32> = (0..width as u32).collect();
        let count = count.min(width);
        for place in 0..count {
            axes.swap(place, place + rng.below(width - place));
        }
        axes.truncate(count);
        axes
    }

    #[inline]
    fn value(&self, feature: u32, point: &[f32]) -> f32 {
        point[feature as usize]
    }

    fn contains(&self, feature: u32, width: usize) -> bool {
        (feature as usize) < width
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit;

    /// Returns how often each ordered pair of 0..4 comes.
    fn pairs(draw: impl Fn(&mut TreeRng) -> Vec<u32>) -> Vec<usize> {
        let (mut rng, mut counts) = (TreeRng::new(12, 0), vec![0; 16]);
        for _ in 0..50_000 {
            let pair = draw(&mut rng);
            counts[(pair[0] * 4 + pair[1]) as usize] += 1;
        }
        counts
    }

    fn probability(pair: usize) -> f64 {
        if pair.is_multiple_of(5) {
            0.0
        } else {
            1.0 / 12.0
        }
    }

    #[test]
    fn ordered_choices_are_equally_likely() {
        let counts = pairs(|rng| Axes.draw(2, 4, rng));
        assert!(!fit::is_rejected(&counts, probability));
        assert_eq!(Axes.draw(9, 3, &mut TreeRng::new(1, 0)).len(), 3);
    }

    #[test]
    fn swaps_with_any_place_are_rejected() {
        let wrong = |rng: &mut TreeRng| {
            let mut axes: Vec<u32> = (0..4).collect();
            (0..4).for_each(|place| axes.swap(place, rng.below(4)));
            axes
        };
        assert!(fit::is_rejected(&pairs(wrong), probability));
    }

    #[test]
    fn axes_are_those_below_the_width() {
        assert_eq!(
            [1, 2, 3].map(|axis| Axes.contains(axis, 2)),
            [true, false, false]
        );
    }

    #[test]
    fn draws_are_pinned() {
        let axes = Axes.draw(5, 100, &mut TreeRng::new(2013, 4));
        assert_eq!(axes, [78, 60, 25, 86, 19]);
    }
}
