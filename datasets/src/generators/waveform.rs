//! Waveforms: three classes of noisy mixtures of two of three triangles.
//!
//! Source: L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*, 1984, section 2.6.2. With u uniform on
//! [0, 1] and standard normal noise ε, feature i of 21 is u·a(i) + (1 − u)·b(i) + ε, where (a, b) are (h₁, h₂), (h₁, h₃), (h₂, h₃) for the
//! three classes, which are equally likely, and h₁(i) = max(6 − |i − 7|, 0), h₂(i) = h₁(i − 8), h₃(i) = h₁(i − 4). With `irrelevant=yes`,
//! 19 more features are noise alone. The best possible accuracy is about .86 (Breiman et al.).

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::sample::{Outcome, Sampler};
use super::streams::Streams;
use super::{COMMON, Generator};

pub(super) const GENERATOR: Generator = Generator {
    name: "waveform",
    title: "waveforms: three classes of mixed triangles; best possible accuracy .86",
    parameters: &[Parameter::new(
        "irrelevant",
        Rule::Words(&["yes", "no"]),
        "no",
        "whether 19 features of noise are added",
    )],
    common: &COMMON,
    sampler,
};

const RELEVANT: usize = 21;
const IRRELEVANT: usize = 19;

/// The peaks of the two triangles of each class.
const PEAKS: [[f64; 2]; 3] = [[7.0, 15.0], [7.0, 11.0], [15.0, 11.0]];

struct Waveform {
    width: usize,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let more = match parameters.text("irrelevant") {
        Some("yes") => IRRELEVANT,
        _ => 0,
    };
    Box::new(Waveform {
        width: RELEVANT + more,
    })
}

/// Returns the height of the triangle with this peak at feature `i`, counted from 1.
fn triangle(peak: f64, i: usize) -> f64 {
    (6.0 - (i as f64 - peak).abs()).max(0.0)
}

impl Sampler for Waveform {
    fn width(&self) -> usize {
        self.width
    }

    fn classes(&self) -> Vec<String> {
        ["0", "1", "2"].map(str::to_owned).into()
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let class = streams.labels.random_range(0..3usize);
        let ([first, second], share) = (PEAKS[class], streams.inputs.random::<f64>());
        for (index, cell) in row.iter_mut().enumerate() {
            let noise: f64 = StandardNormal.sample(&mut streams.noise);
            let i = index + 1;
            let wave = match index {
                ..RELEVANT => share * triangle(first, i) + (1.0 - share) * triangle(second, i),
                _ => 0.0,
            };
            *cell = (wave + noise) as f32;
        }
        Outcome::Class(class as u32)
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(0.86)
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::is_uniform;

    use super::*;
    use crate::generators::labelled;

    #[test]
    fn means_are_halves_of_two_triangles_and_classes_are_equally_likely() {
        let (data, labels) = labelled(&GENERATOR, "waveform:n=30000,test=0");
        assert_eq!(data.features.ncols(), 21);
        let mut sums = [[0.0; 21]; 3];
        let mut counts = [0; 3];
        for (row, label) in data.features.rows().into_iter().zip(&labels) {
            counts[*label as usize] += 1;
            let sums = &mut sums[*label as usize];
            sums.iter_mut()
                .zip(row)
                .for_each(|(sum, x)| *sum += f64::from(*x));
        }
        assert!(is_uniform(&counts) > 1e-4, "{counts:?}");
        let heights = |peak: usize| {
            (1..=21)
                .map(|i| 6 - (i as i64 - peak as i64).abs().min(6))
                .collect::<Vec<_>>()
        };
        let [h1, h2, h3] = [7, 15, 11].map(heights);
        let pairs = [[&h1, &h2], [&h1, &h3], [&h2, &h3]];
        for class in 0..3 {
            for feature in 0..21 {
                let mean = sums[class][feature] / counts[class] as f64;
                let expected = (pairs[class][0][feature] + pairs[class][1][feature]) as f64 / 2.0;
                // The deviation is at most √(1 + 36/12), of a mean of 10 000 rows .02.
                assert!(
                    (mean - expected).abs() < 0.1,
                    "class {class}, feature {feature}: {mean} {expected}"
                );
            }
        }
    }

    /// The Bayes rule, by integrating over u, is right on about 86 % of the rows.
    #[test]
    fn the_best_possible_accuracy_is_that_of_the_bayes_rule() {
        let (data, labels) = labelled(&GENERATOR, "waveform:n=20000,test=0");
        let likelihood = |row: &[f32], [first, second]: [f64; 2]| -> f64 {
            (0..=40)
                .map(|step| {
                    let share = f64::from(step) / 40.0;
                    let squares = row.iter().enumerate().map(|(index, x)| {
                        let wave = share * triangle(first, index + 1)
                            + (1.0 - share) * triangle(second, index + 1);
                        (f64::from(*x) - wave).powi(2)
                    });
                    (-0.5 * squares.sum::<f64>()).exp()
                })
                .sum()
        };
        let right = data
            .features
            .rows()
            .into_iter()
            .zip(&labels)
            .filter(|(row, label)| {
                let shares = PEAKS.map(|peaks| likelihood(&row.to_vec(), peaks));
                forest_core::argmax(&shares) == **label as usize
            });
        let accuracy = right.count() as f64 / labels.len() as f64;
        assert!((accuracy - 0.86).abs() < 0.01, "{accuracy}");
    }
}
