//! Streams with concept drift: classes by a rule that changes.

use std::f64::consts::PI;

use forest_core::parameters::{Rule, Values};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::rows::{ABRUPT, GRADUAL, Generator, MAX_WIDTH, Rows, Streams, setup, uniform};

/// Returns the share of rows that the noise changes: at most half, so that the rule stays the best guess.
fn share(given: &Values) -> f64 {
    given.value::<f64>("noise") / 100.0
}

/// SEA (W. N. Street, Y. Kim, *A streaming ensemble algorithm (SEA) for large-scale classification*, KDD 2001). x is
/// uniform in [0, 10]³; class 1 if x₁ + x₂ ≤ θ, else class 0, and x₃ means nothing. θ is 8, 9, 7 and 9.5 in turn, and
/// changes every `every` rows; then `noise` rows in a hundred get the other class.
///
/// Here θ begins again at 8 after 9.5: with more than 4 · `every` rows, concepts recur, which the paper's do not.
pub(super) const SEA: Generator = Generator {
    name: "sea",
    title: "SEA: a stream whose boundary jumps; best possible accuracy 1 - noise/100",
    parameters: &forest_core::parameters! {
        "noise": Rule::CountFromTo(0, 50), "10", "rows in 100 of the other class";
    },
    common: &ABRUPT,
    rows: |given| {
        let rows = Rows::classes(3, 0..2, |concept, streams, row| {
            uniform(&mut streams.inputs, row);
            row.iter_mut().for_each(|x| *x *= 10.0);
            f64::from(row[0]) + f64::from(row[1]) <= [8.0, 9.0, 7.0, 9.5][concept % 4]
        });
        rows.flipped(share(given))
    },
};

pub(super) const SEGMENTS: usize = 7;
const OTHERS: usize = 17;

/// Segments that are lit: top, upper left, upper right, middle, lower left, lower right, bottom.
pub(super) const DIGITS: [&[u8; SEGMENTS]; 10] = [
    b"1110111", b"0010010", b"1011101", b"1011011", b"0111010", b"1101011", b"1101111", b"1010010",
    b"1111111", b"1111011",
];

/// LED: the digit that seven unreliable segments show, among meaningless lights (L. Breiman, J. H. Friedman, R. A.
/// Olshen, C. J. Stone, *Classification and regression trees*, 1984, section 2.6.1). Ten digits are equally likely;
/// each of the seven segments that show one is inverted with probability `noise` / 100; 17 more lights are on or off
/// with probability ½.
///
/// Drift as in MOA (`LEDGeneratorDrift`): `drifting` segments change places with as many meaningless lights. There, the
/// first segments change places with the first lights, once. Here there is a change every `every` rows, and each
/// exchanges the original first segments with the next lights of the 17, beginning again after the last: the concept
/// after the first change is MOA's.
///
/// The best possible accuracy, which a change does not touch, is the sum over the 128 patterns of the largest joint
/// probability of pattern and digit: 0.74 for `noise=10`.
pub(super) const LED: Generator = Generator {
    name: "led",
    title: "LED: digits of 7 segments among 17 other lights, some of which change places; best \
            possible accuracy 0.74 for noise=10",
    parameters: &forest_core::parameters! {
        "noise": Rule::CountFromTo(0, 50), "10", "segments in 100 that are inverted";
        "drifting": Rule::CountFromTo(0, SEGMENTS as u64), "3", "segments that change places";
    },
    common: &ABRUPT,
    rows: |given| {
        let noise = share(given);
        let drifting: usize = given.value("drifting");
        let rows = Rows::classes(SEGMENTS + OTHERS, 0..10, move |changes, streams, row| {
            let digit = streams.labels.random_range(0..DIGITS.len());
            let (segments, others) = row.split_at_mut(SEGMENTS);
            for (light, lit) in segments.iter_mut().zip(DIGITS[digit]) {
                let is_inverted = streams.noise.random::<f64>() < noise;
                *light = f32::from(u8::from((*lit == b'1') != is_inverted));
            }
            for light in others {
                *light = f32::from(u8::from(streams.inputs.random::<bool>()));
            }
            let exchanged = if changes > 0 { drifting } else { 0 };
            for segment in 0..exchanged {
                let place = (changes - 1) * drifting + segment;
                row.swap(segment, SEGMENTS + place % OTHERS);
            }
            digit as u32
        });
        rows.best(best_of_led(noise))
    },
};

fn best_of_led(noise: f64) -> f64 {
    let mut sum = 0.0;
    for pattern in 0..1u32 << SEGMENTS {
        let mut best = 0.0;
        for digit in DIGITS {
            let lights = (0..).zip(digit);
            let agree = lights.filter(|(i, lit)| u32::from(**lit == b'1') == pattern >> i & 1);
            let agree = agree.count() as i32;
            best = f64::max(
                best,
                (1.0 - noise).powi(agree) * noise.powi(SEGMENTS as i32 - agree),
            );
        }
        sum += best;
    }
    sum / DIGITS.len() as f64
}

/// STAGGER (J. C. Schlimmer, R. H. Granger, *Incremental learning from noisy data*, Machine Learning 1, 1986). A thing
/// has a size (small, medium, large), a colour (red, green, blue) and a shape (square, circle, triangle), all equally
/// likely. It belongs to class 1 if it is small and red; green or circular; medium or large, in turn, changing every
/// `every` rows; after the third concept the first comes again, and so on. Features are nine zeros and ones, one for
/// each value.
///
/// The paper shows each concept once, for 40 rows; that concepts recur is G. Widmer and M. Kubat's subject (*Learning
/// in the presence of concept drift and hidden contexts*, Machine Learning 23, 1996).
pub(super) const STAGGER: Generator = Generator {
    name: "stagger",
    title: "STAGGER: three concepts of size, colour and shape that recur; best possible accuracy 1",
    parameters: &[],
    common: &ABRUPT,
    rows: |_| {
        let rows = Rows::classes(9, 0..2, |concept, streams, row| {
            let thing: [usize; 3] = std::array::from_fn(|_| streams.inputs.random_range(0..3));
            row.fill(0.0);
            for (attribute, value) in thing.into_iter().enumerate() {
                row[3 * attribute + value] = 1.0;
            }
            let [size, colour, shape] = thing;
            match concept % 3 {
                0 => size == 0 && colour == 0,
                1 => colour == 1 || shape == 1,
                _ => size != 0,
            }
        });
        rows.best(1.0)
    },
};

/// Returns the class in a concept where the two classes change places at each change.
fn turned(concept: usize, is_1: bool) -> bool {
    is_1 != (concept % 2 == 1)
}

fn is_below_wave(x: f32, y: f32) -> bool {
    f64::from(y) < 0.5 + 0.3 * (3.0 * PI * f64::from(x)).sin()
}

/// Sine (J. Gama, P. Medas, G. Castillo, P. Rodrigues, *Learning with drift detection*, SBIA 2004). Two features x and
/// y are uniform in [0, 1]. With `curve=1` a point is of class 1 if y < sin(x), with `curve=2` if y < 0.5 +
/// 0.3·sin(3πx); at each change, the two classes change places.
pub(super) const SINE: Generator = Generator {
    name: "sine",
    title: "sine: the two sides of a curve change places; best possible accuracy 1",
    parameters: &forest_core::parameters! {
        "curve": Rule::CountFromTo(1, 2), "1", "1: sin x; 2: 0.5 + 0.3 sin 3πx";
    },
    common: &ABRUPT,
    rows: |given| {
        let curve: u8 = given.value("curve");
        let rows = Rows::classes(2, 0..2, move |concept, streams, row| {
            uniform(&mut streams.inputs, row);
            let is_below = match curve {
                1 => f64::from(row[1]) < f64::from(row[0]).sin(),
                _ => is_below_wave(row[0], row[1]),
            };
            turned(concept, is_below)
        });
        rows.best(1.0)
    },
};

/// Mixed (J. Gama, P. Medas, G. Castillo, P. Rodrigues, *Learning with drift detection*, SBIA 2004). Features v and w
/// are 0 or 1 with equal probabilities, x and y uniform in [0, 1]. A row is of class 1 if at least two of v = 1, w = 1
/// and y < 0.5 + 0.3·sin(3πx) hold; at each change, the two classes change places.
pub(super) const MIXED: Generator = Generator {
    name: "mixed",
    title: "mixed: two of three conditions, whose classes change places; best possible accuracy 1",
    parameters: &[],
    common: &ABRUPT,
    rows: |_| {
        let rows = Rows::classes(4, 0..2, |concept, streams, row| {
            let [v, w]: [bool; 2] = streams.inputs.random();
            row[..2].copy_from_slice(&[f32::from(v), f32::from(w)]);
            uniform(&mut streams.inputs, &mut row[2..]);
            let conditions = [v, w, is_below_wave(row[2], row[3])];
            let holding = conditions.into_iter().filter(|holds| *holds).count();
            turned(concept, holding >= 2)
        });
        rows.best(1.0)
    },
};

/// A hyperplane that turns a little with every row (H. Wang, W. Fan, P. S. Yu, J. Han, *Mining concept-drifting data
/// streams using ensemble classifiers*, KDD 2003, after G. Hulten, L. Spencer, P. Domingos, *Mining time-changing data
/// streams*, KDD 2001). x is uniform in [0, 1]^d; class 1 if Σ aᵢ xᵢ ≥ a₀, else class 0, with a₀ = ½ Σ aᵢ; so the plane
/// goes through the middle of the cube and both classes are equally likely. The aᵢ begin uniform in [0, 1]. After every
/// row, the first `drifting` of them grow by sᵢ · `magnitude` / 1000, where sᵢ is 1 or −1, at first with equal
/// probability; every 1000 rows, each sᵢ changes its sign with probability 0.1. `noise` rows in a hundred get the other
/// class.
///
/// The drift is gradual, without change points. (MOA's `HyperplaneGenerator` tosses a coin for each sign at
/// every row and adds `magnitude` undivided, which is a random walk.)
pub(super) const HYPERPLANE: Generator = Generator {
    name: "hyperplane",
    title: "a hyperplane that turns slowly; best possible accuracy 1 - noise/100",
    parameters: &forest_core::parameters! {
        "d": Rule::CountFromTo(1, MAX_WIDTH), "10", "features";
        "drifting": Rule::CountFromTo(0, MAX_WIDTH), "10", "first features, whose weights change";
        "magnitude": Rule::NUMBER, "0.5", "change of a weight in 1000 rows";
        "noise": Rule::CountFromTo(0, 50), "5", "rows in 100 of the other class";
    },
    common: &GRADUAL,
    rows: |given| {
        let d: usize = given.value("d");
        let drifting: usize = given.value("drifting");
        let step = given.value::<f64>("magnitude") / 1000.0;
        let mut random = setup(given);
        let weights = (0..d).map(|_| random.random()).collect();
        let steps = (0..drifting.min(d)).map(|_| if random.random() { step } else { -step });
        let steps = steps.collect();
        let mut plane = Hyperplane {
            weights,
            steps,
            turns: 0,
            random,
        };
        let rows = Rows::classes(d, 0..2, move |_, streams, row| {
            uniform(&mut streams.inputs, row);
            let is_above = plane.is_above(row);
            plane.turn();
            is_above
        });
        rows.flipped(share(given))
    },
};

pub(super) struct Hyperplane {
    pub(super) weights: Vec<f64>,
    /// Of the first weights: what a row adds.
    pub(super) steps: Vec<f64>,
    pub(super) turns: usize,
    /// Of weights, directions and reversals.
    pub(super) random: ChaCha8Rng,
}

impl Hyperplane {
    /// Returns whether Σ aᵢ xᵢ ≥ ½ Σ aᵢ.
    pub(super) fn is_above(&self, row: &[f32]) -> bool {
        let pairs = self.weights.iter().zip(row);
        let sum: f64 = pairs.map(|(a, x)| a * (f64::from(*x) - 0.5)).sum();
        sum >= 0.0
    }

    /// Turns the plane, after each row.
    pub(super) fn turn(&mut self) {
        let pairs = self.weights.iter_mut().zip(&self.steps);
        pairs.for_each(|(weight, step)| *weight += step);
        self.turns += 1;
        if self.turns.is_multiple_of(1000) {
            for step in &mut self.steps {
                if self.random.random::<f64>() < 0.1 {
                    *step = -*step;
                }
            }
        }
    }
}

/// Random radial basis functions whose centres move (A. Bifet, G. Holmes, B. Pfahringer, R. Kirkby, R. Gavaldà, *New
/// ensemble methods for evolving data streams*, KDD 2009, and the generator it used, MOA's `RandomRBFGeneratorDrift`).
/// Each of `centres` has a place uniform in [0, 1]^d, a class among `classes`, a standard deviation and a weight, the
/// last two uniform in [0, 1]. For a row, a centre is chosen by weight; x lies in a random direction from it, at a
/// distance of the absolute value of a normal number with its standard deviation, and has its class. Before every row
/// each of the first `moving` centres moves by `speed` in a direction of its own; a coordinate that leaves [0, 1] stops
/// at the end, and moves back from then on.
///
/// Directions are uniform here. MOA draws a point of a cube and normalises it, which prefers the diagonals, and all
/// coordinates of its centres begin to move upwards. The drift is gradual, without change points. Classes
/// overlap, and the best possible accuracy has no closed form.
pub(super) const RANDOM_RBF: Generator = Generator {
    name: "random-rbf",
    title: "classes around many centres that move slowly; best possible accuracy unknown",
    parameters: &forest_core::parameters! {
        "d": Rule::CountFromTo(1, 10_000), "10", "features";
        "classes": Rule::CountFromTo(2, 1000), "5", "classes";
        "centres": Rule::CountFromTo(2, 10_000), "50", "centres";
        "moving": Rule::CountFromTo(0, 10_000), "50", "first centres, which move";
        "speed": Rule::NUMBER, "0.001", "length of a move; one before each row";
    },
    common: &GRADUAL,
    rows: |given| {
        let mut random = setup(given);
        let d: usize = given.value("d");
        let classes: u32 = given.value("classes");
        let speed = given.value("speed");
        let centre = |_: usize| Centre {
            place: (0..d).map(|_| random.random()).collect(),
            class: random.random_range(0..classes),
            deviation: random.random(),
            weight: random.random(),
            step: arrow(&mut random, d, speed),
        };
        let mut centres = Centres {
            all: (0..given.value("centres")).map(centre).collect(),
            moving: given.value("moving"),
        };
        Rows::classes(d, 0..classes as usize, move |_, streams, row| {
            centres.draw(streams, row)
        })
    },
};

pub(super) struct Centre {
    pub(super) place: Vec<f64>,
    pub(super) class: u32,
    pub(super) deviation: f64,
    pub(super) weight: f64,
    /// What is added before every row.
    pub(super) step: Vec<f64>,
}

pub(super) struct Centres {
    pub(super) all: Vec<Centre>,
    pub(super) moving: usize,
}

impl Centres {
    pub(super) fn draw(&mut self, streams: &mut Streams, row: &mut [f32]) -> u32 {
        for centre in self.all.iter_mut().take(self.moving) {
            for (x, step) in centre.place.iter_mut().zip(&mut centre.step) {
                let target = *x + *step;
                *x = target.clamp(0.0, 1.0);
                if *x != target {
                    *step = -*step;
                }
            }
        }
        let total: f64 = self.all.iter().map(|centre| centre.weight).sum();
        let mut left = streams.labels.random::<f64>() * total;
        let is_within = |centre: &Centre| {
            left -= centre.weight;
            left < 0.0
        };
        let chosen = self.all.iter().position(is_within);
        let centre = &self.all[chosen.unwrap_or(self.all.len() - 1)];
        let distance: f64 = StandardNormal.sample(&mut streams.inputs);
        let length = distance.abs() * centre.deviation;
        let away = arrow(&mut streams.inputs, row.len(), length);
        for ((x, place), away) in row.iter_mut().zip(&centre.place).zip(away) {
            *x = (place + away) as f32;
        }
        centre.class
    }
}

/// Returns a vector of this length in a uniform direction.
fn arrow(random: &mut ChaCha8Rng, d: usize, length: f64) -> Vec<f64> {
    let normals: Vec<f64> = (0..d).map(|_| StandardNormal.sample(random)).collect();
    let norm = normals.iter().map(|z| z * z).sum::<f64>().sqrt();
    normals.into_iter().map(|z| z / norm * length).collect()
}
