//! Data made on the spot from a seed, addressed like files: `friedman:d=10,n=20000,noise=1,seed=3,test=2000`.
//!
//! The README of this crate lists them with the papers that they are from. Some are streams with concept drift.
//!
//! Their declarations state where they differ from these. [`Dataset::changes`] and [`Dataset::best_accuracy`] hold the facts.
//! Any data set, generated or not, gets a change with `+flip=ROW` at the end of its address ([`open`](crate::open)).
//!
//! Every generator takes `n` (training rows), `test` (test rows, after the training rows) and `seed`. Training
//! and test rows, and within them inputs, labels and noise, come from streams of their own of a ChaCha8
//! generator keyed by the seed. So the test rows stay the same when `n` grows, and the inputs stay the same when
//! `noise` changes; the same address gives the same features on every
//! machine (and the same targets, up to the last bit of its sine). Streams that change take no `test`: what is to be
//! learned depends on the row, so they are tested row by row.

mod agrawal;
mod changing;
mod classes;
mod numbers;
mod rows;
#[cfg(test)]
mod tests;

pub use forest_core::parameters::Parameter;

use crate::error::Result;
use crate::{DataError, Dataset};
use forest_core::parameters::{Rule, Values};
use rows::Rows;

/// The widest row any generator makes.
const MAX_WIDTH: u64 = 1_000_000;

/// Neither part may be longer; what fits is decided by rows times features.
const MAX_ROWS: u64 = 1_000_000_000;

/// Every generator, in the order they are listed to a user.
pub const ALL: [Generator; 17] = [
    numbers::FRIEDMAN,
    numbers::SINE_PRODUCT,
    classes::GAUSSIAN_MIXTURE,
    classes::MONDRIAN_CUBE,
    classes::HYPERCUBE,
    agrawal::AGRAWAL,
    classes::RANDOM_TREE,
    classes::WAVEFORM,
    numbers::PLANES,
    numbers::MV,
    changing::SEA,
    changing::LED,
    changing::STAGGER,
    changing::SINE,
    changing::MIXED,
    changing::HYPERPLANE,
    changing::RANDOM_RBF,
];

const fn count(
    name: &'static str,
    from: u64,
    to: u64,
    default: &'static str,
    meaning: &'static str,
) -> Parameter {
    Parameter::new(name, Rule::CountFromTo(from, to), default, meaning)
}

const fn number(name: &'static str, default: &'static str, meaning: &'static str) -> Parameter {
    Parameter::new(name, Rule::NUMBER, default, meaning)
}

const fn yes_or_no(name: &'static str, default: &'static str, meaning: &'static str) -> Parameter {
    Parameter::new(name, Rule::Words(&["yes", "no"]), default, meaning)
}

/// A generator: its name, and its parameters with their defaults.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// The address without parameters.
    pub name: &'static str,
    /// What it makes, in one line.
    pub title: &'static str,
    /// Its parameters besides those it shares with others.
    pub parameters: &'static [Parameter],
    /// The shared ones: [`COMMON`] or [`STREAM`].
    pub common: &'static [Parameter],
    rows: fn(&Values) -> Rows,
}

/// The parameters of all generators whose rows have one distribution.
pub static COMMON: [Parameter; 3] = [
    count("n", 1, MAX_ROWS, "10000", "training rows"),
    count("test", 0, MAX_ROWS, "2000", "test rows"),
    SEED,
];

/// The parameters of all streams that change.
pub static STREAM: [Parameter; 2] = [count("n", 1, MAX_ROWS, "10000", "rows"), SEED];

const SEED: Parameter = count("seed", 0, u64::MAX, "1", "seed of the random streams");

/// Returns the generator an address names, whatever its parameters.
pub fn find(address: &str) -> Option<&'static Generator> {
    let (name, _) = forest_core::parameters::split(address);
    const GENERATORS: &[Generator] = &ALL;
    GENERATORS.iter().find(|generator| generator.name == name)
}

impl Generator {
    pub(crate) fn generate(&self, address: &str) -> Result<Dataset> {
        let (_, values) = forest_core::parameters::split(address);
        let values = Values::read(self.name, &Vec::from_iter(self.takes()), values);
        let values = values.map_err(|error| DataError(error.to_string()))?;
        (self.rows)(&values).dataset(address, &values)
    }

    /// Returns every parameter it takes.
    pub fn takes(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().chain(self.common)
    }
}
