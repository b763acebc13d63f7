//! The partitioning of the stream.

use forest_core::{SettingError, TreeRng};
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
        }
    }
}

impl Streams {
    /// The stream of the next point: one draw, which nothing about the point changes.
    pub(crate) fn draw(self, rng: &mut TreeRng) -> Stream {
        let u = rng.uniform();
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
