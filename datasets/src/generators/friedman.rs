//! Friedman #1: a smooth function of five inputs, among any number of irrelevant ones.
//!
//! Paper: J. H. Friedman, *Multivariate adaptive regression splines*, Annals of Statistics 19(1), 1991, section
//! 4.3. With x uniform on [0, 1]^d, d ≥ 5, and ε ~ N(0, 1):
//!
//! y = 10 sin(π x₁ x₂) + 20 (x₃ − ½)² + 10 x₄ + 5 x₅ + noise · ε

use std::f64::consts::PI;

use forest_core::parameters::{Parameter, Rule, Values};
use rand_distr::{Distribution, StandardNormal};

use super::sample::{Outcome, Sampler, uniform};
use super::streams::Streams;
use super::{COMMON, Generator, MAX_WIDTH};

pub(super) const GENERATOR: Generator = Generator {
    name: "friedman",
    title: "Friedman #1: regression, 5 relevant inputs of d",
    parameters: &[
        Parameter::new("d", Rule::CountFromTo(5, MAX_WIDTH), "5", "features"),
        Parameter::new(
            "noise",
            Rule::NUMBER,
            "1",
            "standard deviation of the noise",
        ),
    ],
    common: &COMMON,
    sampler,
};

struct Friedman {
    d: usize,
    noise: f64,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    Box::new(Friedman {
        d: parameters.value("d"),
        noise: parameters.value("noise"),
    })
}

impl Sampler for Friedman {
    fn width(&self) -> usize {
        self.d
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        let truth = truth(row);
        let noise: f64 = StandardNormal.sample(&mut streams.noise);
        Outcome::Value {
            observed: truth + self.noise * noise,
            truth,
        }
    }
}

fn truth(row: &[f32]) -> f64 {
    let x = |i: usize| f64::from(row[i - 1]);
    10.0 * (PI * x(1) * x(2)).sin() + 20.0 * (x(3) - 0.5).powi(2) + 10.0 * x(4) + 5.0 * x(5)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use statrs::statistics::Statistics;

    use super::*;
    use crate::{Dataset, Target};

    fn generate(address: &str) -> (Dataset, Vec<f64>, Vec<f64>) {
        let data = GENERATOR.generate(address).unwrap();
        let Target::Values { values, noise_free } = data.target.clone() else {
            panic!("regression")
        };
        (data, values, noise_free.unwrap())
    }

    /// ∫∫ g(π x y) over the unit square by the midpoint rule.
    fn integral(g: impl Fn(f64) -> f64) -> f64 {
        let n = 1000;
        let mid = |i: i32| (f64::from(i) + 0.5) / f64::from(n);
        let cell = |k: i32| g(PI * mid(k / n) * mid(k % n));
        (0..n * n).map(cell).sum::<f64>() / f64::from(n * n)
    }

    #[test]
    fn mean_and_variance_are_the_analytical_ones() {
        let (_, values, truths) = generate("friedman:n=200000,test=0,noise=2");
        let (first, second) = (integral(f64::sin), integral(|t| t.sin().powi(2)));
        // E 20(x-½)² = 20/12, its variance 400 (1/80 - 1/144); 10x and 5x have variance 100/12 and 25/12.
        let mean = 10.0 * first + 20.0 / 12.0 + 5.0 + 2.5;
        let variance =
            100.0 * (second - first * first) + 400.0 * (1.0 / 80.0 - 1.0 / 144.0) + 125.0 / 12.0;
        // Five standard errors of a mean and a variance of 200 000 values.
        assert_abs_diff_eq!(
            (&truths).mean(),
            mean,
            epsilon = 5.0 * (variance / 2e5).sqrt()
        );
        assert_abs_diff_eq!(
            (&truths).variance(),
            variance,
            epsilon = 5.0 * variance * (2.0_f64 / 2e5).sqrt()
        );
        let noise: Vec<f64> = values
            .iter()
            .zip(&truths)
            .map(|(y, truth)| y - truth)
            .collect();
        assert_abs_diff_eq!(
            (&noise).std_dev(),
            2.0,
            epsilon = 5.0 * 2.0 / 4e5_f64.sqrt()
        );
    }
}
