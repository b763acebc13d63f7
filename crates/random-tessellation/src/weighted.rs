//! Weighted directions (wuRTF).

use std::f64::consts::{PI, SQRT_2};

use forest_core::{InvariantError, SettingError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::Distances;

use crate::FeatureWeights;
use crate::directions::{axis_vector, difference, dot, norm};
use crate::linear::Buffer;
use crate::mixture::ScaleMixture;

/// Hyperplanes whose normals are distributed as N(0, ωᵢ²) in each feature, scaled to length 1 (Ge et
/// al. 2019, wuRTF), and whose offsets are uniform: the mass of those that hit a ball is its radius.
///
/// With g standard normal, the normal is n = ω∘g / |ω∘g|, and Λ({a, b}) = ½·E|⟨n, δ⟩| has no closed
/// form. But 1/|v| = 2/√π ∫ exp(−s²|v|²) ds turns n into a mixture: given the scale s, the gᵢ are
/// independent with variances 1/(1 + 2s²ωᵢ²), and Λ = √2/π ∫ p(s)·|η(s)| ds, where
/// p(s) = Πₖ (1 + 2s²ωₖ²)^(−½) and ηᵢ(s) = ωᵢδᵢ·(1 + 2s²ωᵢ²)^(−½). Candidates come at the rate that has
/// Σ|ηᵢ| for |η|: a feature is drawn first and s for that feature, and the candidate is a cut with
/// probability |η|₂ / |η|₁.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weighted {
    weights: Vec<f64>,
    mixture: ScaleMixture,
}

impl Weighted {
    pub(crate) fn new(features: usize, FeatureWeights(weights): &FeatureWeights) -> Self {
        let weights = match &weights[..] {
            [] => vec![1.0; features],
            given => {
                // Only ratios matter.
                let largest = given.iter().copied().fold(0.0, f64::max);
                given.iter().map(|weight| weight / largest).collect()
            }
        };
        Self {
            mixture: ScaleMixture::new(&weights),
            weights,
        }
    }

    /// Returns the rate of the candidates that separate two points, and of those that hit the box between them: a box is as wide along n
    /// as its edges together.
    pub(crate) fn rate(&self, a: &[f32], b: &[f32]) -> f64 {
        SQRT_2 / PI * Distances::new(a, b, self.mixture.masses()).sum()
    }

    /// Returns a feature, and the scale s of a cut that is drawn for it.
    fn draw_scale(
        &self,
        [a, b]: [&[f32]; 2],
        rate: f64,
        u: &mut Vec<f64>,
        rng: &mut TreeRng,
    ) -> Option<(usize, f64)> {
        difference(a, b, u);
        let distances = Distances::new(a, b, self.mixture.masses());
        let (feature, _) = distances.pick(rate * PI / SQRT_2, rng)?;
        let scale = self.mixture.draw(feature, &self.weights, rng)?;
        Some((feature, scale))
    }

    /// Draws the normal ω∘g of a vector g of which ⟨g, η⟩ has density ∝ |t|·exp(−t²/2) and the rest is
    /// normal, where the direction of η is in the buffer.
    fn draw_normal(&self, scale: f64, Buffer { u, n }: &mut Buffer, rng: &mut TreeRng) {
        n.clear();
        n.extend(u.iter().map(|_| rng.normal()));
        // √(2E) has the density t·exp(−t²/2); its sign may stay positive, because n and −n are one hyperplane.
        let replace = (2.0 * rng.exponential()).sqrt() - dot(n, u);
        let parts = n.iter_mut().zip(u).zip(&self.weights);
        parts.for_each(|((c, u), &weight)| *c = shrunk(weight, scale) * (*c + replace * *u));
        let length = norm(n);
        n.iter_mut().for_each(|c| *c /= length);
    }

    pub(crate) fn normal_between(
        &self,
        points: [&[f32]; 2],
        rate: f64,
        buffer: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<()> {
        let u = &mut buffer.u;
        let (_, scale) = self.draw_scale(points, rate, u, rng)?;
        let weighted = u.iter_mut().zip(&self.weights);
        weighted.for_each(|(c, &weight)| *c *= shrunk(weight, scale));
        let (length, drawn_as) = (norm(u), u.iter().map(|c| c.abs()).sum::<f64>());
        // Thins candidates of rate |η|₁ to cuts of rate |η|₂.
        if rng.uniform() * drawn_as >= length {
            return None;
        }
        u.iter_mut().for_each(|c| *c /= length);
        self.draw_normal(scale, buffer, rng);
        Some(())
    }

    /// Draws a normal for an edge of the box, which takes the place of η.
    pub(crate) fn normal_within(
        &self,
        corners: [&[f32]; 2],
        rate: f64,
        buffer: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<()> {
        let (feature, scale) = self.draw_scale(corners, rate, &mut buffer.u, rng)?;
        axis_vector(feature, self.weights.len(), &mut buffer.u);
        self.draw_normal(scale, buffer, rng);
        Some(())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.weights.capacity() * size_of::<f64>() + self.mixture.bytes()
    }

    pub(crate) fn check(&self, features: usize) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("cuts", error);
        let weights = FeatureWeights(self.weights.clone());
        let given = self.weights.len() == features;
        InvariantError::require(given, "cuts", "weights are missing")?;
        weights.check(features).map_err(rule)?;
        let same = self.mixture == ScaleMixture::new(&self.weights);
        InvariantError::require(same, "cuts", "their masses are not those of the weights")
    }
}

/// Returns ω·(1 + 2s²ω²)^(−½).
fn shrunk(weight: f64, scale: f64) -> f64 {
    weight / (1.0 + 2.0 * (scale * weight).powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics;

    use tessellation_tree::CutDistribution as _;

    use super::*;
    use crate::directions::unit;
    use crate::{CutNormals, LinearCut, LinearCuts};

    const DRAWS: usize = 10_000;

    /// Normals n = ω∘g / |ω∘g|, each accepted with the probability that `share` gives for it.
    fn by_rejection(
        weights: &[f64],
        share: impl Fn(&[f64]) -> f64,
        rng: &mut TreeRng,
    ) -> Vec<Vec<f64>> {
        let draws = std::iter::repeat_with(|| {
            let mut n: Vec<f64> = weights.iter().map(|weight| weight * rng.normal()).collect();
            let length = norm(&n);
            n.iter_mut().for_each(|c| *c /= length);
            (rng.uniform() < share(&n)).then_some(n)
        });
        draws.flatten().take(DRAWS).collect()
    }

    /// Returns the normals of cuts, which are released.
    fn drawn(
        cuts: &mut LinearCuts,
        mut draw: impl FnMut(&mut LinearCuts) -> Option<LinearCut>,
    ) -> Vec<Vec<f64>> {
        let draws = std::iter::repeat_with(|| {
            let cut = draw(cuts)?;
            let n = cuts.normals.terms(cut.normal).map(|(_, entry)| entry);
            let n = n.collect();
            cuts.release(&cut);
            Some(n)
        });
        draws.flatten().take(DRAWS).collect()
    }

    /// Both have one distribution of the size of each entry, and of the part along `u`; Kolmogorov–Smirnov, level 10⁻⁴ each.
    fn have_one_distribution(one: &[Vec<f64>], other: &[Vec<f64>], u: &[f64]) {
        let d = u.len();
        let mut axes: Vec<Vec<f64>> = vec![vec![0.0; d]; d];
        (0..d).for_each(|i| axes[i][i] = 1.0);
        for along in axes.iter().map(Vec::as_slice).chain([u]) {
            let parts =
                |normals: &[Vec<f64>]| normals.iter().map(|n| dot(n, along).abs()).collect();
            let p = statistics::same_distribution(parts(one), parts(other));
            assert!(p > 1e-4, "along {along:?}: p = {p}");
        }
    }

    /// Normals of density ∝ |⟨n, b − a⟩| cut between two points, those of density ∝ Σᵢ |nᵢ|·eᵢ cut a box with edges e:
    /// draws of the mixture are those of rejection. Sees a wrong scale: one that is drawn by another density, or not the one
    /// that the normal is drawn with.
    #[test]
    fn normals_are_those_of_rejection() {
        let mut rng = TreeRng::new(1, 0);
        for weights in [
            vec![1.0, 3.0],
            vec![1.0, 0.05],
            vec![2.0, 1.0, 0.5, 0.1, 1.0],
        ] {
            let d = weights.len();
            let mut cuts =
                LinearCuts::new(d, &CutNormals::Weighted(FeatureWeights(weights.clone())));
            let (a, mut u) = (vec![0.0f32; d], Vec::new());
            unit(d, &mut rng, &mut u);
            let b: Vec<f32> = u.iter().map(|c| *c as f32).collect();
            let rate = cuts.rate_between(&a, &b);
            let between = drawn(&mut cuts, |cuts| cuts.draw_between(&a, &b, rate, &mut rng));
            let share = |n: &[f64]| dot(n, &u).abs();
            have_one_distribution(&between, &by_rejection(&weights, share, &mut rng), &u);

            let corner: Vec<f32> = b.iter().map(|c| c.abs()).collect();
            let rate = cuts.rate_within(&a, &corner);
            let within = drawn(&mut cuts, |cuts| {
                cuts.draw_within(&a, &corner, rate, &mut rng)
            });
            let share = |n: &[f64]| n.iter().zip(&u).map(|(n, e)| (n * e).abs()).sum();
            have_one_distribution(&within, &by_rejection(&weights, share, &mut rng), &u);
        }
    }
}
