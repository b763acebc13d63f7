//! Bounding boxes in flat storage.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use crate::LeafId;

/// Boxes side by side: lower corner, upper corner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Corners {
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
    pub(crate) fn get(&self, index: usize) -> [&[f32]; 2] {
        let (lower, upper) = self.numbers[self.at(index)].split_at(self.features);
        [lower, upper]
    }

    /// Makes box `index` empty.
    pub(crate) fn clear(&mut self, index: usize, features: usize) {
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
    pub(crate) fn extend(&mut self, index: usize, corners: [&[f32]; 2]) -> bool {
        let cells = self.at(index);
        extend(&mut self.numbers[cells], self.features, corners)
    }

    /// Returns whether box `index` had to be extended to contain box `other`.
    #[inline]
    pub(crate) fn extend_by(&mut self, index: usize, other: usize) -> bool {
        let cells = [self.at(index), self.at(other)];
        let boxes = self.numbers.get_disjoint_mut(cells);
        let [to, from] = boxes.expect("two boxes");
        let (lower, upper) = from.split_at(self.features);
        extend(to, self.features, [lower, upper])
    }

    /// Extends the boxes to points of `features` numbers, which have 0 for each new one.
    pub(crate) fn widen(&mut self, features: usize) {
        if self.numbers.is_empty() {
            return;
        }
        let mut wide = Arena::default();
        for corner in self.numbers.chunks_exact(self.features) {
            wide.extend_from_slice(corner);
            wide.resize(wide.len() + features - self.features, 0.0);
        }
        self.numbers = wide;
        self.features = features;
    }

    /// Returns the number of boxes; none if they are not of points of `features` numbers.
    pub(crate) fn boxes(&self, features: usize) -> usize {
        if self.features != features {
            return 0;
        }
        self.numbers.len() / (2 * features.max(1))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes()
    }

    /// Overwrites `nearest` with the point of the box between these corners that is nearest to `x`.
    #[inline]
    pub(crate) fn nearest(x: &[f32], [lower, upper]: [&[f32]; 2], nearest: &mut Vec<f32>) {
        nearest.clear();
        let sides = x.iter().zip(lower).zip(upper);
        nearest.extend(sides.map(|((&x, &low), &high)| x.max(low).min(high)));
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

/// Marks a leaf without a box.
const NONE: u32 = u32::MAX;

/// Boxes of leaves, each measured when first asked for: with 15 points a leaf, 10⁶ rows are learned in .53 of the time.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeafBoxes {
    corners: Corners,
    /// The box of each leaf; a leaf behind the end, or with `NONE`, is not measured.
    of: Arena<u32>,
    /// Boxes that do not belong to a leaf.
    free: Arena<u32>,
    boxes: u32,
}

impl LeafBoxes {
    #[inline]
    pub(crate) fn get(&self, leaf: LeafId) -> Option<[&[f32]; 2]> {
        self.index(leaf).map(|index| self.corners.get(index))
    }

    #[inline]
    fn index(&self, leaf: LeafId) -> Option<usize> {
        let place = self.of.get(leaf.index()).filter(|&&place| place != NONE);
        place.map(|&place| place as usize)
    }

    /// Measures the box of a leaf of these points.
    pub(crate) fn measure<'a>(
        &mut self,
        leaf: LeafId,
        points: impl Iterator<Item = &'a [f32]>,
        features: usize,
    ) {
        let place = self.free.pop().unwrap_or_else(|| {
            // Boxes are fewer than samples, and those have 31-bit numbers.
            self.boxes += 1;
            self.boxes - 1
        });
        if leaf.index() >= self.of.len() {
            self.of.resize(leaf.index() + 1, NONE);
        }
        self.of[leaf.index()] = place;
        self.corners.clear(place as usize, features);
        for x in points {
            self.corners.extend(place as usize, [x; 2]);
        }
    }

    /// Extends the box of a leaf that the point `x` joins.
    #[inline]
    pub(crate) fn extend(&mut self, leaf: LeafId, x: &[f32]) {
        if let Some(index) = self.index(leaf) {
            self.corners.extend(index, [x; 2]);
        }
    }

    /// Updates the box of a leaf that the point `x` leaves. Unless `others` reach as far, it has to be measured again.
    pub(crate) fn leave<'a>(
        &mut self,
        leaf: LeafId,
        x: &[f32],
        others: impl Iterator<Item = &'a [f32]> + Clone,
    ) {
        let Some([lower, upper]) = self.get(leaf) else {
            return;
        };
        let is_reached = |feature: usize, bound: f32| {
            x[feature] != bound || others.clone().any(|other| other[feature] == bound)
        };
        if !(0..x.len()).all(|i| is_reached(i, lower[i]) && is_reached(i, upper[i])) {
            self.forget(leaf);
        }
    }

    /// Drops the box of a leaf.
    pub(crate) fn forget(&mut self, leaf: LeafId) {
        if let Some(index) = self.index(leaf) {
            self.of[leaf.index()] = NONE;
            self.free.push(index as u32);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.corners.bytes() + self.of.bytes() + self.free.bytes()
    }
}
