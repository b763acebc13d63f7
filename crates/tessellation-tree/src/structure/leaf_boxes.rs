//! Boxes of leaves that have many points: an axis-aligned tree that inserts a sample does not look at these.

use std::num::NonZero;

use forest_core::Arena;

use crate::CutDistribution;
use crate::structure::corners::Corners;
use crate::structure::node::{Leaf, LeafId};

/// Fewer points are looked at as fast as their box.
const FEWEST_POINTS: usize = 3;

/// Returns whether the box of a leaf is kept, which takes no more than 8 bytes a point.
pub(crate) fn has_box<D: CutDistribution>(leaf: &Leaf, features: usize) -> bool {
    D::AXIS_ALIGNED && leaf.points as usize >= features.max(FEWEST_POINTS)
}

/// Where a box is, counted from 1.
type Place = NonZero<u32>;

/// Bounding boxes of leaves, each measured when it is first asked for.
///
/// Learning 10⁶ rows of five features with `budget=10`, 15 points a leaf, takes .53 of the time that it takes without.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeafBoxes {
    corners: Corners,
    /// The box of each leaf; behind the end, and `None`, are those that are not measured.
    of: Arena<Option<Place>>,
    /// Boxes that do not belong to a leaf.
    free: Arena<Place>,
    /// Number of boxes.
    boxes: usize,
}

impl LeafBoxes {
    #[inline]
    pub(crate) fn get(&self, leaf: LeafId) -> Option<[&[f32]; 2]> {
        let index = self.index(leaf)?;
        Some(self.corners.get(index))
    }

    #[inline]
    fn index(&self, leaf: LeafId) -> Option<usize> {
        let place = self.of.get(leaf.index()).copied().flatten();
        place.map(|place| place.get() as usize - 1)
    }

    pub(crate) fn measure<'a>(
        &mut self,
        leaf: LeafId,
        points: impl Iterator<Item = &'a [f32]>,
        features: usize,
    ) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.boxes += 1;
            let place = u32::try_from(self.boxes).ok().and_then(Place::new);
            place.expect("boxes are fewer than samples, and those have 32-bit numbers")
        });
        if leaf.index() >= self.of.len() {
            self.of.resize(leaf.index() + 1, None);
        }
        self.of[leaf.index()] = Some(place);
        let index = place.get() as usize - 1;
        self.corners.clear(index, features);
        for x in points {
            self.corners.extend(index, [x; 2]);
        }
    }

    /// A point joins the leaf.
    #[inline]
    pub(crate) fn extend(&mut self, leaf: LeafId, x: &[f32]) {
        if let Some(index) = self.index(leaf) {
            self.corners.extend(index, [x; 2]);
        }
    }

    /// The point `x` leaves the leaf, `others` stay. Unless they reach as far, the box is measured again when it is
    /// asked for next.
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
        let mut features = 0..x.len();
        if !features.all(|i| is_reached(i, lower[i]) && is_reached(i, upper[i])) {
            self.forget(leaf);
        }
    }

    /// The leaf is removed.
    pub(crate) fn forget(&mut self, leaf: LeafId) {
        let place = self.of.get_mut(leaf.index()).and_then(Option::take);
        place.into_iter().for_each(|place| self.free.push(place));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.corners.bytes() + self.of.bytes() + self.free.bytes()
    }
}
