//! LED: the digit that seven unreliable segments show, among meaningless lights.
//!
//! Definition: L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, *Classification and regression trees*, 1984,
//! section 2.6.1. Ten digits are equally likely; each of the seven segments that show one is inverted with
//! probability `noise` / 100; 17 more lights are on or off with probability ½.
//!
//! Drift as in MOA (`LEDGeneratorDrift`): `drifting` segments change places with as many meaningless lights.
//! There, the first segments change places with the first lights, once. Here there is a change every `every` rows,
//! and each exchanges the original first segments with the next lights of the 17, beginning again after the last:
//! the concept after the first change is MOA's.
//!
//! The best possible accuracy, which a change does not touch, is the sum over the 128 patterns of the largest
//! joint probability of pattern and digit: 0.74 for `noise=10`.

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;

use super::changes::{Changes, EVERY, PERCENT};
use super::sample::{Outcome, Sampler};
use super::streams::Streams;
use super::{Generator, STREAM};

pub(super) const GENERATOR: Generator = Generator {
    name: "led",
    title: "LED: digits of 7 segments among 17 other lights, some of which change places; best \
            possible accuracy 0.74 for noise=10",
    parameters: &[
        EVERY,
        Parameter::new("noise", PERCENT, "10", "segments in 100 that are inverted"),
        Parameter::new(
            "drifting",
            Rule::CountFromTo(0, SEGMENTS as u64),
            "3",
            "segments that change places at a change",
        ),
    ],
    common: &STREAM,
    sampler,
};

const SEGMENTS: usize = 7;
const OTHERS: usize = 17;

/// Top, upper left, upper right, middle, lower left, lower right, bottom.
const DIGITS: [[bool; SEGMENTS]; 10] = [
    lights(b"1110111"),
    lights(b"0010010"),
    lights(b"1011101"),
    lights(b"1011011"),
    lights(b"0111010"),
    lights(b"1101011"),
    lights(b"1101111"),
    lights(b"1010010"),
    lights(b"1111111"),
    lights(b"1111011"),
];

const fn lights(text: &[u8; SEGMENTS]) -> [bool; SEGMENTS] {
    let mut lights = [false; SEGMENTS];
    let mut segment = 0;
    while segment < SEGMENTS {
        lights[segment] = text[segment] == b'1';
        segment += 1;
    }
    lights
}

struct Led {
    changes: Changes,
    noise: f64,
    drifting: usize,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    Box::new(Led {
        changes: Changes::read(parameters),
        noise: parameters.value::<f64>("noise") / 100.0,
        drifting: parameters.value("drifting"),
    })
}

impl Led {
    /// Puts the segments where they are after `changes` changes.
    fn exchange(&self, changes: usize, row: &mut [f32]) {
        let Some(earlier) = changes.checked_sub(1) else {
            return;
        };
        for segment in 0..self.drifting {
            row.swap(
                segment,
                SEGMENTS + (earlier * self.drifting + segment) % OTHERS,
            );
        }
    }
}

impl Sampler for Led {
    fn width(&self) -> usize {
        SEGMENTS + OTHERS
    }

    fn classes(&self) -> Vec<String> {
        (0..DIGITS.len()).map(|digit| digit.to_string()).collect()
    }

    fn draw(&mut self, at: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let digit = streams.labels.random_range(0..DIGITS.len());
        let (segments, others) = row.split_at_mut(SEGMENTS);
        for (light, lit) in segments.iter_mut().zip(DIGITS[digit]) {
            let inverted = streams.noise.random::<f64>() < self.noise;
            *light = f32::from(u8::from(lit != inverted));
        }
        for light in others {
            *light = f32::from(u8::from(streams.inputs.random::<bool>()));
        }
        self.exchange(self.changes.until(at), row);
        Outcome::Class(digit as u32)
    }

    fn changes(&self, rows: usize) -> Vec<usize> {
        match self.drifting {
            0 => Vec::new(),
            _ => self.changes.rows(rows),
        }
    }

    fn best_accuracy(&self) -> Option<f64> {
        let likelihood = |pattern: u32, digit: &[bool; SEGMENTS]| {
            let lit = |segment: usize| pattern >> segment & 1 == 1;
            let agree = (0..SEGMENTS).filter(|&segment| lit(segment) == digit[segment]);
            let agree = agree.count() as i32;
            (1.0 - self.noise).powi(agree) * self.noise.powi(SEGMENTS as i32 - agree)
        };
        let largest = |pattern: u32| {
            let of_digits = DIGITS.iter().map(|digit| likelihood(pattern, digit));
            of_digits.fold(0.0, f64::max)
        };
        let sum: f64 = (0..1 << SEGMENTS).map(largest).sum();
        Some(sum / DIGITS.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{is_uniform, same_probability};

    use super::*;
    use crate::Dataset;
    use crate::generators::labelled;

    const ADDRESS: &str = "led:n=60000,every=20000";

    /// Where the segments are: columns, after 0, 1 and 2 changes.
    const PLACES: [[usize; SEGMENTS]; 3] = [
        [0, 1, 2, 3, 4, 5, 6],
        [7, 8, 9, 3, 4, 5, 6],
        [10, 11, 12, 3, 4, 5, 6],
    ];

    fn lit(data: &Dataset, row: usize, column: usize) -> bool {
        data.features[[row, column]] == 1.0
    }

    #[test]
    fn digits_are_equally_likely_and_segments_are_inverted_at_the_stated_rate() {
        let (data, labels) = labelled(&GENERATOR, ADDRESS);
        assert_eq!(data.changes, [20_000, 40_000]);
        let of_digit = |digit| labels.iter().filter(|label| **label == digit).count();
        assert!(is_uniform(&(0..10).map(of_digit).collect::<Vec<_>>()) > 1e-4);
        for (concept, places) in PLACES.iter().enumerate() {
            let rows = concept * 20_000..(concept + 1) * 20_000;
            for (segment, &column) in places.iter().enumerate() {
                let inverted = |row: &usize| {
                    DIGITS[labels[*row] as usize][segment] != lit(&data, *row, column)
                };
                let inverted = rows.clone().filter(inverted).count();
                assert!(
                    same_probability(inverted, 20_000, 0.1) > 1e-5,
                    "{concept} {segment}"
                );
            }
            for column in (0..24).filter(|column| !places.contains(column)) {
                let on = rows.clone().filter(|&row| lit(&data, row, column)).count();
                assert!(
                    same_probability(on, 20_000, 0.5) > 1e-5,
                    "{concept} {column}"
                );
            }
        }
    }

    #[test]
    fn the_nearest_digit_has_the_best_possible_accuracy() {
        let (data, labels) = labelled(&GENERATOR, ADDRESS);
        let best = data.best_accuracy.unwrap();
        assert!((best - 0.74).abs() < 0.0005, "{best}"); // Breiman et al.: a Bayes rate of 0.26
        let guess = |row: usize| {
            let places = PLACES[row / 20_000];
            let differs = |digit: usize| {
                let differs = |s: &usize| DIGITS[digit][*s] != lit(&data, row, places[*s]);
                (0..SEGMENTS).filter(differs).count()
            };
            (0..10).min_by_key(|digit| differs(*digit)).unwrap()
        };
        let right = (0..60_000).filter(|&row| guess(row) == labels[row] as usize);
        assert!(same_probability(right.count(), 60_000, best) > 1e-4);
    }
}
