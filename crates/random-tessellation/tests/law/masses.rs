//! Λ of sets of points, computed from widths along many directions.

use forest_core::TreeRng;

const DIRECTIONS: usize = 40_000;

/// The largest difference in one feature.
pub fn extent(set: &[&[f32]], feature: usize) -> f64 {
    let mut axis = vec![0.0; set[0].len()];
    axis[feature] = 1.0;
    width(set, &axis)
}

fn width(set: &[&[f32]], n: &[f64]) -> f64 {
    let places = || {
        set.iter().map(|x| {
            n.iter()
                .zip(*x)
                .map(|(n, x)| n * f64::from(*x))
                .sum::<f64>()
        })
    };
    places().fold(f64::MIN, f64::max) - places().fold(f64::MAX, f64::min)
}

fn scaled_to_one(mut n: Vec<f64>) -> Vec<f64> {
    let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
    n.iter_mut().for_each(|c| *c /= length);
    n
}

/// The mean width along directions that are N(0, ωᵢ²) in each feature, scaled to length 1.
fn mean_width_along(weights: &[f64], set: &[&[f32]]) -> f64 {
    let mut rng = TreeRng::new(77, 0);
    let mut direction = || scaled_to_one(weights.iter().map(|w| w * rng.normal()).collect());
    (0..DIRECTIONS)
        .map(|_| width(set, &direction()))
        .sum::<f64>()
        / DIRECTIONS as f64
}

/// The mean width along uniform directions, relative to that of a segment of the same directions: it
/// is exact for segments, and its error small for other sets.
pub fn mean_width(set: &[&[f32]]) -> f64 {
    mean_width_along(&vec![1.0; set[0].len()], set)
}

/// c_d, from its definition by Γ: the recursion of the crate is tested against this too.
fn segment_mass(d: usize) -> f64 {
    let ln_gamma = statrs::function::gamma::ln_gamma;
    let (half, pi) = (d as f64 / 2.0, std::f64::consts::PI);
    (ln_gamma(half) - ln_gamma(half + 0.5)).exp() / (2.0 * pi.sqrt())
}

/// Half the mean width.
pub fn uniform_mass(set: &[&[f32]]) -> f64 {
    match set {
        [a, b] => segment_mass(a.len()) * distance(a, b),
        _ => 0.5 * mean_width(set),
    }
}

pub fn weighted_mass(weights: &[f64], set: &[&[f32]]) -> f64 {
    0.5 * mean_width_along(weights, set)
}

/// d/k times the mean, over all sets of k features, of the mass under uniform directions in these
/// features that is 1 for a segment of length 1.
pub fn sparse_mass(k: usize, set: &[&[f32]]) -> f64 {
    let d = set[0].len();
    let choices: Vec<u32> = (0..1u32 << d)
        .filter(|c| c.count_ones() as usize == k)
        .collect();
    let of_choice = |choice: &u32| {
        let part = |x: &&[f32]| -> Vec<f32> {
            let chosen = x.iter().enumerate().filter(|(i, _)| choice & (1 << i) != 0);
            chosen.map(|(_, c)| *c).collect()
        };
        let parts: Vec<_> = set.iter().map(part).collect();
        let parts: Vec<&[f32]> = parts.iter().map(Vec::as_slice).collect();
        match k {
            1 => extent(&parts, 0),
            _ => uniform_mass(&parts) / segment_mass(k),
        }
    };
    let total: f64 = choices.iter().map(of_choice).sum();
    d as f64 / k as f64 * total / choices.len() as f64
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
    a.iter().zip(b).map(square).sum::<f64>().sqrt()
}
