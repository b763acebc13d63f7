//! MV: a regression whose attributes depend on each other.
//!
//! Source: L. Torgo's artificial data set `mv`. x₁ is uniform in [−5, 5], x₂ in [−15, −10]; x₃ is green if x₁ > 0, else red with
//! probability .4, or brown; x₄ = x₁ + 2x₂ if x₃ is green, x₁/2 if red, x₂/2 if brown; x₅ is uniform in [−1, 1]; x₆ = x₄·ε with ε uniform in
//! [0, 5]; x₇ is yes with probability .3; x₈ is normal if x₅ < .5, else large; x₉ is uniform in [100, 500] and x₁₀ in [1000, 1200], and
//!
//! y = 35 − x₄/2 if x₂ > 2 (never), else 10 − 2x₁ if −2 ≤ x₄ ≤ 2, else 3 − x₁/x₄ if x₇ is yes, else x₆ + x₁ if x₈ is normal, else x₁/2.
//!
//! There is no noise. The three colours, yes and large are features of zeros and ones.

use forest_core::parameters::Values;
use rand::RngExt;

use super::sample::{Outcome, Sampler};
use super::streams::Streams;
use super::{COMMON, Generator};

pub(super) const GENERATOR: Generator = Generator {
    name: "mv",
    title: "MV: regression without noise, of attributes that depend on each other",
    parameters: &[],
    common: &COMMON,
    sampler,
};

struct Mv;

fn sampler(_: &Values) -> Box<dyn Sampler> {
    Box::new(Mv)
}

impl Sampler for Mv {
    fn width(&self) -> usize {
        12
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let random = &mut streams.inputs;
        let x1 = random.random_range(-5.0..5.0f32);
        let x2 = random.random_range(-15.0..-10.0f32);
        let [is_red, is_yes] = [0.4, 0.3].map(|share| random.random::<f64>() < share);
        let (colour, x4) = match (x1 > 0.0, is_red) {
            (true, _) => ([1.0, 0.0, 0.0], x1 + 2.0 * x2),
            (false, true) => ([0.0, 1.0, 0.0], x1 / 2.0),
            (false, false) => ([0.0, 0.0, 1.0], x2 / 2.0),
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
        let value = if (-2.0..=2.0).contains(&x4) {
            10.0 - 2.0 * x1
        } else if is_yes {
            3.0 - x1 / x4
        } else if is_large {
            x1 / 2.0
        } else {
            x6 + x1
        };
        Outcome::Value {
            observed: value,
            truth: value,
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{has_distribution, same_probability};

    use super::*;
    use crate::Target;

    #[test]
    fn attributes_depend_on_each_other_as_defined_and_the_target_on_them() {
        let data = GENERATOR.generate("mv:n=20000,test=0").unwrap();
        let Target::Values { values, .. } = &data.target else {
            panic!("a regression")
        };
        let (mut reds, mut browns, mut yes) = (0, 0, 0);
        for (row, value) in data.features.rows().into_iter().zip(values) {
            let x: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
            let (x1, x2, x4, x5, x6) = (x[0], x[1], x[5], x[6], x[7]);
            let expected = match (x[2], x[3], x[4]) {
                (1.0, 0.0, 0.0) if x1 > 0.0 => x1 + 2.0 * x2,
                (0.0, 1.0, 0.0) if x1 <= 0.0 => x1 / 2.0,
                (0.0, 0.0, 1.0) if x1 <= 0.0 => x2 / 2.0,
                other => panic!("{other:?} for {x1}"),
            };
            assert!((x4 - expected).abs() < 1e-5);
            assert!(x6 == 0.0 || (0.0..=5.0).contains(&(x6 / x4)));
            assert_eq!(x[9] == 1.0, x5 >= 0.5);
            let target = if x4.abs() <= 2.0 {
                10.0 - 2.0 * x1
            } else if x[8] == 1.0 {
                3.0 - x1 / x4
            } else if x5 < 0.5 {
                x6 + x1
            } else {
                x1 / 2.0
            };
            assert_eq!(*value, target);
            reds += x[3] as usize;
            browns += x[4] as usize;
            yes += x[8] as usize;
        }
        assert!(same_probability(reds, reds + browns, 0.4) > 1e-4);
        assert!(same_probability(yes, 20_000, 0.3) > 1e-4);
        for (index, least, most) in [
            (0, -5.0, 5.0),
            (1, -15.0, -10.0),
            (6, -1.0, 1.0),
            (10, 100.0, 500.0),
            (11, 1000.0, 1200.0),
        ] {
            let values = data
                .features
                .column(index)
                .iter()
                .map(|x| f64::from(*x))
                .collect();
            assert!(
                has_distribution(values, |x: f64| ((x - least) / (most - least))
                    .clamp(0.0, 1.0))
                    > 1e-4,
                "{index}"
            );
        }
    }
}
