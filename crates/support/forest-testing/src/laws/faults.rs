//! Distributions with an injected fault, to show that a test can fail.

use forest_core::registry::Inequality;
use forest_core::{InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, Side};

/// The distribution `D`, but candidates between two points come at `PERCENT` percent of their rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct WrongRate<D: CutDistribution, const PERCENT: u32>(D);

impl<D: CutDistribution, const PERCENT: u32> CutDistribution for WrongRate<D, PERCENT> {
    type Settings = D::Settings;
    type Cut = D::Cut;

    fn new(features: usize, settings: &D::Settings) -> Self {
        Self(D::new(features, settings))
    }

    fn side(&self, cut: &D::Cut, x: &[f32]) -> Side {
        self.0.side(cut, x)
    }

    fn inequality(&self, cut: &D::Cut, inequality: &mut Inequality) {
        self.0.inequality(cut, inequality);
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        f64::from(PERCENT) / 100.0 * self.0.rate_between(a, b)
    }

    fn draw_between(&mut self, a: &[f32], b: &[f32], _: f64, rng: &mut TreeRng) -> Option<D::Cut> {
        let rate = self.0.rate_between(a, b);
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
    ) -> Option<D::Cut> {
        self.0.draw_within(lower, upper, rate, rng)
    }

    fn side_of_all(&self, cut: &D::Cut, other: &D::Cut, side: Side) -> Option<Side> {
        self.0.side_of_all(cut, other, side)
    }

    fn release(&mut self, cut: &D::Cut) {
        self.0.release(cut);
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a D::Cut>,
    ) -> Result<(), InvariantError>
    where
        D::Cut: 'a,
    {
        self.0.check(features, cuts)
    }
}
