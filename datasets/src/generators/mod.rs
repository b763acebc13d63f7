//! Data made on the spot from a seed, addressed like files: `friedman:d=10,n=20000,noise=1,seed=3,test=2000`.
//!
//! | address | task | from |
//! |---|---|---|
//! | `friedman` | regression | Friedman 1991 |
//! | `sine-product` | regression, d = 2 | Fan, Li and Sisson 2020 |
//! | `gaussian-mixture` | five classes, d = 2 | Denil, Matheson and de Freitas 2013 |
//! | `mondrian-cube` | two classes, d = 3 | Ge, Wang, Teh, Wang and Elliott 2019 |
//! | `depth-body` | sixteen classes, d = (2·radius + 1)² | after Denil, Matheson and de Freitas 2013 |
//! | `hypercube` | nearest of a few centres, any d | for retrieval and timing |
//!
//! Every generator takes `n` (training rows), `test` (test rows, after the training rows) and `seed`. Training
//! and test rows, and within them inputs, labels and noise, come from streams of their own of a ChaCha8
//! generator keyed by the seed. So the test rows stay the same when `n` grows, and the inputs stay the same when
//! `noise` changes; the same address gives the same features on every
//! machine (and the same targets, up to the last bit of its sine).

pub mod depth_body;
mod error;
mod friedman;
mod gaussian_mixture;
mod hypercube;
mod mondrian_cube;
mod parameters;
mod sample;
mod sine_product;
mod streams;

pub use error::GeneratorError;
pub use parameters::Parameter;

use crate::Dataset;
use parameters::Parameters;
use sample::Sampler;

/// The widest row any generator makes.
const MAX_WIDTH: usize = 1_000_000;

/// Every generator, in the order they are listed to a user.
pub const ALL: [Generator; 6] = [
    friedman::GENERATOR,
    sine_product::GENERATOR,
    gaussian_mixture::GENERATOR,
    mondrian_cube::GENERATOR,
    depth_body::GENERATOR,
    hypercube::GENERATOR,
];

/// A generator: its name, and its parameters with their defaults.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// The address without parameters.
    pub name: &'static str,
    /// What it makes, in one line.
    pub title: &'static str,
    /// Its parameters besides the [common ones](COMMON).
    pub parameters: &'static [Parameter],
    sampler: fn(&Parameters) -> Result<Box<dyn Sampler>, GeneratorError>,
}

/// The parameters every generator takes.
pub const COMMON: [Parameter; 3] = [
    Parameter {
        name: "n",
        default: "10000",
        about: "training rows",
    },
    Parameter {
        name: "test",
        default: "2000",
        about: "test rows",
    },
    Parameter {
        name: "seed",
        default: "1",
        about: "seed of the random streams",
    },
];

/// The generator an address names, whatever its parameters.
///
/// ```
/// let generator = datasets::generators::find("friedman:d=10").unwrap();
/// assert_eq!(generator.name, "friedman");
/// assert!(datasets::generators::find("letter").is_none());
/// ```
pub fn find(address: &str) -> Option<&'static Generator> {
    let name = address.split(':').next().unwrap_or_default();
    const GENERATORS: &[Generator] = &ALL;
    GENERATORS.iter().find(|generator| generator.name == name)
}

impl Generator {
    pub(crate) fn generate(&self, address: &str) -> Result<Dataset, GeneratorError> {
        let parameters = Parameters::parse(self, address)?;
        let sampler = (self.sampler)(&parameters)?;
        sample::sample(address, &parameters, sampler.as_ref())
    }
}

/// What a generator of classes makes of an address, and its labels.
#[cfg(test)]
fn labelled(generator: &Generator, address: &str) -> (Dataset, Vec<u32>) {
    let data = generator.generate(address).unwrap();
    let crate::Target::Classes { labels, .. } = data.target.clone() else {
        panic!("{address} has classes")
    };
    (data, labels)
}
