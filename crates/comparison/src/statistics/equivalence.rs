//! The Bayesian signed-rank test with a region of practical equivalence.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Gamma};

/// The weight of the prior, which is at a difference of 0: that of Benavoli et al.
const PRIOR: f64 = 0.5;

/// Draws from the posterior: the standard error of a probability is at most .004.
const DRAWS: usize = 20_000;

/// The same differences always have the same probabilities.
const SEED: u64 = 0;

/// The probabilities that one algorithm is practically better, equivalent, or worse; they add up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Equivalence {
    /// The first is better by more than the region.
    pub better: f64,
    /// They differ by no more than the region.
    pub equivalent: f64,
    /// The first is worse by more than the region.
    pub worse: f64,
}

/// Performs the Bayesian signed-rank test (Benavoli et al. 2017, section 4.2) on differences, one a set: positive where the first
/// algorithm is better. Differences of at most `region` are practically none.
///
/// Given weights of the differences and of the prior's 0, drawn from the Dirichlet distribution, the means of two differences lie
/// above, within or below the region with some probabilities; the result has the share of draws in which each of these is the largest.
///
/// ```
/// use comparison::statistics::equivalence;
///
/// let clear = equivalence(&[0.05, 0.04, 0.06, 0.03, 0.05, 0.07], 0.01);
/// assert!(clear.better > 0.99);
/// let same = equivalence(&[0.001, -0.002, 0.0, 0.003, -0.001, 0.002], 0.01);
/// assert_eq!(same.equivalent, 1.0);
/// ```
pub fn equivalence(differences: &[f64], region: f64) -> Equivalence {
    let all: Vec<f64> = [0.0]
        .into_iter()
        .chain(differences.iter().copied())
        .collect();
    let signs = signs(&all, region);
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let [prior, other] =
        [PRIOR, 1.0].map(|shape| Gamma::new(shape, 1.0).expect("shapes are positive"));
    let mut weights = vec![0.0; all.len()];
    let mut wins = [0usize; 3];
    for _ in 0..DRAWS {
        weights[0] = prior.sample(&mut random);
        weights[1..].fill_with(|| other.sample(&mut random));
        wins[likeliest(&weights, &signs)] += 1;
    }
    let [worse, equivalent, better] = wins.map(|count| count as f64 / DRAWS as f64);
    Equivalence {
        better,
        equivalent,
        worse,
    }
}

/// Returns, for every pair, whether the mean of its differences is below the region (0), within (1) or above (2).
fn signs(differences: &[f64], region: f64) -> Vec<Vec<usize>> {
    let sign = |mean: f64| usize::from(mean >= -region) + usize::from(mean > region);
    let of_one = |one: &f64| {
        differences
            .iter()
            .map(|other| sign((one + other) / 2.0))
            .collect()
    };
    differences.iter().map(of_one).collect()
}

/// Returns which of the three has the most weight, the middle one among equals.
fn likeliest(weights: &[f64], signs: &[Vec<usize>]) -> usize {
    let mut shares = [0.0; 3];
    for (weight, row) in weights.iter().zip(signs) {
        for (other, sign) in weights.iter().zip(row) {
            shares[*sign] += weight * other;
        }
    }
    let [worse, equivalent, better] = shares;
    if equivalent >= worse.max(better) {
        1
    } else {
        2 * usize::from(better > worse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One difference beside the prior: the mean of the difference with itself has the square of its weight, all others are within
    /// the region, so the difference wins where its weight is above √½. The weight has the distribution Beta(1, ½), whose tail is √(1 − w).
    #[test]
    fn one_difference_has_the_probability_of_its_weight() {
        let found = equivalence(&[1.5], 1.0);
        let expected = (1.0 - 0.5f64.sqrt()).sqrt();
        assert!(
            (found.better - expected).abs() < 0.015,
            "{found:?} {expected}"
        );
        assert_eq!(found.worse, 0.0);
        assert!((found.better + found.equivalent - 1.0).abs() < 1e-12);
    }

    #[test]
    fn without_a_region_signs_that_are_turned_turn_the_result() {
        let differences = [0.3, -0.1, 0.2, 0.05, -0.02, 0.4];
        let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        let (one, other) = (equivalence(&differences, 0.0), equivalence(&turned, 0.0));
        assert!(one.better > 0.8, "{one:?}");
        assert!((one.better - other.worse).abs() < 0.015);
        assert!((one.worse - other.better).abs() < 0.015);
    }

    #[test]
    fn a_wider_region_has_more_of_the_probability() {
        let differences = [0.01, 0.02, -0.01, 0.03, 0.015, 0.005];
        let of = |region| equivalence(&differences, region).equivalent;
        let shares = [0.0, 0.005, 0.01, 0.02, 0.05].map(of);
        assert!(
            shares.windows(2).all(|pair| pair[0] <= pair[1]),
            "{shares:?}"
        );
        assert_eq!(shares[4], 1.0);
        assert_eq!(
            equivalence(&differences, 0.01),
            equivalence(&differences, 0.01)
        );
    }
}
