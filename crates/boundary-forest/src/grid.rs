//! A grid of 256 points per feature, and what is lost by moving a point onto it.

/// The grid `origin + step · {0, …, 255}`, the same for every feature.
///
/// `step` is a power of two and `origin` a multiple of it, so that points which are already on the
/// grid (pixels, counts, indicators) stay what they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    origin: f64,
    step: f64,
}

/// The largest code.
const LAST: f64 = 255.0;

impl Grid {
    /// The finest grid that reaches from `low` to `high`, with equal room on both sides.
    pub(crate) fn covering(low: f64, high: f64) -> Self {
        let coarsest = (high - low).max(low.abs() * f64::from(f32::EPSILON));
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

    /// The nearest value between the ends of the grid.
    pub(crate) fn clamp(&self, value: f32) -> f64 {
        f64::from(value).clamp(self.origin, self.origin + LAST * self.step)
    }

    /// The nearest grid point of a feature, by its number.
    #[inline(always)]
    pub(crate) fn code(&self, value: f32) -> u8 {
        // A cast to `u8` drops the fraction and stops at the ends of the range.
        ((f64::from(value) - self.origin) / self.step + 0.5) as u8
    }

    /// How far a value is from the grid point of this number; zero only if they are equal.
    #[inline(always)]
    pub(crate) fn residual(&self, value: f64, code: u8) -> f64 {
        value - (self.origin + self.step * f64::from(code))
    }
}

/// The largest power of two that is not above `value`, which is positive and normal.
fn power_of_two_below(value: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(value.to_bits() & EXPONENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Grid {
        fn covers(&self, low: f64, high: f64) -> bool {
            self.origin <= low && high <= self.origin + LAST * self.step
        }
    }

    fn on_grid(values: &[f32]) -> bool {
        let ends = values.iter().map(|&v| f64::from(v));
        let low = ends.clone().fold(f64::INFINITY, f64::min);
        let grid = Grid::covering(low, ends.fold(f64::NEG_INFINITY, f64::max));
        let lossless = |&value: &f32| grid.residual(f64::from(value), grid.code(value)) == 0.0;
        values.iter().all(lossless)
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
    fn a_point_is_at_most_half_a_step_from_the_grid() {
        let ends = [(0.0, 1.0), (-7.3, 1e30), (1e6, 1e6 + 1.0), (-1e-40, 0.0)];
        for (low, high) in ends.map(|(low, high): (f32, f32)| (f64::from(low), f64::from(high))) {
            let grid = Grid::covering(low, high);
            assert!(grid.covers(low, high), "{low} to {high}: {grid:?}");
            for part in 0..=1000 {
                let value = (low + (high - low) * f64::from(part) / 1000.0) as f32;
                let residual = grid.residual(f64::from(value), grid.code(value)).abs();
                let half = 0.5 * grid.step * (1.0 + 1e-6);
                assert!(residual <= half, "{value} in {low} to {high}: {residual}");
            }
        }
    }

    #[test]
    fn the_ends_of_f32_are_reached() {
        for (low, high) in [(f32::MIN, f32::MAX), (f32::MAX, f32::MAX), (0.0, 0.0)] {
            let (low, high) = (f64::from(low), f64::from(high));
            let grid = Grid::covering(low, high);
            assert!(grid.covers(low, high) && grid.step.is_normal(), "{grid:?}");
        }
    }
}
