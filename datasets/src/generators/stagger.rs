//! STAGGER: three concepts that recur.
//!
//! Paper: J. C. Schlimmer, R. H. Granger, *Incremental learning from noisy data*, Machine Learning 1, 1986. A
//! thing has a size (small, medium, large), a colour (red, green, blue) and a shape (square, circle, triangle), all
//! equally likely. It belongs to class 1 if it is
//!
//! 1. small and red,
//! 2. green or circular,
//! 3. medium or large,
//!
//! in turn, changing every `every` rows; after the third concept the first comes again, and so on. Features are
//! nine zeros and ones, one for each value. There is no noise: the best possible accuracy is 1.
//!
//! The paper shows each concept once, for 40 rows; that concepts recur is G. Widmer and M. Kubat's subject
//! (*Learning in the presence of concept drift and hidden contexts*, Machine Learning 23, 1996).

use forest_core::parameters::Values;
use rand::RngExt;

use super::changes::{EVERY, exact};
use super::sample::Sampler;
use super::{Generator, STREAM};

pub(super) const GENERATOR: Generator = Generator {
    name: "stagger",
    title: "STAGGER: three concepts of size, colour and shape that recur; best possible accuracy 1",
    parameters: &[EVERY],
    common: &STREAM,
    sampler,
};

/// Class 1 or not, given size, colour and shape.
type Concept = fn([usize; 3]) -> bool;

const CONCEPTS: [Concept; 3] = [
    |[size, colour, _]| size == 0 && colour == 0,
    |[_, colour, shape]| colour == 1 || shape == 1,
    |[size, _, _]| size != 0,
];

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    exact(parameters, 9, |concept, streams, row| {
        let thing: [usize; 3] = std::array::from_fn(|_| streams.inputs.random_range(0..3));
        row.fill(0.0);
        for (attribute, value) in thing.into_iter().enumerate() {
            row[3 * attribute + value] = 1.0;
        }
        CONCEPTS[concept % CONCEPTS.len()](thing)
    })
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::same_probability;

    use super::*;
    use crate::generators::labelled;

    #[test]
    fn concepts_are_the_papers_and_recur() {
        let (data, labels) = labelled(&GENERATOR, "stagger:n=20000,every=4000");
        assert_eq!(data.changes, [4000, 8000, 12_000, 16_000]);
        let has = |row: usize, column: usize| data.features[[row, column]] == 1.0;
        for (row, label) in labels.iter().enumerate() {
            let rule = match row / 4000 {
                0 | 3 => has(row, 0) && has(row, 3),
                1 | 4 => has(row, 4) || has(row, 7),
                _ => has(row, 1) || has(row, 2),
            };
            assert_eq!(*label, u32::from(rule), "row {row}");
        }
        let shares = [1.0 / 9.0, 5.0 / 9.0, 2.0 / 3.0, 1.0 / 9.0, 5.0 / 9.0];
        for (labels, share) in labels.chunks(4000).zip(shares) {
            let ones = labels.iter().sum::<u32>() as usize;
            assert!(same_probability(ones, 4000, share) > 1e-4, "{ones}");
        }
    }
}
