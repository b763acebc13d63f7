//! The normals of cuts: every direction alike (uRTF), or weighted by feature (wuRTF).

use std::f64::consts::{PI, SQRT_2, TAU};

use forest_core::TreeRng;
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutSettings, Distances, pick};

use crate::mixture::ScaleMixture;

/// How normals are drawn, for points of a number of features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Directions {
    /// Every direction alike (Ge et al. 2019, uRTF), scaled so that the mass of the hyperplanes that hit a ball is its
    /// radius: Λ({a, b}) = c_d·|a − b| with c_d = Γ(d/2) / (2√π·Γ((d+1)/2)).
    Uniform {
        /// c_d.
        segment_mass: f64,
    },
    /// Normals are distributed as N(0, ωᵢ²) in each feature, scaled to length 1 (Ge et al. 2019, wuRTF).
    ///
    /// With g standard normal, the normal is n = ω∘g / |ω∘g|, and Λ({a, b}) = ½·E|⟨n, δ⟩| has no closed form. But 1/|v|
    /// = 2/√π ∫ exp(−s²|v|²) ds turns n into a mixture: given the scale s, the gᵢ are independent with variances 1/(1 +
    /// 2s²ωᵢ²), and Λ = √2/π ∫ p(s)·|η(s)| ds, where p(s) = Πₖ (1 + 2s²ωₖ²)^(−½) and ηᵢ(s) = ωᵢδᵢ·(1 + 2s²ωᵢ²)^(−½).
    /// Candidates come at the rate that has Σ|ηᵢ| for |η|: a feature is drawn first and s for that feature, and the
    /// candidate is a cut with probability |η|₂ / |η|₁.
    Weighted {
        /// ω.
        weights: Vec<f64>,
        /// The distribution of s.
        mixture: ScaleMixture,
    },
}

/// Vectors that are filled for each draw. They are not part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    /// A direction, or a difference of points.
    u: Vec<f64>,
    /// The normal that was drawn.
    pub(crate) n: Vec<f64>,
}

impl PartialEq for Buffer {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Buffer {
    pub(crate) fn bytes(&self) -> usize {
        (self.u.capacity() + self.n.capacity()) * size_of::<f64>()
    }
}

impl Directions {
    pub(crate) fn new(features: usize, settings: &CutSettings) -> Self {
        let Some(given) = &settings.weights else {
            let segment_mass = segment_mass(features);
            return Self::Uniform { segment_mass };
        };
        // Only ratios matter. The cells of the mixture reach to 1 / (the smallest).
        let largest = given.iter().copied().fold(0.0, f64::max);
        let mut weights: Vec<f64> = given.iter().map(|weight| weight / largest).collect();
        for ratio in &mut weights {
            if *ratio < LEAST_RATIO {
                *ratio = 0.0;
            }
        }
        if weights.is_empty() {
            weights = vec![1.0; features];
        }
        let mixture = ScaleMixture::new(&weights);
        Self::Weighted { weights, mixture }
    }

    /// Returns the rate of the candidates that separate two points.
    pub(crate) fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        match self {
            Self::Uniform { segment_mass } => {
                let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
                segment_mass * a.iter().zip(b).map(square).sum::<f64>().sqrt()
            }
            Self::Weighted { .. } => self.rate_within(a, b),
        }
    }

    /// Returns the rate of the candidates that hit a box, the mass of its edges: it is as wide along n, Σ|nᵢ|·eᵢ.
    pub(crate) fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        match self {
            Self::Uniform { segment_mass } => {
                let extent = |(low, high): (&f32, &f32)| f64::from(*high) - f64::from(*low);
                segment_mass * lower.iter().zip(upper).map(extent).sum::<f64>()
            }
            Self::Weighted { mixture, .. } => {
                SQRT_2 / PI * Distances::new(lower, upper, mixture.masses()).sum()
            }
        }
    }

    /// Draws the normal of a candidate between two points; nothing with the probability that the rate is too high by.
    pub(crate) fn normal_between(
        &self,
        [a, b]: [&[f32]; 2],
        rate: f64,
        buffer: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<()> {
        let u = &mut buffer.u;
        difference(a, b, u);
        match self {
            Self::Uniform { segment_mass } => {
                // `rate` is that of the same two points: the length need not be computed again.
                let length = rate / segment_mass;
                u.iter_mut().for_each(|c| *c /= length);
                unit_across(u, rng, &mut buffer.n);
            }
            Self::Weighted { weights, mixture } => {
                let (_, scale) = draw_scale(weights, mixture, [a, b], rate, rng)?;
                for (c, &weight) in u.iter_mut().zip(weights) {
                    *c *= shrunk(weight, scale);
                }
                let length = norm(u);
                // Thins candidates of rate |η|₁ to cuts of rate |η|₂.
                if rng.uniform() * u.iter().map(|c| c.abs()).sum::<f64>() >= length {
                    return None;
                }
                u.iter_mut().for_each(|c| *c /= length);
                draw_normal(weights, scale, buffer, rng);
            }
        }
        Some(())
    }

    /// Draws the normal of a candidate that hits a box: of a segment along an edge in proportion to its rate.
    pub(crate) fn normal_within(
        &self,
        [lower, upper]: [&[f32]; 2],
        rate: f64,
        buffer: &mut Buffer,
        rng: &mut TreeRng,
    ) -> Option<()> {
        let u = &mut buffer.u;
        difference(lower, upper, u);
        match self {
            Self::Uniform { segment_mass } => {
                // The width along n is Σ|nᵢ|·eᵢ: draws an edge in proportion to eᵢ, and then n with density ∝ |nᵢ|.
                let edge = pick(u.iter().copied(), rate / segment_mass, rng)?;
                u.fill(0.0);
                u[edge] = 1.0;
                unit_across(u, rng, &mut buffer.n);
            }
            Self::Weighted { weights, mixture } => {
                let (edge, scale) = draw_scale(weights, mixture, [lower, upper], rate, rng)?;
                u.fill(0.0);
                u[edge] = 1.0;
                draw_normal(weights, scale, buffer, rng);
            }
        }
        Some(())
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Uniform { .. } => 0,
            Self::Weighted { weights, mixture } => {
                weights.capacity() * size_of::<f64>() + mixture.bytes()
            }
        }
    }

    /// Returns whether the distribution is that of its weights: with other masses, draws might not end.
    pub(crate) fn is_sound(&self, features: usize) -> bool {
        let mut settings = CutSettings::default();
        if let Self::Weighted { weights, .. } = self {
            settings = CutSettings::weighted(weights);
        }
        settings.check(features).is_ok() && *self == Self::new(features, &settings)
    }
}

/// A feature whose weight is less than this share of the largest weight has weight 0.
const LEAST_RATIO: f64 = 1e-9;

/// Returns a feature, and the scale s of a cut that is drawn for it.
fn draw_scale(
    weights: &[f64],
    mixture: &ScaleMixture,
    [a, b]: [&[f32]; 2],
    rate: f64,
    rng: &mut TreeRng,
) -> Option<(usize, f64)> {
    let distances = Distances::new(a, b, mixture.masses());
    let (feature, _) = distances.pick(rate * PI / SQRT_2, rng)?;
    Some((feature, mixture.draw(feature, weights, rng)?))
}

/// Draws the normal ω∘g, where ⟨g, η⟩ has density ∝ |t|·exp(−t²/2), η being in the buffer, and the rest is normal.
fn draw_normal(weights: &[f64], scale: f64, Buffer { u, n }: &mut Buffer, rng: &mut TreeRng) {
    n.clear();
    n.extend(u.iter().map(|_| rng.normal()));
    // √(2E) has the density t·exp(−t²/2); its sign may stay positive, because n and −n are one hyperplane.
    let replace = (2.0 * rng.exponential()).sqrt() - dot(n, u);
    for ((c, u), &weight) in n.iter_mut().zip(u).zip(weights) {
        *c = shrunk(weight, scale) * (*c + replace * *u);
    }
    let length = norm(n);
    n.iter_mut().for_each(|c| *c /= length);
}

/// Returns ω·(1 + 2s²ω²)^(−½).
fn shrunk(weight: f64, scale: f64) -> f64 {
    weight / (1.0 + 2.0 * (scale * weight).powi(2)).sqrt()
}

/// Returns Λ of a segment of length 1: c_d = Γ(d/2) / (2√π·Γ((d+1)/2)), by c_{d+1} = 1/(2π·d·c_d) from c₁ = ½.
pub(crate) fn segment_mass(dimensions: usize) -> f64 {
    (1..dimensions).fold(0.5, |mass, d| 1.0 / (TAU * d as f64 * mass))
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Writes b − a to `out`.
fn difference(a: &[f32], b: &[f32], out: &mut Vec<f64>) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(a, b)| f64::from(*b) - f64::from(*a)));
}

/// Draws a unit vector of uniform direction.
fn unit(dimensions: usize, rng: &mut TreeRng, out: &mut Vec<f64>) {
    out.clear();
    out.extend((0..dimensions).map(|_| rng.normal()));
    let length = norm(out);
    out.iter_mut().for_each(|c| *c /= length);
}

/// Draws a unit vector n with density ∝ |⟨n, u⟩| for a unit vector u: the normal of a uniform
/// hyperplane that hits a segment along u. Its part along u is √(1 − U^{2/(d−1)}) with U uniform, the
/// rest is uniform on the orthogonal sphere.
fn unit_across(u: &[f64], rng: &mut TreeRng, out: &mut Vec<f64>) {
    if u.len() == 1 {
        out.clear();
        out.push(1.0);
        return;
    }
    unit(u.len(), rng, out);
    let along = dot(out, u);
    for (c, u) in out.iter_mut().zip(u) {
        *c -= along * u;
    }
    let length = norm(out);
    // −ln U is exponential.
    let across = libm::exp(-rng.exponential() / (u.len() - 1) as f64);
    let along = (1.0 - across * across).sqrt();
    for (c, u) in out.iter_mut().zip(u) {
        *c = along * u + across / length * *c;
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics;
    use tessellation_tree::CutDistribution as _;

    use super::*;
    use crate::{LinearCut, LinearCuts};

    #[test]
    fn segment_masses_are_the_closed_forms() {
        let pi = PI;
        let expected = [0.5, 1.0 / pi, 0.25, 2.0 / (3.0 * pi), 3.0 / 16.0];
        for (d, expected) in expected.into_iter().enumerate() {
            assert!((segment_mass(d + 1) - expected).abs() < 1e-12);
        }
    }

    /// The same distribution by rejection: uniform vectors, accepted with probability |⟨n, u⟩|.
    fn across_by_rejection(u: &[f64], rng: &mut TreeRng) -> Vec<f64> {
        let mut n = Vec::new();
        loop {
            unit(u.len(), rng, &mut n);
            if rng.uniform() < dot(&n, u).abs() {
                return n;
            }
        }
    }

    #[test]
    fn normals_across_a_segment_are_those_of_rejection() {
        let mut rng = TreeRng::new(1, 0);
        for d in [2, 3, 4, 10] {
            let mut u = Vec::new();
            unit(d, &mut rng, &mut u);
            let mut n = Vec::new();
            let mut drawn = |k: usize| {
                unit_across(&u, &mut rng, &mut n);
                assert!((norm(&n) - 1.0).abs() < 1e-9);
                [dot(&n, &u).abs(), n[0].abs()][k]
            };
            let drawn: Vec<Vec<f64>> = [0, 1]
                .map(|k| (0..20_000).map(|_| drawn(k)).collect())
                .to_vec();
            for (k, drawn) in drawn.into_iter().enumerate() {
                let rejected = (0..20_000).map(|_| {
                    let n = across_by_rejection(&u, &mut rng);
                    [dot(&n, &u).abs(), n[0].abs()][k]
                });
                let p = statistics::same_distribution(drawn, rejected.collect());
                assert!(p > 1e-3, "d = {d}: p = {p}");
            }
        }
    }

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
            let n = cuts
                .normal(cut.normal)
                .iter()
                .map(|&entry| f64::from(entry))
                .collect();
            cuts.release(&cut);
            Some(n)
        });
        draws.flatten().take(DRAWS).collect()
    }

    /// Both have one distribution of the size of each entry, and of the part along `u`; Kolmogorov–Smirnov, level 10⁻⁴
    /// each.
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
    /// draws of the mixture are those of rejection. Sees a wrong scale: one that is drawn by another density, or not
    /// the one that the normal is drawn with.
    #[test]
    fn normals_are_those_of_rejection() {
        let mut rng = TreeRng::new(1, 0);
        for weights in [
            vec![1.0, 3.0],
            vec![1.0, 0.05],
            vec![2.0, 1.0, 0.5, 0.1, 1.0],
        ] {
            let d = weights.len();
            let mut cuts = LinearCuts::new(d, &CutSettings::weighted(&weights));
            let a = vec![0.0f32; d];
            let mut u = Vec::new();
            unit(d, &mut rng, &mut u);
            let b: Vec<f32> = u.iter().map(|c| *c as f32).collect();
            let rate = cuts.rate_between(&a, &b);
            let between = drawn(&mut cuts, |cuts| {
                cuts.draw_between([&a, &b], rate, &mut rng)
            });
            let share = |n: &[f64]| dot(n, &u).abs();
            have_one_distribution(&between, &by_rejection(&weights, share, &mut rng), &u);

            let corner: Vec<f32> = b.iter().map(|c| c.abs()).collect();
            let rate = cuts.rate_within(&a, &corner);
            let within = drawn(&mut cuts, |cuts| {
                cuts.draw_within([&a, &corner], rate, &mut rng)
            });
            let share = |n: &[f64]| n.iter().zip(&u).map(|(n, e)| (n * e).abs()).sum();
            have_one_distribution(&within, &by_rejection(&weights, share, &mut rng), &u);
        }
    }
}
