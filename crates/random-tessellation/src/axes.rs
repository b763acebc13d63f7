//! Axis-aligned cuts under the names of this crate's paper (MRTF, wMRTF).

use forest_core::{InvariantError, TreeRng};
use mondrian::{AxisCut, AxisCuts, AxisWeights};
use registry::Inequality;
use serde::{Deserialize, Serialize};
use tessellation_tree::planar::{HalfPlane, Planar};
use tessellation_tree::{CutDistribution, Side};

/// The Mondrian process as a random tessellation process: [`AxisCuts`], which `mrtf` and `wmrtf` name
/// where `mondrian` names the forest of 2014.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PoleCuts(AxisCuts);

impl CutDistribution for PoleCuts {
    type Settings = AxisWeights;
    type Cut = AxisCut;

    const AXIS_ALIGNED: bool = true;

    fn new(features: usize, weights: &AxisWeights) -> Self {
        Self(AxisCuts::new(features, weights))
    }

    #[inline]
    fn side(&self, cut: &AxisCut, x: &[f32]) -> Side {
        self.0.side(cut, x)
    }

    fn inequality(&self, cut: &AxisCut, inequality: &mut Inequality) {
        self.0.inequality(cut, inequality);
    }

    #[inline]
    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        self.0.rate_between(a, b)
    }

    #[inline]
    fn draw_between(
        &mut self,
        a: &[f32],
        b: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<AxisCut> {
        self.0.draw_between(a, b, rate, rng)
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        self.0.rate_within(lower, upper)
    }

    fn draw_within(
        &mut self,
        lower: &[f32],
        upper: &[f32],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<AxisCut> {
        self.0.draw_within(lower, upper, rate, rng)
    }

    #[inline]
    fn side_of_all(&self, cut: &AxisCut, other: &AxisCut, side: Side) -> Option<Side> {
        self.0.side_of_all(cut, other, side)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a AxisCut>,
    ) -> Result<(), InvariantError> {
        self.0.check(features, cuts)
    }
}

impl Planar for PoleCuts {
    fn half_plane(&self, cut: &AxisCut) -> HalfPlane {
        self.0.half_plane(cut)
    }
}
