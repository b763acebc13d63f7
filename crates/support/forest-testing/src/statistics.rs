//! Tests of significance: how probable the observations are if two distributions are equal.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

/// Cells with fewer observations than this in both samples together are pooled.
const POOL_BELOW: f64 = 20.0;

/// Returns the p-value of the χ² test that two samples, of one size, of a discrete quantity have one distribution.
pub fn same_frequencies<K: Ord>(
    one: impl ExactSizeIterator<Item = K>,
    other: impl ExactSizeIterator<Item = K>,
) -> f64 {
    assert_eq!(one.len(), other.len(), "samples of equal size");
    let mut cells: BTreeMap<K, [f64; 2]> = BTreeMap::new();
    one.for_each(|key| cells.entry(key).or_default()[0] += 1.0);
    other.for_each(|key| cells.entry(key).or_default()[1] += 1.0);
    let mut pool = [0.0; 2];
    let mut kept = Vec::new();
    for [a, b] in cells.into_values() {
        if a + b < POOL_BELOW {
            pool = [pool[0] + a, pool[1] + b];
        } else {
            kept.push([a, b]);
        }
    }
    kept.push(pool);
    two_sample_chi_square(&kept)
}

fn two_sample_chi_square(cells: &[[f64; 2]]) -> f64 {
    let filled: Vec<_> = cells.iter().filter(|[a, b]| a + b > 0.0).collect();
    if filled.len() < 2 {
        return 1.0;
    }
    let chi2: f64 = filled.iter().map(|[a, b]| (a - b).powi(2) / (a + b)).sum();
    let distribution =
        ChiSquared::new((filled.len() - 1) as f64).expect("at least one degree of freedom");
    distribution.sf(chi2)
}

/// Returns the p-value of the χ² test that counts have these probabilities, which add up to 1. Neighbouring values are
/// merged until each cell expects 20 draws. Panics if there are too few for two cells.
pub fn has_frequencies(counts: &[usize], probabilities: &[f64]) -> f64 {
    assert_eq!(counts.len(), probabilities.len(), "a probability a count");
    let draws = counts.iter().sum::<usize>() as f64;
    let mut cells = vec![[0.0; 2]];
    for (count, probability) in counts.iter().zip(probabilities) {
        let last = cells.last_mut().expect("there is a cell from the start");
        last[0] += *count as f64;
        last[1] += probability * draws;
        if last[1] >= POOL_BELOW {
            cells.push([0.0; 2]);
        }
    }
    if let Some([count, expected]) = cells.pop()
        && let Some(last) = cells.last_mut()
    {
        *last = [last[0] + count, last[1] + expected];
    }
    let term = |[count, expected]: &[f64; 2]| (count - expected).powi(2) / expected;
    let chi2: f64 = cells.iter().map(term).sum();
    let distribution = ChiSquared::new(cells.len() as f64 - 1.0).expect("at least two cells");
    distribution.sf(chi2)
}

/// Returns the p-value of the χ² test that counts, two or more, are those of equally likely values.
pub fn is_uniform(counts: &[usize]) -> f64 {
    has_frequencies(counts, &vec![1.0 / counts.len() as f64; counts.len()])
}

/// Returns the p-value (asymptotic) of the Kolmogorov–Smirnov test that two samples have one distribution, if any.
pub fn same_distribution(mut one: Vec<f64>, mut other: Vec<f64>) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 1.0;
    }
    one.sort_by(f64::total_cmp);
    other.sort_by(f64::total_cmp);
    let n = one.len() as f64;
    let m = other.len() as f64;
    let distance = largest_distance(&one, &other);
    kolmogorov_tail(distance * (n * m / (n + m)).sqrt())
}

/// Returns the p-value (asymptotic) of the Kolmogorov–Smirnov test that `values` have distribution function `cdf`.
pub fn has_distribution(mut values: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let mut distance = 0.0;
    for (i, value) in values.iter().enumerate() {
        let expected = cdf(*value);
        // At a value, the distribution function of the sample jumps from the one to the other.
        for found in [i as f64 / n, (i + 1) as f64 / n] {
            distance = f64::max(distance, (expected - found).abs());
        }
    }
    kolmogorov_tail(distance * n.sqrt())
}

/// Returns the largest difference between the distribution functions of two sorted samples.
fn largest_distance(one: &[f64], other: &[f64]) -> f64 {
    let at = |sample: &[f64], x: f64| {
        sample.partition_point(|value| *value <= x) as f64 / sample.len() as f64
    };
    let difference = |x: &f64| (at(one, *x) - at(other, *x)).abs();
    one.iter().chain(other).map(difference).fold(0.0, f64::max)
}

/// Returns P(K > x) for Kolmogorov's distribution.
fn kolmogorov_tail(x: f64) -> f64 {
    if x < 0.2 {
        return 1.0;
    }
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
        sign * (-2.0 * f64::from(k * k) * x * x).exp()
    };
    (1..100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

/// Returns the p-value, two-sided, of `hits` successes in `trials` if each has this `probability`.
pub fn same_probability(hits: usize, trials: usize, probability: f64) -> f64 {
    let n = trials as f64;
    let deviation = (n * probability * (1.0 - probability)).sqrt();
    let off = (hits as f64 - n * probability).abs();
    if deviation == 0.0 {
        f64::from(u8::from(off == 0.0))
    } else {
        two_sided(off / deviation)
    }
}

/// Returns the p-value, two-sided, of the mean of `values` if their distribution has this `mean`.
pub fn same_mean(values: &[f64], mean: f64) -> f64 {
    let n = values.len() as f64;
    let average = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - average).powi(2)).sum::<f64>() / (n - 1.0);
    two_sided((average - mean).abs() / (variance / n).sqrt())
}

fn two_sided(z: f64) -> f64 {
    2.0 * Normal::standard().sf(z)
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;

    use super::*;

    fn exponentials(stream: usize, rate: f64) -> Vec<f64> {
        let mut rng = TreeRng::new(5, stream);
        (0..20_000).map(|_| rng.exponential() / rate).collect()
    }

    #[test]
    fn equal_distributions_pass_and_unequal_ones_do_not() {
        let rounded = |values: Vec<f64>| values.into_iter().map(|v| (v * 4.0) as usize);
        let p = |rate| same_distribution(exponentials(0, 1.0), exponentials(1, rate));
        assert!(p(1.0) > 0.01 && p(1.1) < 1e-4, "{} {}", p(1.0), p(1.1));
        let p = |rate| {
            same_frequencies(
                rounded(exponentials(0, 1.0)),
                rounded(exponentials(1, rate)),
            )
        };
        assert!(p(1.0) > 0.01 && p(1.1) < 1e-4, "{} {}", p(1.0), p(1.1));
        let distribution: Vec<f64> = (0..40)
            .map(|t| (-f64::from(t)).exp() - (-f64::from(t + 1)).exp())
            .collect();
        let p = |rate| {
            let mut counts = [0; 40];
            let draws = exponentials(0, rate).into_iter();
            draws.for_each(|t| counts[(t as usize).min(39)] += 1);
            has_frequencies(&counts, &distribution)
        };
        assert!(p(1.0) > 0.01 && p(1.1) < 1e-4, "{} {}", p(1.0), p(1.1));
        assert!(is_uniform(&[500, 480, 520]) > 0.1 && is_uniform(&[500, 400, 600]) < 1e-4);
        let p = |rate: f64| has_distribution(exponentials(0, 1.0), |t| 1.0 - (-rate * t).exp());
        assert!(p(1.0) > 0.01 && p(1.05) < 1e-4, "{} {}", p(1.0), p(1.05));
        let p = |mean| same_mean(&exponentials(0, 1.0), mean);
        assert!(p(1.0) > 0.01 && p(1.04) < 1e-4, "{} {}", p(1.0), p(1.04));
        assert!(same_probability(5050, 10_000, 0.5) > 0.1);
        assert!(same_probability(5300, 10_000, 0.5) < 1e-4);
    }

    #[test]
    fn kolmogorov_tail_has_its_known_quantiles() {
        assert!((kolmogorov_tail(1.358) - 0.05).abs() < 1e-3);
        assert!((kolmogorov_tail(1.949) - 0.001).abs() < 1e-4);
    }
}
