//! The witness of a leaf: the point that an insertion draws candidates against.

use forest_core::{SampleId, SampleStore, Task};

use crate::corners::nearest;
use crate::leaf_boxes::has_box;
use crate::node::Subtree;
use crate::search::Structure;
use crate::{CutDistribution, LabelModel, TessellationTree};

impl<D: CutDistribution> Structure<'_, D> {
    /// A point of a leaf.
    pub(crate) fn witness(&self, leaf: Subtree) -> SampleId {
        match leaf {
            Subtree::Sample(id) => id,
            Subtree::Leaf(leaf) => self.leaves[leaf].center,
            Subtree::Inner(_) => unreachable!("a path ends in a leaf"),
        }
    }
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Overwrites `point` with the point of a leaf's box that is nearest to `x`; whether the leaf has one.
    ///
    /// This is a witness, although no sample: an axis-aligned cut has it on the side of `x` just if it has a point of
    /// the leaf there.
    #[inline]
    pub(crate) fn nearest_of_box<T: Task>(
        &mut self,
        leaf: Subtree,
        x: &[f32],
        samples: &SampleStore<T>,
        point: &mut Vec<f32>,
    ) -> bool {
        let Subtree::Leaf(id) = leaf else {
            return false;
        };
        let leaf = &self.leaves[id];
        if !has_box::<D>(leaf, x.len()) {
            return false;
        }
        let boxes = &mut self.scratch.boxes;
        if boxes.get(id).is_none() {
            let points = self.links.list(leaf.first).map(|id| samples.features(id));
            boxes.measure(id, points, x.len());
        }
        let corners = boxes.get(id).expect("it was measured");
        nearest(x, corners, point);
        true
    }
}
