//! Numbers to predict, whose rows have one distribution.

use std::f64::consts::PI;
use std::ops::Bound;

use forest_core::parameters::Rule;
use rand::RngExt;

use super::rows::{COMMON, Generator, MAX_WIDTH, Rows, uniform};

/// The standard deviation of the noise; targets stay finite.
const NOISE: Rule = Rule::Number(Bound::Included(0.0), Bound::Included(1e9));

/// Friedman #1 (J. H. Friedman, *Multivariate adaptive regression splines*, Annals of Statistics 19, 1991, section
/// 4.3). With x uniform on [0, 1]^d, d ≥ 5, and ε ~ N(0, 1): y = 10 sin(π x₁ x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ + noise
/// · ε.
pub(super) const FRIEDMAN: Generator = Generator {
    name: "friedman",
    title: "Friedman #1: regression, 5 relevant inputs of d",
    parameters: &forest_core::parameters! {
        "d": Rule::CountFromTo(5, MAX_WIDTH), "5", "features";
        "noise": NOISE, "1", "standard deviation of the noise";
    },
    common: &COMMON,
    rows: |given| {
        Rows::numbers(given.value("d"), given.value("noise"), |streams, row| {
            uniform(&mut streams.inputs, row);
            let x = |i: usize| f64::from(row[i - 1]);
            10.0 * (PI * x(1) * x(2)).sin() + 20.0 * (x(3) - 0.5).powi(2) + 10.0 * x(4) + 5.0 * x(5)
        })
    },
};

/// The function of the efficiency study of the online BSP-Forest (X. Fan, B. Li, S. A. Sisson, *Online binary space
/// partitioning forests*, AISTATS 2020, section 5.3). With x uniform on [0, 1]² and ε ~ N(0, 1): y = 10 sin(π x₁ x₂) +
/// noise · ε.
pub(super) const SINE_PRODUCT: Generator = Generator {
    name: "sine-product",
    title: "10 sin(pi x1 x2): regression where two inputs act together",
    parameters: &forest_core::parameters! {
        "noise": NOISE, "0.2", "standard deviation of the noise";
    },
    common: &COMMON,
    rows: |given| {
        Rows::numbers(2, given.value("noise"), |streams, row| {
            uniform(&mut streams.inputs, row);
            10.0 * (PI * f64::from(row[0]) * f64::from(row[1])).sin()
        })
    },
};

/// Two planes (L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*, 1984, in the form
/// of L. Torgo's data set `2dplanes`). x₁ is −1 or 1, x₂ … x₁₀ are −1, 0 or 1, each value equally likely, and with ε ~
/// N(0, 1) y = 3 + 3x₂ + 2x₃ + x₄ + noise·ε if x₁ = 1, and −3 + 3x₅ + 2x₆ + x₇ + noise·ε otherwise.
pub(super) const PLANES: Generator = Generator {
    name: "planes-2d",
    title: "two planes: regression, linear in other attributes on either side",
    parameters: &forest_core::parameters! {
        "noise": NOISE, "1", "standard deviation of the noise";
    },
    common: &COMMON,
    rows: |given| {
        Rows::numbers(10, given.value("noise"), |streams, row| {
            let side: bool = streams.inputs.random();
            row[0] = if side { 1.0 } else { -1.0 };
            row[1..].fill_with(|| f32::from(streams.inputs.random_range(-1..=1i8)));
            let x = |i: usize| f64::from(row[i - 1]);
            if side {
                3.0 + 3.0 * x(2) + 2.0 * x(3) + x(4)
            } else {
                -3.0 + 3.0 * x(5) + 2.0 * x(6) + x(7)
            }
        })
    },
};

/// L. Torgo's artificial data set `mv`, without noise. x₁ is uniform in [−5, 5], x₂ in [−15, −10]; x₃ is green if x₁ >
/// 0, else red with probability .4, or brown; x₄ = x₁ + 2x₂ if x₃ is green, x₁/2 if red, x₂/2 if brown; x₅ is uniform
/// in [−1, 1]; x₆ = x₄·ε with ε uniform in [0, 5]; x₇ is yes with probability .3; x₈ is normal if x₅ < .5, else large;
/// x₉ is uniform in [100, 500] and x₁₀ in [1000, 1200], and y = 35 − x₄/2 if x₂ > 2 (never), else 10 − 2x₁ if −2 ≤ x₄ ≤
/// 2, else 3 − x₁/x₄ if x₇ is yes, else x₆ + x₁ if x₈ is normal, else x₁/2. The three colours, yes and large are
/// features of zeros and ones.
pub(super) const MV: Generator = Generator {
    name: "mv",
    title: "MV: regression without noise, of attributes that depend on each other",
    parameters: &[],
    common: &COMMON,
    rows: |_| {
        Rows::numbers(12, 0.0, |streams, row| {
            let random = &mut streams.inputs;
            let x1 = random.random_range(-5.0..5.0f32);
            let x2 = random.random_range(-15.0..-10.0f32);
            let [is_red, is_yes] = [0.4, 0.3].map(|share| random.random::<f64>() < share);
            let (colour, x4) = if x1 > 0.0 {
                ([1.0, 0.0, 0.0], x1 + 2.0 * x2)
            } else if is_red {
                ([0.0, 1.0, 0.0], x1 / 2.0)
            } else {
                ([0.0, 0.0, 1.0], x2 / 2.0)
            };
            let x5 = random.random_range(-1.0..1.0f32);
            let x6 = x4 * random.random_range(0.0..5.0f32);
            let is_large = x5 >= 0.5;
            let x9 = random.random_range(100.0..500.0f32);
            let x10 = random.random_range(1000.0..1200.0f32);
            row[..2].copy_from_slice(&[x1, x2]);
            row[2..5].copy_from_slice(&colour);
            row[5..8].copy_from_slice(&[x4, x5, x6]);
            row[8..].copy_from_slice(&[f32::from(is_yes), f32::from(is_large), x9, x10]);
            let [x1, x4, x6] = [x1, x4, x6].map(f64::from);
            if (-2.0..=2.0).contains(&x4) {
                10.0 - 2.0 * x1
            } else if is_yes {
                3.0 - x1 / x4
            } else if is_large {
                x1 / 2.0
            } else {
                x6 + x1
            }
        })
    },
};
