//! Points and labels to learn from.

use forest_core::TreeRng;
use ndarray::{Array2, ArrayView1};

/// Points of the unit cube, no two distances equal.
pub(super) fn points(rows: usize, width: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, width), || rng.uniform() as f32)
}

/// Inside or outside a ball.
pub(super) fn classes(points: &Array2<f32>) -> Vec<u32> {
    let inside =
        |row: ArrayView1<'_, f32>| row.iter().map(|v| (v - 0.5).powi(2)).sum::<f32>() < 0.15;
    points
        .rows()
        .into_iter()
        .map(|row| u32::from(inside(row)))
        .collect()
}

pub(super) fn sums(points: &Array2<f32>) -> Vec<f64> {
    points
        .rows()
        .into_iter()
        .map(|row| row.iter().map(|&v| f64::from(v)).sum())
        .collect()
}

pub(super) fn noise(rows: usize, classes: usize) -> Vec<u32> {
    let mut rng = TreeRng::new(77, 0);
    (0..rows).map(|_| rng.below(classes) as u32).collect()
}
