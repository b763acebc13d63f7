//! Uniform directions in a few random features.

use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::Distances;

use crate::buffer::Buffer;
use crate::directions::{axis_vector, norm, segment_mass, unit_across};
use crate::normals::Normals;

/// How many features a cut reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseSettings {
    /// k, at least 1; more than there are mean all.
    pub features: usize,
}

/// Cuts of a uniform direction among k random features: Λ({a, b}) = d/k · mean of |δ_K| over the sets
/// K of k features, where δ_K is the part of a − b in K. With k = 1 these are axis-aligned cuts, with
/// k = 2 those of pairs of axes (scaled by 1/(d−1)), with k = d uniform directions.
///
/// Candidates come at the rate |δ|₁: a feature is drawn in proportion to |δᵢ| and the others of K
/// uniformly, and the candidate is a cut with probability |δ_K|₂ / |δ_K|₁, at least 1/√k. A cut takes
/// `8k` bytes, a side test `O(k)` and a candidate `O(d)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sparse {
    k: usize,
    /// 1 for every feature.
    weights: Vec<f64>,
}

impl Sparse {
    pub(crate) fn new(features: usize, settings: SparseSettings) -> Self {
        Self {
            // A k above d would let `choose` look for features that do not exist.
            k: settings.features.min(features),
            weights: vec![1.0; features],
        }
    }

    /// Features that a cut reads.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// Returns Λ of a ball of radius 1: a segment of length 1 has mass 1 among the directions of k features.
    pub(crate) fn mass_of_unit_ball(&self) -> f64 {
        let (d, k) = (self.weights.len() as f64, self.k as f64);
        d / k / segment_mass(self.k)
    }

    /// Returns the rate of the candidates that separate two points, and of those that hit the box between them.
    pub(crate) fn rate(&self, a: &[f32], b: &[f32]) -> f64 {
        Distances::new(a, b, &self.weights).sum()
    }

    /// Draws K: the first feature in proportion to what the points differ by, the others uniformly.
    fn choose(
        &self,
        [a, b]: [&[f32]; 2],
        rate: f64,
        chosen: &mut Vec<u32>,
        rng: &mut TreeRng,
    ) -> Option<()> {
        let (first, _) = Distances::new(a, b, &self.weights).pick(rate, rng)?;
        chosen.clear();
        chosen.push(first as u32);
        // Rejection: k is small, and a shuffle of all features would cost O(d) for every candidate.
        while chosen.len() < self.k {
            let other = rng.below(a.len()) as u32;
            if !chosen.contains(&other) {
                chosen.push(other);
            }
        }
        Some(())
    }

    pub(crate) fn normal_between(
        &self,
        [a, b]: [&[f32]; 2],
        rate: f64,
        normals: &mut Normals,
        buffer: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<u32> {
        let Buffer { u, chosen, .. } = &mut *buffer;
        self.choose([a, b], rate, chosen, rng)?;
        let part = |&feature: &u32| {
            let feature = feature as usize;
            f64::from(b[feature]) - f64::from(a[feature])
        };
        u.clear();
        u.extend(chosen.iter().map(part));
        let (length, drawn_as) = (norm(u), u.iter().map(|c| c.abs()).sum::<f64>());
        // Thins candidates of rate |δ_K|₁ to cuts of rate |δ_K|₂; `>=` so that a difference of 0 is never divided by.
        if rng.uniform() * drawn_as >= length {
            return None;
        }
        u.iter_mut().for_each(|c| *c /= length);
        Some(across(normals, buffer, rng))
    }

    pub(crate) fn normal_within(
        &self,
        corners: [&[f32]; 2],
        rate: f64,
        normals: &mut Normals,
        buffer: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<u32> {
        self.choose(corners, rate, &mut buffer.chosen, rng)?;
        // `choose` puts the edge first, so its axis is entry 0 of the normal.
        axis_vector(0, self.k, &mut buffer.u);
        Some(across(normals, buffer, rng))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<f64>()
    }

    pub(crate) fn check(&self, features: usize, normals: &Normals) -> Result<(), InvariantError> {
        let fits = (1..=features).contains(&self.k) && normals.width() == self.k;
        InvariantError::require(fits, "cuts", "they read too many features")
    }
}

/// Stores a normal with density ∝ |⟨n, u⟩| for the direction u in the buffer, among the features that are chosen.
fn across(normals: &mut Normals, Buffer { u, n, chosen }: &mut Buffer, rng: &mut TreeRng) -> u32 {
    unit_across(u, rng, n);
    normals.insert(chosen, n)
}
