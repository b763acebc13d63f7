//! The partitioning of the stream: what each point is used for.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::StreamSettings;
use crate::features::Axes;

/// The probabilities with which a tree gives a point to each of its streams; what is left of 1 is
/// the probability that the tree ignores the point (the paper's third stream; 0 by default).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Streams {
    /// Of shaping the partition.
    pub structure: f64,
    /// Of voting in a leaf.
    pub estimation: f64,
    /// Whether a row has one stream for good.
    pub choice: StreamChoice,
}

/// What the stream of a point is drawn for. It never depends on labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamChoice {
    /// For each arrival, as in the paper. A row that comes again, in a second pass or as a duplicate,
    /// is drawn again: so a label that has shaped the partition may vote in it later. The streams are
    /// independent only as long as no row comes twice.
    #[default]
    PerArrival,
    /// For each row, once per tree: a hash of the features, keyed by the tree, takes the place of the
    /// draw. Rows with equal features share their stream in one tree, whatever their labels, and in
    /// every pass. So the streams are independent in any number of passes: a label shapes or votes.
    ///
    /// In return a tree never learns the partition from the rows that vote in it, and a row that comes
    /// again counts again: after several passes α(d) points are fewer rows.
    PerRow,
}

/// I_t: what a point is used for in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointRole {
    Structure,
    Estimation,
    Ignored,
}

impl Default for Streams {
    /// Those of a forest by default.
    fn default() -> Self {
        StreamSettings::<Axes>::default().streams
    }
}

impl Streams {
    /// Returns the role of a point, from a number that is uniform on [0, 1).
    pub(crate) fn role(self, u: f64) -> PointRole {
        if u < self.structure {
            PointRole::Structure
        } else if u < self.structure + self.estimation {
            PointRole::Estimation
        } else {
            PointRole::Ignored
        }
    }

    pub(super) fn check(self) -> Result<(), SettingError> {
        // A sum such as 0.7 + 0.3 may be a hair above 1.
        let fits = self.structure + self.estimation <= 1.0 + 1e-9;
        let rule = "must be no more than 1 together with estimation";
        SettingError::require(fits, "structure", rule, self.structure)
    }
}

/// Returns a number of [0, 1) that depends on `row` and `key` alone: one draw for each pair of these. Rows are
/// equal if their values are; 0 and −0 are.
pub(crate) fn row_uniform(row: &[f32], key: u64, bytes: &mut Vec<u8>) -> f64 {
    bytes.resize(size_of_val(row), 0);
    for (bytes, value) in bytes.chunks_exact_mut(4).zip(row) {
        // −0 + 0 is 0.
        bytes.copy_from_slice(&(value + 0.0).to_le_bytes());
    }
    // The upper 53 bits, as many as an `f64` holds: a uniform number of [0, 1).
    (XxHash3_64::oneshot_with_seed(key, bytes) >> 11) as f64 * (0.5f64).powi(53)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit;

    /// Joint distribution of the numbers of neighbouring rows, and of one row under neighbouring keys: counts in
    /// a 4 × 4 table, all equal.
    #[test]
    fn numbers_of_rows_are_uniform_and_independent() {
        let number = |x: usize, key: usize| {
            let row = [(x / 100) as f32, (x % 100) as f32, 0.5];
            (4.0 * row_uniform(&row, key as u64, &mut Vec::new())) as usize
        };
        let (mut rows, mut keys) = ([0; 16], [0; 16]);
        for x in 0..50_000 {
            rows[4 * number(x, 5) + number(x + 1, 5)] += 1;
            keys[4 * number(x % 500, x / 500) + number(x % 500, x / 500 + 1)] += 1;
        }
        for table in [rows, keys] {
            assert!(!fit::is_rejected(&table, |_| 1.0 / 16.0), "{table:?}");
        }
    }

    #[test]
    fn each_stream_has_the_numbers_up_to_its_share_and_without_the_end() {
        let streams = Streams {
            structure: 0.25,
            estimation: 0.5,
            ..Streams::default()
        };
        let roles = [0.0, 0.24, 0.25, 0.74, 0.75].map(|u| streams.role(u));
        use PointRole::{Estimation, Ignored, Structure};
        assert_eq!(
            roles,
            [Structure, Structure, Estimation, Estimation, Ignored]
        );
    }

    #[test]
    fn numbers_of_rows_are_pinned() {
        let number = |row: &[f32]| row_uniform(row, 7, &mut Vec::new());
        assert_eq!(number(&[0.5, -3.0]), 0.1865197808125425);
        assert_eq!(number(&[0.0]), number(&[-0.0]));
    }
}
