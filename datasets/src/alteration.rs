//! Alterations of any data set at the end of its address: `+flip=ROW`, `+from=ROW`.

use ndarray::s;

use crate::checks::check;
use crate::{DataError, Dataset, Target, digest};

/// A change of a data set at a row, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alteration {
    /// From this row on, targets mean something else.
    Flip(usize),
    /// Rows before this one are left out.
    From(usize),
}

impl Alteration {
    /// Splits an address into the part before its last alteration, and the alteration; `None` without one.
    pub(crate) fn split(address: &str) -> Result<Option<(&str, Self)>, DataError> {
        let Some((original, text)) = address.rsplit_once('+') else {
            return Ok(None);
        };
        let Some((key, row)) = text.split_once('=') else {
            return Ok(None);
        };
        let alteration = match key.trim() {
            "flip" => Self::Flip,
            "from" => Self::From,
            _ => return Ok(None), // a file may be called so
        };
        let wrong = |_| {
            DataError::new(format!(
                "`+{text}` is not an alteration; write `+flip=ROW` or `+from=ROW`, with the number of a row"
            ))
        };
        let row = row.trim().parse().map_err(wrong)?;
        Ok(Some((original.trim_end(), alteration(row))))
    }

    fn key(self) -> &'static str {
        match self {
            Self::Flip(_) => "flip",
            Self::From(_) => "from",
        }
    }

    fn row(self) -> usize {
        let (Self::Flip(row) | Self::From(row)) = self;
        row
    }

    /// Returns the altered data under this name.
    pub(crate) fn apply(self, mut data: Dataset, name: &str) -> Result<Dataset, DataError> {
        let (key, row, rows) = (self.key(), self.row(), data.rows());
        if !(1..rows).contains(&row) {
            return Err(DataError::new(format!(
                "`+{key}={row}` is out of range: there are {rows} rows; choose one from 1 to {}",
                rows - 1
            )));
        }
        match self {
            Self::Flip(row) => flip(&mut data, row),
            Self::From(row) => leave_out(&mut data, row),
        }
        name.clone_into(&mut data.name);
        data.sha256 = digest::sha256(format!("{}+{key}={row}", data.sha256).as_bytes());
        check(&data)?;
        Ok(data)
    }
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
            mirror(&mut values[from..], mean);
            if let Some(truths) = noise_free {
                mirror(&mut truths[from..], mean);
            }
        }
    }
    if let Err(place) = data.changes.binary_search(&from) {
        data.changes.insert(place, from);
    }
}

fn mirror(values: &mut [f64], at: f64) {
    for value in values {
        *value = 2.0 * at - *value;
    }
}

/// A change at the first remaining row is kept: a learner that starts there sees the concept that others change to.
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
    data.split = data.split.and_then(|split| split.checked_sub(rows));
    data.split = data.split.filter(|split| *split > 0);
    let changes = data.changes.iter();
    data.changes = changes
        .filter_map(|change| change.checked_sub(rows))
        .collect();
}

#[cfg(test)]
mod tests {
    use ndarray::s;

    use super::*;
    use crate::{OpenOptions, open};

    fn opened(address: &str) -> Dataset {
        open(address, &OpenOptions::default()).unwrap()
    }

    fn labels(data: &Dataset) -> &[u32] {
        match &data.target {
            Target::Classes { labels, .. } => labels,
            Target::Values { .. } => panic!("classes"),
        }
    }

    #[test]
    fn a_flip_makes_every_later_class_the_next() {
        let (plain, flipped) = (opened("hypercube:n=90"), opened("hypercube:n=90+flip=40"));
        assert_eq!(flipped.features, plain.features);
        assert_eq!(labels(&flipped)[..40], labels(&plain)[..40]);
        let next: Vec<u32> = labels(&plain)
            .iter()
            .map(|label| (label + 1) % 10)
            .collect();
        assert_eq!(labels(&flipped)[40..], next[40..]);
        assert_eq!((&flipped.changes, flipped.split), (&vec![40], Some(90)));
        assert_eq!(flipped.name, "hypercube:n=90+flip=40");
        assert_ne!(flipped.sha256, plain.sha256);
    }

    #[test]
    fn a_flip_mirrors_numbers_at_their_mean() {
        let address = "friedman:n=50,test=0";
        let (plain, flipped) = (opened(address), opened(&format!("{address}+flip=20")));
        let both = |data: &Dataset| match &data.target {
            Target::Values { values, noise_free } => (values.clone(), noise_free.clone().unwrap()),
            Target::Classes { .. } => panic!("numbers"),
        };
        let ((before, _), (after, truths)) = (both(&plain), both(&flipped));
        let mean = before.iter().sum::<f64>() / 50.0;
        for row in 0..50 {
            let expected = if row < 20 {
                before[row]
            } else {
                2.0 * mean - before[row]
            };
            assert_eq!(after[row], expected);
        }
        let noise = |row: usize| (after[row] - truths[row]).abs();
        assert!(
            (0..50).map(noise).fold(0.0, f64::max) < 5.0,
            "the truth is mirrored, too"
        );
    }

    #[test]
    fn a_stream_can_begin_at_a_change() {
        let all = opened("sea:n=60,every=20+flip=30");
        assert_eq!(all.changes, [20, 30, 40]);
        let part = opened("sea:n=60,every=20+flip=30+from=30");
        assert_eq!(part.features, all.features.slice(s![30.., ..]));
        assert_eq!(labels(&part), &labels(&all)[30..]);
        assert_eq!(part.changes, [0, 10]);
        assert_eq!(part.best_accuracy, Some(0.9));
        let split = |from: usize| opened(&format!("hypercube:n=9,test=9+from={from}")).split;
        assert_eq!([split(4), split(9), split(12)], [Some(5), None, None]);
    }

    #[test]
    fn alterations_that_mean_nothing_are_refused() {
        let error = |address: &str| open(address, &OpenOptions::default()).unwrap_err();
        for (address, says) in [
            ("sea:n=9+flip=x", "write `+flip=ROW`"),
            ("sea:n=9+flip=-1", "write `+flip=ROW`"),
            ("sea:n=9+flip=0", "choose one from 1 to 8"),
            ("sea:n=9+from=9", "there are 9 rows"),
            ("sea:n=9+from=8", "1 row(s), but at least 2"),
            ("sea:n=9+flop=3", "`9+flop=3`"),
            ("nothing+flip=3", "unknown data set `nothing`"),
        ] {
            let said = error(address).to_string();
            assert!(said.contains(says), "{address}: {said}");
        }
        let file = error("a+b.csv").to_string();
        assert!(file.starts_with("`a+b.csv` does not exist"), "{file}");
    }
}
