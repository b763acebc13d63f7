//! Cuts of any direction.

use forest_core::{InvariantError, TreeRng};
use registry::Inequality;
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, Side};

use crate::buffer::Buffer;
use crate::cut_normals::NormalSampler;
use crate::directions::offset_within;
use crate::finite::side_of_all;
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
    /// Returns Λ of a ball of radius 1, if that is the same for every center.
    pub(crate) fn mass_of_unit_ball(&self) -> f64 {
        match &self.sampler {
            NormalSampler::Sparse(sampler) => sampler.mass_of_unit_ball(),
            NormalSampler::Uniform(_) | NormalSampler::Weighted(_) | NormalSampler::Finite(_) => {
                1.0
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn normals(&self) -> &Normals {
        &self.normals
    }

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
            NormalSampler::Sparse(sampler) => {
                sampler.normal_between(ab, rate, normals, buffer, rng)
            }
            NormalSampler::Finite(sampler) => sampler.normal_between(normals, ab, rate, rng),
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
            NormalSampler::Sparse(sampler) => {
                sampler.normal_within(corners, rate, normals, buffer, rng)
            }
            NormalSampler::Finite(sampler) => sampler.normal_within(normals, corners, rate, rng),
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
        let sampler = NormalSampler::new(features, settings);
        let width = match &sampler {
            NormalSampler::Uniform(_) | NormalSampler::Weighted(_) => features,
            NormalSampler::Sparse(sampler) => sampler.k(),
            NormalSampler::Finite(sampler) => sampler.width(),
        };
        Self {
            sampler,
            normals: Normals::new(width),
            buffer: Buffer::default(),
        }
    }

    fn start(&mut self, rng: &mut TreeRng) {
        if let NormalSampler::Finite(sampler) = &self.sampler {
            sampler.start(&mut self.normals, rng);
        }
    }

    #[inline]
    fn side(&self, cut: &LinearCut, x: &[f32]) -> Side {
        self.normals.side(cut, x)
    }

    fn inequality(&self, cut: &LinearCut, inequality: &mut Inequality) {
        self.normals.inequality(cut, inequality);
    }

    /// Returns a copy without cuts. A finite set of directions is kept, since cuts are drawn from it.
    fn without_cuts(&self) -> Self {
        let normals = match &self.sampler {
            NormalSampler::Finite(_) => self.normals.clone(),
            NormalSampler::Uniform(_) | NormalSampler::Weighted(_) | NormalSampler::Sparse(_) => {
                self.normals.none()
            }
        };
        Self {
            sampler: self.sampler.clone(),
            normals,
            buffer: Buffer::default(),
        }
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        match &self.sampler {
            NormalSampler::Uniform(sampler) => sampler.rate_between(a, b),
            NormalSampler::Weighted(sampler) => sampler.rate(a, b),
            NormalSampler::Sparse(sampler) => sampler.rate(a, b),
            NormalSampler::Finite(sampler) => sampler.rate_between(&self.normals, a, b),
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

    fn with_draw_between<R>(
        &self,
        a: &[f32],
        b: &[f32],
        rate: f64,
        rng: &mut TreeRng,
        work: impl FnOnce(&Self, &LinearCut) -> R,
    ) -> Option<R> {
        // Directions that are there already need no copy.
        if let NormalSampler::Finite(sampler) = &self.sampler {
            let normal = sampler.normal_between(&self.normals, [a, b], rate, rng)?;
            return Some(work(self, &self.cut_between(normal, [a, b], rng)));
        }
        let mut copy = self.without_cuts();
        let cut = copy.draw_between(a, b, rate, rng)?;
        Some(work(&copy, &cut))
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        match &self.sampler {
            NormalSampler::Uniform(sampler) => sampler.rate_within(lower, upper),
            NormalSampler::Weighted(sampler) => sampler.rate(lower, upper),
            NormalSampler::Sparse(sampler) => sampler.rate(lower, upper),
            NormalSampler::Finite(sampler) => sampler.rate_within(&self.normals, lower, upper),
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

    /// Normals that are drawn for each cut are never the same.
    #[inline]
    fn side_of_all(&self, cut: &LinearCut, other: &LinearCut, side: Side) -> Option<Side> {
        side_of_all(cut, other, side)
    }

    fn release(&mut self, cut: &LinearCut) {
        match &self.sampler {
            NormalSampler::Finite(_) => {}
            NormalSampler::Uniform(_) | NormalSampler::Weighted(_) | NormalSampler::Sparse(_) => {
                self.normals.remove(cut.normal);
            }
        }
    }

    fn bytes(&self) -> usize {
        let sampled = match &self.sampler {
            NormalSampler::Uniform(_) | NormalSampler::Finite(_) => 0,
            NormalSampler::Weighted(sampler) => sampler.bytes(),
            NormalSampler::Sparse(sampler) => sampler.bytes(),
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
            NormalSampler::Sparse(sampler) => sampler.check(features, &self.normals)?,
            NormalSampler::Finite(sampler) => return sampler.check(features, &self.normals, cuts),
        }
        self.normals.check(features, cuts)
    }
}
