//! A hyperplane that turns a little with every row.
//!
//! Definition: H. Wang, W. Fan, P. S. Yu, J. Han, *Mining concept-drifting data streams using ensemble classifiers*,
//! KDD 2003, after G. Hulten, L. Spencer, P. Domingos, *Mining time-changing data streams*, KDD 2001.
//! x is uniform in [0, 1]^d; class 1 if Σ aᵢ xᵢ ≥ a₀, else class 0, with a₀ = ½ Σ aᵢ; so the plane goes through the
//! middle of the cube and both classes are equally likely. The aᵢ begin uniform in [0, 1]. After every row, the
//! first `drifting` of them grow by sᵢ · `magnitude` / 1000, where sᵢ is 1 or −1, at first with equal probability;
//! every 1000 rows, each sᵢ changes its sign with probability 0.1. `noise` rows in a hundred get the other class.
//!
//! The drift is gradual, so there are no change points. The best possible accuracy is 1 − noise / 100. (MOA's
//! `HyperplaneGenerator` tosses a coin for each sign at every row and adds `magnitude` undivided, which is a
//! random walk.)

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::changes::PERCENT;
use super::sample::{Outcome, Sampler, uniform, zero_and_one};
use super::streams::{Streams, setup};
use super::{Generator, MAX_WIDTH, STREAM};

pub(super) const GENERATOR: Generator = Generator {
    name: "hyperplane",
    title: "a hyperplane that turns slowly; best possible accuracy 1 - noise/100",
    parameters: &[
        Parameter::new("d", Rule::CountFromTo(1, MAX_WIDTH), "10", "features"),
        Parameter::new(
            "drifting",
            Rule::CountFromTo(0, MAX_WIDTH),
            "10",
            "features whose weights change: the first ones",
        ),
        Parameter::new(
            "magnitude",
            Rule::NUMBER,
            "0.5",
            "change of a weight in 1000 rows",
        ),
        Parameter::new("noise", PERCENT, "5", "rows in 100 of the other class"),
    ],
    common: &STREAM,
    sampler,
};

/// Rows after which a direction may reverse,
const STRETCH: usize = 1000;
/// and how probably it does.
const REVERSAL: f64 = 0.1;

struct Hyperplane {
    weights: Vec<f64>,
    /// Of the first weights: what a row adds.
    steps: Vec<f64>,
    /// Of weights, directions and reversals.
    random: ChaCha8Rng,
    noise: f64,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    Box::new(Hyperplane::new(
        parameters.value("d"),
        parameters.value("drifting"),
        parameters.value::<f64>("magnitude") / STRETCH as f64,
        parameters.value::<f64>("noise") / 100.0,
        parameters.value("seed"),
    ))
}

impl Hyperplane {
    fn new(d: usize, drifting: usize, step: f64, noise: f64, seed: u64) -> Self {
        let mut random = setup(seed);
        let weights = (0..d).map(|_| random.random()).collect();
        let directions = (0..drifting.min(d)).map(|_| random.random());
        let steps = directions.map(|up: bool| if up { step } else { -step });
        Self {
            weights,
            steps: steps.collect(),
            random,
            noise,
        }
    }

    /// Returns whether Σ aᵢ xᵢ ≥ ½ Σ aᵢ.
    fn is_above(&self, row: &[f32]) -> bool {
        let pairs = self.weights.iter().zip(row);
        let sum: f64 = pairs
            .map(|(weight, x)| weight * (f64::from(*x) - 0.5))
            .sum();
        sum >= 0.0
    }

    /// What happens after row `at`.
    fn turn(&mut self, at: usize) {
        for (weight, step) in self.weights.iter_mut().zip(&self.steps) {
            *weight += step;
        }
        if (at + 1).is_multiple_of(STRETCH) {
            for step in &mut self.steps {
                if self.random.random::<f64>() < REVERSAL {
                    *step = -*step;
                }
            }
        }
    }
}

impl Sampler for Hyperplane {
    fn width(&self) -> usize {
        self.weights.len()
    }

    fn classes(&self) -> Vec<String> {
        zero_and_one()
    }

    fn draw(&mut self, at: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        let wrong = streams.noise.random::<f64>() < self.noise;
        let class = self.is_above(row) != wrong;
        self.turn(at);
        Outcome::Class(u32::from(class))
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(1.0 - self.noise)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use forest_testing::statistics::same_probability;

    use super::*;
    use crate::generators::labelled;

    /// Weights 1 and 2, of which the first falls by 4 in 1000 rows.
    fn falling() -> Hyperplane {
        Hyperplane {
            weights: vec![1.0, 2.0],
            steps: vec![-0.004],
            random: setup(3),
            noise: 0.0,
        }
    }

    #[test]
    fn weights_move_by_the_stated_magnitude_and_only_those_that_drift() {
        let mut plane = falling();
        (0..750).for_each(|at| plane.turn(at));
        assert_abs_diff_eq!(
            plane.weights.as_slice(),
            [-2.0, 2.0].as_slice(),
            epsilon = 1e-9
        );
        // The plane through the middle, before and after.
        let before = falling();
        for (x, above) in [([0.9, 0.4], true), ([0.4, 0.5], false), ([0.1, 0.6], false)] {
            assert_eq!(before.is_above(&x), above, "{x:?}");
        }
        for (x, above) in [([0.9, 0.4], false), ([0.4, 0.5], true), ([0.1, 0.6], true)] {
            assert_eq!(plane.is_above(&x), above, "{x:?}");
        }
    }

    #[test]
    fn directions_reverse_every_thousand_rows_with_probability_one_tenth() {
        let mut plane = Hyperplane {
            weights: vec![0.0; 20_000],
            steps: vec![1.0; 20_000],
            ..falling()
        };
        plane.turn(998);
        assert!(plane.steps.iter().all(|step| *step == 1.0));
        plane.turn(999);
        let reversed = plane.steps.iter().filter(|step| **step == -1.0).count();
        assert!(same_probability(reversed, 20_000, 0.1) > 1e-4, "{reversed}");
    }

    #[test]
    fn classes_are_equally_likely_along_the_stream() {
        let (data, labels) = labelled(&GENERATOR, "hyperplane:n=40000,magnitude=2");
        assert!(data.changes.is_empty());
        assert_eq!(data.best_accuracy, Some(0.95));
        for labels in labels.chunks(10_000) {
            let ones = labels.iter().sum::<u32>() as usize;
            assert!(same_probability(ones, 10_000, 0.5) > 1e-4, "{ones}");
        }
    }
}
