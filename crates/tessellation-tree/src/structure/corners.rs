//! Bounding boxes in flat storage.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

/// Boxes side by side: lower corner, upper corner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Corners {
    numbers: Arena<f32>,
    features: usize,
}

impl Corners {
    #[inline]
    fn at(&self, index: usize) -> std::ops::Range<usize> {
        2 * self.features * index..2 * self.features * (index + 1)
    }

    /// Returns the lower and the upper corner of box `index`.
    #[inline]
    pub fn get(&self, index: usize) -> [&[f32]; 2] {
        let (lower, upper) = self.numbers[self.at(index)].split_at(self.features);
        [lower, upper]
    }

    /// Makes box `index` empty.
    pub fn clear(&mut self, index: usize, features: usize) {
        self.features = features;
        let cells = self.at(index);
        if self.numbers.len() < cells.end {
            self.numbers.resize(cells.end, 0.0);
        }
        let (lower, upper) = self.numbers[cells].split_at_mut(features);
        lower.fill(f32::INFINITY);
        upper.fill(f32::NEG_INFINITY);
    }

    /// Returns whether box `index` had to be extended to contain the box between these corners.
    #[inline]
    pub fn extend(&mut self, index: usize, corners: [&[f32]; 2]) -> bool {
        let (cells, features) = (self.at(index), self.features);
        extend(&mut self.numbers[cells], features, corners)
    }

    /// Extends box `index` to contain box `other`.
    #[inline]
    pub fn extend_by(&mut self, index: usize, other: usize) {
        let (to, from, features) = (self.at(index), self.at(other), self.features);
        let (low, high) = self.numbers.split_at_mut(to.start.max(from.start));
        let (to, from) = if to.start < from.start {
            (&mut low[to], &high[..from.len()])
        } else {
            (&mut high[..to.len()], &low[from])
        };
        let (lower, upper) = from.split_at(features);
        extend(to, features, [lower, upper]);
    }

    /// Boxes of the same points, which have 0 for each feature from `features` on.
    pub fn widen(&mut self, features: usize) {
        if self.numbers.is_empty() {
            return;
        }
        let mut wide = Arena::default();
        for corner in self.numbers.chunks_exact(self.features) {
            wide.extend_from_slice(corner);
            wide.resize(wide.len() + features - self.features, 0.0);
        }
        (self.numbers, self.features) = (wide, features);
    }

    /// Returns whether boxes are of points of `features` numbers.
    pub fn fits(&self, features: usize) -> bool {
        self.numbers.is_empty() || self.features == features
    }

    /// Returns whether there is a box `index`.
    pub fn has(&self, index: usize) -> bool {
        !self.numbers.is_empty() && self.at(index).end <= self.numbers.len()
    }

    /// Returns the bytes of all boxes.
    pub fn bytes(&self) -> usize {
        self.numbers.bytes()
    }

    /// Overwrites `nearest` with the point of the box between these corners that is nearest to `x`.
    #[inline]
    pub fn nearest(x: &[f32], [lower, upper]: [&[f32]; 2], nearest: &mut Vec<f32>) {
        nearest.clear();
        let bounds = lower.iter().zip(upper);
        nearest.extend(
            x.iter()
                .zip(bounds)
                .map(|(&x, (&low, &high))| x.max(low).min(high)),
        );
    }
}

#[inline]
fn extend(to: &mut [f32], features: usize, [low, high]: [&[f32]; 2]) -> bool {
    let (lower, upper) = to.split_at_mut(features);
    let mut outside = false;
    for (bound, &x) in lower.iter_mut().zip(low) {
        outside |= x < *bound;
        *bound = bound.min(x);
    }
    for (bound, &x) in upper.iter_mut().zip(high) {
        outside |= x > *bound;
        *bound = bound.max(x);
    }
    outside
}
