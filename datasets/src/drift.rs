//! Streams that change from one data set to another: `drift(A; B; at=ROW; width=ROWS)` and `recur(A; B; every=ROWS)`.
//!
//! In a gradual change, row t comes from B with probability 1 / (1 + exp(−4 (t − `at`) / `width`)), as in MOA's `ConceptDriftStream`
//! (A. Bifet, G. Holmes, R. Kirkby, B. Pfahringer, JMLR 11, 2010); with `width=0`, all rows from `at` on do. Each of the two keeps the
//! order of its rows, and the stream ends where the next row of one is needed that has none left.

use ndarray::Axis;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::checks::check;
use crate::{AddressError, ContentError, Dataset, Target, digest};

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
    /// Reads an address; `None` if it is not one of these.
    pub(crate) fn read(address: &'a str) -> Option<Result<Self, AddressError>> {
        let (name, inside) = address.split_once('(')?;
        let inside = inside.strip_suffix(')')?;
        matches!(name, "drift" | "recur").then(|| {
            let wrong = || AddressError::Drift(address.to_owned());
            Self::of(name, inside).ok_or_else(wrong)
        })
    }

    fn of(name: &str, inside: &'a str) -> Option<Self> {
        let words = split(inside);
        let [first, second, settings @ ..] = &words[..] else {
            return None;
        };
        let mut values = Settings::default();
        for setting in settings {
            let (key, value) = setting.split_once('=')?;
            *values.cell(key.trim())? = Some(value.trim().parse().ok()?);
        }
        let change = match (name, values) {
            (
                "drift",
                Settings {
                    at: Some(at),
                    width,
                    every: None,
                    ..
                },
            ) => Change::Sigmoid {
                at: at as f64,
                width: width.unwrap_or(0) as f64,
            },
            (
                "recur",
                Settings {
                    at: None,
                    width: None,
                    every: Some(every),
                    ..
                },
            ) if every > 0 => Change::Recurring {
                every: every as usize,
            },
            _ => return None,
        };
        Some(Self {
            parts: [first, second],
            change,
            seed: values.seed.unwrap_or(1),
        })
    }

    /// Joins the two data sets under this name.
    pub(crate) fn join(&self, sets: &[Dataset; 2], name: &str) -> Result<Dataset, ContentError> {
        check_shapes(sets)?;
        let sources = self.sources([sets[0].rows(), sets[1].rows()]);
        let mut next = [0; 2];
        let rows = sources.iter().map(|&source| {
            next[source] += 1;
            (source, next[source] - 1)
        });
        let rows: Vec<(usize, usize)> = rows.collect();
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

    /// Returns which data set each row comes from.
    fn sources(&self, available: [usize; 2]) -> Vec<usize> {
        let (mut random, mut left) = (ChaCha8Rng::seed_from_u64(self.seed), available);
        let mut sources = Vec::new();
        loop {
            let source = usize::from(self.is_second(sources.len(), &mut random));
            if left[source] == 0 {
                return sources;
            }
            left[source] -= 1;
            sources.push(source);
        }
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
        let is_change =
            |(source, row): &(usize, usize)| *row > 0 && sets[*source].changes.contains(row);
        let within = rows.iter().enumerate().filter(|(_, row)| is_change(row));
        let within = within.map(|(at, _)| at);
        let mut changes: Vec<usize> = between.into_iter().chain(within).collect();
        changes.retain(|row| (1..rows.len()).contains(row));
        changes.sort_unstable();
        changes.dedup();
        changes
    }
}

#[derive(Clone, Copy, Default)]
struct Settings {
    at: Option<u64>,
    width: Option<u64>,
    every: Option<u64>,
    seed: Option<u64>,
}

impl Settings {
    fn cell(&mut self, key: &str) -> Option<&mut Option<u64>> {
        match key {
            "at" => Some(&mut self.at),
            "width" => Some(&mut self.width),
            "every" => Some(&mut self.every),
            "seed" => Some(&mut self.seed),
            _ => None,
        }
    }
}

/// Splits at semicolons outside of parentheses, since a part may be such an address itself.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let is_end = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ';' && depth == 0
    };
    text.split(is_end)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
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
mod tests {
    use forest_testing::statistics::same_probability;

    use super::*;
    use crate::{OpenOptions, open};

    fn opened(address: &str) -> Dataset {
        open(address, &OpenOptions::default()).unwrap()
    }

    /// Rows of `sine` and of `sine` turned: the curve shows which of the two a row comes from.
    const BOTH: &str = "sine:n=20000,every=30000; sine:n=20000,every=30000,seed=2+flip=1+from=1";

    fn is_of_second(data: &Dataset) -> Vec<bool> {
        let Target::Classes { labels, .. } = &data.target else {
            panic!("classes")
        };
        let rows = data.features.rows().into_iter().zip(labels);
        rows.map(|(row, label)| (f64::from(row[1]) < f64::from(row[0]).sin()) != (*label == 1))
            .collect()
    }

    #[test]
    fn a_gradual_change_follows_the_sigmoid() {
        let data = opened(&format!("drift({BOTH}; at=10000; width=4000)"));
        assert!(data.changes.is_empty() && data.best_accuracy == Some(1.0));
        let second = is_of_second(&data);
        for (from, to) in [
            (0, 4000),
            (8000, 9000),
            (9500, 10_500),
            (11_000, 12_000),
            (16_000, 20_000),
        ] {
            let share = |row: usize| 1.0 / (1.0 + (-4.0 * (row as f64 - 10_000.0) / 4000.0).exp());
            let expected = (from..to).map(share).sum::<f64>() / (to - from) as f64;
            let found = second[from..to].iter().filter(|second| **second).count();
            assert!(
                same_probability(found, to - from, expected) > 1e-4,
                "{from}: {found} {expected}"
            );
        }
    }

    #[test]
    fn without_width_everything_changes_at_once_and_rows_keep_their_order() {
        let data = opened(&format!("drift({BOTH}; at=50)"));
        let (one, other) = (
            opened("sine:n=20000,every=30000"),
            opened("sine:n=20000,every=30000,seed=2+flip=1+from=1"),
        );
        assert_eq!((data.changes.clone(), data.rows()), (vec![50], 50 + 19_999));
        assert_eq!(data.features.row(49), one.features.row(49));
        assert_eq!(data.features.row(50), other.features.row(0));
        assert_eq!(data.features.row(60), other.features.row(10));
    }

    #[test]
    fn concepts_recur_and_addresses_are_nested() {
        let data = opened(&format!("recur({BOTH}; every=100)+from=100"));
        let second = is_of_second(&data);
        assert!((0..1000).all(|row| second[row] == (row / 100 % 2 == 0)));
        let nested = opened(
            "drift(drift(sea:n=100; agrawal:n=9; at=5) ; sea:n=80; at=40; width=10)"
                .replace("agrawal:n=9", "sea:n=90,seed=9")
                .as_str(),
        );
        assert!(nested.rows() > 80);
        let numbers =
            opened("drift(friedman:n=100,test=0; friedman:n=100,seed=2,test=0; at=50; width=20)");
        assert!(matches!(
            numbers.target,
            Target::Values {
                noise_free: Some(_),
                ..
            }
        ));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (address, says) in [
            ("drift(sea; led; at=5)", "3 features and the classes 0, 1"),
            (
                "drift(sea; friedman:d=5; at=5)",
                "5 features and numbers as targets",
            ),
            ("drift(sea; sea)", "write `drift(A; B; at=ROW; width=ROWS)`"),
            (
                "recur(sea; sea; every=0)",
                "write `drift(A; B; at=ROW; width=ROWS)`",
            ),
            (
                "drift(sea; sea; at=x)",
                "write `drift(A; B; at=ROW; width=ROWS)`",
            ),
            ("drift(see; sea; at=5)", "did you mean `sea`"),
        ] {
            let error = open(address, &OpenOptions::default())
                .unwrap_err()
                .to_string();
            assert!(error.contains(says), "{address}: {error}");
        }
    }
}
