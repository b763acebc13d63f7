//! The memory that a learner uses.

use serde::{Deserialize, Serialize};

/// What a learner holds in memory.
///
/// Bytes, unused capacity included, depend a little on how the stream was cut into batches; nodes and samples do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footprint {
    /// Tree nodes.
    pub nodes: usize,
    /// Samples kept, each counted once, however many trees refer to it.
    pub stored_samples: usize,
    /// Bytes allocated for nodes, statistics and samples.
    pub bytes: usize,
}

impl Footprint {
    /// Returns the nodes and stored samples.
    pub fn counts(&self) -> (usize, usize) {
        (self.nodes, self.stored_samples)
    }
}

impl std::iter::Sum for Footprint {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        let mut sum = Self::default();
        for part in parts {
            sum.nodes += part.nodes;
            sum.stored_samples += part.stored_samples;
            sum.bytes += part.bytes;
        }
        sum
    }
}
