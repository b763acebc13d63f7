//! The candidate splits of one leaf: candidate dimensions and the thresholds in each.

use forest_core::InvariantError;
use serde::{Deserialize, Serialize};

use crate::features::{Feature, Features};

/// The candidate splits of a leaf.
///
/// The paper's candidate *points* are projected onto every candidate dimension, so all dimensions
/// have equally many thresholds: one for each candidate point so far. They are kept sorted, since
/// `m` sorted thresholds cut a dimension into `m + 1` bins and what lies left of a threshold is the
/// sum of the bins up to it. Beside each threshold stands its *source*, the candidate point that it comes from: a
/// candidate split counts what arrives after its creation, and they are created one by one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidates {
    pub(crate) features: Features,
    m: u8,
    /// The number of candidate points so far, which is that of the splits of a dimension.
    pub(crate) points: u8,
    /// `m` places for each dimension, the first `points` of them filled.
    thresholds: Box<[f32]>,
    sources: Box<[u8]>,
}

/// A candidate split: a dimension and the rank of a threshold in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub(crate) dimension: usize,
    pub(crate) rank: usize,
}

impl Candidates {
    /// Creates no thresholds yet in the dimensions of these features; there will be `m` in each.
    pub(crate) fn new(features: Features, m: u32) -> Self {
        let places = features.len() * m as usize;
        Self {
            features,
            m: u8::try_from(m).expect("settings allow no more than 255"),
            points: 0,
            thresholds: vec![0.0; places].into(),
            sources: vec![0; places].into(),
        }
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.features.len()
    }

    /// Returns whether all `m` candidate points have arrived.
    pub(crate) fn are_complete(&self) -> bool {
        self.points == self.m
    }

    /// Bins of a dimension once the candidates are complete.
    pub(crate) fn bins(&self) -> usize {
        usize::from(self.m) + 1
    }

    /// Feature and threshold of a split.
    pub(crate) fn split(&self, at: Candidate) -> (Feature, f32) {
        let threshold = self.of(&self.thresholds, at.dimension)[at.rank];
        (self.features.get(at.dimension), threshold)
    }

    /// Returns the source of each threshold of a dimension, by rank.
    #[inline]
    pub(crate) fn sources(&self, dimension: usize) -> &[u8] {
        self.of(&self.sources, dimension)
    }

    #[inline]
    fn of<'a, V>(&self, values: &'a [V], dimension: usize) -> &'a [V] {
        &values[dimension * usize::from(self.m)..][..usize::from(self.points)]
    }

    /// Returns the bin of each dimension that holds the point with these `values`: how many thresholds are below its value.
    /// `O(log m)` each.
    #[inline]
    pub(crate) fn locate(&self, values: &[f32]) -> impl Iterator<Item = u8> {
        values.iter().enumerate().map(|(dimension, &value)| {
            let thresholds = self.of(&self.thresholds, dimension);
            // `<`: a value equal to a threshold lies left of it, as `Nodes::find` sends points.
            thresholds.partition_point(|&threshold| threshold < value) as u8
        })
    }

    /// Takes the point with these `values` as the next candidate point (`CreateCandidateSplit` in every dimension). Fills
    /// `ranks` with the rank of its threshold in each, after those that are equal.
    #[cold]
    pub(crate) fn create(&mut self, values: &[f32], ranks: &mut Vec<u8>) {
        ranks.clear();
        for (dimension, &value) in values.iter().enumerate() {
            let start = dimension * usize::from(self.m);
            let thresholds = &mut self.thresholds[start..=start + usize::from(self.points)];
            let sources = &mut self.sources[start..=start + usize::from(self.points)];
            let mut rank = usize::from(self.points);
            // `>`: behind equal thresholds, so that the sources of equal ones stay in the order of arrival.
            while rank > 0 && thresholds[rank - 1] > value {
                thresholds[rank] = thresholds[rank - 1];
                sources[rank] = sources[rank - 1];
                rank -= 1;
            }
            (thresholds[rank], sources[rank]) = (value, self.points);
            ranks.push(rank as u8);
        }
        self.points += 1;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.features.bytes() + size_of_val(&*self.thresholds) + size_of_val(&*self.sources)
    }

    /// Checks lengths, features and sources: after decoding.
    pub(crate) fn check(&self, width: usize) -> Result<(), InvariantError> {
        let places = self.dimensions().checked_mul(self.m.into());
        let sound = self.points <= self.m
            && self.m > 0
            && self.dimensions() > 0
            && [self.thresholds.len(), self.sources.len()].map(Some) == [places; 2]
            && self.features.fit(width)
            && (0..self.dimensions())
                .flat_map(|dimension| self.sources(dimension))
                .all(|&source| source < self.points);
        let what = "impossible dimensions, lengths or sources";
        InvariantError::require(sound, "candidates", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_sorted_and_remember_their_source() {
        let mut candidates = Candidates::new(Features::Axes([1, 0].into()), 4);
        let (mut values, mut ranks) = (Vec::new(), Vec::new());
        for point in [[1.0, 5.0], [3.0, 2.0], [2.0, 5.0]] {
            candidates.features.read(&point, &mut values);
            candidates.create(&values, &mut ranks);
        }
        assert_eq!(candidates.of(&candidates.thresholds, 0), [2.0, 5.0, 5.0]);
        assert_eq!(
            [0, 1].map(|d| candidates.sources(d)),
            [[1, 0, 2], [0, 2, 1]]
        );
        assert_eq!(ranks, [2, 1]);
        candidates.check(2).unwrap();
        // A value on a threshold lies left of it.
        for (value, bin) in [(1.9, 0), (2.0, 0), (2.1, 1), (5.0, 1), (5.1, 3)] {
            assert_eq!(candidates.locate(&[value]).next(), Some(bin), "{value}");
        }
    }
}
