//! Random radial basis functions whose centres move.
//!
//! Paper: A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby, R. Gavaldà, *New ensemble methods for evolving data
//! streams*, KDD 2009, and the generator it used, MOA's `RandomRBFGeneratorDrift`. Each of `centres` has a place
//! uniform in [0, 1]^d, a class among `classes`, a standard deviation and a weight, the last two uniform in [0, 1].
//! For a row, a centre is chosen by weight; x lies in a random direction from it, at a distance of the absolute
//! value of a normal number with its standard deviation, and has its class. Before every row each of the first
//! `moving` centres moves by `speed` in a direction of its own; a coordinate that leaves [0, 1] stops at the end, and
//! moves back from then on.
//!
//! Directions are uniform here. MOA draws a point of a cube and normalises it, which prefers the diagonals, and
//! all coordinates of its centres begin to move upwards.
//!
//! The drift is gradual, so there are no change points. Classes overlap, and the best possible accuracy has no
//! closed form.

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::sample::{Outcome, Sampler};
use super::streams::{Streams, setup};
use super::{Generator, STREAM};

/// Rows of centres times features stay far below what fits in memory.
const MOST: u64 = 10_000;

pub(super) const GENERATOR: Generator = Generator {
    name: "random-rbf",
    title: "classes around many centres that move slowly; best possible accuracy unknown",
    parameters: &[
        Parameter::new("d", Rule::CountFromTo(1, MOST), "10", "features"),
        Parameter::new("classes", Rule::CountFromTo(2, 1000), "5", "classes"),
        Parameter::new("centres", Rule::CountFromTo(2, MOST), "50", "centres"),
        Parameter::new(
            "moving",
            Rule::CountFromTo(0, MOST),
            "50",
            "centres that move: the first ones",
        ),
        Parameter::new(
            "speed",
            Rule::NUMBER,
            "0.001",
            "length of a move; one before each row",
        ),
    ],
    common: &STREAM,
    sampler,
};

struct Centre {
    place: Vec<f64>,
    /// What is added before every row.
    step: Vec<f64>,
    class: u32,
    deviation: f64,
    weight: f64,
}

struct RandomRbf {
    centres: Vec<Centre>,
    classes: u32,
    moving: usize,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let mut random = setup(parameters.value("seed"));
    let (d, centres): (usize, usize) = (parameters.value("d"), parameters.value("centres"));
    let (classes, speed) = (parameters.value("classes"), parameters.value("speed"));
    let centre = |_| Centre::random(&mut random, d, classes, speed);
    Box::new(RandomRbf {
        centres: (0..centres).map(centre).collect(),
        classes,
        moving: parameters.value("moving"),
    })
}

impl Centre {
    fn random(random: &mut ChaCha8Rng, d: usize, classes: u32, speed: f64) -> Self {
        Self {
            place: (0..d).map(|_| random.random()).collect(),
            class: random.random_range(0..classes),
            deviation: random.random(),
            weight: random.random(),
            step: arrow(random, d, speed),
        }
    }

    fn go(&mut self) {
        for (x, step) in self.place.iter_mut().zip(&mut self.step) {
            let target = *x + *step;
            *x = target.clamp(0.0, 1.0);
            if *x != target {
                *step = -*step;
            }
        }
    }

    fn draw(&self, random: &mut ChaCha8Rng, row: &mut [f32]) {
        let distance: f64 = StandardNormal.sample(random);
        let away = arrow(random, row.len(), distance.abs() * self.deviation);
        for ((x, centre), away) in row.iter_mut().zip(&self.place).zip(away) {
            *x = (centre + away) as f32;
        }
    }
}

/// Returns a vector of this length in a uniform direction.
fn arrow(random: &mut ChaCha8Rng, d: usize, length: f64) -> Vec<f64> {
    let normals: Vec<f64> = (0..d).map(|_| StandardNormal.sample(random)).collect();
    let norm = normals.iter().map(|z| z * z).sum::<f64>().sqrt();
    normals.into_iter().map(|z| z / norm * length).collect()
}

impl RandomRbf {
    fn choose(&self, random: &mut ChaCha8Rng) -> &Centre {
        let total: f64 = self.centres.iter().map(|centre| centre.weight).sum();
        let mut left = random.random::<f64>() * total;
        let within = |centre: &&Centre| {
            left -= centre.weight;
            left < 0.0
        };
        let last = self.centres.last().expect("at least two centres");
        self.centres.iter().find(within).unwrap_or(last)
    }
}

impl Sampler for RandomRbf {
    fn width(&self) -> usize {
        self.centres[0].place.len()
    }

    fn classes(&self) -> Vec<String> {
        (0..self.classes).map(|class| class.to_string()).collect()
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        self.centres
            .iter_mut()
            .take(self.moving)
            .for_each(Centre::go);
        let centre = self.choose(&mut streams.labels);
        centre.draw(&mut streams.inputs, row);
        Outcome::Class(centre.class)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use forest_testing::statistics::{has_distribution, has_frequencies, same_probability};
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use crate::generators::streams::Part;

    fn centre(class: u32, deviation: f64, weight: f64, step: [f64; 2]) -> Centre {
        Centre {
            place: vec![0.3, 0.6],
            step: step.to_vec(),
            class,
            deviation,
            weight,
        }
    }

    fn still(centres: Vec<Centre>) -> RandomRbf {
        RandomRbf {
            centres,
            classes: 3,
            moving: 0,
        }
    }

    #[test]
    fn centres_are_chosen_by_weight() {
        let of = |(class, weight)| centre(class, 0.1, weight, [0.0; 2]);
        let mut rbf = still([(0, 0.2), (1, 0.5), (2, 0.3)].map(of).into());
        let mut streams = Streams::of(1, Part::Train);
        let mut counts = [0; 3];
        for at in 0..30_000 {
            if let Outcome::Class(class) = rbf.draw(at, &mut streams, &mut [0.0; 2]) {
                counts[class as usize] += 1;
            }
        }
        assert!(
            has_frequencies(&counts, &[0.2, 0.5, 0.3]) > 1e-4,
            "{counts:?}"
        );
    }

    #[test]
    fn distances_are_half_normal_and_directions_uniform() {
        let mut rbf = still(vec![
            centre(0, 0.4, 1.0, [0.0; 2]),
            centre(0, 0.4, 1.0, [0.0; 2]),
        ]);
        let mut streams = Streams::of(2, Part::Train);
        let (mut distances, mut angles) = (Vec::new(), Vec::new());
        for at in 0..20_000 {
            let mut row = [0.0; 2];
            rbf.draw(at, &mut streams, &mut row);
            let [x, y] = [f64::from(row[0]) - 0.3, f64::from(row[1]) - 0.6];
            distances.push(x.hypot(y));
            angles.push(y.atan2(x));
        }
        let normal = Normal::new(0.0, 0.4).unwrap();
        let half_normal = |x: f64| (2.0 * normal.cdf(x) - 1.0).clamp(0.0, 1.0);
        assert!(has_distribution(distances, half_normal) > 1e-4);
        let turn = std::f64::consts::TAU;
        assert!(has_distribution(angles, |angle| (angle / turn + 0.5).clamp(0.0, 1.0)) > 1e-4);
    }

    #[test]
    fn centres_move_straight_and_turn_at_the_ends() {
        let mut rbf = still(vec![
            centre(0, 0.0, 1.0, [0.05, -0.125]),
            centre(1, 0.0, 1.0, [0.05, -0.125]),
        ]);
        rbf.moving = 1;
        let mut streams = Streams::of(3, Part::Train);
        let mut rows = Vec::new();
        for at in 0..400 {
            let mut row = [0.0; 2];
            let Outcome::Class(class) = rbf.draw(at, &mut streams, &mut row) else {
                panic!("classes")
            };
            match class {
                0 => rows.push((at, row)),
                _ => assert_eq!(row, [0.3, 0.6], "does not move"),
            }
        }
        assert!(same_probability(rows.len(), 400, 0.5) > 1e-4);
        let first = |at: usize| f64::min(0.3 + 0.05 * (at + 1) as f64, 1.0);
        for (at, row) in rows.iter().take_while(|(at, _)| *at < 14) {
            assert_abs_diff_eq!(f64::from(row[0]), first(*at), epsilon = 1e-6);
        }
        // 0.6, 0.475, …, 0.1, then 0, then up again.
        let second = |at: usize| match at + 1 {
            moves @ 0..=4 => 0.6 - 0.125 * moves as f64,
            moves => 0.125 * (moves - 5) as f64,
        };
        for (at, row) in rows.iter().take_while(|(at, _)| *at < 13) {
            assert_abs_diff_eq!(f64::from(row[1]), second(*at), epsilon = 1e-6);
        }
    }
}
