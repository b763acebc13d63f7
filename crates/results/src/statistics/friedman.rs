//! Whether algorithms differ at all.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

use super::Matrix;

/// The test of Friedman: are all algorithms alike, so that each ranking of them is as likely as any other on every set?
///
/// By the formulas of Demšar (2006, section 3.2.2). Where values are equal they are a little conservative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friedman {
    /// Friedman's statistic.
    pub chi_square: f64,
    /// Its probability if all are alike, by the χ² distribution, which is conservative.
    pub chi_square_p: f64,
    /// The statistic of Iman and Davenport.
    pub f: f64,
    /// Its probability if all are alike, by the F distribution: the better one.
    pub p: f64,
}

impl Friedman {
    /// None for fewer than two algorithms or sets.
    pub fn of(matrix: &Matrix) -> Option<Self> {
        Self::of_average_ranks(&matrix.average_ranks(), matrix.sets().len())
    }

    /// The same from the average ranks on n sets.
    pub fn of_average_ranks(ranks: &[f64], sets: usize) -> Option<Self> {
        if ranks.len() < 2 || sets < 2 {
            return None;
        }
        let (k, n) = (ranks.len() as f64, sets as f64);
        let squares = ranks.iter().map(|rank| rank * rank).sum::<f64>();
        let chi_square = 12.0 * n / (k * (k + 1.0)) * (squares - k * (k + 1.0).powi(2) / 4.0);
        let chi_square = chi_square.max(0.0); // rounding
        // 0 where all sets rank alike: then the statistic is infinite.
        let rest = (n * (k - 1.0) - chi_square).max(0.0);
        let f = (n - 1.0) * chi_square / rest;
        let freedom = [k - 1.0, (k - 1.0) * (n - 1.0)];
        let by_chi_square = ChiSquared::new(freedom[0]).expect("there are two algorithms");
        let by_f = FisherSnedecor::new(freedom[0], freedom[1]).expect("there are two sets");
        Some(Self {
            chi_square,
            chi_square_p: by_chi_square.sf(chi_square),
            f,
            p: if f.is_finite() { by_f.sf(f) } else { 0.0 },
        })
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::super::matrix::tests::matrix;
    use super::*;

    /// Table 6 of Demšar (2006): four algorithms on 14 sets. χ² = 9.28, F = 3.69; the critical value of F(3, 39) at 5 %
    /// is 2.85.
    #[test]
    fn the_worked_example_of_demsar_comes_out() {
        let ranks = [3.143, 2.000, 2.893, 1.964];
        let friedman = Friedman::of_average_ranks(&ranks, 14).unwrap();
        assert!((friedman.chi_square - 9.28).abs() < 0.01, "{friedman:?}");
        assert!((friedman.f - 3.69).abs() < 0.01, "{friedman:?}");
        assert!(friedman.p < 0.05 && friedman.chi_square_p < 0.05);
        let critical = FisherSnedecor::new(3.0, 39.0).unwrap();
        assert!((critical.sf(2.85) - 0.05).abs() < 0.001);
    }

    #[test]
    fn sets_that_all_rank_alike_are_no_accident_and_few_numbers_say_nothing() {
        let alike = matrix(&[&[0.3, 0.2, 0.1], &[0.9, 0.8, 0.7]]);
        let friedman = Friedman::of(&alike).unwrap();
        assert_eq!((friedman.chi_square, friedman.p), (4.0, 0.0));
        assert_eq!(Friedman::of(&matrix(&[&[0.3, 0.2]])), None);
        assert_eq!(Friedman::of(&matrix(&[&[0.3], &[0.2]])), None);
    }

    /// The share of null matrices (five algorithms, ten sets) that `p` calls significant at 5 %.
    fn level(p: impl Fn(Friedman) -> f64) -> f64 {
        let (repetitions, mut rng) = (4000, TreeRng::new(7, 0));
        let significant = (0..repetitions).filter(|_| {
            let rows: Vec<[f64; 5]> = (0..10).map(|_| [(); 5].map(|()| rng.uniform())).collect();
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
        let injected_fault = ChiSquared::new(3.0).unwrap(); // k − 2 degrees of freedom
        let share = level(|friedman| injected_fault.sf(friedman.chi_square));
        assert!(!near(share), "{share}");
    }
}
