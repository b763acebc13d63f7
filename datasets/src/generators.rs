//! Data made on the spot from a seed, addressed like files: `friedman:d=10,n=20000,noise=1,seed=3,test=2000`.
//!
//! The README of this crate lists them with their papers, and their declarations state where they differ from those.
//! Some are streams with concept drift, whose [`changes`](crate::Dataset::changes) and
//! [`best_accuracy`](crate::Dataset::best_accuracy) are known.
//!
//! Every generator takes `n` (training rows), `test` (test rows, after the training rows) and `seed`. Training and test
//! rows, and within them inputs, labels and noise, come from streams of their own of a ChaCha8 generator keyed by the
//! seed. So the test rows stay the same when `n` grows, and the inputs stay the same when `noise` changes; the same
//! address gives the same features on every machine (and the same targets, up to the last bit of its sine). Streams
//! that change take no `test`: what is to be learned depends on the row, so they are tested row by row.

mod agrawal;
mod changing;
mod classes;
mod numbers;
mod rows;
#[cfg(test)]
mod tests;

pub use rows::Generator;

/// Every generator, in the order they are listed to a user.
pub static ALL: [Generator; 17] = [
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

/// Returns the generator that an address names, with any parameters.
pub fn find(address: &str) -> Option<&'static Generator> {
    let (name, _) = forest_core::parameters::split(address);
    ALL.iter().find(|generator| generator.name == name)
}
