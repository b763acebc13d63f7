//! Cuts of any direction.

use forest_core::registry::Inequality;
use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, Side};

use crate::directions::{Uniform, offset_within};
use crate::normals::Normals;
use crate::weighted::Weighted;
use crate::{CutNormals, LinearCut};

/// How normals are drawn, for points of a number of features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Sampler {
    Uniform(Uniform),
    Weighted(Weighted),
}

/// Vectors that are filled for each draw. They are not part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    /// A direction, or a difference of points.
    pub(crate) u: Vec<f64>,
    /// The normal that was drawn.
    pub(crate) n: Vec<f64>,
}

impl PartialEq for Buffer {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Cuts by hyperplanes whose normals have a [`CutNormals`] and whose offsets are uniform.
///
/// Distributions differ in how a normal is drawn. What is done with a cut that was drawn, above all its side test, is the same for
/// all, so that forests of every distribution are one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearCuts {
    sampler: Sampler,
    pub(crate) normals: Normals,
    #[serde(skip)]
    buffer: Buffer,
}

impl CutDistribution for LinearCuts {
    type Settings = CutNormals;
    type Cut = LinearCut;

    fn new(features: usize, settings: &CutNormals) -> Self {
        Self {
            sampler: match settings {
                CutNormals::Uniform => Sampler::Uniform(Uniform::new(features)),
                CutNormals::Weighted(weights) => {
                    Sampler::Weighted(Weighted::new(features, weights))
                }
            },
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
            Sampler::Uniform(sampler) => sampler.rate_between(a, b),
            Sampler::Weighted(sampler) => sampler.rate(a, b),
        }
    }

    fn draw_between(
        &mut self,
        a: &[f32],
        b: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        let (points, buffer) = ([a, b], &mut self.buffer);
        match &self.sampler {
            Sampler::Uniform(sampler) => sampler.normal_between(points, rate, buffer, rng),
            Sampler::Weighted(sampler) => sampler.normal_between(points, rate, buffer, rng)?,
        }
        let normal = self.normals.insert(&self.buffer.n);
        let offset = self.normals.offset_between(normal, a, b, rng);
        Some(LinearCut { normal, offset })
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        match &self.sampler {
            Sampler::Uniform(sampler) => sampler.rate_within(lower, upper),
            Sampler::Weighted(sampler) => sampler.rate(lower, upper),
        }
    }

    fn draw_within(
        &mut self,
        lower: &[f32],
        upper: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        let (corners, buffer) = ([lower, upper], &mut self.buffer);
        match &self.sampler {
            Sampler::Uniform(sampler) => sampler.normal_within(corners, rate, buffer, rng)?,
            Sampler::Weighted(sampler) => sampler.normal_within(corners, rate, buffer, rng)?,
        }
        let normal = self.normals.insert(&self.buffer.n);
        let offset = offset_within(self.normals.terms(normal), lower, upper, rng);
        Some(LinearCut { normal, offset })
    }

    fn release(&mut self, cut: &LinearCut) {
        self.normals.remove(cut.normal);
    }

    fn bytes(&self) -> usize {
        let sampled = match &self.sampler {
            Sampler::Uniform(_) => 0,
            Sampler::Weighted(sampler) => sampler.bytes(),
        };
        let buffered = self.buffer.u.capacity() + self.buffer.n.capacity();
        sampled + self.normals.bytes() + buffered * size_of::<f64>()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        match &self.sampler {
            Sampler::Uniform(sampler) => sampler.check(features)?,
            Sampler::Weighted(sampler) => sampler.check(features)?,
        }
        self.normals.check(features, cuts)
    }
}
