//! Uniform directions in a few random features.

use forest_core::{InvariantError, SettingError, TreeRng};
use registry::Inequality;
use serde::{Deserialize, Serialize};
use tessellation_tree::planar::{HalfPlane, Planar};
use tessellation_tree::{CutDistribution, CutSettings, Distances, Side};

use crate::LinearCut;
use crate::buffer::Buffer;
use crate::directions::{axis_vector, norm, offset_within, segment_mass, unit_across};
use crate::normals::Normals;

/// How many features a cut reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SparseSettings {
    /// k, at least 1; more than there are mean all.
    pub features: usize,
}

impl Default for SparseSettings {
    fn default() -> Self {
        Self { features: 3 }
    }
}

impl CutSettings for SparseSettings {
    fn check(&self, _: usize) -> Result<(), SettingError> {
        SettingError::require(self.features > 0, "features", "must be at least 1", 0)
    }
}

/// Cuts of a uniform direction among k random features: Λ({a, b}) = d/k · mean of |δ_K| over the sets
/// K of k features, where δ_K is the part of a − b in K. With k = 1 these are axis-aligned cuts, with
/// k = 2 those of pairs of axes (scaled by 1/(d−1)), with k = d uniform directions.
///
/// Candidates come at the rate |δ|₁: a feature is drawn in proportion to |δᵢ| and the others of K
/// uniformly, and the candidate is a cut with probability |δ_K|₂ / |δ_K|₁, at least 1/√k. A cut takes
/// `8k` bytes, a side test `O(k)` and a candidate `O(d)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SparseCuts {
    k: usize,
    /// 1 for every feature.
    weights: Vec<f64>,
    normals: Normals,
    #[serde(skip)]
    buffer: Buffer,
    #[serde(skip)]
    chosen: Chosen,
}

/// The features K: working memory.
#[derive(Clone, Debug, Default)]
struct Chosen(Vec<u32>);

impl PartialEq for Chosen {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl SparseCuts {
    /// Λ of a ball of radius 1: a segment of length 1 has mass 1 among the directions of k features.
    pub(crate) fn mass_of_unit_ball(&self) -> f64 {
        let (d, k) = (self.weights.len() as f64, self.k as f64);
        d / k / segment_mass(self.k)
    }

    /// Draws K: the first feature in proportion to what the points differ by, the others uniformly.
    fn choose(&mut self, a: &[f32], b: &[f32], rate: f64, rng: &mut TreeRng) -> Option<()> {
        let (first, _) = Distances::new(a, b, &self.weights).pick(rate, rng)?;
        let Chosen(chosen) = &mut self.chosen;
        chosen.clear();
        chosen.push(first as u32);
        while chosen.len() < self.k {
            let other = rng.below(a.len()) as u32;
            if !chosen.contains(&other) {
                chosen.push(other);
            }
        }
        Some(())
    }

    /// A cut whose normal has density ∝ |⟨n, u⟩| for the direction u in the buffer.
    fn normal(&mut self, rng: &mut TreeRng) -> u32 {
        let Buffer { u, n } = &mut self.buffer;
        unit_across(u, rng, n);
        self.normals.insert(&self.chosen.0, n)
    }
}

impl CutDistribution for SparseCuts {
    type Settings = SparseSettings;
    type Cut = LinearCut;

    fn new(features: usize, settings: &SparseSettings) -> Self {
        let k = settings.features.min(features);
        Self {
            k,
            weights: vec![1.0; features],
            normals: Normals::new(k),
            buffer: Buffer::default(),
            chosen: Chosen::default(),
        }
    }

    #[inline]
    fn side(&self, cut: &LinearCut, x: &[f32]) -> Side {
        self.normals.side(cut, x)
    }

    fn inequality(&self, cut: &LinearCut, inequality: &mut Inequality) {
        self.normals.inequality(cut, inequality);
    }

    fn without_cuts(&self) -> Self {
        Self {
            k: self.k,
            weights: self.weights.clone(),
            normals: self.normals.none(),
            buffer: Buffer::default(),
            chosen: Chosen::default(),
        }
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        Distances::new(a, b, &self.weights).sum()
    }

    fn draw_between(
        &mut self,
        a: &[f32],
        b: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        self.choose(a, b, rate, rng)?;
        let u = &mut self.buffer.u;
        let part = |&feature: &u32| {
            let feature = feature as usize;
            f64::from(b[feature]) - f64::from(a[feature])
        };
        u.clear();
        u.extend(self.chosen.0.iter().map(part));
        let (length, drawn_as) = (norm(u), u.iter().map(|c| c.abs()).sum::<f64>());
        if rng.uniform() * drawn_as >= length {
            return None;
        }
        u.iter_mut().for_each(|c| *c /= length);
        let normal = self.normal(rng);
        let offset = self.normals.offset_between(normal, a, b, rng);
        Some(LinearCut { normal, offset })
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        Distances::new(lower, upper, &self.weights).sum()
    }

    fn draw_within(
        &mut self,
        lower: &[f32],
        upper: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        self.choose(lower, upper, rate, rng)?;
        axis_vector(0, self.k, &mut self.buffer.u);
        let normal = self.normal(rng);
        let offset = offset_within(self.normals.terms(normal), lower, upper, rng);
        Some(LinearCut { normal, offset })
    }

    fn release(&mut self, cut: &LinearCut) {
        self.normals.remove(cut.normal);
    }

    fn bytes(&self) -> usize {
        let chosen = self.chosen.0.capacity() * size_of::<u32>();
        self.normals.bytes()
            + self.buffer.bytes()
            + chosen
            + self.weights.capacity() * size_of::<f64>()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        let fits = (1..=features).contains(&self.k) && self.normals.width() == self.k;
        InvariantError::unless(fits, "cuts", "they read too many features")?;
        self.normals.check(features, cuts)
    }
}

impl Planar for SparseCuts {
    fn half_plane(&self, cut: &LinearCut) -> HalfPlane {
        self.normals.half_plane(cut)
    }
}
