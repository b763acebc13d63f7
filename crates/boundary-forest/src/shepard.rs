//! Shepard's weighted average (the paper's equation 1), gathered over trees by adding up ballots.
//!
//! A ballot is two trays: one for labels at a positive distance `d`, weighted by 1/`d`, and one for
//! labels at distance 0. If any tree put something into the second, it alone is averaged: the
//! limit of equation 1 as those distances go to 0.
//!
//! Weights are stated in a unit of 2¹⁷⁰, since only their ratios matter: with distances from
//! [`NEAREST`] up, a weight is then at most 2⁻²¹, and the sum of `weight · label` over a million
//! trees stays finite for every finite label.

use forest_core::Task;

use crate::Problem;

/// The least positive distance told apart from smaller ones: 2⁻¹⁴⁹, the least of `f32` positions.
///
/// Only metrics of the user's own can fall below it.
const NEAREST: f64 = f64::from_bits((1023 - 149) << 52);

/// The weight of distance 1: 2⁻¹⁷⁰.
const UNIT: f64 = f64::from_bits((1023 - 170) << 52);

/// 1/`distance` in units of 2¹⁷⁰; positive even for distances too large to be told apart.
fn weight(distance: f64) -> f64 {
    (UNIT / distance.max(NEAREST)).max(f64::MIN_POSITIVE)
}

/// Width of a ballot.
pub(crate) fn ballot_width<P: Problem>(outputs: &P::Outputs) -> usize {
    2 * P::tray_width(outputs)
}

/// Puts `label`, found at `distance`, into an empty ballot.
pub(crate) fn cast<P: Problem>(ballot: &mut [f64], label: P::Target, distance: f64) {
    let (apart, equal) = ballot.split_at_mut(ballot.len() / 2);
    let tray = if distance == 0.0 { equal } else { apart };
    P::put(tray, label, weight(distance));
}

/// The average of all labels cast; ignorance if there are none.
pub(crate) fn tally<P: Problem>(ballot: &[f64], prediction: &mut [f64]) {
    let (apart, equal) = ballot.split_at(ballot.len() / 2);
    let tray = [equal, apart].into_iter().find(|tray| !is_empty(tray));
    match tray {
        Some(tray) => P::mean(tray, prediction),
        None => <P as Task>::ignorance(prediction),
    }
}

fn is_empty(tray: &[f64]) -> bool {
    tray.iter().all(|&cell| cell == 0.0)
}

#[cfg(test)]
mod tests {
    use forest_core::{Classification, Regression};

    use super::*;

    /// The average of `votes` (label, distance), gathered as a forest does.
    fn average<P: Problem>(width: usize, votes: &[(P::Target, f64)]) -> Vec<f64> {
        let trays = if width == 1 { 3 } else { width };
        let mut sum = vec![0.0; 2 * trays];
        for &(label, distance) in votes {
            let mut ballot = vec![0.0; 2 * trays];
            cast::<P>(&mut ballot, label, distance);
            sum.iter_mut().zip(ballot).for_each(|(s, b)| *s += b);
        }
        let mut prediction = vec![0.0; width];
        tally::<P>(&sum, &mut prediction);
        prediction
    }

    #[test]
    fn weights_are_inverse_distances() {
        let votes = [(0, 1.0), (1, 2.0), (2, 4.0), (0, 4.0)];
        let expected = [5.0 / 8.0, 2.0 / 8.0, 1.0 / 8.0];
        assert_eq!(average::<Classification>(3, &votes), expected);
        assert_eq!(average::<Regression>(1, &[(3.0, 1.0), (6.0, 2.0)]), [4.0]);
    }

    #[test]
    fn labels_at_distance_zero_are_averaged_alone() {
        let votes = [(0.1, 0.0), (7.0, 1e-300), (0.3, 0.0)];
        assert_eq!(average::<Regression>(1, &votes), [0.2]);
        let votes = [(0, 1e-40), (2, 0.0)];
        assert_eq!(average::<Classification>(3, &votes), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn no_distance_and_no_label_overflows() {
        let distances = [
            0.0,
            5e-324,
            1e-310,
            1e-45,
            1.0,
            1e45,
            f64::MAX,
            f64::INFINITY,
        ];
        for distance in distances {
            let votes = [(f64::MAX, distance), (f64::MAX, distance)];
            let mean = average::<Regression>(1, &votes)[0];
            assert!((mean / f64::MAX - 1.0).abs() < 1e-3, "{distance}: {mean}");
            let classes = average::<Classification>(2, &[(0, distance), (1, distance)]);
            assert_eq!(classes, [0.5, 0.5], "{distance}");
        }
    }

    #[test]
    fn the_nearest_distance_of_f32_positions_is_told_apart_from_the_next() {
        let (nearest, next) = (f64::from(f32::from_bits(1)), f64::from(f32::from_bits(2)));
        assert_eq!(nearest, NEAREST);
        let votes = [(0, nearest), (1, next)];
        assert_eq!(average::<Classification>(2, &votes), [2.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn nobody_knowing_anything_is_ignorance() {
        assert_eq!(average::<Classification>(4, &[]), [0.25; 4]);
        assert_eq!(average::<Regression>(1, &[]), [0.0]);
    }
}
