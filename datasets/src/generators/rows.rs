//! A generator: its parameters, the rows that it draws, and the data set of them.

use forest_core::parameters::{Parameter, Rule, Values};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::dataset::check_size;
use crate::error::Result;
use crate::{DataError, Dataset, Target};

/// The widest row any generator makes.
pub(super) const MAX_WIDTH: u64 = 1_000_000;

/// Neither part may be longer; what fits is decided by rows times features.
const MAX_ROWS: u64 = 1_000_000_000;

/// A generator: its name, and its parameters with their defaults.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// The address without parameters.
    pub name: &'static str,
    /// A description of the data in one line.
    pub title: &'static str,
    /// The parameters that it does not share with others.
    pub(super) parameters: &'static [Parameter],
    /// The shared parameters.
    pub(super) common: &'static [Parameter],
    pub(super) rows: fn(&Values) -> Rows,
}

/// The parameters of generators whose rows have one distribution.
pub(super) static COMMON: [Parameter; 3] = forest_core::parameters! {
    "n": Rule::CountFromTo(1, MAX_ROWS), "10000", "training rows";
    "test": Rule::CountFromTo(0, MAX_ROWS), "2000", "test rows";
    "seed": Rule::CountFromTo(0, u64::MAX), "1", "seed of the random streams";
};

/// The parameters of streams that drift gradually.
pub(super) static GRADUAL: [Parameter; 2] = forest_core::parameters! {
    "n": Rule::CountFromTo(1, MAX_ROWS), "10000", "rows";
    "seed": Rule::CountFromTo(0, u64::MAX), "1", "seed of the random streams";
};

/// The parameters of streams that change at once.
pub(super) static ABRUPT: [Parameter; 3] = forest_core::parameters! {
    "n": Rule::CountFromTo(1, MAX_ROWS), "10000", "rows";
    "every": Rule::CountFromTo(1, MAX_ROWS), "2500", "rows between two changes";
    "seed": Rule::CountFromTo(0, u64::MAX), "1", "seed of the random streams";
};

impl Generator {
    pub(crate) fn generate(&self, address: &str) -> Result<Dataset> {
        let (_, values) = forest_core::parameters::split(address);
        let values = Values::read(self.name, &Vec::from_iter(self.takes()), values);
        let values = values.map_err(|error| DataError(error.to_string()))?;
        // Some draw centres of `d` features before any row: one per class, or as many as `centres` says.
        let given = |name| values.peek(name).map_or(0, |_| values.value(name));
        let centres = usize::max(given("classes"), given("centres"));
        check_size(address, centres + given("n") + given("test"), given("d"))?;
        (self.rows)(&values).dataset(address, &values)
    }

    /// Returns all parameters.
    pub fn takes(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().chain(self.common)
    }
}

/// The streams a row is drawn from: of training rows or of test rows, so that neither's draws depend on the length of
/// the other.
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

/// Returns ChaCha8 with the seed as key and the stream as nonce: streams of one seed never overlap.
fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    random
}

/// Fills a row with numbers uniform in [0, 1).
///
/// Drawn as `f32`, so that a target computed from the row is the function of exactly the features stored.
pub(super) fn uniform(random: &mut ChaCha8Rng, row: &mut [f32]) {
    row.fill_with(|| random.random());
}

/// The target of one row.
enum Outcome {
    Class(u32),
    /// With and without noise.
    Value(f64, f64),
}

/// Fills a row, given the number of changes so far.
type Draw = dyn FnMut(usize, &mut Streams, &mut [f32]) -> Outcome;

/// Rows to draw one after another.
pub(super) struct Rows {
    width: usize,
    /// The names of the classes in label order; none for regression.
    classes: Vec<String>,
    /// The share of rows that get the other one of two classes.
    flipped: Option<f64>,
    /// The share of rows that the best possible classifier gets right, if it is known and the same all along.
    best: Option<f64>,
    draw: Box<Draw>,
}

impl Rows {
    fn new(width: usize, classes: Vec<String>, draw: Box<Draw>) -> Self {
        Self {
            width,
            classes,
            flipped: None,
            best: None,
            draw,
        }
    }

    /// Makes rows with numbers to predict. `draw` fills a row and returns its target, to which a normal number of
    /// standard deviation `noise` is added.
    pub(super) fn numbers(
        width: usize,
        noise: f64,
        mut draw: impl FnMut(&mut Streams, &mut [f32]) -> f64 + 'static,
    ) -> Self {
        let draw = move |_, streams: &mut Streams, row: &mut [f32]| {
            let truth = draw(streams, row);
            let error: f64 = StandardNormal.sample(&mut streams.noise);
            Outcome::Value(truth + noise * error, truth)
        };
        Self::new(width, Vec::new(), Box::new(draw))
    }

    /// Makes rows of classes, named by these numbers. `draw` fills a row and returns the index of its class, given the
    /// number of changes so far.
    pub(super) fn classes<C: Into<u32>>(
        width: usize,
        names: impl IntoIterator<Item = usize>,
        mut draw: impl FnMut(usize, &mut Streams, &mut [f32]) -> C + 'static,
    ) -> Self {
        let names = names.into_iter().map(|name| name.to_string()).collect();
        let draw = move |concept, streams: &mut Streams, row: &mut [f32]| {
            Outcome::Class(draw(concept, streams, row).into())
        };
        Self::new(width, names, Box::new(draw))
    }

    /// Sets the best possible accuracy.
    pub(super) fn best(mut self, accuracy: f64) -> Self {
        self.best = Some(accuracy);
        self
    }

    /// Gives this share of rows the other one of two classes, which bounds the accuracy.
    pub(super) fn flipped(mut self, share: f64) -> Self {
        self.flipped = Some(share);
        self.best(1.0 - share)
    }

    /// Makes the data set of an address: `n` training rows, then `test` test rows.
    pub(super) fn dataset(mut self, address: &str, given: &Values) -> Result<Dataset> {
        let n: usize = given.value("n");
        let test: usize = given.peek("test").map_or(0, |_| given.value("test"));
        let count = n + test;
        let width = self.width;
        check_size(address, count, width)?;
        // Where nothing drifts, nothing changes.
        let has_changes = given.peek("every").is_some() && given.peek("drifting") != Some("0");
        let every = if has_changes {
            given.value("every")
        } else {
            count
        };
        let mut streams = [false, true].map(|is_test| Streams::of(given.value("seed"), is_test));
        let mut features = Array2::zeros((count, width));
        let mut labels = Vec::new();
        let mut values = Vec::new();
        let mut truths = Vec::new();
        for (at, mut row) in features.rows_mut().into_iter().enumerate() {
            let row = row.as_slice_mut();
            let row = row.expect("rows of a new array are contiguous");
            let streams = &mut streams[usize::from(at >= n)];
            match (self.draw)(at / every, streams, row) {
                Outcome::Class(label) => {
                    let is_flipped = |share| streams.noise.random::<f64>() < share;
                    labels.push(label ^ u32::from(self.flipped.is_some_and(is_flipped)));
                }
                Outcome::Value(observed, truth) => {
                    values.push(observed);
                    truths.push(truth);
                }
            }
        }
        let names = self.classes;
        let noise_free = Some(truths);
        let target = if names.is_empty() {
            Target::Values { values, noise_free }
        } else {
            Target::Classes { labels, names }
        };
        let names = (1..=width).map(|i| format!("x{i}")).collect();
        let mut data = Dataset::new(address, features, names, target);
        data.sha256 = data.rows_sha256();
        data.split = (test > 0).then_some(n);
        data.changes = (every..count).step_by(every).collect();
        data.best_accuracy = self.best;
        Ok(data)
    }
}
