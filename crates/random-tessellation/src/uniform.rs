//! Uniform directions (uRTF).

use forest_core::{InvariantError, TreeRng};
use registry::Inequality;
use serde::{Deserialize, Serialize};
use tessellation_tree::planar::{HalfPlane, Planar};
use tessellation_tree::{CutDistribution, Side, pick};

use crate::LinearCut;
use crate::buffer::Buffer;
use crate::directions::{axis_vector, difference, offset_within, segment_mass, unit_across};
use crate::normals::Normals;

/// Hyperplanes of every direction alike (Ge et al. 2019, uRTF), scaled so that the mass of those that
/// hit a ball is its radius: Λ({a, b}) = c_d·|a − b| with c_d = Γ(d/2) / (2√π·Γ((d+1)/2)).
///
/// A cut takes `4d` bytes and a side test `O(d)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UniformCuts {
    segment_mass: f64,
    normals: Normals,
    #[serde(skip)]
    buffer: Buffer,
}

impl UniformCuts {
    /// A cut whose normal has density ∝ |⟨n, u⟩| for the direction u in the buffer; `offset` chooses
    /// its place.
    fn cut(
        &mut self,
        rng: &mut TreeRng,
        offset: impl FnOnce(&Normals, u32, &mut TreeRng) -> f64,
    ) -> LinearCut {
        let Buffer { u, n } = &mut self.buffer;
        unit_across(u, rng, n);
        let normal = self.normals.insert(&[], n);
        let offset = offset(&self.normals, normal, rng);
        LinearCut { normal, offset }
    }
}

impl CutDistribution for UniformCuts {
    type Settings = ();
    type Cut = LinearCut;

    fn new(features: usize, (): &()) -> Self {
        Self {
            segment_mass: segment_mass(features),
            normals: Normals::new(features),
            buffer: Buffer::default(),
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
            segment_mass: self.segment_mass,
            normals: self.normals.none(),
            buffer: Buffer::default(),
        }
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
        self.segment_mass * a.iter().zip(b).map(square).sum::<f64>().sqrt()
    }

    fn draw_between(
        &mut self,
        a: &[f32],
        b: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        let u = &mut self.buffer.u;
        difference(a, b, u);
        let length = rate / self.segment_mass;
        u.iter_mut().for_each(|c| *c /= length);
        Some(self.cut(rng, |normals, normal, rng| {
            normals.offset_between(normal, a, b, rng)
        }))
    }

    /// A box is as wide along n as its edges together, Σ|nᵢ|·eᵢ: so its mass is that of its edges, and
    /// every candidate is a cut that hits it.
    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        let extents = lower
            .iter()
            .zip(upper)
            .map(|(low, high)| f64::from(*high) - f64::from(*low));
        self.segment_mass * extents.sum::<f64>()
    }

    fn draw_within(
        &mut self,
        lower: &[f32],
        upper: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        let u = &mut self.buffer.u;
        difference(lower, upper, u);
        let edge = pick(u.iter().copied(), rate / self.segment_mass, rng)?;
        axis_vector(edge, lower.len(), u);
        Some(self.cut(rng, |normals, normal, rng| {
            offset_within(normals.terms(normal), lower, upper, rng)
        }))
    }

    fn release(&mut self, cut: &LinearCut) {
        self.normals.remove(cut.normal);
    }

    fn bytes(&self) -> usize {
        self.normals.bytes() + self.buffer.bytes()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        let scaled = self.segment_mass == segment_mass(features);
        InvariantError::unless(scaled, "cuts", "their mass is not that of the dimension")?;
        self.normals.check(features, cuts)
    }
}

impl Planar for UniformCuts {
    fn half_plane(&self, cut: &LinearCut) -> HalfPlane {
        self.normals.half_plane(cut)
    }
}
