//! Labels, the paper's `c(x)`: rows of cells, which are compared (`d_c`) and averaged (equation 1, after Shepard).
//!
//! An average is gathered in two accumulators: for labels at a positive distance `d`, weighted by 1/`d`, and for labels
//! at distance 0. If the second has any, it alone is averaged: the limit of equation 1 as those distances go to 0.
//!
//! Only ratios of weights matter. In their unit of 2¹⁷⁰ a weight is at most 2⁻²¹ at distances from [`LEAST_DISTANCE`]
//! up, and the sum of `weight · label` over a million trees stays finite for every finite label.

use std::fmt::Debug;

use forest_core::{Classification, Task, threads};
use serde::{Serialize, de::DeserializeOwned};

/// A cell of labels: a class (`u32`), which stands for its indicator vector, or a number.
///
/// Averages are gathered in an *accumulator*, a row of numbers.
#[doc(hidden)]
pub trait Label: Copy + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// Returns `d_c`, the distance of two labels.
    fn distance(x: &[Self], y: &[Self]) -> f64;

    /// Returns the width of an accumulator for predictions of this width.
    fn accumulator_width(prediction_width: usize) -> usize;

    /// Adds a label with a positive weight.
    fn add(accumulator: &mut [f64], label: &[Self], weight: f64);

    /// Writes the weighted mean of all labels added; if there are none, what a forest predicts that has learned
    /// nothing.
    fn mean(accumulator: &[f64], prediction: &mut [f64]);
}

/// An accumulator holds the weight of every class.
impl Label for u32 {
    fn distance(x: &[u32], y: &[u32]) -> f64 {
        f64::from(u8::from(x != y))
    }

    fn accumulator_width(prediction_width: usize) -> usize {
        prediction_width
    }

    fn add(accumulator: &mut [f64], label: &[u32], weight: f64) {
        for &class in label {
            accumulator[class as usize] += weight;
        }
    }

    fn mean(accumulator: &[f64], prediction: &mut [f64]) {
        let total: f64 = accumulator.iter().sum();
        if total == 0.0 {
            return Classification::prior_prediction(prediction);
        }
        for (probability, weight) in prediction.iter_mut().zip(accumulator) {
            *probability = weight / total;
        }
    }
}

/// The lower 27 of the 53 binary digits of a number.
const LOWER_DIGITS: u64 = (1 << 27) - 1;

/// An accumulator holds the sum of weights and, for every cell, that of `weight · cell` in two parts of half the
/// digits, whose sums of equal numbers are exact: trees that agree with equal weights predict their label.
impl Label for f64 {
    /// Returns the Euclidean distance.
    fn distance(x: &[f64], y: &[f64]) -> f64 {
        let differences = || x.iter().zip(y).map(|(a, b)| (a - b).abs());
        let largest = differences().fold(0.0, f64::max);
        // Neither can be divided by.
        if largest == 0.0 || largest == f64::INFINITY {
            return largest;
        }
        // In units of the largest difference, no square overflows.
        let squares = differences().map(|difference| (difference / largest).powi(2));
        largest * squares.sum::<f64>().sqrt()
    }

    fn accumulator_width(prediction_width: usize) -> usize {
        1 + 2 * prediction_width
    }

    fn add(accumulator: &mut [f64], label: &[f64], weight: f64) {
        accumulator[0] += weight;
        for (parts, cell) in accumulator[1..].chunks_exact_mut(2).zip(label) {
            let coarse = f64::from_bits(cell.to_bits() & !LOWER_DIGITS);
            parts[0] += weight * coarse;
            parts[1] += weight * (cell - coarse);
        }
    }

    fn mean(accumulator: &[f64], prediction: &mut [f64]) {
        if accumulator[0] == 0.0 {
            return prediction.fill(0.0);
        }
        for (parts, cell) in accumulator[1..].chunks_exact(2).zip(prediction) {
            // Divided before they are added: the sum of the parts of the largest numbers may overflow.
            let sum = parts[0] / accumulator[0] + parts[1] / accumulator[0];
            // Rounding may step over the end of the range, which no mean of numbers within it does.
            *cell = sum.clamp(f64::MIN, f64::MAX);
        }
    }
}

/// The least positive distance that differs from smaller ones, 2⁻¹⁴⁹, the least positive `f32`.
const LEAST_DISTANCE: f64 = f64::from_bits((1023 - 149) << 52);

/// The weight of distance 1: 2⁻¹⁷⁰.
const UNIT: f64 = f64::from_bits((1023 - 170) << 52);

/// Writes the average of labels, each with the distance at which it was found; without labels the prior prediction.
pub(crate) fn average<'a, C: Label>(
    found: impl Iterator<Item = (&'a [C], f64)>,
    prediction: &mut [f64],
) {
    threads::with_buffer(|accumulators| {
        let width = C::accumulator_width(prediction.len());
        accumulators.resize(2 * width, 0.0);
        let (at_zero, at_distance) = accumulators.split_at_mut(width);
        for (label, distance) in found {
            // 1/distance in units of 2¹⁷⁰; positive even for distances too large to differ.
            let weight = (UNIT / distance.max(LEAST_DISTANCE)).max(f64::MIN_POSITIVE);
            // A sample at the query itself outweighs all others: 1/0, which weights cannot express.
            if distance == 0.0 {
                C::add(at_zero, label, weight);
            } else {
                C::add(at_distance, label, weight);
            }
        }
        let none_at_zero = at_zero.iter().all(|&cell| cell == 0.0);
        let chosen = if none_at_zero { at_distance } else { at_zero };
        C::mean(chosen, prediction);
    });
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    /// Returns the average of `votes`, each a label and its distance.
    fn averaged<C: Label>(width: usize, votes: &[(C, f64)]) -> Vec<f64> {
        let mut prediction = vec![7.0; width];
        let found = votes
            .iter()
            .map(|(label, distance)| (from_ref(label), *distance));
        average(found, &mut prediction);
        prediction
    }

    #[test]
    fn weights_are_inverse_distances() {
        let votes = [(0u32, 1.0), (1, 2.0), (2, 4.0), (0, 4.0)];
        assert_eq!(averaged(3, &votes), [5.0 / 8.0, 2.0 / 8.0, 1.0 / 8.0]);
        assert_eq!(averaged(1, &[(3.0, 1.0), (6.0, 2.0)]), [4.0]);
        let [nearest, next] = [1, 2].map(|bits| f64::from(f32::from_bits(bits)));
        assert_eq!(nearest, LEAST_DISTANCE);
        assert_eq!(
            averaged(2, &[(0u32, nearest), (1, next)]),
            [2.0 / 3.0, 1.0 / 3.0]
        );
        // At distance zero labels are averaged alone; without labels the prior is predicted.
        assert_eq!(averaged(1, &[(0.1, 0.0), (7.0, 1e-300), (0.3, 0.0)]), [0.2]);
        assert_eq!(averaged(3, &[(0u32, 1e-40), (2, 0.0)]), [0.0, 0.0, 1.0]);
        assert_eq!(averaged::<u32>(4, &[]), [0.25; 4]);
        assert_eq!(averaged::<f64>(2, &[]), [0.0; 2]);
    }

    #[test]
    fn no_distance_and_no_label_overflows() {
        for distance in [
            5e-324,
            1e-310,
            1e-45,
            1e45,
            f64::MAX,
            f64::INFINITY,
            0.0,
            1.0,
        ] {
            let mean = averaged(1, &[(f64::MAX, distance), (f64::MAX, distance)])[0];
            assert!((mean / f64::MAX - 1.0).abs() < 1e-3, "{distance}: {mean}");
            let classes = averaged(2, &[(0u32, distance), (1, distance)]);
            assert_eq!(classes, [0.5, 0.5], "{distance}");
        }
    }

    #[test]
    fn equal_labels_with_equal_weights_average_to_themselves() {
        for label in [0.1, -1.0 / 3.0, 1e-200, 12345.678, f64::MAX / 64.0] {
            assert_eq!(averaged(1, &[(label, 1.0); 49]), [label]);
        }
    }

    #[test]
    fn distances_are_euclidean_without_overflow() {
        assert_eq!(f64::distance(&[0.0, 0.0], &[3.0, -4.0]), 5.0);
        assert_eq!(f64::distance(&[0.3], &[0.1]), (0.3f64 - 0.1).abs());
        assert_eq!(f64::distance(&[1e300, 0.0], &[0.0, 0.0]), 1e300);
        assert_eq!(f64::distance(&[5e-324], &[0.0]), 5e-324);
        assert_eq!(f64::distance(&[f64::MAX], &[f64::MIN]), f64::INFINITY);
    }
}
