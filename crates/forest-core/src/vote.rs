//! What one member of a classifying forest votes with.

use serde::{Deserialize, Serialize};

use crate::argmax;

/// What a tree of a classifier votes with; regression trees vote with their means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Vote {
    /// Its class frequencies: the forest averages probabilities.
    #[default]
    Frequencies,
    /// Its most frequent class alone, the smaller if two are: the forest counts votes.
    Majority,
}

impl Vote {
    /// Turns class frequencies into the vote.
    ///
    /// ```
    /// use forest_core::Vote;
    /// let mut accumulator = [0.2, 0.4, 0.4];
    /// Vote::Majority.cast(&mut accumulator);
    /// assert_eq!(accumulator, [0.0, 1.0, 0.0]);
    /// ```
    pub fn cast(self, frequencies: &mut [f64]) {
        if self == Self::Majority && !frequencies.is_empty() {
            let winner = argmax(frequencies);
            frequencies.fill(0.0);
            frequencies[winner] = 1.0;
        }
    }
}
