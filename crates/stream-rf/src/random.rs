//! Poisson draws.

use forest_core::TreeRng;

/// Poisson with mean `mean`: how many arrivals of a unit-rate process fall before `mean`.
///
/// Costs one exponential more than it returns; exact for every mean.
pub(crate) fn poisson(mean: f64, rng: &mut TreeRng) -> usize {
    let mut arrivals = 0;
    let mut time = rng.exponential();
    while time < mean {
        arrivals += 1;
        time += rng.exponential();
    }
    arrivals
}

/// The χ² test, at level 0.001, that the draws of this crate are held to.
#[cfg(test)]
pub(crate) mod fit {
    use forest_testing::statistics::has_frequencies;

    /// Whether the counts cannot be draws of values with this `probability` each.
    pub(crate) fn is_rejected(counts: &[usize], probability: impl Fn(usize) -> f64) -> bool {
        let law: Vec<f64> = (0..counts.len()).map(probability).collect();
        has_frequencies(counts, &law) < 1e-3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(mean: f64) -> Vec<usize> {
        let (mut rng, mut counts) = (TreeRng::new(11, 0), vec![0; 100]);
        (0..50_000).for_each(|_| counts[poisson(mean, &mut rng)] += 1);
        counts
    }

    fn law(mean: f64) -> impl Fn(usize) -> f64 {
        move |k| (1..=k).fold((-mean).exp(), |p, i| p * mean / i as f64)
    }

    #[test]
    fn poisson_has_its_law() {
        for mean in [0.3, 1.0, 10.0, 40.0] {
            assert!(!fit::is_rejected(&counts(mean), law(mean)), "mean {mean}");
        }
        assert_eq!(poisson(0.0, &mut TreeRng::new(1, 0)), 0);
    }

    #[test]
    fn a_wrong_mean_is_rejected() {
        for mean in [1.0, 10.0] {
            assert!(
                fit::is_rejected(&counts(1.05 * mean), law(mean)),
                "mean {mean}"
            );
        }
    }

    #[test]
    fn draws_are_pinned() {
        let mut rng = TreeRng::new(2013, 4);
        let counts: Vec<usize> = (0..6).map(|_| poisson(3.0, &mut rng)).collect();
        assert_eq!(counts, [3, 4, 5, 1, 4, 3]);
    }
}
