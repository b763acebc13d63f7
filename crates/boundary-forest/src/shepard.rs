//! Shepard's weighted average (the paper's equation 1) of the labels that the trees found.
//!
//! It is gathered in two accumulators: one for labels at a positive distance `d`, weighted by 1/`d`, and
//! one for labels at distance 0. If anything is in the second, it alone is averaged: the limit of
//! equation 1 as those distances go to 0.
//!
//! Weights are stated in a unit of 2¹⁷⁰, since only their ratios matter: with distances from
//! [`LEAST_DISTANCE`] up, a weight is then at most 2⁻²¹, and the sum of `weight · label` over a million
//! trees stays finite for every finite label.

use forest_core::threads;

use crate::label::AveragedLabel;

/// The least positive distance that differs from smaller ones: 2⁻¹⁴⁹, the least of `f32` positions.
///
/// Only squared distances, and metrics of the user's own, can fall below it.
const LEAST_DISTANCE: f64 = f64::from_bits((1023 - 149) << 52);

/// The weight of distance 1: 2⁻¹⁷⁰.
const UNIT: f64 = f64::from_bits((1023 - 170) << 52);

/// 1/`distance` in units of 2¹⁷⁰; positive even for distances too large to differ.
fn weight(distance: f64) -> f64 {
    (UNIT / distance.max(LEAST_DISTANCE)).max(f64::MIN_POSITIVE)
}

/// Writes the average of labels, each with the distance at which it was found; what is predicted before
/// the first sample if there are none.
pub(crate) fn average<'a, C: AveragedLabel + 'a>(
    found: impl Iterator<Item = (&'a [C], f64)>,
    prediction: &mut [f64],
) {
    threads::with_buffer(|accumulators| {
        let width = C::accumulator_width(prediction.len());
        accumulators.resize(2 * width, 0.0);
        let (at_zero, at_distance) = accumulators.split_at_mut(width);
        for (label, distance) in found {
            // A sample at the query itself outweighs all others: 1/0, which weights cannot express.
            let accumulator = match distance {
                0.0 => &mut *at_zero,
                _ => &mut *at_distance,
            };
            C::add(accumulator, label, weight(distance));
        }
        let nothing_at_zero = at_zero.iter().all(|&cell| cell == 0.0);
        C::mean(
            if nothing_at_zero {
                at_distance
            } else {
                at_zero
            },
            prediction,
        );
    });
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    /// Returns the average of `votes`, each a label and its distance.
    fn averaged<C: AveragedLabel>(prediction_width: usize, votes: &[(C, f64)]) -> Vec<f64> {
        let mut prediction = vec![0.0; prediction_width];
        let found = votes
            .iter()
            .map(|(label, distance)| (from_ref(label), *distance));
        average(found, &mut prediction);
        prediction
    }

    fn classes(known: usize, votes: &[(u32, f64)]) -> Vec<f64> {
        averaged(known, votes)
    }

    fn number(votes: &[(f64, f64)]) -> f64 {
        averaged(1, votes)[0]
    }

    #[test]
    fn weights_are_inverse_distances() {
        let votes = [(0, 1.0), (1, 2.0), (2, 4.0), (0, 4.0)];
        assert_eq!(classes(3, &votes), [5.0 / 8.0, 2.0 / 8.0, 1.0 / 8.0]);
        assert_eq!(number(&[(3.0, 1.0), (6.0, 2.0)]), 4.0);
    }

    #[test]
    fn labels_at_distance_zero_are_averaged_alone() {
        assert_eq!(number(&[(0.1, 0.0), (7.0, 1e-300), (0.3, 0.0)]), 0.2);
        assert_eq!(classes(3, &[(0, 1e-40), (2, 0.0)]), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn no_distance_and_no_label_overflows() {
        let ends = [5e-324, 1e-310, 1e-45, 1e45, f64::MAX, f64::INFINITY];
        for distance in ends.into_iter().chain([0.0, 1.0]) {
            let mean = number(&[(f64::MAX, distance), (f64::MAX, distance)]);
            assert!((mean / f64::MAX - 1.0).abs() < 1e-3, "{distance}: {mean}");
            let classes = classes(2, &[(0, distance), (1, distance)]);
            assert_eq!(classes, [0.5, 0.5], "{distance}");
        }
    }

    #[test]
    fn the_nearest_distance_of_f32_positions_is_distinguished_from_the_next() {
        let (nearest, next) = (f64::from(f32::from_bits(1)), f64::from(f32::from_bits(2)));
        assert_eq!(nearest, LEAST_DISTANCE);
        assert_eq!(
            classes(2, &[(0, nearest), (1, next)]),
            [2.0 / 3.0, 1.0 / 3.0]
        );
    }

    #[test]
    fn without_labels_the_prior_is_predicted() {
        assert_eq!(classes(4, &[]), [0.25; 4]);
        assert_eq!(number(&[]), 0.0);
    }
}
