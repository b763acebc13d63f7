//! Whether the samples of a node lie on their sides of its cut.

use forest_core::{Points, SampleId};

use super::reached::Span;
use crate::structure::Structure;
use crate::structure::corners::Corners;
use crate::structure::node::Subtree;
use crate::{CutDistribution, Side};

/// Features of points whose boxes are cheaper to compare than all points, of which a tree asks for a side at every level.
const FEW_FEATURES: usize = 8;

/// Looks at inner nodes, children before parents.
///
/// Where a cut is axis-aligned, all points of a box lie on one side of it if two of its corners do: then the box of a node's samples
/// is found from those of its children, and no sample is looked at twice.
pub(super) struct Sides<'a, D: CutDistribution> {
    tree: &'a Structure<D>,
    store: Points<'a>,
    /// Boxes of inner nodes whose parents are still to come; the latest `open` are in use.
    boxes: Corners,
    open: usize,
}

impl<'a, D: CutDistribution> Sides<'a, D> {
    pub(super) fn new(tree: &'a Structure<D>, store: Points<'a>) -> Self {
        Self {
            tree,
            store,
            boxes: Corners::default(),
            open: 0,
        }
    }

    /// Returns whether the samples of the next node lie on their sides.
    pub(super) fn divide(&mut self, span: &Span, [left, right]: [&[SampleId]; 2]) -> bool {
        if D::AXIS_ALIGNED && self.store.width() <= FEW_FEATURES {
            self.divide_boxes(span, [left, right])
        } else {
            self.all(span, left, Side::Left) && self.all(span, right, Side::Right)
        }
    }

    fn all(&self, span: &Span, ids: &[SampleId], side: Side) -> bool {
        let features = ids.iter().map(|&id| self.store.features(id));
        self.are_on(span, features, side)
    }

    fn are_on<'x>(
        &self,
        span: &Span,
        mut points: impl Iterator<Item = &'x [f32]>,
        side: Side,
    ) -> bool {
        let cut = &self.tree.nodes[span.node].cut;
        points.all(|x| self.tree.cuts.side(cut, x) == side)
    }

    fn divide_boxes(&mut self, span: &Span, [left, right]: [&[SampleId]; 2]) -> bool {
        let is_inner = |child: Subtree| matches!(child, Subtree::Inner(_));
        let inner = self.tree.nodes[span.node]
            .children
            .map(|child| is_inner(child.get()));
        let first = self.open - inner.into_iter().filter(|&inner| inner).count();
        // The boxes of children that are inner nodes come first, left before right; those of leaves are made now.
        let places = match inner {
            [false, true] => [first + 1, first],
            _ => [first, first + 1],
        };
        for ((place, is_inner), ids) in places.into_iter().zip(inner).zip([left, right]) {
            if !is_inner {
                self.surround(place, ids);
            }
        }
        let on = |place: usize, side| self.are_on(span, self.boxes.get(place).into_iter(), side);
        let divided = on(places[0], Side::Left) && on(places[1], Side::Right);
        self.boxes.extend_by(first, first + 1);
        self.open = first + 1;
        divided
    }

    fn surround(&mut self, place: usize, ids: &[SampleId]) {
        self.boxes.clear(place, self.store.width());
        for &id in ids {
            self.boxes.extend(place, [self.store.features(id); 2]);
        }
    }
}
