//! The partitioning of the stream: what each point is used for.

use forest_core::SettingError;
use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stream_has_the_numbers_up_to_its_share_and_without_the_end() {
        let streams = Streams {
            structure: 0.25,
            estimation: 0.5,
        };
        let roles = [0.0, 0.24, 0.25, 0.74, 0.75].map(|u| streams.role(u));
        use PointRole::{Estimation, Ignored, Structure};
        assert_eq!(
            roles,
            [Structure, Structure, Estimation, Estimation, Ignored]
        );
    }
}
