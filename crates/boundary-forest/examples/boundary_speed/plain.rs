//! Metrics of which nothing is known but what they compute: a forest by one of these is plain.

use boundary_forest::{Euclidean, Metric};

/// The library's own kernel: `f64` in eight lanes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Double;

impl Metric for Double {
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        Euclidean::proxy(x, y)
    }

    fn distance(proxy: f64) -> f64 {
        Euclidean::distance(proxy)
    }
}

/// `f32` in sixteen lanes: four times as fast in the cache, and not exact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Single;

impl Metric for Single {
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        let (blocks_x, rest_x) = x.as_chunks::<16>();
        let (blocks_y, rest_y) = y.as_chunks::<16>();
        let mut lanes = [0.0; 16];
        for (a, b) in blocks_x.iter().zip(blocks_y) {
            for lane in 0..16 {
                lanes[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
            }
        }
        let rest = rest_x.iter().zip(rest_y).map(|(a, b)| (a - b) * (a - b));
        f64::from(lanes.into_iter().chain(rest).sum::<f32>())
    }

    fn distance(proxy: f64) -> f64 {
        proxy.sqrt()
    }
}
