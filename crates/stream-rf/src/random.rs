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

/// The goodness-of-fit test that the draws of this crate are held to.
#[cfg(test)]
pub(crate) mod fit {
    /// Whether χ² of the counts exceeds what `probability` of each value allows at level 0.001; values
    /// are merged until each cell expects 20 draws.
    pub(crate) fn is_rejected(counts: &[usize], probability: impl Fn(usize) -> f64) -> bool {
        let draws = counts.iter().sum::<usize>() as f64;
        let (mut statistic, mut freedom) = (0.0, -1.0);
        let (mut observed, mut expected) = (0.0, 0.0);
        for (value, count) in counts.iter().enumerate() {
            observed += *count as f64;
            expected += probability(value) * draws;
            if expected >= 20.0 {
                statistic += (observed - expected).powi(2) / expected;
                freedom += 1.0;
                (observed, expected) = (0.0, 0.0);
            }
        }
        // Laurent and Massart's bound of the upper 0.001 quantile; ln 1000 is 6.91.
        statistic > freedom + 2.0 * (6.91f64 * freedom).sqrt() + 2.0 * 6.91
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
