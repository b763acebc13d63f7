//! Cuts of any direction.

use forest_core::registry::Inequality;
use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, Side};

use crate::buffer::Buffer;
use crate::cut_normals::NormalSampler;
use crate::directions::offset_within;
use crate::normals::Normals;
use crate::{CutNormals, LinearCut};

/// Cuts by hyperplanes whose normals have a [`CutNormals`] and whose offsets are uniform.
///
/// Distributions differ in how a normal is drawn. What is done with a cut that was drawn, above all its side test, is the same for
/// all, so that forests of every distribution are one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearCuts {
    sampler: NormalSampler,
    pub(crate) normals: Normals,
    #[serde(skip)]
    buffer: Buffer,
}

impl LinearCuts {
    fn normal_between(&mut self, ab: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<u32> {
        let Self {
            sampler,
            normals,
            buffer,
        } = self;
        match sampler {
            NormalSampler::Uniform(sampler) => {
                Some(sampler.normal_between(ab, rate, normals, buffer, rng))
            }
            NormalSampler::Weighted(sampler) => {
                sampler.normal_between(ab, rate, normals, buffer, rng)
            }
        }
    }

    fn normal_within(&mut self, corners: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<u32> {
        let Self {
            sampler,
            normals,
            buffer,
        } = self;
        match sampler {
            NormalSampler::Uniform(sampler) => {
                sampler.normal_within(corners, rate, normals, buffer, rng)
            }
            NormalSampler::Weighted(sampler) => {
                sampler.normal_within(corners, rate, normals, buffer, rng)
            }
        }
    }

    /// Returns the cut between two points along a normal.
    fn cut_between(&self, normal: u32, [a, b]: [&[f32]; 2], rng: &mut TreeRng) -> LinearCut {
        let offset = self.normals.offset_between(normal, a, b, rng);
        LinearCut { normal, offset }
    }
}

impl CutDistribution for LinearCuts {
    type Settings = CutNormals;
    type Cut = LinearCut;

    fn new(features: usize, settings: &CutNormals) -> Self {
        Self {
            sampler: NormalSampler::new(features, settings),
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

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        match &self.sampler {
            NormalSampler::Uniform(sampler) => sampler.rate_between(a, b),
            NormalSampler::Weighted(sampler) => sampler.rate(a, b),
        }
    }

    fn draw_between(
        &mut self,
        a: &[f32],
        b: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        let normal = self.normal_between([a, b], rate, rng)?;
        Some(self.cut_between(normal, [a, b], rng))
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        match &self.sampler {
            NormalSampler::Uniform(sampler) => sampler.rate_within(lower, upper),
            NormalSampler::Weighted(sampler) => sampler.rate(lower, upper),
        }
    }

    fn draw_within(
        &mut self,
        lower: &[f32],
        upper: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        let normal = self.normal_within([lower, upper], rate, rng)?;
        let offset = offset_within(self.normals.terms(normal), lower, upper, rng);
        Some(LinearCut { normal, offset })
    }

    /// Normals are never the same.
    #[inline]
    fn side_of_all(&self, _: &LinearCut, _: &LinearCut, _: Side) -> Option<Side> {
        None
    }

    fn release(&mut self, cut: &LinearCut) {
        self.normals.remove(cut.normal);
    }

    fn bytes(&self) -> usize {
        let sampled = match &self.sampler {
            NormalSampler::Uniform(_) => 0,
            NormalSampler::Weighted(sampler) => sampler.bytes(),
        };
        sampled + self.normals.bytes() + self.buffer.bytes()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        match &self.sampler {
            NormalSampler::Uniform(sampler) => sampler.check(features)?,
            NormalSampler::Weighted(sampler) => sampler.check(features)?,
        }
        self.normals.check(features, cuts)
    }
}
