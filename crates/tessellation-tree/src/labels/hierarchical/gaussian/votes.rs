//! The answers of trees, added up: an equal mixture of normal distributions.
//!
//! Moments are taken about an origin that all trees know, so that nothing cancels where targets are far from 0.

use super::Belief;

/// Sums over trees of: mean − origin, its square, variance, origin.
pub(super) const WIDTH: usize = 4;

/// A tree's answer.
#[inline]
pub(super) fn cast(Belief { mean, variance }: Belief, origin: f64, accumulator: &mut [f64]) {
    let offset = mean - origin;
    accumulator.copy_from_slice(&[offset, offset * offset, variance, origin]);
}

/// The mean of the mixture and, if there is room, its variance: that of the trees in the mean, and that of
/// their means.
pub(super) fn finish(sum: &[f64], trees: usize, answer: &mut [f64]) {
    let [offset, square, variance, origin] = std::array::from_fn(|cell| sum[cell] / trees as f64);
    answer[0] = origin + offset;
    if let Some(answer) = answer.get_mut(1) {
        *answer = variance + (square - offset * offset).max(0.0);
    }
}
