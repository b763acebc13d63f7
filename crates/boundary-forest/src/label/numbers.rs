//! Numbers and vectors of them, compared by their Euclidean distance and averaged cell by cell.

use super::{AveragedLabel, Label};

impl Label for f64 {
    type Epsilon = f64;

    /// In units of the largest difference, so that no square overflows; of single numbers, exactly
    /// their difference.
    fn distance(x: &[f64], y: &[f64]) -> f64 {
        let differences = || x.iter().zip(y).map(|(a, b)| (a - b).abs());
        let largest = differences().fold(0.0, f64::max);
        // Neither can be divided by.
        if largest == 0.0 || largest == f64::INFINITY {
            return largest;
        }
        let squares = differences().map(|difference| (difference / largest).powi(2));
        largest * squares.sum::<f64>().sqrt()
    }

    fn is_valid(label: &[f64], _: usize) -> bool {
        label.iter().all(|cell| cell.is_finite())
    }
}

/// The lower 27 of the 53 binary digits of a number.
const LOWER_DIGITS: u64 = (1 << 27) - 1;

/// An accumulator holds the sum of weights and, for every cell, the sum of `weight · cell` in two parts.
///
/// In two parts, because a sum of equal numbers is rounded: of halves of their digits it is exact,
/// so trees that agree on a label with equal weights predict exactly that label.
impl AveragedLabel for f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_with_equal_weights_average_to_themselves() {
        for label in [0.1, -1.0 / 3.0, 1e-200, 12345.678, f64::MAX / 64.0] {
            let labels = [label, -label, label / 3.0];
            let mut accumulator = vec![0.0; f64::accumulator_width(3)];
            (0..49).for_each(|_| f64::add(&mut accumulator, &labels, 1.0));
            let mut prediction = [0.0; 3];
            f64::mean(&accumulator, &mut prediction);
            assert_eq!(prediction, labels);
        }
    }

    #[test]
    fn without_labels_the_prediction_is_zero_whatever_stood_there() {
        let mut prediction = [7.0, f64::NAN];
        f64::mean(&[0.0; 5], &mut prediction);
        assert_eq!(prediction, [0.0, 0.0]);
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
