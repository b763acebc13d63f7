//! The witness of a leaf: the point that an insertion draws candidates against.

use forest_core::Points;

use crate::CutDistribution;
use crate::structure::Structure;
use crate::structure::corners::Corners;
use crate::structure::leaf_boxes::has_box;
use crate::structure::node::Subtree;

impl<D: CutDistribution> Structure<D> {
    /// Overwrites `point` with the point of a leaf's box that is nearest to `x`; whether the leaf has one.
    ///
    /// This is a witness, although no sample: an axis-aligned cut has it on the side of `x` just if it has a point of
    /// the leaf there.
    #[inline]
    pub(crate) fn nearest_of_box(
        &mut self,
        leaf: Subtree,
        x: &[f32],
        samples: Points<'_>,
        point: &mut Vec<f32>,
    ) -> bool {
        let Subtree::Leaf(id) = leaf else {
            return false;
        };
        let leaf = &self.leaves[id];
        if !has_box::<D>(leaf, x.len()) {
            return false;
        }
        let boxes = &mut self.cache.boxes;
        if boxes.get(id).is_none() {
            let points = self.links.list(leaf.first).map(|id| samples.features(id));
            boxes.measure(id, points, x.len());
        }
        let corners = boxes.get(id).expect("it was measured");
        Corners::nearest(x, corners, point);
        true
    }
}
