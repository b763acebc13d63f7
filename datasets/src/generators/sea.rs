//! SEA: a line in the plane that jumps.
//!
//! Paper: W. N. Street, Y. Kim, *A streaming ensemble algorithm (SEA) for large-scale classification*, KDD 2001.
//! x is uniform in [0, 10]³; class 1 if x₁ + x₂ ≤ θ, else class 0, and x₃ means nothing. θ is 8, 9, 7
//! and 9.5 in turn, and changes every `every` rows; then `noise` rows in a hundred get the other class.
//!
//! The best possible accuracy is 1 − noise / 100. Here θ begins again at 8 after 9.5: with more than
//! 4 · `every` rows, concepts recur, which the paper's do not.

use forest_core::parameters::{Parameter, Values};
use rand::RngExt;

use super::changes::{Changes, EVERY, PERCENT};
use super::sample::{Outcome, Sampler, uniform, zero_and_one};
use super::streams::Streams;
use super::{Generator, STREAM};

pub(super) const GENERATOR: Generator = Generator {
    name: "sea",
    title: "SEA: a stream whose boundary jumps; best possible accuracy 1 - noise/100",
    parameters: &[
        EVERY,
        Parameter::new("noise", PERCENT, "10", "rows in 100 of the other class"),
    ],
    common: &STREAM,
    sampler,
};

const THRESHOLDS: [f64; 4] = [8.0, 9.0, 7.0, 9.5];

struct Sea {
    changes: Changes,
    noise: f64,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    Box::new(Sea {
        changes: Changes::read(parameters),
        noise: parameters.value::<f64>("noise") / 100.0,
    })
}

impl Sampler for Sea {
    fn width(&self) -> usize {
        3
    }

    fn classes(&self) -> Vec<String> {
        zero_and_one()
    }

    fn draw(&mut self, at: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        row.iter_mut().for_each(|x| *x *= 10.0);
        let threshold = THRESHOLDS[self.changes.until(at) % THRESHOLDS.len()];
        let class = f64::from(row[0]) + f64::from(row[1]) <= threshold;
        let wrong = streams.noise.random::<f64>() < self.noise;
        Outcome::Class(u32::from(class != wrong))
    }

    fn changes(&self, rows: usize) -> Vec<usize> {
        self.changes.rows(rows)
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(1.0 - self.noise)
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::same_probability;

    use super::*;
    use crate::generators::labelled;

    #[test]
    fn each_concept_has_its_threshold_and_the_noise_its_rate() {
        let every = 10_000;
        let (data, labels) = labelled(&GENERATOR, "sea:n=50000,every=10000,noise=20");
        assert_eq!(data.changes, [10_000, 20_000, 30_000, 40_000]);
        assert_eq!(data.best_accuracy, Some(0.8));
        for (concept, threshold) in [8.0, 9.0, 7.0, 9.5, 8.0].into_iter().enumerate() {
            let rows = concept * every..(concept + 1) * every;
            let ones = labels[rows.clone()].iter().sum::<u32>() as usize;
            let inside = threshold * threshold / 200.0;
            let share = 0.8 * inside + 0.2 * (1.0 - inside);
            assert!(same_probability(ones, every, share) > 1e-4, "{concept}");
            let wrong = |row: &usize| {
                let sum = f64::from(data.features[[*row, 0]]) + f64::from(data.features[[*row, 1]]);
                labels[*row] != u32::from(sum <= threshold)
            };
            let wrong = rows.filter(wrong).count();
            assert!(
                same_probability(wrong, every, 0.2) > 1e-4,
                "{concept}: {wrong}"
            );
        }
    }
}
