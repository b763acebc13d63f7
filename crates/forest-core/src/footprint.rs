//! What a learner takes of memory.

use serde::{Deserialize, Serialize};

/// What a learner holds in memory.
///
/// Bytes are those allocated, unused capacity included: what the learner takes from the machine.
/// They depend a little on how the stream was cut into batches; nodes and samples do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footprint {
    /// Tree nodes.
    pub nodes: usize,
    /// Samples kept, each counted once however many trees name it.
    pub stored_samples: usize,
    /// Bytes allocated for nodes, statistics and samples.
    pub bytes: usize,
}

impl Footprint {
    /// Returns the nodes and stored samples: what does not depend on how the stream was cut into batches.
    pub fn counts(&self) -> (usize, usize) {
        (self.nodes, self.stored_samples)
    }
}

impl std::ops::Add for Footprint {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            stored_samples: self.stored_samples + other.stored_samples,
            bytes: self.bytes + other.bytes,
        }
    }
}

impl std::iter::Sum for Footprint {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |a, b| a + b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_add_up() {
        let part = |nodes, stored_samples, bytes| Footprint {
            nodes,
            stored_samples,
            bytes,
        };
        let sum: Footprint = [part(1, 3, 10), part(4, 5, 70)].into_iter().sum();
        assert_eq!(sum, part(5, 8, 80));
        assert_eq!(sum.counts(), (5, 8));
    }
}
