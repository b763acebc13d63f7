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
//! | `agrawal` | two classes, d = 9 | Agrawal, Imielinski and Swami 1993 |
//! | `random-tree` | a few classes, any d | Domingos and Hulten 2000, MOA |
//! | `waveform` | three classes, d = 21 or 40 | Breiman et al. 1984 |
//! | `planes-2d` | regression, d = 10 | Breiman et al. 1984 |
//! | `mv` | regression, d = 12 | Torgo |
//!
//! and streams with concept drift:
//!
//! | address | what changes | change points | best possible accuracy | from |
//! |---|---|---|---|---|
//! | `sea` | a line in the plane jumps | every `every` rows | 1 − noise / 100 | Street and Kim 2001 |
//! | `led` | features change places | every `every` rows | 0.74 for noise=10 | Breiman et al. 1984, MOA |
//! | `stagger` | three concepts that recur | every `every` rows | 1 | Schlimmer and Granger 1986 |
//! | `sine` | the sides of a curve change places | every `every` rows | 1 | Gama et al. 2004 |
//! | `mixed` | the classes change places | every `every` rows | 1 | Gama et al. 2004 |
//! | `hyperplane` | a hyperplane turns slowly | none | 1 − noise / 100 | Wang, Fan, Yu and Han 2003 |
//! | `random-rbf` | centres of classes move slowly | none | unknown | Bifet et al. 2009, MOA |
//!
//! Their modules state where they differ from these. [`Dataset::changes`] and [`Dataset::best_accuracy`] hold the facts.
//! Any data set, generated or not, gets a change with `+flip=ROW` at the end of its address ([`open`](crate::open)).
//!
//! Every generator takes `n` (training rows), `test` (test rows, after the training rows) and `seed`. Training
//! and test rows, and within them inputs, labels and noise, come from streams of their own of a ChaCha8
//! generator keyed by the seed. So the test rows stay the same when `n` grows, and the inputs stay the same when
//! `noise` changes; the same address gives the same features on every
//! machine (and the same targets, up to the last bit of its sine). Streams that change take no `test`: what is to be
//! learned depends on the row, so they are tested row by row.

mod agrawal;
mod changes;
pub mod depth_body;
mod friedman;
mod gaussian_mixture;
mod hypercube;
mod hyperplane;
mod led;
mod mixed;
mod mondrian_cube;
mod mv;
mod planes;
mod random_rbf;
mod random_tree;
mod sample;
mod sea;
mod sine;
mod sine_product;
mod stagger;
mod streams;
mod waveform;

pub use forest_core::parameters::Parameter;

use crate::{DataError, Dataset};
use forest_core::parameters::{Rule, Values};
use sample::Sampler;

/// The widest row any generator makes.
const MAX_WIDTH: u64 = 1_000_000;

/// Neither part may be longer; what fits is decided by rows times features.
const MAX_ROWS: u64 = 1_000_000_000;

/// Every generator, in the order they are listed to a user.
pub const ALL: [Generator; 18] = [
    friedman::GENERATOR,
    sine_product::GENERATOR,
    gaussian_mixture::GENERATOR,
    mondrian_cube::GENERATOR,
    depth_body::GENERATOR,
    hypercube::GENERATOR,
    agrawal::GENERATOR,
    random_tree::GENERATOR,
    waveform::GENERATOR,
    planes::GENERATOR,
    mv::GENERATOR,
    sea::GENERATOR,
    led::GENERATOR,
    stagger::GENERATOR,
    sine::GENERATOR,
    mixed::GENERATOR,
    hyperplane::GENERATOR,
    random_rbf::GENERATOR,
];

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
    sampler: fn(&Values) -> Box<dyn Sampler>,
}

/// The parameters of all generators whose rows have one distribution.
pub static COMMON: [Parameter; 3] = [
    Parameter::new(
        "n",
        Rule::CountFromTo(1, MAX_ROWS),
        "10000",
        "training rows",
    ),
    Parameter::new("test", Rule::CountFromTo(0, MAX_ROWS), "2000", "test rows"),
    SEED,
];

/// The parameters of all streams that change.
pub static STREAM: [Parameter; 2] = [
    Parameter::new("n", Rule::CountFromTo(1, MAX_ROWS), "10000", "rows"),
    SEED,
];

const SEED: Parameter = Parameter::new(
    "seed",
    Rule::CountFromTo(0, u64::MAX),
    "1",
    "seed of the random streams",
);

/// Returns the generator an address names, whatever its parameters.
///
/// ```
/// let generator = datasets::generators::find("friedman:d=10").unwrap();
/// assert_eq!(generator.name, "friedman");
/// assert!(datasets::generators::find("letter").is_none());
/// ```
pub fn find(address: &str) -> Option<&'static Generator> {
    let (name, _) = forest_core::parameters::split(address);
    const GENERATORS: &[Generator] = &ALL;
    GENERATORS.iter().find(|generator| generator.name == name)
}

impl Generator {
    pub(crate) fn generate(&self, address: &str) -> Result<Dataset, DataError> {
        let known: Vec<_> = self.takes().collect();
        let (_, values) = forest_core::parameters::split(address);
        let values = Values::read(self.name, &known, values);
        let values = values.map_err(|error| DataError::new(error.to_string()))?;
        let values = values.or_defaults(&known);
        let mut sampler = (self.sampler)(&values);
        sample::sample(address, &values, sampler.as_mut())
    }

    /// Returns every parameter it takes.
    pub fn takes(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().chain(self.common)
    }
}

/// Returns the data set that a generator of classes makes of an address, and its labels.
#[cfg(test)]
fn labelled(generator: &Generator, address: &str) -> (Dataset, Vec<u32>) {
    let data = generator.generate(address).unwrap();
    let crate::Target::Classes { labels, .. } = data.target.clone() else {
        panic!("{address} has classes")
    };
    (data, labels)
}

#[cfg(test)]
mod tests {
    use super::{ALL, Generator, find};
    use crate::Target;

    const GOLDEN: [&str; 18] = [
        "friedman cf8edd33fd6a03bb",
        "sine-product 1df205f8b919b224",
        "gaussian-mixture 3741a98de9ecdc29",
        "mondrian-cube 5c6a2da2ea7376f2",
        "depth-body e7cb88f7efbfb4d3",
        "hypercube eb211571a282a64d",
        "agrawal bbca04b3a511f715",
        "random-tree 0942ef33acd10d60",
        "waveform b32ddb81ea1633f8",
        "planes-2d 2c8866365a91c0e0",
        "mv 8e705260a2c75d9d",
        "sea e878681b501a6546",
        "led 93561f8859b92ff1",
        "stagger e7ee72c680e1c606",
        "sine a0402b91fc979951",
        "mixed 7ef1fdd889ce5208",
        "hyperplane 6bae48aa78a31ca0",
        "random-rbf f8504eae8881221e",
    ];

    #[test]
    fn bad_addresses_say_what_is_possible() {
        for (address, says) in [
            (
                "friedman:m=3",
                "has no parameter `m`; it takes: d=5, noise=1, n=10000",
            ),
            ("friedman:nois=3", "did you mean `noise`"),
            (
                "friedman:d=4",
                "d must be a whole number from 5 to 1000000, but is `4`",
            ),
            (
                "friedman:noise=-1",
                "noise must be a finite number of at least 0",
            ),
            ("friedman:n=0", "n must be a whole number from 1"),
            ("friedman:n=ten", "but is `ten`"),
            ("friedman:n", "`n` is not `key=value`"),
            ("friedman:n=1,n=2", "given twice"),
            ("friedman:n=999999999", "do not fit in memory"),
            ("friedman:n=18446744073709551615", "from 1 to 1000000000"),
            (
                "mondrian-cube:rotated=maybe",
                "rotated must be one of yes, no",
            ),
        ] {
            let error = find(address)
                .unwrap()
                .generate(address)
                .unwrap_err()
                .to_string();
            assert!(error.contains(says), "{address}: {error}");
        }
    }

    /// The beginning of the SHA-256 of features and targets; the latter as `f32`, since sine is the platform's.
    #[test]
    fn golden_draws() {
        let golden = |generator: &Generator| {
            let takes = |key: &str| generator.takes().any(|parameter| parameter.name == key);
            let test = if takes("test") { ",test=9" } else { "" };
            let every = if takes("every") { ",every=20" } else { "" };
            let name = generator.name;
            let address = format!("{name}:n=60,seed=7{test}{every}");
            let data = generator.generate(&address).unwrap();
            let target = match data.target {
                Target::Values { values, .. } => Target::Values {
                    values: values.iter().map(|y| f64::from(*y as f32)).collect(),
                    noise_free: None,
                },
                classes => classes,
            };
            let digest = crate::digest::digest_rows(&data.features, &target);
            format!("{name} {}", &digest[..16])
        };
        let found: Vec<String> = ALL.iter().map(golden).collect();
        assert_eq!(found, GOLDEN, "{found:#?}");
    }

    #[test]
    fn blanks_and_trailing_commas_mean_nothing() {
        let generate = |address: &str| find(address).unwrap().generate(address).unwrap().features;
        assert_eq!(
            generate("friedman:n=3,test=1"),
            generate("friedman: n = 3 , test=1,")
        );
    }
}
