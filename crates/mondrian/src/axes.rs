//! The axis-aligned distribution: cuts across one feature.

use forest_core::{Inequality, InvariantError, SettingError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, CutSettings, Distances, Side};

/// Axis-aligned cuts, Λ(S) = Σᵢ ωᵢ·extentᵢ (Lakshminarayanan et al. 2014; weights: Ge et al. 2019,
/// wMRTF). All rates are masses: every candidate is a cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisCuts {
    /// ωᵢ, one a feature.
    weights: Vec<f64>,
}

/// All points whose feature `dimension` is at most `threshold` lie left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisCut {
    /// The feature that is cut.
    pub dimension: u32,
    /// The place of the cut, rounded down to what features can represent.
    pub threshold: f32,
}

impl AxisCuts {
    /// Returns ωᵢ·|aᵢ − bᵢ| for every feature.
    #[inline]
    fn distances<'a>(&'a self, a: &'a [f32], b: &'a [f32]) -> Distances<'a> {
        Distances::new(a, b, &self.weights)
    }

    /// Returns a cut between `a` and `b` at a place uniform over their distances laid end to end.
    #[inline]
    fn draw(&self, [a, b]: [&[f32]; 2], mass: f64, rng: &mut TreeRng) -> Option<AxisCut> {
        let (dimension, place) = self.distances(a, b).pick(mass, rng)?;
        // `place` is a part of the weighted distance; a feature of weight 0 is never picked.
        let offset = place / self.weights[dimension];
        let low = a[dimension].min(b[dimension]);
        let high = a[dimension].max(b[dimension]);
        Some(AxisCut {
            dimension: dimension as u32,
            threshold: threshold(low, high, offset),
        })
    }
}

/// Returns the threshold at `offset`, which is not negative, above `low`: rounding down changes no feature's side, and
/// the result separates `low` from `high` whatever was rounded before.
fn threshold(low: f32, high: f32, offset: f64) -> f32 {
    let place = f64::from(low) + offset;
    let nearest = place as f32;
    // No branch: half of the draws are rounded up, and no processor can predict which.
    let down = [nearest, nearest.next_down()][usize::from(f64::from(nearest) > place)];
    // Below `high`, which lies right: rounding may have reached it.
    down.min(high.next_down())
}

impl CutDistribution for AxisCuts {
    const AXIS_ALIGNED: bool = true;

    type Cut = AxisCut;

    fn new(features: usize, settings: &CutSettings) -> Self {
        let mut weights = settings.weights.clone().unwrap_or_default();
        if weights.is_empty() {
            weights = vec![1.0; features];
        }
        Self { weights }
    }

    #[inline]
    fn side(&self, cut: &AxisCut, x: &[f32]) -> Side {
        if x[cut.dimension as usize] <= cut.threshold {
            Side::Left
        } else {
            Side::Right
        }
    }

    fn inequality(&self, cut: &AxisCut, inequality: &mut Inequality) {
        inequality.normal.clear();
        inequality.normal.push((cut.dimension as usize, 1.0));
        inequality.threshold = f64::from(cut.threshold);
    }

    #[inline]
    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        self.distances(a, b).sum()
    }

    #[inline]
    fn draw_between(&mut self, ab: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<AxisCut> {
        self.draw(ab, rate, rng)
    }

    #[inline]
    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        self.distances(lower, upper).sum()
    }

    fn draw_within(&mut self, ends: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<AxisCut> {
        self.draw(ends, rate, rng)
    }

    /// Gives new features the weight of all others, if these have one. A feature that does not vary has no part in any
    /// mass.
    fn widen_settings(settings: &mut CutSettings, features: usize) -> Result<(), SettingError> {
        let weights = settings.weights.get_or_insert_default();
        if weights.iter().any(|weight| *weight != 1.0) {
            return Err(SettingError::no_more_features(features));
        }
        weights.resize(features, 1.0);
        Ok(())
    }

    fn widen(&mut self, features: usize) {
        self.weights.resize(features, 1.0);
    }

    fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<f64>()
    }

    /// Cuts across the same feature lie in one order.
    #[inline]
    fn side_of_all(&self, cut: &AxisCut, other: &AxisCut, side: Side) -> Option<Side> {
        let side_known = match side {
            // Points left of `other` are at most its threshold, so at most that of `cut`.
            Side::Left => other.threshold <= cut.threshold,
            Side::Right => other.threshold >= cut.threshold,
        };
        (cut.dimension == other.dimension && side_known).then_some(side)
    }

    fn check<'a>(
        &self,
        features: usize,
        mut cuts: impl Iterator<Item = &'a AxisCut>,
    ) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("cuts", error);
        CutSettings::weighted(&self.weights)
            .check(features)
            .map_err(rule)?;
        let sound = self.weights.len() == features
            && cuts.all(|cut| (cut.dimension as usize) < features && cut.threshold.is_finite());
        InvariantError::require(sound, "cuts", "one has no such feature or threshold")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_its_place_rounded_down_and_below_the_higher_end() {
        assert_eq!(threshold(0.0, 1.0, 0.5), 0.5);
        assert_eq!(threshold(0.0, 1.0, 0.5 - 1e-12), 0.5_f32.next_down());
        assert_eq!(threshold(0.0, 1.0, 0.5 + 1e-12), 0.5);
        for (low, high) in [
            (-1.0, 1.0),
            (0.0, f32::from_bits(1)),
            (-3.0, 0.0),
            (1.0, 1e30),
        ] {
            assert_eq!(threshold(low, high, 0.0), low);
            for offset in [f64::from(high) - f64::from(low), f64::INFINITY] {
                assert_eq!(threshold(low, high, offset), high.next_down());
            }
        }
    }
}
