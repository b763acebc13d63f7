//! Tests whether algorithms differ over data sets.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Gamma};
use statrs::distribution::{Continuous, ContinuousCDF, FisherSnedecor, Normal};

use super::{Matrix, largest, ranks};

/// Returns the p-value of Wilcoxon's two-sided signed-rank test of the hypothesis that the median difference is 0: the
/// probability, if signs are random, of sums of positive and of negative ranks at least as far apart; 1 if all
/// differences are 0.
///
/// Differences are ranked by their size, those of 0 among them (Demšar 2006, section 3.1.3; Pratt 1959); sizes that
/// differ by less than one part in 10⁹ are equal. The p-value is over the signs of the others, which are all equally
/// likely: exact, with ties and zeros, for up to 50 differences, by the normal distribution beyond.
pub fn wilcoxon(differences: &[f64]) -> f64 {
    let (signed, least) = signed_ranks(differences);
    let below = match signed.len() {
        0 => 1.0,
        1..=50 => exact(&signed, least),
        _ => normal(&signed, least),
    };
    (2.0 * below).min(1.0)
}

/// Returns the ranks of differences other than 0, and the lesser of the sums of positive and of negative ranks.
fn signed_ranks(differences: &[f64]) -> (Vec<f64>, f64) {
    let sizes: Vec<f64> = differences.iter().map(|one| one.abs()).collect();
    let mut signed = Vec::new();
    let (mut positive, mut negative) = (0.0, 0.0);
    for (&difference, rank) in differences.iter().zip(ranks(&sizes, largest(&sizes))) {
        if difference > 0.0 {
            positive += rank;
        } else if difference < 0.0 {
            negative += rank;
        } else {
            continue;
        }
        signed.push(rank);
    }
    (signed, f64::min(positive, negative))
}

/// Returns the probability that ranks (multiples of ½) with random signs have a positive sum of at most `sum`.
fn exact(ranks: &[f64], sum: f64) -> f64 {
    let doubled = ranks.iter().map(|rank| (2.0 * rank).round() as usize);
    let doubled: Vec<usize> = doubled.collect();
    // ways[s] is the number of choices of positive ranks that sum to s / 2.
    let mut ways = vec![0.0; 1 + doubled.iter().sum::<usize>()];
    ways[0] = 1.0;
    for rank in doubled {
        for s in (rank..ways.len()).rev() {
            ways[s] += ways[s - rank];
        }
    }
    let at_most: f64 = ways[..=(2.0 * sum).round() as usize].iter().sum();
    at_most / 2f64.powi(ranks.len() as i32)
}

/// Returns the same by the normal distribution, with the correction for continuity.
fn normal(ranks: &[f64], sum: f64) -> f64 {
    let mean = ranks.iter().sum::<f64>() / 2.0;
    let variance = ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
    Normal::standard().cdf((sum + 0.5 - mean) / variance.sqrt())
}

/// Corrects p-values for their number by Holm's steps: the level is the probability that any is below it by chance.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut largest = 0.0f64;
    for (smaller, &index) in order.iter().enumerate() {
        let remaining = (p.len() - smaller) as f64;
        largest = largest.max((remaining * p[index]).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

/// The test of Friedman: are all algorithms alike, so that each ranking of them is as likely as any other on every set?
///
/// With the correction for ties (Hollander and Wolfe, *Nonparametric Statistical Methods*, section 7.1), without which
/// equal values hide differences; without ties it is the statistic of Demšar (2006, section 3.2.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friedman {
    /// Friedman's statistic; 0 where all values are equal.
    pub chi_square: f64,
    /// The statistic of Iman and Davenport; infinite where all sets rank alike.
    pub f: f64,
    /// Its p-value.
    pub p: f64,
    /// The least possible p-value for this number of sets and algorithms.
    pub least_p: f64,
}

impl Friedman {
    /// The fewest sets that are tested: the F distribution describes the statistic of fewer badly.
    pub const FEWEST_SETS: usize = 5;

    /// Tests a matrix; returns `None` for fewer than two algorithms or five sets.
    pub fn of(matrix: &Matrix) -> Option<Self> {
        let k = matrix.algorithms.len();
        let n = matrix.sets.len();
        if k < 2 || n < Self::FEWEST_SETS {
            return None;
        }
        let from_mean = |rank: &f64| (rank - (k as f64 + 1.0) / 2.0).powi(2);
        let between: f64 = matrix.average_ranks().iter().map(from_mean).sum();
        // Ties reduce the squared distances of ranks from their mean. They are all 0 where every set has one value.
        let within: f64 = matrix.ranks().iter().flatten().map(from_mean).sum();
        let chi_square = match within {
            0.0 => 0.0,
            within => (k as f64 - 1.0) * (n as f64).powi(2) * between / within,
        };
        let (f, p) = iman_davenport(chi_square, k as f64, n as f64);
        // The probability that n sets rank k algorithms in the same order: k!^(1 − n).
        let one: f64 = (1..=k).map(|number| 1.0 / number as f64).product();
        let least_p = one.powi(n as i32 - 1);
        Some(Self {
            chi_square,
            f,
            p: p.max(least_p),
            least_p,
        })
    }
}

fn iman_davenport(chi_square: f64, k: f64, n: f64) -> (f64, f64) {
    let most = n * (k - 1.0);
    // All sets rank alike up to rounding.
    if most - chi_square < 1e-9 * most {
        return (f64::INFINITY, 0.0);
    }
    let f = (n - 1.0) * chi_square / (most - chi_square);
    let distribution = FisherSnedecor::new(k - 1.0, (k - 1.0) * (n - 1.0));
    (f, distribution.expect("there are two of each").sf(f))
}

/// Returns Nemenyi's critical difference: average ranks further apart differ at level `alpha`, for all pairs together.
///
/// q·√(k(k + 1) / (6N)), where q is the quantile of the range of k normal numbers over √2 (Demšar 2006, section 3.2.2).
/// It takes a millisecond.
pub fn nemenyi(algorithms: usize, sets: usize, alpha: f64) -> f64 {
    let k = algorithms as f64;
    let n = sets as f64;
    let (mut low, mut high) = (0.0, 2.0 * END);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if range_cdf(middle, algorithms) < 1.0 - alpha {
            low = middle;
        } else {
            high = middle;
        }
    }
    high / 2f64.sqrt() * (k * (k + 1.0) / (6.0 * n)).sqrt()
}

/// The ends of the integral over normal numbers: their density is below 1e-22 there.
const END: f64 = 10.0;

/// Returns the probability that k normal numbers lie within `range`: k ∫ φ(z) (Φ(z + range) − Φ(z))^(k − 1) dz over the
/// least of them, by Simpson's rule.
fn range_cdf(range: f64, count: usize) -> f64 {
    const POINTS: usize = 2000;
    let normal = Normal::standard();
    let step = 2.0 * END / POINTS as f64;
    let mut sum = 0.0;
    for point in 0..=POINTS {
        let weight = match point {
            0 | POINTS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let z = point as f64 * step - END;
        let others = normal.cdf(z + range) - normal.cdf(z);
        sum += weight * (count as f64 * normal.pdf(z) * others.powi(count as i32 - 1));
    }
    sum * step / 3.0
}

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

/// Performs the Bayesian signed-rank test (Benavoli et al. 2017, section 4.2) on differences, one a set: positive where
/// the first algorithm is better. Differences of at most `region` are practically none.
///
/// Given weights of the differences and of the prior's 0 (with the weight ½ of Benavoli et al.), drawn from the
/// Dirichlet distribution, the means of two differences lie above, within or below the region with some probabilities;
/// the result has the share of 20,000 draws in which each of these is the largest, whose standard error is at most
/// .004. The same differences always have the same.
pub fn equivalence(differences: &[f64], region: f64) -> Equivalence {
    const DRAWS: usize = 20_000;
    let all = [&[0.0], differences].concat();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let gamma = [0.5, 1.0].map(|shape| Gamma::new(shape, 1.0).expect("shapes are positive"));
    let mut weights = vec![0.0; all.len()];
    let mut found = Equivalence::default();
    for _ in 0..DRAWS {
        weights[0] = gamma[0].sample(&mut random);
        weights[1..].fill_with(|| gamma[1].sample(&mut random));
        let mut drawn = Equivalence::default();
        for (weight, one) in weights.iter().zip(&all) {
            for (other_weight, other) in weights.iter().zip(&all) {
                let side = match (one + other) / 2.0 {
                    mean if mean > region => &mut drawn.better,
                    mean if mean >= -region => &mut drawn.equivalent,
                    _ => &mut drawn.worse,
                };
                *side += weight * other_weight;
            }
        }
        let largest = match drawn.worse.max(drawn.better) {
            most if drawn.equivalent >= most => &mut found.equivalent,
            _ if drawn.better > drawn.worse => &mut found.better,
            _ => &mut found.worse,
        };
        *largest += 1.0;
    }
    for count in [&mut found.better, &mut found.equivalent, &mut found.worse] {
        *count /= DRAWS as f64;
    }
    found
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;
    use crate::statistics::Estimate;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        let names = vec![String::new(); rows[0].len()];
        let mut matrix = Matrix::new("accuracy".parse().unwrap(), names);
        rows.iter().for_each(|row| matrix.push("", row.to_vec()));
        matrix
    }

    /// Demšar (2006): table 2 (Wilcoxon), table 6 (χ² = 9.28, F = 3.69; 5 % of F(3, 39) are above 2.85), section 3.2.2
    /// (four algorithms on 14 sets: Nemenyi's differences at 5 % and 10 %; p of 0.016, 0.030 and 0.138 are compared
    /// with 0.017, 0.025 and 0.05).
    #[test]
    fn the_worked_examples_of_demsar_come_out() {
        let thousandths = [5, -8, 17, 33, 6, -5, 7, 0, 63, 0, 22, 47, 9, 21].map(f64::from);
        // Demšar adds half of the ranks of the two zeros, 1.5, to both sums.
        assert_eq!(signed_ranks(&thousandths).1, 12.0 - 1.5);
        assert!(wilcoxon(&thousandths) < 0.02);
        let (f, p) = iman_davenport(9.28, 4.0, 14.0);
        assert!((f - 3.69).abs() < 0.01 && p < 0.05, "{f}");
        // F is 2.85 where χ² = 42·2.85 / (13 + 2.85).
        assert!((iman_davenport(42.0 * 2.85 / 15.85, 4.0, 14.0).1 - 0.05).abs() < 0.001);
        assert!((nemenyi(4, 14, 0.05) - 1.25).abs() < 0.005);
        assert!((nemenyi(4, 14, 0.10) - 1.12).abs() < 0.005);
        let corrected = holm(&[0.138, 0.016, 0.030]).into_iter();
        let mut pairs = corrected.zip([0.138, 0.048, 0.060]);
        assert!(pairs.all(|(p, known)| (p - known).abs() < 1e-12));
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!([wilcoxon(&[0.0, 0.0]), wilcoxon(&[])], [1.0, 1.0]);
    }

    /// Wilcoxon's sum of ranks, two-sided at 5 %: the largest that is significant. Table 5 of Demšar (2006), two to ten
    /// algorithms.
    #[test]
    fn critical_values_are_the_published_ones() {
        for (n, critical) in [(6, 0), (8, 3), (10, 8), (14, 21), (25, 89)] {
            let ranks: Vec<f64> = (1..=n).map(f64::from).collect();
            let p = |sum: i32| 2.0 * exact(&ranks, f64::from(sum));
            assert!(p(critical) <= 0.05 && p(critical + 1) > 0.05, "{n}");
        }
        let at_5 = [
            1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
        ];
        let at_10 = [
            1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920,
        ];
        for (level, table) in [(0.05, at_5), (0.10, at_10)] {
            for (k, published) in (2..).zip(table) {
                let q = nemenyi(k, 1, level) / (k as f64 * (k as f64 + 1.0) / 6.0).sqrt();
                assert!((q - published).abs() < 0.001, "{k} at {level}: {q}");
            }
        }
    }

    /// By chance, five sets rank two algorithms alike once in 16: a p-value is never 0.
    #[test]
    fn sets_that_rank_alike_have_the_least_p_and_equal_values_the_largest() {
        let two: &[f64] = &[0.8, 0.7];
        let alike = Friedman::of(&matrix(&[two; 5])).unwrap();
        assert_eq!((alike.f, alike.p), (f64::INFINITY, 1.0 / 16.0));
        let equal = Friedman::of(&matrix(&[&[0.5, 0.5][..]; 5])).unwrap();
        assert_eq!((equal.chi_square, equal.p), (0.0, 1.0));
        let none = [matrix(&[two; 4]), matrix(&[&[0.3][..]; 5])].map(|one| Friedman::of(&one));
        assert_eq!(none, [None, None]);
    }

    /// 4000 repetitions: a share of 5 % has a standard error of 0.34 %.
    #[test]
    fn of_what_is_alike_one_in_twenty_tests_is_significant() {
        let mut rng = TreeRng::new(7, 0);
        let mut significant = [0; 4];
        for _ in 0..4000 {
            let symmetric = [(); 14].map(|()| rng.uniform() - 0.5);
            let rows = [(); 12].map(|()| [(); 10].map(|()| rng.uniform()));
            let family = [(); 5].map(|()| rng.uniform());
            let estimate = Estimate::of(&[(); 3].map(|()| rng.normal())).unwrap();
            let friedman = Friedman::of(&matrix(&rows.each_ref().map(|row| &row[..])));
            for (count, is_significant) in significant.iter_mut().zip([
                wilcoxon(&symmetric) < 0.05,
                friedman.unwrap().p < 0.05,
                holm(&family).iter().any(|p| *p < 0.05),
                estimate.mean.abs() > estimate.half_width().unwrap(),
            ]) {
                *count += i32::from(is_significant);
            }
        }
        let excess = significant.map(|count| f64::from(count) / 4000.0 - 0.05);
        assert!(
            excess.iter().all(|excess| excess.abs() < 4.0 * 0.0035),
            "{excess:?}"
        );
    }

    /// One difference beside the prior: the mean of the difference with itself has the square of its weight, all others
    /// are within the region, so the difference wins where its weight is above √½. The weight has the distribution
    /// Beta(1, ½), whose tail is √(1 − w).
    #[test]
    fn one_difference_has_the_probability_of_its_weight_and_turned_signs_turn_the_result() {
        let found = equivalence(&[1.5], 1.0);
        let expected = (1.0 - 0.5f64.sqrt()).sqrt();
        assert!(
            (found.better - expected).abs() < 0.015,
            "{found:?} {expected}"
        );
        assert_eq!(found.worse, 0.0);
        let differences = [0.3, -0.1, 0.2, 0.05, -0.02, 0.4];
        let [one, turned] =
            [differences, differences.map(|d| -d)].map(|all| equivalence(&all, 0.0));
        assert!(
            one.better > 0.8 && (one.better - turned.worse).abs() < 0.015,
            "{one:?}"
        );
        assert_eq!(equivalence(&differences, 0.5).equivalent, 1.0);
    }
}
