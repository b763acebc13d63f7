//! Scalar quantization: a value becomes the number of the nearest of 256 grid points.

use crate::Metric;

/// The grid `origin + step · {0, …, 255}`, the same for every feature.
///
/// `step` is a power of two and `origin` a multiple of it, so that values which are already on the
/// grid (pixels, counts, indicators) stay what they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantizer {
    origin: f64,
    step: f64,
}

const LAST: f64 = 255.0;

impl Quantizer {
    /// Creates the finest grid that reaches from `low` to `high`, with equal room on both sides.
    pub(crate) fn covering(low: f64, high: f64) -> Self {
        // Where all values are equal their range is 0: the step then follows what `f32` resolves there.
        let coarsest = (high - low).max(low.abs() * f64::from(f32::EPSILON));
        // Too fine on purpose: the loop doubles the step until the grid reaches from end to end.
        let mut step = power_of_two_below(coarsest.max(f64::from(f32::MIN_POSITIVE)) / 512.0);
        while (high / step).ceil() - (low / step).floor() > LAST {
            step *= 2.0;
        }
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let room = ((LAST - (last - first)) / 2.0).floor();
        let origin = (first - room) * step;
        Self { origin, step }
    }

    pub(crate) fn step(&self) -> f64 {
        self.step
    }

    /// Returns the nearest value that is at most half a step from the grid.
    pub(crate) fn clip(&self, value: f32) -> f64 {
        let half = 0.5 * self.step;
        let (first, last) = (self.origin, self.origin + LAST * self.step);
        // Not `clamp`: decoded points may be NaN until they are checked.
        f64::from(value).max(first - half).min(last + half)
    }

    pub(crate) fn encode(&self, point: &[f32], code: &mut [u8]) {
        for (code, &value) in code.iter_mut().zip(point) {
            // A cast to `u8` drops the fraction and stops at the ends of the range.
            *code = ((f64::from(value) - self.origin) / self.step + 0.5) as u8;
        }
    }

    /// Returns the distance of a point, given by its values, from a code; 0 only if they are equal.
    pub(crate) fn error(
        &self,
        metric: Metric,
        point: impl Iterator<Item = f64>,
        code: &[u8],
    ) -> f64 {
        let decoded = |code: &u8| self.origin + self.step * f64::from(*code);
        metric.norm(point.zip(code).map(|(value, code)| value - decoded(code)))
    }
}

/// Returns the largest power of two that is not above `value`, which is positive and normal.
fn power_of_two_below(value: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(value.to_bits() & EXPONENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Quantizer {
        fn covers(&self, low: f64, high: f64) -> bool {
            self.clip(low as f32) == low && self.clip(high as f32) == high
        }

        fn error_of(&self, value: f32) -> f64 {
            let mut code = [0];
            self.encode(&[value], &mut code);
            self.error(Metric::Manhattan, std::iter::once(f64::from(value)), &code)
        }
    }

    fn on_grid(values: &[f32]) -> bool {
        let ends = values.iter().map(|&v| f64::from(v));
        let low = ends.clone().fold(f64::INFINITY, f64::min);
        let quantizer = Quantizer::covering(low, ends.fold(f64::NEG_INFINITY, f64::max));
        values.iter().all(|&value| quantizer.error_of(value) == 0.0)
    }

    #[test]
    fn pixels_counts_and_indicators_lie_on_the_grid() {
        let pixels: Vec<f32> = (0..=255u8).map(f32::from).collect();
        assert!(on_grid(&pixels));
        assert!(on_grid(&[0.0, 1.0]) && on_grid(&[-1.0, 0.0, 1.0]));
        assert!(on_grid(&[0.0, 7.0, 15.0]) && on_grid(&[3.0, 3.0]));
        assert!(!on_grid(&[0.0, 0.1, 1.0]));
    }

    #[test]
    fn a_value_is_at_most_half_a_step_from_the_grid() {
        let ends = [(0.0, 1.0), (-7.3, 1e30), (1e6, 1e6 + 1.0), (-1e-40, 0.0)];
        for (low, high) in ends.map(|(low, high): (f32, f32)| (f64::from(low), f64::from(high))) {
            let quantizer = Quantizer::covering(low, high);
            assert!(
                quantizer.covers(low, high),
                "{low} to {high}: {quantizer:?}"
            );
            for part in 0..=1000 {
                let value = (low + (high - low) * f64::from(part) / 1000.0) as f32;
                let half = 0.5 * quantizer.step * (1.0 + 1e-6);
                assert!(
                    quantizer.error_of(value) <= half,
                    "{value} in {low} to {high}"
                );
            }
        }
    }

    #[test]
    fn no_finer_grid_would_reach_from_end_to_end() {
        for (low, high) in [(0.0, 1.0), (5.0, 6.0), (100.0, 101.0), (-3.5, 300.0)] {
            let finer = Quantizer::covering(low, high).step / 2.0;
            let steps = (high / finer).ceil() - (low / finer).floor();
            assert!(steps > LAST, "{low} to {high}: {steps} steps");
        }
    }

    #[test]
    fn the_room_on_both_sides_is_equal() {
        for (low, high) in [(0.0, 1.0), (5.0, 6.0), (0.0, 2.0), (-1.0, 0.5)] {
            let Quantizer { origin, step } = Quantizer::covering(low, high);
            let (below, above) = (low - origin, origin + LAST * step - high);
            assert!(
                (above - below).abs() <= step,
                "{low} to {high}: {below} below, {above} above"
            );
        }
    }

    #[test]
    fn the_error_of_half_a_step_in_every_feature_is_their_norm() {
        let (quantizer, halves) = (Quantizer::covering(0.0, 1.0), [0.5 / 128.0; 9]);
        let mut code = [0; 9];
        quantizer.encode(&halves, &mut code);
        for (metric, expected) in [
            (Metric::Euclidean, 1.5 / 128.0),
            (Metric::Manhattan, 4.5 / 128.0),
        ] {
            let halves = halves.iter().copied().map(f64::from);
            assert_eq!(quantizer.error(metric, halves, &code), expected);
        }
    }

    #[test]
    fn the_ends_of_f32_are_reached() {
        for (low, high) in [(f32::MIN, f32::MAX), (f32::MAX, f32::MAX), (0.0, 0.0)] {
            let (low, high) = (f64::from(low), f64::from(high));
            let quantizer = Quantizer::covering(low, high);
            assert!(
                quantizer.covers(low, high) && quantizer.step.is_normal(),
                "{quantizer:?}"
            );
        }
    }
}
