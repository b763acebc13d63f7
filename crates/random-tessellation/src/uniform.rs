//! Uniform directions (uRTF).

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::pick;

use crate::directions::{axis_vector, difference, segment_mass, unit_across};
use crate::linear::Buffer;

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
