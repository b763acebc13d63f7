//! From a sampler of single rows to a data set.

use forest_core::parameters::Values;
use ndarray::Array2;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::streams::{Part, Streams};
use crate::digest;
use crate::readers::MAX_CELLS;
use crate::{DataError, Dataset, Target};

/// Draws one row at a time.
pub(super) trait Sampler {
    /// Features per row.
    fn width(&self) -> usize;

    /// Returns the names of the classes, in label order; none, for regression, by default.
    fn classes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Fills `row`, which is row number `at` from 0, and returns its target. Rows are drawn in order.
    fn draw(&mut self, at: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome;

    /// Returns the first row of each concept but the first, in a stream of `rows` rows, if concepts change at once.
    fn changes(&self, rows: usize) -> Vec<usize> {
        let _ = rows;
        Vec::new()
    }

    /// Returns the share of rows that the best possible classifier gets right, if it is known and the same all along.
    fn best_accuracy(&self) -> Option<f64> {
        None
    }
}

/// The target of one row.
pub(super) enum Outcome {
    /// Index into [`Sampler::classes`].
    Class(u32),
    /// With and without noise.
    Value { observed: f64, truth: f64 },
}

/// Draws `n` training rows, then `test` test rows.
pub(super) fn sample(
    address: &str,
    parameters: &Values,
    sampler: &mut dyn Sampler,
) -> Result<Dataset, DataError> {
    let n: usize = parameters.value("n");
    let test: usize = parameters
        .text("test")
        .map_or(0, |_| parameters.value("test"));
    let (rows, columns) = (n + test, sampler.width());
    if rows.saturating_mul(columns) > MAX_CELLS {
        return Err(DataError::new(format!(
            "`{address}`: {rows} rows of {columns} features do not fit in memory; choose fewer"
        )));
    }
    let (features, target) = draw(sampler, parameters.value("seed"), n, rows);
    Ok(Dataset {
        name: address.to_owned(),
        sha256: digest::digest_rows(&features, &target),
        feature_names: (1..=columns).map(|i| format!("x{i}")).collect(),
        features,
        target,
        target_name: None,
        ascending_dates: None,
        split: (test > 0).then_some(n),
        changes: sampler.changes(rows),
        best_accuracy: sampler.best_accuracy(),
    })
}

/// Draws `rows` rows, the first `n` of them from the streams of the training part.
fn draw(sampler: &mut dyn Sampler, seed: u64, n: usize, rows: usize) -> (Array2<f32>, Target) {
    let mut features = Array2::zeros((rows, sampler.width()));
    let mut streams = [
        Streams::of(seed, Part::Train),
        Streams::of(seed, Part::Test),
    ];
    let mut outcomes = Vec::with_capacity(rows);
    for (i, mut row) in features.rows_mut().into_iter().enumerate() {
        let row = row
            .as_slice_mut()
            .expect("rows of a new array are contiguous");
        outcomes.push(sampler.draw(i, &mut streams[usize::from(i >= n)], row));
    }
    (features, target(outcomes, sampler.classes()))
}

fn target(outcomes: Vec<Outcome>, names: Vec<String>) -> Target {
    let (mut labels, mut values, mut truths) = (Vec::new(), Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Class(label) => labels.push(label),
            Outcome::Value { observed, truth } => {
                values.push(observed);
                truths.push(truth);
            }
        }
    }
    if names.is_empty() {
        Target::Values {
            values,
            noise_free: Some(truths),
        }
    } else {
        Target::Classes { labels, names }
    }
}

/// Returns the names of two classes.
pub(super) fn zero_and_one() -> Vec<String> {
    ["0", "1"].map(str::to_owned).into()
}

/// Fills a row with numbers uniform in [0, 1).
///
/// Drawn as `f32`, so that a target computed from the row is the function of exactly the features stored.
pub(super) fn uniform(random: &mut ChaCha8Rng, row: &mut [f32]) {
    row.iter_mut().for_each(|x| *x = random.random());
}

#[cfg(test)]
mod tests {
    use ndarray::s;

    use crate::generators::{ALL, COMMON, Generator, find};

    #[test]
    fn test_rows_stay_when_the_training_part_grows() {
        let with_test = |generator: &Generator| generator.common.len() == COMMON.len();
        for generator in ALL.into_iter().filter(with_test) {
            let generate = |text: &str| {
                generator
                    .generate(&format!("{}:{text}", generator.name))
                    .unwrap()
            };
            let (short, long) = (generate("n=5,test=4"), generate("n=9,test=4"));
            assert_eq!(
                short.features.slice(s![5.., ..]),
                long.features.slice(s![9.., ..])
            );
            assert_eq!(
                short.features.slice(s![..5, ..]),
                long.features.slice(s![..5, ..])
            );
        }
    }

    #[test]
    fn the_address_decides_everything_and_the_seed_counts() {
        for Generator { name, .. } in ALL {
            let generate = |text: &str| {
                let address = format!("{name}:{text}");
                find(&address).unwrap().generate(&address).unwrap().sha256
            };
            assert_eq!(generate("seed=5,n=9"), generate("n=9,seed=5"), "{name}");
            assert_ne!(generate("seed=5,n=9"), generate("seed=6,n=9"), "{name}");
        }
    }
}
