//! Λ of sets of points, computed from widths along many directions.

use forest_core::TreeRng;

const DIRECTIONS: usize = 40_000;

/// Returns the largest difference in one feature.
pub(crate) fn extent(set: &[&[f32]], feature: usize) -> f64 {
    let mut axis = vec![0.0; set[0].len()];
    axis[feature] = 1.0;
    width(set, &axis)
}

fn width(set: &[&[f32]], n: &[f64]) -> f64 {
    let place = |x: &&[f32]| {
        n.iter()
            .zip(*x)
            .map(|(n, x)| n * f64::from(*x))
            .sum::<f64>()
    };
    let places = || set.iter().map(place);
    places().fold(f64::MIN, f64::max) - places().fold(f64::MAX, f64::min)
}

/// Directions that are N(0, ωᵢ²) in each feature, scaled to length 1. They are drawn once: to draw them takes longer
/// than to measure a set along them.
pub(crate) struct Directions(Vec<Vec<f64>>);

impl Directions {
    pub(crate) fn weighted(weights: &[f64]) -> Self {
        let mut rng = TreeRng::new(77, 0);
        let mut draw = || scaled_to_one(weights.iter().map(|w| w * rng.normal()).collect());
        Self((0..DIRECTIONS).map(|_| draw()).collect())
    }

    pub(crate) fn uniform(d: usize) -> Self {
        Self::weighted(&vec![1.0; d])
    }

    pub(crate) fn mean_width(&self, set: &[&[f32]]) -> f64 {
        self.0.iter().map(|n| width(set, n)).sum::<f64>() / self.0.len() as f64
    }

    /// Returns Λ under uniform directions: exact for two points, half the mean width for others.
    pub(crate) fn uniform_mass(&self, set: &[&[f32]]) -> f64 {
        match set {
            [a, b] => segment_mass(a.len()) * distance(a, b),
            _ => 0.5 * self.mean_width(set),
        }
    }
}

fn scaled_to_one(mut n: Vec<f64>) -> Vec<f64> {
    let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
    n.iter_mut().for_each(|c| *c /= length);
    n
}

/// c_d, from its definition by Γ: the recursion of the crate is tested against this too.
fn segment_mass(d: usize) -> f64 {
    let ln_gamma = statrs::function::gamma::ln_gamma;
    let half = d as f64 / 2.0;
    (ln_gamma(half) - ln_gamma(half + 0.5)).exp() / (2.0 * std::f64::consts::PI.sqrt())
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
    a.iter().zip(b).map(square).sum::<f64>().sqrt()
}
