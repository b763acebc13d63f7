//! The draws that the algorithm adds to those of [`TreeRng`].

use forest_core::TreeRng;
use twox_hash::XxHash3_64;

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

/// `count` distinct numbers of `0..n`, every ordered choice equally likely; all of them if `count` is
/// larger.
pub(crate) fn distinct(count: usize, n: usize, rng: &mut TreeRng) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..n as u32).collect();
    let count = count.min(n);
    for place in 0..count {
        numbers.swap(place, place + rng.below(n - place));
    }
    numbers.truncate(count);
    numbers
}

/// Two independent standard normal numbers (Box and Muller).
pub(crate) fn normals(rng: &mut TreeRng) -> [f64; 2] {
    let radius = (2.0 * rng.exponential()).sqrt();
    let angle = std::f64::consts::TAU * rng.uniform();
    [radius * angle.cos(), radius * angle.sin()]
}

/// A number of [0, 1) that depends on `row` and `key` alone: one draw for each pair of these. Rows are
/// equal if their values are; 0 and −0 are.
pub(crate) fn uniform_of(row: &[f32], key: u64, bytes: &mut Vec<u8>) -> f64 {
    bytes.resize(size_of_val(row), 0);
    for (bytes, value) in bytes.chunks_exact_mut(4).zip(row) {
        // −0 + 0 is 0.
        bytes.copy_from_slice(&(value + 0.0).to_le_bytes());
    }
    (XxHash3_64::oneshot_with_seed(key, bytes) >> 11) as f64 * (0.5f64).powi(53)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 50_000;

    /// χ² of observed counts against probabilities; cells are merged until each expects 20 draws.
    fn chi_squared(counts: &[usize], law: impl Fn(usize) -> f64) -> (f64, usize) {
        let (mut statistic, mut cells) = (0.0, 0);
        let (mut observed, mut expected) = (0.0, 0.0);
        for (value, count) in counts.iter().enumerate() {
            observed += *count as f64;
            expected += law(value) * DRAWS as f64;
            if expected >= 20.0 {
                statistic += (observed - expected).powi(2) / expected;
                cells += 1;
                (observed, expected) = (0.0, 0.0);
            }
        }
        (statistic, cells - 1)
    }

    /// A bound that χ² with this many degrees of freedom exceeds with probability below 0.001.
    fn critical(freedom: usize) -> f64 {
        let f = freedom as f64;
        f + 2.0 * (6.91 * f).sqrt() + 2.0 * 6.91
    }

    fn poisson_counts(mean: f64, shift: f64) -> Vec<usize> {
        let (mut rng, mut counts) = (TreeRng::new(11, 0), vec![0; 100]);
        for _ in 0..DRAWS {
            counts[poisson(mean + shift, &mut rng)] += 1;
        }
        counts
    }

    fn poisson_law(mean: f64) -> impl Fn(usize) -> f64 {
        move |k| (1..=k).fold((-mean).exp(), |p, i| p * mean / i as f64)
    }

    #[test]
    fn poisson_has_its_law() {
        for mean in [0.3, 1.0, 10.0, 40.0] {
            let (statistic, freedom) = chi_squared(&poisson_counts(mean, 0.0), poisson_law(mean));
            assert!(
                statistic < critical(freedom),
                "mean {mean}: χ² {statistic} with {freedom}"
            );
        }
        assert_eq!(poisson(0.0, &mut TreeRng::new(1, 0)), 0);
    }

    #[test]
    fn the_law_test_rejects_a_wrong_mean() {
        for mean in [1.0, 10.0] {
            let (statistic, freedom) =
                chi_squared(&poisson_counts(mean, 0.05 * mean), poisson_law(mean));
            assert!(statistic > critical(freedom), "mean {mean}: χ² {statistic}");
        }
    }

    /// How often each ordered pair of 0..4 comes, with a shuffle that may be wrong.
    fn pairs(draw: impl Fn(&mut TreeRng) -> Vec<u32>) -> Vec<usize> {
        let (mut rng, mut counts) = (TreeRng::new(12, 0), vec![0; 16]);
        for _ in 0..DRAWS {
            let pair = draw(&mut rng);
            counts[(pair[0] * 4 + pair[1]) as usize] += 1;
        }
        counts
    }

    fn pair_law(pair: usize) -> f64 {
        if pair.is_multiple_of(5) {
            0.0
        } else {
            1.0 / 12.0
        }
    }

    #[test]
    fn ordered_choices_are_equally_likely() {
        let (statistic, freedom) = chi_squared(&pairs(|rng| distinct(2, 4, rng)), pair_law);
        assert!(statistic < critical(freedom), "χ² {statistic}");
        assert_eq!(distinct(9, 3, &mut TreeRng::new(1, 0)).len(), 3);
    }

    #[test]
    fn the_choice_test_rejects_a_swap_with_anything() {
        let naive = |rng: &mut TreeRng| {
            let mut numbers: Vec<u32> = (0..4).collect();
            (0..4).for_each(|place| numbers.swap(place, rng.below(4)));
            numbers
        };
        let (statistic, freedom) = chi_squared(&pairs(naive), pair_law);
        assert!(statistic > critical(freedom), "χ² {statistic}");
    }

    /// Kolmogorov–Smirnov distance of the radii from the law of Rayleigh.
    fn rayleigh_distance(scale: f64) -> f64 {
        let mut rng = TreeRng::new(13, 0);
        let radius = |[x, y]: [f64; 2]| x.hypot(y) * scale;
        let mut radii: Vec<f64> = (0..DRAWS).map(|_| radius(normals(&mut rng))).collect();
        radii.sort_by(f64::total_cmp);
        let gap =
            |(i, r): (usize, &f64)| (1.0 - (-r * r / 2.0).exp() - i as f64 / DRAWS as f64).abs();
        radii.iter().enumerate().map(gap).fold(0.0, f64::max)
    }

    #[test]
    fn normals_have_their_length_and_no_direction() {
        let critical = 1.95 / (DRAWS as f64).sqrt();
        assert!(rayleigh_distance(1.0) < critical);
        assert!(rayleigh_distance(1.03) > critical, "a wrong scale passes");
        let (mut rng, mut octants) = (TreeRng::new(14, 0), vec![0; 8]);
        for _ in 0..DRAWS {
            let [x, y] = normals(&mut rng);
            let bits = [x > 0.0, y > 0.0, x.abs() > y.abs()];
            octants[bits.iter().fold(0, |o, b| 2 * o + usize::from(*b))] += 1;
        }
        let (statistic, freedom) = chi_squared(&octants, |_| 0.125);
        assert!(statistic < self::critical(freedom), "χ² {statistic}");
    }

    /// Joint law of the numbers of neighbouring rows, and of one row under neighbouring keys: counts in
    /// a 4 × 4 table, all equal.
    #[test]
    fn numbers_of_rows_are_uniform_and_independent() {
        let number = |x: usize, key: usize| {
            let row = [(x / 100) as f32, (x % 100) as f32, 0.5];
            (4.0 * uniform_of(&row, key as u64, &mut Vec::new())) as usize
        };
        let (mut rows, mut keys) = ([0; 16], [0; 16]);
        for x in 0..DRAWS {
            rows[4 * number(x, 5) + number(x + 1, 5)] += 1;
            keys[4 * number(x % 500, x / 500) + number(x % 500, x / 500 + 1)] += 1;
        }
        for table in [rows, keys] {
            let (statistic, freedom) = chi_squared(&table, |_| 1.0 / 16.0);
            assert!(statistic < critical(freedom), "χ² {statistic}");
        }
        let zeros = [0.0, -0.0].map(|zero| uniform_of(&[zero], 1, &mut Vec::new()));
        assert_eq!(zeros[0], zeros[1]);
    }

    #[test]
    fn draws_are_pinned() {
        let mut rng = TreeRng::new(2013, 4);
        let counts: Vec<usize> = (0..6).map(|_| poisson(3.0, &mut rng)).collect();
        assert_eq!(counts, GOLDEN_COUNTS);
        assert_eq!(distinct(5, 100, &mut rng), GOLDEN_CHOICE);
        assert_eq!(normals(&mut rng), GOLDEN_NORMALS);
        assert_eq!(uniform_of(&[0.5, -3.0], 7, &mut Vec::new()), GOLDEN_NUMBER);
    }

    const GOLDEN_COUNTS: [usize; 6] = [3, 4, 5, 1, 4, 3];
    const GOLDEN_CHOICE: [u32; 5] = [5, 17, 21, 92, 24];
    const GOLDEN_NUMBER: f64 = 0.1865197808125425;
    const GOLDEN_NORMALS: [f64; 2] = [-1.4321577364284936, -0.27096270783510984];
}
