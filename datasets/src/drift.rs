//! Streams that change from one data set to another: `drift(A; B; at=ROW; width=ROWS)` and `recur(A; B; every=ROWS)`, everywhere or, with
//! `where=FEATURE<VALUE` or `where=FEATURE>=VALUE`, in a part of the feature space.
//!
//! In a gradual change, row t comes from B with probability 1 / (1 + exp(−4 (t − `at`) / `width`)), as in MOA's `ConceptDriftStream`
//! (A. Bifet, G. Holmes, R. Kirkby, B. Pfahringer, JMLR 11, 2010); with `width=0`, all rows from `at` on do. Each of the two keeps the
//! order of its rows, and the stream ends where the next row of one is needed that has none left.
//!
//! A local change (E. Ikonomovska, J. Gama, S. Džeroski, Data Mining and Knowledge Discovery 23, 2011, which calls it local abrupt drift) replaces
//! only rows of A that lie in the region: each by the next row of B that does. So rows are distributed over the regions as in A. Nested addresses
//! make regions of several sides, and regions that grow.

mod address;
mod region;

use ndarray::Axis;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::checks::check;
use crate::{ContentError, Dataset, Target, digest};
use region::Region;

/// An address of a stream that changes, in its parts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drift<'a> {
    /// Addresses of the two data sets.
    pub(crate) parts: [&'a str; 2],
    change: Change,
    /// Where it changes; everywhere if there is none.
    region: Option<Region<'a>>,
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Sigmoid { at: f64, width: f64 },
    Recurring { every: usize },
}

impl<'a> Drift<'a> {
    /// Joins the two data sets under this name.
    pub(crate) fn join(&self, sets: &[Dataset; 2], name: &str) -> Result<Dataset, ContentError> {
        check_shapes(sets)?;
        let rows = self.rows(sets)?;
        let features: Vec<_> = rows
            .iter()
            .map(|&(source, row)| sets[source].features.row(row))
            .collect();
        let features = ndarray::stack(Axis(0), &features).map_err(|_| ContentError::NoFeatures)?;
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
            sha256: digest::sha256(
                format!("{}|{}|{self:?}", sets[0].sha256, sets[1].sha256).as_bytes(),
            ),
            features,
        };
        check(&data)?;
        Ok(data)
    }

    /// Returns the data set that each row comes from, and its row there.
    fn rows(&self, sets: &[Dataset; 2]) -> Result<Vec<(usize, usize)>, ContentError> {
        let is_inside = self.region.map(|region| region.of(sets)).transpose()?;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut left = [0..sets[0].rows(), 0..sets[1].rows()];
        let next = |at: usize| {
            let is_second = self.is_second(at, &mut random);
            let Some(is_inside) = &is_inside else {
                let source = usize::from(is_second);
                return left[source].next().map(|row| (source, row));
            };
            let row = left[0].next()?;
            if is_second && is_inside(0, row) {
                let other = left[1].find(|&row| is_inside(1, row));
                return other.map(|row| (1, row));
            }
            Some((0, row))
        };
        Ok((0..).map_while(next).collect())
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
        let mut last = [usize::MAX; 2];
        let mut is_change = |&(source, row): &(usize, usize)| {
            // Rows that a local change leaves out may have been the first after a change.
            let before = std::mem::replace(&mut last[source], row);
            let changes = &sets[source].changes;
            changes
                .iter()
                .any(|&change| before < change && change <= row)
        };
        let within = (0..rows.len()).filter(|&at| is_change(&rows[at]));
        let mut changes: Vec<usize> = between.into_iter().chain(within).collect();
        changes.retain(|row| (1..rows.len()).contains(row));
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

fn check_shapes(sets: &[Dataset; 2]) -> Result<(), ContentError> {
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
        Err(ContentError::Shapes { one, other })
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
