//! The scale of a weighted direction: a density in one dimension, drawn by rejection.

use forest_core::TreeRng;
use serde::{Deserialize, Serialize};

/// The scales s > 0 with density ∝ F_j(s) = ω_j·(1 + 2s²ω_j²)^(−½)·p(s) for feature j, where p(s) = Πₖ (1 +
/// 2s²ωₖ²)^(−½), by an upper bound that is constant between the edges of cells and falls as 1/s² behind the last.
///
/// F_j falls with s, so its value at the left edge bounds it within a cell. Cells grow in proportion,
/// from where p is near 1 to where 2s²ω² is at least 1 for every weight; from there on
/// F_j(s) ≤ 2·F_j(s_m)·(s_m/s)², because at least two factors contain ω_j.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScaleMixture {
    /// Left edges of the cells, from 0.
    edges: Vec<f64>,
    /// p at the left edges.
    products: Vec<f64>,
    /// The integral of the bound, for each feature.
    masses: Vec<f64>,
}

/// Ratio of neighbouring edges: 1.25 keeps acceptance above one half for few features, and the cells few.
const RATIO: f64 = 1.25;

fn factor(weight: f64, s: f64) -> f64 {
    1.0 / (1.0 + 2.0 * (s * weight).powi(2)).sqrt()
}

fn product(weights: &[f64], s: f64) -> f64 {
    weights.iter().map(|&weight| factor(weight, s)).product()
}

impl ScaleMixture {
    /// Creates the mixture for weights of which the largest is 1 and those that are not 0 are not much smaller.
    pub(crate) fn new(weights: &[f64]) -> Self {
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        let positive = weights.iter().copied().filter(|weight| *weight > 0.0);
        // From there on s·ω is at least 1 for the smallest weight, which the bound of the tail needs.
        let last = 1.0 / positive.fold(1.0, f64::min);
        let mut edges = vec![0.0];
        // p(0.3/|ω|) is above 0.9: the first cell is nearly flat, and its bound nearly exact.
        let mut edge = 0.3 / squares.sqrt();
        while edge < RATIO * last {
            edges.push(edge);
            edge *= RATIO;
        }
        let products = edges.iter().map(|&edge| product(weights, edge)).collect();
        let masses = Vec::with_capacity(weights.len());
        let mut mixture = Self {
            edges,
            products,
            masses,
        };
        for &weight in weights {
            let mass = mixture.parts(weight).sum();
            mixture.masses.push(mass);
        }
        mixture
    }

    /// Returns the integral of the bound over each cell, the last without an end, for a feature of this weight.
    fn parts(&self, weight: f64) -> impl Iterator<Item = f64> + Clone {
        let value =
            move |cell: usize| weight * factor(weight, self.edges[cell]) * self.products[cell];
        let last = self.edges.len() - 1;
        let width = |cell: usize| self.edges[cell + 1] - self.edges[cell];
        let inner = (0..last).map(move |cell| value(cell) * width(cell));
        // ∫ 2·F(s_m)·(s_m/s)² ds from s_m to ∞ = 2·F(s_m)·s_m.
        inner.chain(std::iter::once(2.0 * value(last) * self.edges[last]))
    }

    /// Returns the integral of the bound for each feature: at least that of F_j.
    pub(crate) fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Returns a scale for `feature`, with the probability that the bound is too high by; otherwise nothing.
    pub(crate) fn draw(&self, feature: usize, weights: &[f64], rng: &mut TreeRng) -> Option<f64> {
        let weight = weights[feature];
        let cell = tessellation_tree::pick(self.parts(weight), self.masses[feature], rng)?;
        let left = self.edges[cell];
        let (s, bound) = match self.edges.get(cell + 1) {
            Some(right) => (left + rng.uniform() * (right - left), 1.0),
            None => {
                // The inverse of the tail's distribution function 1 − s_m/s; 1 − U is never 0.
                let s = left / (1.0 - rng.uniform());
                (s, 2.0 * (left / s).powi(2))
            }
        };
        let at_left = factor(weight, left) * self.products[cell];
        let at_s = factor(weight, s) * product(weights, s);
        (rng.uniform() * bound * at_left < at_s).then_some(s)
    }

    pub(crate) fn bytes(&self) -> usize {
        let cells = self.edges.capacity() + self.products.capacity();
        (cells + self.masses.capacity()) * size_of::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of a sum over ln s, from −30 to 30.
    const STEP: f64 = 1e-3;

    /// ∫ F_j up to each step, by the trapezoidal rule.
    fn integrals(weights: &[f64], feature: usize) -> Vec<f64> {
        let at = |i: i32| (f64::from(i) * STEP).exp();
        let weight = weights[feature];
        let value = |s: f64| s * weight * factor(weight, s) * product(weights, s);
        let values = (-30_000..30_000).map(|i| STEP * value(at(i)));
        let sums = values.scan(0.0, |sum, value| {
            *sum += value;
            Some(*sum - value / 2.0)
        });
        sums.collect()
    }

    fn integral(weights: &[f64], feature: usize) -> f64 {
        *integrals(weights, feature).last().unwrap()
    }

    fn few_and_many() -> [Vec<f64>; 4] {
        [
            vec![1.0],
            vec![1.0, 1e-3],
            vec![0.5, 1.0, 0.0, 0.2],
            vec![1.0; 30],
        ]
    }

    #[test]
    fn the_bound_is_accepted_with_the_ratio_of_the_integrals() {
        let mut rng = TreeRng::new(1, 0);
        for weights in few_and_many() {
            let mixture = ScaleMixture::new(&weights);
            for feature in (0..weights.len()).filter(|&j| weights[j] > 0.0) {
                let expected = integral(&weights, feature) / mixture.masses()[feature];
                assert!(expected > 0.3, "{weights:?}, {feature}: {expected}");
                let drawn =
                    (0..20_000).filter(|_| mixture.draw(feature, &weights, &mut rng).is_some());
                let p =
                    forest_testing::statistics::same_probability(drawn.count(), 20_000, expected);
                assert!(p > 1e-4, "{weights:?}, {feature}: p = {p}");
            }
        }
    }

    /// Sees scales of another distribution that come just as often. Kolmogorov–Smirnov, level 10⁻⁴ each.
    #[test]
    fn scales_are_drawn_by_their_density() {
        let mut rng = TreeRng::new(2, 0);
        for weights in few_and_many() {
            let mixture = ScaleMixture::new(&weights);
            for feature in [0, weights.len() - 1] {
                let draws = (0..10_000).filter_map(|_| mixture.draw(feature, &weights, &mut rng));
                let below = integrals(&weights, feature);
                let all = *below.last().unwrap();
                let step = |s: f64| (s.ln() / STEP).floor() + 30_000.0;
                let cdf = |s: f64| below[step(s) as usize] / all;
                let p = forest_testing::statistics::has_distribution(draws.collect(), cdf);
                assert!(p > 1e-4, "{weights:?}, {feature}: p = {p}");
            }
        }
    }

    #[test]
    fn a_feature_without_weight_has_no_mass() {
        assert_eq!(ScaleMixture::new(&[1.0, 0.0]).masses()[1], 0.0);
    }
}
