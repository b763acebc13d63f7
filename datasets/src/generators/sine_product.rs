//! The function of the efficiency study of the online BSP-Forest.
//!
//! Paper: X. Fan, B. Li, S. A. Sisson, *Online binary space partitioning forests*, AISTATS 2020, section 5.3.
//! With x uniform on [0, 1]² and ε ~ N(0, 1):
//!
//! y = 10 sin(π x₁ x₂) + noise · ε, noise = 0.2

use std::f64::consts::PI;

use forest_core::parameters::{Parameter, Rule, Values};
use rand_distr::{Distribution, StandardNormal};

use super::sample::{Outcome, Sampler, uniform};
use super::streams::Streams;
use super::{COMMON, Generator};

pub(super) const GENERATOR: Generator = Generator {
    name: "sine-product",
    title: "10 sin(pi x1 x2): regression where two inputs act together",
    parameters: &[Parameter::new(
        "noise",
        Rule::NUMBER,
        "0.2",
        "standard deviation of the noise",
    )],
    common: &COMMON,
    sampler,
};

struct SineProduct {
    noise: f64,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    Box::new(SineProduct {
        noise: parameters.value("noise"),
    })
}

impl Sampler for SineProduct {
    fn width(&self) -> usize {
        2
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        let truth = 10.0 * (PI * f64::from(row[0]) * f64::from(row[1])).sin();
        let noise: f64 = StandardNormal.sample(&mut streams.noise);
        Outcome::Value {
            observed: truth + self.noise * noise,
            truth,
        }
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use statrs::statistics::Statistics;

    use super::*;
    use crate::Target;

    fn generate(address: &str) -> (Vec<f64>, Vec<f64>) {
        let Target::Values { values, noise_free } = GENERATOR.generate(address).unwrap().target
        else {
            panic!("regression")
        };
        (values, noise_free.unwrap())
    }

    #[test]
    fn mean_is_the_integral() {
        // ∫₀¹ (1 - cos πx) / (πx) dx = Cin(π) / π, Cin(π) = 1.6483…; ten times that is the mean.
        let (_, truths) = generate("sine-product:n=200000,test=0");
        let error = 5.0 * (&truths).std_dev() / 2e5_f64.sqrt();
        assert_abs_diff_eq!((&truths).mean(), 5.246_63, epsilon = error);
    }
}
