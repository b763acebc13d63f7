//! Streams made of data sets, by one grammar of addresses: `A+from=ROW`, `A+flip=ROW`,
//! `drift(A; B; at=ROW; width=ROWS)` and `recur(A; B; every=ROWS)`, where A and B may be such addresses themselves.
//!
//! In a gradual change, row t comes from B with probability 1 / (1 + exp(−4 (t − `at`) / `width`)), as in MOA's
//! `ConceptDriftStream` (A. Bifet, G. Holmes, R. Kirkby, B. Pfahringer, JMLR 11, 2010); with `width=0`, all rows from
//! `at` on do. Each of the two keeps the order of its rows, and the stream ends where the next row of one is needed
//! that has none left.

use ndarray::{Axis, s};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::error::{Result, refuse};
use crate::{Dataset, Target, digest};

/// An address of a stream, in its parts. Rows are counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stream<'a> {
    /// The rows before this one are left out.
    From(&'a str, usize),
    /// From this row on, targets mean something else.
    Flip(&'a str, usize),
    /// Rows of one data set, and of another.
    Both {
        parts: [&'a str; 2],
        change: Change,
        seed: u64,
    },
}

/// When rows come from the other data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Change {
    Sigmoid { at: f64, width: f64 },
    Recurring { every: usize },
}

impl<'a> Stream<'a> {
    /// Reads an address; `None` if it is not that of a stream.
    pub(crate) fn read(address: &'a str) -> Result<Option<Self>> {
        let call = address.strip_suffix(')').unwrap_or_default();
        if let Some((name @ ("drift" | "recur"), inside)) = call.split_once('(') {
            let Some(both) = read_both(name, inside) else {
                refuse!(
                    "`{address}` is not a stream that changes; write `drift(A; B; at=ROW; width=ROWS)` \
                     or `recur(A; B; every=ROWS)`, with the addresses of two data sets"
                );
            };
            return Ok(Some(both));
        }
        let (original, text) = address.rsplit_once('+').unwrap_or_default();
        let (key, row) = text.split_once('=').unwrap_or_default();
        let stream = match key.trim() {
            "flip" => Self::Flip,
            "from" => Self::From,
            _ => return Ok(None), // a file may be called so
        };
        match row.trim().parse() {
            Ok(row) => Ok(Some(stream(original.trim(), row))),
            Err(_) => refuse!("`+{text}` states no row; write `+flip=ROW` or `+from=ROW`"),
        }
    }

    /// Returns the addresses of the data sets it is made of.
    pub(crate) fn parts(&self) -> &[&'a str] {
        match self {
            Self::From(part, _) | Self::Flip(part, _) => std::slice::from_ref(part),
            Self::Both { parts, .. } => parts,
        }
    }

    /// Makes the stream of this name of its data sets.
    pub(crate) fn make(&self, mut sets: Vec<Dataset>, name: &str) -> Result<Dataset> {
        let mut data = match *self {
            Self::From(_, row) => altered(sets.remove(0), "from", row, leave_out),
            Self::Flip(_, row) => altered(sets.remove(0), "flip", row, flip),
            Self::Both {
                parts,
                change,
                seed,
            } => {
                // Records have the digest of these words, which do not change.
                let words = format!(
                    "Drift {{ parts: {parts:?}, change: {change:?}, region: None, seed: {seed} }}"
                );
                change.join(&sets, seed, &words)
            }
        }?;
        name.clone_into(&mut data.name);
        data.check()?;
        Ok(data)
    }
}

fn read_both<'a>(name: &str, inside: &'a str) -> Option<Stream<'a>> {
    let words = split(inside);
    let [first, second, settings @ ..] = &words[..] else {
        return None;
    };
    let [mut at, mut width, mut every, mut seed] = [None::<u64>; 4];
    for setting in settings {
        let (key, value) = setting.split_once('=')?;
        let cell = match key.trim() {
            "at" => &mut at,
            "width" => &mut width,
            "every" => &mut every,
            "seed" => &mut seed,
            _ => return None,
        };
        *cell = Some(value.trim().parse().ok()?);
    }
    let change = match (name, at, every) {
        ("drift", Some(at), None) => Change::Sigmoid {
            at: at as f64,
            width: width.unwrap_or(0) as f64,
        },
        ("recur", None, Some(every @ 1..)) if width.is_none() => Change::Recurring {
            every: every as usize,
        },
        _ => return None,
    };
    Some(Stream::Both {
        parts: [*first, *second],
        change,
        seed: seed.unwrap_or(1),
    })
}

/// Splits at semicolons outside of parentheses, since a part may be such an address itself.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0i32;
    let parts = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ';' && depth <= 0
    });
    let parts = parts.map(str::trim);
    parts.filter(|part| !part.is_empty()).collect()
}

/// Changes the rows from `row` on, and with them the identity.
fn altered(
    mut data: Dataset,
    key: &str,
    row: usize,
    alter: fn(&mut Dataset, usize),
) -> Result<Dataset> {
    let rows = data.rows();
    if !(1..rows).contains(&row) {
        let last = rows - 1;
        refuse!("`+{key}={row}`: there are {rows} rows; choose one from 1 to {last}");
    }
    alter(&mut data, row);
    data.sha256 = digest::sha256(format!("{}+{key}={row}", data.sha256).as_bytes());
    Ok(data)
}

fn flip(data: &mut Dataset, from: usize) {
    match &mut data.target {
        Target::Classes { labels, names } => {
            let classes = names.len() as u32;
            for label in &mut labels[from..] {
                *label = (*label + 1) % classes;
            }
        }
        Target::Values { values, noise_free } => {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            for values in [Some(values), noise_free.as_mut()].into_iter().flatten() {
                values[from..].iter_mut().for_each(|y| *y = 2.0 * mean - *y);
            }
        }
    }
    if let Err(place) = data.changes.binary_search(&from) {
        data.changes.insert(place, from);
    }
}

/// Removes rows. A change at the first remaining row is kept: a learner that starts there sees the concept that others
/// change to.
fn leave_out(data: &mut Dataset, rows: usize) {
    data.features = data.features.slice(s![rows.., ..]).to_owned();
    match &mut data.target {
        Target::Classes { labels, .. } => drop(labels.drain(..rows)),
        Target::Values { values, noise_free } => {
            values.drain(..rows);
            if let Some(truths) = noise_free {
                truths.drain(..rows);
            }
        }
    }
    let split = data.split.and_then(|split| split.checked_sub(rows));
    data.split = split.filter(|split| *split > 0);
    data.changes.retain(|change| *change >= rows);
    data.changes.iter_mut().for_each(|change| *change -= rows);
}

impl Change {
    fn join(self, sets: &[Dataset], seed: u64, words: &str) -> Result<Dataset> {
        let [one, other] = [shape(&sets[0]), shape(&sets[1])];
        if one != other {
            refuse!("the first data set has {one}, but the second has {other}; they must agree");
        }
        let rows = self.rows(sets, seed);
        if rows.iter().all(|&(source, _)| source == 0) {
            let rows = rows.len();
            refuse!("the change never comes, since the first data set ends after {rows} rows");
        }
        let row = |&(source, row): &(usize, usize)| sets[source].features.row(row);
        let features: Vec<_> = rows.iter().map(row).collect();
        let Ok(features) = ndarray::stack(Axis(0), &features) else {
            refuse!("no row is left of one of the two data sets");
        };
        let identity = format!("{}|{}|{words}", sets[0].sha256, sets[1].sha256);
        let names = sets[0].feature_names.clone();
        let mut data = Dataset::new("", features, names, target(sets, &rows));
        data.target_name.clone_from(&sets[0].target_name);
        data.changes = self.changes(sets, &rows);
        let best = sets[0].best_accuracy;
        data.best_accuracy = best.filter(|_| best == sets[1].best_accuracy);
        data.sha256 = digest::sha256(identity.as_bytes());
        Ok(data)
    }

    /// Returns the data set that each row comes from, and its row there.
    fn rows(self, sets: &[Dataset], seed: u64) -> Vec<(usize, usize)> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut left = [0..sets[0].rows(), 0..sets[1].rows()];
        let next = |at: usize| {
            let source = usize::from(self.is_second(at, &mut random));
            left[source].next().map(|row| (source, row))
        };
        (0..).map_while(next).collect()
    }

    fn is_second(self, row: usize, random: &mut ChaCha8Rng) -> bool {
        match self {
            Self::Recurring { every } => row / every % 2 == 1,
            Self::Sigmoid { at, width: 0.0 } => row as f64 >= at,
            Self::Sigmoid { at, width } => {
                let share = 1.0 / (1.0 + (-4.0 * (row as f64 - at) / width).exp());
                random.random::<f64>() < share
            }
        }
    }

    /// Returns the rows at which something changes at once: from one data set to the other, or within one of them.
    fn changes(self, sets: &[Dataset], rows: &[(usize, usize)]) -> Vec<usize> {
        let is_gradual = matches!(self, Self::Sigmoid { width, .. } if width > 0.0);
        let mut changes = Vec::new();
        for (at, &(source, row)) in rows.iter().enumerate().skip(1) {
            let is_other = source != rows[at - 1].0;
            // The first row of a data set is not a change within it.
            let is_within = row > 0 && sets[source].changes.contains(&row);
            if is_within || is_other && !is_gradual {
                changes.push(at);
            }
        }
        changes
    }
}

/// Says what two data sets have to have in common.
fn shape(set: &Dataset) -> String {
    let targets = match &set.target {
        Target::Classes { names, .. } => format!("the classes {}", names.join(", ")),
        Target::Values { .. } => "numbers as targets".to_owned(),
    };
    format!("{} features and {targets}", set.n_features())
}

/// Returns the targets of these rows; both data sets have the same task and classes.
fn target(sets: &[Dataset], rows: &[(usize, usize)]) -> Target {
    match (&sets[0].target, &sets[1].target) {
        (Target::Classes { labels, names }, Target::Classes { labels: others, .. }) => {
            Target::Classes {
                labels: picked([labels, others], rows),
                names: names.clone(),
            }
        }
        (
            Target::Values { values, noise_free },
            Target::Values {
                values: others,
                noise_free: true_others,
            },
        ) => {
            let truths = noise_free.as_ref().zip(true_others.as_ref());
            Target::Values {
                values: picked([values, others], rows),
                noise_free: truths.map(|(one, other)| picked([one, other], rows)),
            }
        }
        // Refused before.
        (target, _) => target.clone(),
    }
}

/// Returns the targets of these rows, each of one of two data sets.
fn picked<V: Copy>(targets: [&Vec<V>; 2], rows: &[(usize, usize)]) -> Vec<V> {
    let row = |&(source, row): &(usize, usize)| targets[source][row];
    rows.iter().map(row).collect()
}

#[cfg(test)]
mod tests;
