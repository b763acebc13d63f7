//! The partitioning of the stream.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};

use super::require;

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

/// I_t: what a tree makes of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Structure,
    Estimation,
    Ignored,
}

impl Default for Streams {
    /// ½ each: every point is used.
    fn default() -> Self {
        Self {
            structure: 0.5,
            estimation: 0.5,
            choice: StreamChoice::PerArrival,
        }
    }
}

impl Streams {
    /// The stream of a point with this number, uniform on [0, 1).
    pub(crate) fn at(self, u: f64) -> Stream {
        if u < self.structure {
            Stream::Structure
        } else if u < self.structure + self.estimation {
            Stream::Estimation
        } else {
            Stream::Ignored
        }
    }

    pub(super) fn check(self) -> Result<(), SettingError> {
        let rule = "must be above 0, and no more than 1 together with the other stream";
        // A sum such as 0.7 + 0.3 may be a hair above 1.
        let fits = self.structure + self.estimation <= 1.0 + 1e-9;
        require(
            fits && self.structure > 0.0,
            "structure",
            rule,
            self.structure,
        )?;
        require(
            fits && self.estimation > 0.0,
            "estimation",
            rule,
            self.estimation,
        )
    }
}
