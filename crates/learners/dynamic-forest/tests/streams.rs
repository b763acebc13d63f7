//! Random sequences of samples that come and go, with all that makes trees differ.

use forest_core::{Classification, Regression, Task, TreeRng};

/// Values with ties, constants, both zeros and extremes.
pub(crate) fn features(rng: &mut TreeRng, width: usize) -> Vec<f32> {
    let value = |index: usize, rng: &mut TreeRng| match index % 6 {
        0 => rng.uniform() as f32,
        1 => rng.below(3) as f32,
        2 => [0.0, -0.0, 1e-40, -1e-40][rng.below(4)],
        3 => {
            if rng.below(40) == 0 {
                7.0
            } else {
                5.0
            }
        }
        4 => [f32::MIN, f32::MAX, 1.0][rng.below(3)],
        _ => (rng.normal() * 100.0) as f32,
    };
    (0..width).map(|index| value(index, rng)).collect()
}

/// Returns a value, or another number where it is missing.
fn known(value: f32) -> f32 {
    if value.is_nan() { 0.6 } else { value }
}

/// A task whose targets can be drawn.
pub(crate) trait Drawn: Task {
    /// Returns the target at a point, with noise; new classes and magnitudes appear over time.
    fn draw(rng: &mut TreeRng, x: &[f32], time: usize) -> Self::Target;
}

impl Drawn for Classification {
    fn draw(rng: &mut TreeRng, x: &[f32], time: usize) -> u32 {
        let class = (known(x[0]) * 3.0) as u32 + rng.below(5) as u32 / 4;
        class
            + if time > 150 {
                rng.below(4) as u32 / 3
            } else {
                0
            }
    }
}

impl Drawn for Regression {
    fn draw(rng: &mut TreeRng, x: &[f32], time: usize) -> f64 {
        let noise = [0.0, 0.5, rng.normal()][rng.below(3)];
        let value = f64::from((known(x[0]) * 4.0).round()) + noise;
        if time > 120 && rng.below(50) == 0 {
            value * 1e6
        } else {
            value
        }
    }
}
