//! What a generator draws, and the data set made of it.

use forest_core::parameters::Values;
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::digest;
use crate::readers::MAX_CELLS;
use crate::{DataError, Dataset, Target};

/// The streams a row is drawn from: of training rows or of test rows, so that neither's draws depend on the length of the other.
pub(super) struct Streams {
    /// Coordinates of the points.
    pub(super) inputs: ChaCha8Rng,
    /// Classes, where they are drawn before the points.
    pub(super) labels: ChaCha8Rng,
    /// Disturbance of the targets.
    pub(super) noise: ChaCha8Rng,
}

impl Streams {
    pub(super) fn of(seed: u64, is_test: bool) -> Self {
        let named = |purpose: u64| stream(seed, 2 * purpose + u64::from(is_test));
        Self {
            inputs: named(1),
            labels: named(2),
            noise: named(3),
        }
    }
}

/// Returns the stream of what is drawn once, before any row (centres).
pub(super) fn setup(given: &Values) -> ChaCha8Rng {
    stream(given.value("seed"), 0)
}

/// ChaCha8 with the seed as key and the stream as nonce: streams of one seed never overlap.
fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// Fills a row with numbers uniform in [0, 1).
///
/// Drawn as `f32`, so that a target computed from the row is the function of exactly the features stored.
pub(super) fn uniform(random: &mut ChaCha8Rng, row: &mut [f32]) {
    row.iter_mut().for_each(|x| *x = random.random());
}

/// The target of one row.
enum Outcome {
    Class(u32),
    /// With and without noise.
    Value {
        observed: f64,
        truth: f64,
    },
}

/// Fills the row of this number.
type Draw = dyn FnMut(usize, &mut Streams, &mut [f32]) -> Outcome;

/// Rows to draw one after another.
pub(super) struct Rows {
    width: usize,
    /// The names of the classes in label order; none for regression.
    classes: Vec<String>,
    /// Rows between two changes of the concept.
    every: Option<usize>,
    /// The share of rows that get the other one of two classes.
    flipped: Option<f64>,
    /// The share of rows that the best possible classifier gets right, if it is known and the same all along.
    best: Option<f64>,
    draw: Box<Draw>,
}

impl Rows {
    fn new(
        width: usize,
        classes: Vec<String>,
        draw: impl FnMut(usize, &mut Streams, &mut [f32]) -> Outcome + 'static,
    ) -> Self {
        Self {
            width,
            classes,
            every: None,
            flipped: None,
            best: None,
            draw: Box::new(draw),
        }
    }

    /// Numbers to predict. `draw` fills a row and returns its target, to which a normal number of standard deviation `noise` is added.
    pub(super) fn numbers(
        width: usize,
        noise: f64,
        mut draw: impl FnMut(&mut Streams, &mut [f32]) -> f64 + 'static,
    ) -> Self {
        Self::new(width, Vec::new(), move |_, streams, row| {
            let truth = draw(streams, row);
            let error: f64 = StandardNormal.sample(&mut streams.noise);
            let observed = truth + noise * error;
            Outcome::Value { observed, truth }
        })
    }

    /// Classes named by these numbers. `draw` fills a row and returns the index of its class, given the number of changes so far.
    pub(super) fn classes<C: Into<u32>>(
        width: usize,
        names: impl IntoIterator<Item = usize>,
        mut draw: impl FnMut(usize, &mut Streams, &mut [f32]) -> C + 'static,
    ) -> Self {
        let names = names.into_iter().map(|name| name.to_string());
        Self::new(width, names.collect(), move |concept, streams, row| {
            Outcome::Class(draw(concept, streams, row).into())
        })
    }

    /// Sets the best possible accuracy.
    pub(super) fn best(mut self, accuracy: f64) -> Self {
        self.best = Some(accuracy);
        self
    }

    /// Changes the concept every so many rows.
    pub(super) fn every(mut self, rows: usize) -> Self {
        self.every = Some(rows);
        self
    }

    /// Gives this share of rows the other one of two classes, which bounds the accuracy.
    pub(super) fn flipped(mut self, share: f64) -> Self {
        self.flipped = Some(share);
        self.best(1.0 - share)
    }

    /// Draws row number `at`; rows are drawn in order.
    fn draw(&mut self, at: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let concept = self.every.map_or(0, |every| at / every);
        match ((self.draw)(concept, streams, row), self.flipped) {
            (Outcome::Class(class), Some(share)) => {
                let is_wrong = streams.noise.random::<f64>() < share;
                Outcome::Class(class ^ u32::from(is_wrong))
            }
            (outcome, _) => outcome,
        }
    }

    /// Makes the data set of an address: `n` training rows, then `test` test rows.
    pub(super) fn dataset(mut self, address: &str, given: &Values) -> Result<Dataset, DataError> {
        let n: usize = given.value("n");
        let test: usize = given.peek("test").map_or(0, |_| given.value("test"));
        let (count, width) = (n + test, self.width);
        if count.saturating_mul(width) > MAX_CELLS {
            return Err(DataError::new(format!(
                "`{address}`: {count} rows of {width} features do not fit in memory; choose fewer"
            )));
        }
        let mut streams = [false, true].map(|is_test| Streams::of(given.value("seed"), is_test));
        let mut features = Array2::zeros((count, width));
        let (mut labels, mut values, mut truths) = (Vec::new(), Vec::new(), Vec::new());
        for (at, mut row) in features.rows_mut().into_iter().enumerate() {
            let row = row
                .as_slice_mut()
                .expect("rows of a new array are contiguous");
            match self.draw(at, &mut streams[usize::from(at >= n)], row) {
                Outcome::Class(label) => labels.push(label),
                Outcome::Value { observed, truth } => {
                    values.push(observed);
                    truths.push(truth);
                }
            }
        }
        let target = if self.classes.is_empty() {
            Target::Values {
                values,
                noise_free: Some(truths),
            }
        } else {
            let names = self.classes;
            Target::Classes { labels, names }
        };
        let every = self.every.unwrap_or(count);
        Ok(Dataset {
            name: address.to_owned(),
            sha256: digest::digest_rows(&features, &target),
            feature_names: (1..=width).map(|i| format!("x{i}")).collect(),
            features,
            target,
            target_name: None,
            ascending_dates: None,
            split: (test > 0).then_some(n),
            changes: (every..count).step_by(every).collect(),
            best_accuracy: self.best,
        })
    }
}
