//! Random numbers: one named generator, one stream per tree, and the two draws that everything is made of.

mod ziggurat;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// A tree's own random stream: `ChaCha8` keyed by the forest's seed, with the tree's index as stream.
///
/// All draws are defined here, on top of 64 random bits and with logarithms that are the same on every platform, so
/// that neither a release of another crate nor another processor can change a result. A clone draws the same numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeRng(ChaCha8Rng);

impl TreeRng {
    /// Returns the stream of tree `index` in a forest with this `seed`.
    pub fn new(seed: u64, index: usize) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(index as u64);
        Self(generator)
    }

    /// Draws 64 uniform bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a uniform number from `[0, 1)`, a multiple of 2⁻⁵³.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (0.5f64).powi(53)
    }

    /// Draws an exponential number with mean 1, by inversion; never negative, never infinite.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        // 1 − u is exact, because u is a multiple of 2⁻⁵³: nothing is lost against ln(1 + x).
        libm::log(1.0 - self.uniform()).abs()
    }

    /// Draws a Poisson number with this mean, exact: how many arrivals of a process of rate 1 come before `mean`.
    pub fn poisson(&mut self, mean: f64) -> usize {
        let mut arrivals = 0;
        let mut time = self.exponential();
        while time < mean {
            arrivals += 1;
            time += self.exponential();
        }
        arrivals
    }

    /// Draws a uniform number from `0..n`, exactly (Lemire's multiplication with rejection). Panics if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a draw from nothing");
        let n = n as u64;
        let threshold = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.bits()) * u128::from(n);
            if product as u64 >= threshold {
                return (product >> 64) as usize;
            }
        }
    }

    /// Puts `items` in a uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{has_distribution, has_frequencies, is_uniform};
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    use super::*;

    #[test]
    fn golden_draws_are_pinned() {
        let mut rng = TreeRng::new(1, 2);
        let draws = (
            rng.bits(),
            rng.uniform(),
            rng.exponential(),
            rng.below(1000),
        );
        assert_eq!(draws, GOLDEN);
        let mut order = [0, 1, 2, 3, 4, 5];
        rng.shuffle(&mut order);
        assert_eq!(order, [3, 4, 1, 0, 2, 5]);
        assert_eq!([rng.normal(), rng.normal()], GOLDEN_NORMALS);
    }

    const GOLDEN_NORMALS: [f64; 2] = [0.843288845003176, 0.21016251671378666];

    const GOLDEN: (u64, f64, f64, usize) = (
        16166618085559792950,
        0.6827408615312758,
        0.41047712879028003,
        511,
    );

    const DRAWS: usize = 100_000;

    /// Probability with which a test fails by chance.
    const LEVEL: f64 = 1e-3;

    #[test]
    fn uniform_and_exponential_have_their_distributions() {
        let mut rng = TreeRng::new(3, 0);
        let uniform = (0..DRAWS).map(|_| rng.uniform()).collect();
        assert!(has_distribution(uniform, |u| u) > LEVEL);
        let exponential = (0..DRAWS).map(|_| rng.exponential()).collect();
        assert!(has_distribution(exponential, |x| 1.0 - (-x).exp()) > LEVEL);
    }

    /// The squared length of d independent normals is chi-squared with d degrees of freedom; of d copies of one it is
    /// not.
    #[test]
    fn normals_drawn_one_after_another_are_independent() {
        let distribution = ChiSquared::new(3.0).unwrap();
        let mut rng = TreeRng::new(3, 1);
        let mut squares = |weights: [f64; 3]| -> Vec<f64> {
            let one = |_| weights.map(|w| w * rng.normal().powi(2)).iter().sum();
            (0..DRAWS).map(one).collect()
        };
        assert!(has_distribution(squares([1.0; 3]), |x| distribution.cdf(x)) > LEVEL);
        assert!(has_distribution(squares([2.0, 0.0, 1.0]), |x| distribution.cdf(x)) < LEVEL);
    }

    #[test]
    fn the_distribution_test_rejects_a_wrong_rate() {
        let mut rng = TreeRng::new(3, 0);
        let wrong = (0..DRAWS).map(|_| rng.exponential() * 1.03).collect();
        assert!(has_distribution(wrong, |x| 1.0 - (-x).exp()) < LEVEL);
    }

    #[test]
    fn streams_of_neighbouring_seeds_and_trees_have_nothing_in_common() {
        let streams = (0..10).flat_map(|seed| (0..10).map(move |tree| TreeRng::new(seed, tree)));
        let draws = |mut rng: TreeRng| (0..64).map(move |_| rng.bits());
        let mut all: Vec<u64> = streams.flat_map(draws).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 10 * 10 * 64);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = TreeRng::new(4, 0);
        let mut counts = [0; 7];
        for _ in 0..DRAWS {
            counts[rng.below(7)] += 1;
        }
        assert!(is_uniform(&counts) > LEVEL);
    }

    fn poissons(mean: f64) -> Vec<usize> {
        let mut rng = TreeRng::new(11, 0);
        let mut counts = vec![0; 100];
        (0..50_000).for_each(|_| counts[rng.poisson(mean)] += 1);
        counts
    }

    fn poisson_probabilities(mean: f64) -> Vec<f64> {
        let probability = |k| (1..=k).fold((-mean).exp(), |p, i| p * mean / f64::from(i));
        (0..100).map(probability).collect()
    }

    #[test]
    fn poisson_has_its_distribution_and_a_wrong_mean_is_rejected() {
        for mean in [0.3, 1.0, 10.0, 40.0] {
            assert!(has_frequencies(&poissons(mean), &poisson_probabilities(mean)) > LEVEL);
        }
        for mean in [1.0, 10.0] {
            assert!(has_frequencies(&poissons(1.05 * mean), &poisson_probabilities(mean)) < LEVEL);
        }
        let mut rng = TreeRng::new(2013, 4);
        assert_eq!([(); 6].map(|()| rng.poisson(3.0)), [3, 4, 5, 1, 4, 3]);
        assert_eq!(rng.poisson(0.0), 0);
    }
}
