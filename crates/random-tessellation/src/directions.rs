//! Random directions, and places on them: every direction alike (uRTF).

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::pick;

use crate::linear::Buffer;

/// Returns Λ of a segment of length 1 under uniform directions, with Λ = r for a ball of radius r:
/// c_d = Γ(d/2) / (2√π·Γ((d+1)/2)), by c_{d+1} = 1/(2π·d·c_d) from c₁ = ½.
pub(crate) fn segment_mass(dimensions: usize) -> f64 {
    let next = |mass: f64, d: usize| 1.0 / (std::f64::consts::TAU * d as f64 * mass);
    (1..dimensions).fold(0.5, next)
}

pub(crate) fn norm(v: &[f64]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// b − a.
pub(crate) fn difference(a: &[f32], b: &[f32], out: &mut Vec<f64>) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(a, b)| f64::from(*b) - f64::from(*a)));
}

/// A vector of length 1 in any direction alike.
pub(crate) fn unit(dimensions: usize, rng: &mut TreeRng, out: &mut Vec<f64>) {
    out.clear();
    out.extend((0..dimensions).map(|_| rng.normal()));
    let length = norm(out);
    out.iter_mut().for_each(|c| *c /= length);
}

/// A vector n of length 1 with density ∝ |⟨n, u⟩|, for a vector u of length 1: the normal of a uniform
/// hyperplane that hits a segment along u. Its part along u is √(1 − U^{2/(d−1)}) with U uniform, the
/// rest is uniform on the orthogonal sphere.
pub(crate) fn unit_across(u: &[f64], rng: &mut TreeRng, out: &mut Vec<f64>) {
    if u.len() == 1 {
        out.clear();
        out.push(1.0);
        return;
    }
    unit(u.len(), rng, out);
    let along = dot(out, u);
    out.iter_mut().zip(u).for_each(|(c, u)| *c -= along * u);
    let length = norm(out);
    // −ln U is exponential.
    let across = libm::exp(-rng.exponential() / (u.len() - 1) as f64);
    let along = (1.0 - across * across).sqrt();
    let scaled = |(c, u): (&mut f64, &f64)| *c = along * u + across / length * *c;
    out.iter_mut().zip(u).for_each(scaled);
}

/// The unit vector along `axis`.
pub(crate) fn axis_vector(axis: usize, dimensions: usize, out: &mut Vec<f64>) {
    out.clear();
    out.resize(dimensions, 0.0);
    out[axis] = 1.0;
}

/// Returns a place uniform on the width of a box along a normal with these terms.
pub(crate) fn offset_within(
    terms: impl Iterator<Item = (usize, f64)>,
    lower: &[f32],
    upper: &[f32],
    rng: &mut TreeRng,
) -> f64 {
    let (mut center, mut width) = (0.0, 0.0);
    for (feature, entry) in terms {
        let (low, high) = (f64::from(lower[feature]), f64::from(upper[feature]));
        center += entry * (0.5 * low + 0.5 * high);
        width += entry.abs() * (high - low);
    }
    center + (rng.uniform() - 0.5) * width
}

/// Hyperplanes of every direction alike (Ge et al. 2019, uRTF), scaled so that the mass of those that
/// hit a ball is its radius: Λ({a, b}) = c_d·|a − b| with c_d = Γ(d/2) / (2√π·Γ((d+1)/2)).
///
/// A cut takes `4d` bytes and a side test `O(d)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Uniform {
    segment_mass: f64,
}

impl Uniform {
    pub(crate) fn new(features: usize) -> Self {
        Self {
            segment_mass: segment_mass(features),
        }
    }

    pub(crate) fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
        self.segment_mass * a.iter().zip(b).map(square).sum::<f64>().sqrt()
    }

    pub(crate) fn normal_between(
        &self,
        [a, b]: [&[f32]; 2],
        rate: f64,
        Buffer { u, n }: &mut Buffer,
        rng: &mut TreeRng,
    ) {
        difference(a, b, u);
        // `rate` is that of the same two points: the length need not be computed again.
        let length = rate / self.segment_mass;
        u.iter_mut().for_each(|c| *c /= length);
        unit_across(u, rng, n);
    }

    /// Returns the mass of a box: it is as wide along n as its edges together, Σ|nᵢ|·eᵢ: so its mass is that of its edges, and
    /// every candidate is a cut that hits it.
    pub(crate) fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        let extents = lower
            .iter()
            .zip(upper)
            .map(|(low, high)| f64::from(*high) - f64::from(*low));
        self.segment_mass * extents.sum::<f64>()
    }

    pub(crate) fn normal_within(
        &self,
        [lower, upper]: [&[f32]; 2],
        rate: f64,
        Buffer { u, n }: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<()> {
        difference(lower, upper, u);
        // The width along n is Σ|nᵢ|·eᵢ: an edge in proportion to eᵢ, and then n with density ∝ |nᵢ|, have that density together.
        let edge = pick(u.iter().copied(), rate / self.segment_mass, rng)?;
        axis_vector(edge, lower.len(), u);
        unit_across(u, rng, n);
        Some(())
    }

    pub(crate) fn check(&self, features: usize) -> Result<(), InvariantError> {
        let scaled = self.segment_mass == segment_mass(features);
        InvariantError::require(scaled, "cuts", "their mass is not that of the dimension")
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics;

    use super::*;

    #[test]
    fn segment_masses_are_the_closed_forms() {
        let pi = std::f64::consts::PI;
        let expected = [0.5, 1.0 / pi, 0.25, 2.0 / (3.0 * pi), 3.0 / 16.0];
        for (d, expected) in expected.into_iter().enumerate() {
            assert!((segment_mass(d + 1) - expected).abs() < 1e-12);
        }
    }

    /// The same distribution by rejection: uniform vectors, accepted with probability |⟨n, u⟩|.
    fn by_rejection(u: &[f64], rng: &mut TreeRng) -> Vec<f64> {
        let mut n = Vec::new();
        loop {
            unit(u.len(), rng, &mut n);
            if rng.uniform() < dot(&n, u).abs() {
                return n;
            }
        }
    }

    #[test]
    fn normals_across_a_segment_are_those_of_rejection() {
        let mut rng = TreeRng::new(1, 0);
        for d in [2, 3, 4, 10] {
            let mut u = Vec::new();
            unit(d, &mut rng, &mut u);
            let mut n = Vec::new();
            let mut drawn = |k: usize| {
                unit_across(&u, &mut rng, &mut n);
                assert!((norm(&n) - 1.0).abs() < 1e-9);
                [dot(&n, &u).abs(), n[0].abs()][k]
            };
            let drawn: Vec<Vec<f64>> = [0, 1]
                .map(|k| (0..20_000).map(|_| drawn(k)).collect())
                .to_vec();
            for (k, drawn) in drawn.into_iter().enumerate() {
                let rejected = (0..20_000).map(|_| {
                    let n = by_rejection(&u, &mut rng);
                    [dot(&n, &u).abs(), n[0].abs()][k]
                });
                let p = statistics::same_distribution(drawn, rejected.collect());
                assert!(p > 1e-3, "d = {d}: p = {p}");
            }
        }
    }
}
