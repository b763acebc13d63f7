//! Streams that change from one data set to another: `drift(A; B; at=ROW; width=ROWS)` and `recur(A; B; every=ROWS)`.
//!
//! In a gradual change, row t comes from B with probability 1 / (1 + exp(−4 (t − `at`) / `width`)), as in MOA's `ConceptDriftStream`
//! (A. Bifet, G. Holmes, R. Kirkby, B. Pfahringer, JMLR 11, 2010); with `width=0`, all rows from `at` on do. Each of the two keeps the
//! order of its rows, and the stream ends where the next row of one is needed that has none left.

mod address;

use ndarray::Axis;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::checks::check;
use crate::{DataError, Dataset, Target, digest};

/// An address of a stream that changes, in its parts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drift<'a> {
    /// Addresses of the two data sets.
    pub(crate) parts: [&'a str; 2],
    change: Change,
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Sigmoid { at: f64, width: f64 },
    Recurring { every: usize },
}

impl<'a> Drift<'a> {
    /// Joins the two data sets under this name.
    pub(crate) fn join(&self, sets: &[Dataset; 2], name: &str) -> Result<Dataset, DataError> {
        check_shapes(sets)?;
        let rows = self.rows(sets);
        let features: Vec<_> = rows
            .iter()
            .map(|&(source, row)| sets[source].features.row(row))
            .collect();
        let features = ndarray::stack(Axis(0), &features)
            .map_err(|_| DataError::new("no row is left of one of the two data sets"))?;
        let [one, other] = [0, 1].map(|source| sets[source].best_accuracy);
        let data = Dataset {
            name: name.to_owned(),
            feature_names: sets[0].feature_names.clone(),
            target: target(sets, &rows),
            target_name: sets[0].target_name.clone(),
            ascending_dates: None,
            split: None,
            changes: self.changes(sets, &rows),
            best_accuracy: one.filter(|_| one == other),
            sha256: digest::sha256(self.identity(sets).as_bytes()),
            features,
        };
        check(&data)?;
        Ok(data)
    }

    /// Names what decides the rows, in words that do not change: records have the digest of it.
    fn identity(&self, sets: &[Dataset; 2]) -> String {
        let Self {
            parts,
            change,
            seed,
        } = self;
        format!(
            "{}|{}|Drift {{ parts: {parts:?}, change: {change:?}, region: None, seed: {seed} }}",
            sets[0].sha256, sets[1].sha256
        )
    }

    /// Returns the data set that each row comes from, and its row there.
    fn rows(&self, sets: &[Dataset; 2]) -> Vec<(usize, usize)> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut left = [0..sets[0].rows(), 0..sets[1].rows()];
        let next = |at: usize| {
            let source = usize::from(self.is_second(at, &mut random));
            left[source].next().map(|row| (source, row))
        };
        (0..).map_while(next).collect()
    }

    fn is_second(&self, row: usize, random: &mut ChaCha8Rng) -> bool {
        match self.change {
            Change::Recurring { every } => row / every % 2 == 1,
            Change::Sigmoid { at, width: 0.0 } => row as f64 >= at,
            Change::Sigmoid { at, width } => {
                let share = 1.0 / (1.0 + (-4.0 * (row as f64 - at) / width).exp());
                random.random::<f64>() < share
            }
        }
    }

    /// Returns the rows at which something changes at once: from one data set to the other, or within one of them.
    fn changes(&self, sets: &[Dataset; 2], rows: &[(usize, usize)]) -> Vec<usize> {
        let between = match self.change {
            Change::Recurring { every } => (every..rows.len()).step_by(every).collect(),
            Change::Sigmoid { at, width: 0.0 } => vec![at as usize],
            Change::Sigmoid { .. } => Vec::new(),
        };
        // The first row of a data set is not a change within it.
        let is_change =
            |&(source, row): &(usize, usize)| row > 0 && sets[source].changes.contains(&row);
        let within = (0..rows.len()).filter(|&at| is_change(&rows[at]));
        let mut changes: Vec<usize> = between.into_iter().chain(within).collect();
        changes.retain(|row| (1..rows.len()).contains(row));
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

fn check_shapes(sets: &[Dataset; 2]) -> Result<(), DataError> {
    let shape = |set: &Dataset| {
        let outputs = match &set.target {
            Target::Classes { names, .. } => format!("the classes {}", names.join(", ")),
            Target::Values { .. } => "numbers as targets".to_owned(),
        };
        format!("{} features and {outputs}", set.n_features())
    };
    let [one, other] = [shape(&sets[0]), shape(&sets[1])];
    if one == other {
        Ok(())
    } else {
        Err(DataError::new(format!(
            "the first data set has {one}, but the second has {other}; choose two with the same columns and classes"
        )))
    }
}

/// Returns the targets of these rows; both data sets have the same task and classes.
fn target(sets: &[Dataset; 2], rows: &[(usize, usize)]) -> Target {
    match [&sets[0].target, &sets[1].target] {
        [
            Target::Classes { labels: one, names },
            Target::Classes { labels: other, .. },
        ] => {
            let labels = [one, other];
            Target::Classes {
                labels: rows
                    .iter()
                    .map(|&(source, row)| labels[source][row])
                    .collect(),
                names: names.clone(),
            }
        }
        targets => {
            let numbers = targets.map(|target| match target {
                Target::Values { values, noise_free } => (values.as_slice(), noise_free.as_deref()),
                Target::Classes { .. } => (&[][..], None),
            });
            let of = |lists: [&[f64]; 2]| {
                rows.iter()
                    .map(|&(source, row)| lists[source][row])
                    .collect()
            };
            let truths = numbers[0].1.zip(numbers[1].1);
            Target::Values {
                values: of(numbers.map(|(values, _)| values)),
                noise_free: truths.map(|(one, other)| of([one, other])),
            }
        }
    }
}

#[cfg(test)]
mod tests;
