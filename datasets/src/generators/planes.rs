//! Two planes: a piecewise linear function of attributes with three values.
//!
//! Source: L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*, 1984, in the form of L. Torgo's data set
//! `2dplanes`. x₁ is −1 or 1, x₂ … x₁₀ are −1, 0 or 1, each value equally likely, and with ε ~ N(0, 1)
//!
//! y = 3 + 3x₂ + 2x₃ + x₄ + noise·ε if x₁ = 1, and −3 + 3x₅ + 2x₆ + x₇ + noise·ε otherwise.

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::sample::{Outcome, Sampler};
use super::streams::Streams;
use super::{COMMON, Generator};

pub(super) const GENERATOR: Generator = Generator {
    name: "planes-2d",
    title: "two planes: regression, linear in other attributes on either side",
    parameters: &[Parameter::new(
        "noise",
        Rule::NUMBER,
        "1",
        "standard deviation of the noise",
    )],
    common: &COMMON,
    sampler,
};

struct Planes {
    noise: f64,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    Box::new(Planes {
        noise: parameters.value("noise"),
    })
}

impl Sampler for Planes {
    fn width(&self) -> usize {
        10
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let side: bool = streams.inputs.random();
        row[0] = if side { 1.0 } else { -1.0 };
        row[1..].fill_with(|| f32::from(streams.inputs.random_range(-1..=1i8)));
        let x = |i: usize| f64::from(row[i - 1]);
        let truth = if side {
            3.0 + 3.0 * x(2) + 2.0 * x(3) + x(4)
        } else {
            -3.0 + 3.0 * x(5) + 2.0 * x(6) + x(7)
        };
        let noise: f64 = StandardNormal.sample(&mut streams.noise);
        Outcome::Value {
            observed: truth + self.noise * noise,
            truth,
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{has_distribution, is_uniform};
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use crate::Target;

    #[test]
    fn values_are_equally_likely_and_the_target_is_linear_on_either_side() {
        let data = GENERATOR.generate("planes-2d:n=20000,test=0").unwrap();
        let Target::Values {
            values,
            noise_free: Some(truth),
        } = &data.target
        else {
            panic!("a regression")
        };
        let mut counts = [[0usize; 3]; 10];
        for (row, truth) in data.features.rows().into_iter().zip(truth) {
            row.iter()
                .zip(&mut counts)
                .for_each(|(x, counts)| counts[(x + 1.0) as usize] += 1);
            let at = if row[0] > 0.0 { [1, 2, 3] } else { [4, 5, 6] };
            let [a, b, c] = at.map(|index| f64::from(row[index]));
            assert_eq!(*truth, f64::from(3.0 * row[0]) + 3.0 * a + 2.0 * b + c);
        }
        assert_eq!(counts[0][1], 0);
        assert!(is_uniform(&[counts[0][0], counts[0][2]]) > 1e-4);
        assert!(
            counts[1..].iter().all(|counts| is_uniform(counts) > 1e-5),
            "{counts:?}"
        );
        let noise = values
            .iter()
            .zip(truth)
            .map(|(value, truth)| value - truth)
            .collect();
        assert!(has_distribution(noise, |x| Normal::standard().cdf(x)) > 1e-4);
    }
}
