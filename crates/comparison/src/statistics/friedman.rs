//! Friedman's test whether algorithms differ at all.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::Matrix;

/// The test of Friedman: are all algorithms alike, so that each ranking of them is as likely as any other on every set?
///
/// With the correction for ties (Hollander and Wolfe, *Nonparametric Statistical Methods*, section 7.1), without which equal
/// values hide differences; without ties it is the statistic of Demšar (2006, section 3.2.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friedman {
    /// Friedman's statistic; 0 where all values are equal.
    pub chi_square: f64,
    /// The statistic of Iman and Davenport; infinite where all sets rank alike.
    pub f: f64,
    /// Its p-value.
    pub p: f64,
    /// The least possible p-value for this number of sets and algorithms: at 5 % or above, they cannot show a difference.
    pub least_p: f64,
}

impl Friedman {
    /// The fewest sets that are tested: the F distribution describes the statistic of fewer badly.
    pub const FEWEST_SETS: usize = 5;

    /// Tests a matrix; returns `None` for fewer than two algorithms or five sets.
    pub fn of(matrix: &Matrix) -> Option<Self> {
        let (k, n) = (matrix.algorithms().len(), matrix.sets().len());
        if k < 2 || n < Self::FEWEST_SETS {
            return None;
        }
        let ranks = matrix.ranks();
        let within = ranks.iter().flatten().map(|rank| from_mean(*rank, k)).sum();
        let chi_square = chi_square(&matrix.average_ranks(), n, within);
        let f = iman_davenport(chi_square, k as f64, n as f64);
        let least_p = all_alike(k, n);
        Some(Self {
            chi_square,
            f,
            p: by_f(f, k as f64, n as f64).max(least_p),
            least_p,
        })
    }
}

/// Returns the squared distance of a rank from the mean of k ranks.
fn from_mean(rank: f64, k: usize) -> f64 {
    (rank - (k as f64 + 1.0) / 2.0).powi(2)
}

/// Computes the statistic from the mean rank of each algorithm on n sets, and the squared distances of all ranks, which ties reduce.
fn chi_square(averages: &[f64], n: usize, within: f64) -> f64 {
    let k = averages.len();
    let between: f64 = averages.iter().map(|rank| from_mean(*rank, k)).sum();
    match within {
        0.0 => 0.0, // every set has one value
        within => (k as f64 - 1.0) * (n as f64).powi(2) * between / within,
    }
}

fn iman_davenport(chi_square: f64, k: f64, n: f64) -> f64 {
    let most = n * (k - 1.0);
    // All sets rank alike up to rounding.
    if most - chi_square < 1e-9 * most {
        f64::INFINITY
    } else {
        (n - 1.0) * chi_square / (most - chi_square)
    }
}

fn by_f(f: f64, k: f64, n: f64) -> f64 {
    let distribution = FisherSnedecor::new(k - 1.0, (k - 1.0) * (n - 1.0));
    if f.is_finite() {
        distribution.expect("there are two of each").sf(f)
    } else {
        0.0
    }
}

/// Returns the probability that n sets rank k algorithms in the same order: k!^(1 − n).
fn all_alike(k: usize, n: usize) -> f64 {
    let one: f64 = (1..=k).map(|number| 1.0 / number as f64).product();
    one.powi(n as i32 - 1)
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::super::matrix::tests::matrix;
    use super::*;

    /// Table 6 of Demšar (2006): four algorithms on 14 sets. χ² = 9.28, F = 3.69; the critical value of F(3, 39) at 5 %
    /// is 2.85. Ties are not corrected there: 14 sets without any have squared distances of 70.
    #[test]
    fn the_worked_example_of_demsar_comes_out() {
        let chi_square = chi_square(&[3.143, 2.000, 2.893, 1.964], 14, 70.0);
        assert!((chi_square - 9.28).abs() < 0.01, "{chi_square}");
        let f = iman_davenport(chi_square, 4.0, 14.0);
        assert!((f - 3.69).abs() < 0.01 && by_f(f, 4.0, 14.0) < 0.05, "{f}");
        assert!((by_f(2.85, 4.0, 14.0) - 0.05).abs() < 0.001);
    }

    /// By chance, five sets rank two algorithms alike once in 16, and six rank twelve alike once in 12!⁵: a p-value is never 0.
    #[test]
    fn sets_that_all_rank_alike_have_the_least_probability_and_few_are_not_tested() {
        let two: &[f64] = &[0.8, 0.7];
        let alike = Friedman::of(&matrix(&[two; 5])).unwrap();
        assert_eq!((alike.f, alike.p), (f64::INFINITY, 1.0 / 16.0));
        let equal = Friedman::of(&matrix(&[&[0.5, 0.5][..]; 5])).unwrap();
        assert_eq!((equal.chi_square, equal.p), (0.0, 1.0));
        assert_eq!(Friedman::of(&matrix(&[two; 4])), None);
        assert_eq!(Friedman::of(&matrix(&[&[0.3][..]; 5])), None);
    }

    /// Returns the share of null matrices (ten algorithms on twelve sets) that are significant at 5 %.
    fn level(p: impl Fn(Friedman) -> f64) -> f64 {
        let (repetitions, mut rng) = (4000, TreeRng::new(7, 0));
        let significant = (0..repetitions).filter(|_| {
            let rows: Vec<[f64; 10]> = (0..12).map(|_| [(); 10].map(|()| rng.uniform())).collect();
            let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
            p(Friedman::of(&matrix(&rows)).unwrap()) < 0.05
        });
        significant.count() as f64 / f64::from(repetitions)
    }

    /// 4000 repetitions: a share of 5 % has a standard error of 0.34 %.
    #[test]
    fn of_algorithms_that_are_alike_one_in_twenty_comparisons_is_significant() {
        let near = |share: f64| (share - 0.05).abs() < 4.0 * 0.0035;
        let share = level(|friedman| friedman.p);
        assert!(near(share), "{share}");
        // The faulty test has k − 1 degrees of freedom instead of (k − 1)(n − 1).
        let injected_fault = level(|friedman| by_f(friedman.f, 10.0, 2.0));
        assert!(!near(injected_fault), "{injected_fault}");
    }
}
