//! Working memory of a tree, kept from one sample to the next so that none is allocated.

use std::ops::Range;

use forest_core::SampleId;
use registry::WorkCounts;

use crate::Side;
use crate::leaf_boxes::LeafBoxes;
use crate::node::{NodeId, Parent, Subtree, Turn};
use crate::routes::Routes;

/// Working memory, and counts of the work done. It is no part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The inner nodes that the sample at hand passes.
    pub(crate) path: Vec<Turn>,
    /// Those that the next samples pass.
    pub(crate) ahead: Routes,
    /// Boxes of leaves: what the tree could measure again.
    pub(crate) boxes: LeafBoxes,
    /// The point of such a box that is nearest to the sample at hand.
    pub(crate) nearest: Vec<f32>,
    /// Sides of nodes that a search has still to look into.
    pub(crate) search: Vec<(NodeId, Side)>,
    /// Subtrees that a walk over all nodes has still to visit.
    pub(crate) subtrees: Vec<Subtree>,
    /// Nodes that have still to be made, of the samples in `ids`.
    pub(crate) parts: Vec<Part>,
    /// Nodes that were made of them, those above before those below.
    pub(crate) made: Vec<Made>,
    pub(crate) ids: Vec<SampleId>,
    /// Corners of a leaf's bounding box.
    pub(crate) lower: Vec<f32>,
    pub(crate) upper: Vec<f32>,
    /// Rate of the candidates that hit a cube of side 1.
    pub(crate) unit_rate: Option<f64>,
    pub(crate) counts: WorkCounts,
}

/// Points of a node to be, born at `birth`: a stretch of `Scratch::ids`.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) parent: Parent,
    pub(crate) range: Range<usize>,
    pub(crate) birth: f64,
}

/// An inner node that was made of a stretch of `Scratch::ids`; `middle` of them lie left of the cut.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) node: NodeId,
    pub(crate) range: Range<usize>,
    pub(crate) middle: usize,
}

impl Scratch {
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.path.capacity() * size_of::<Turn>()
            + self.search.capacity() * size_of::<(NodeId, Side)>()
            + self.subtrees.capacity() * size_of::<Subtree>()
            + self.parts.capacity() * size_of::<Part>()
            + self.made.capacity() * size_of::<Made>();
        let points = self.nearest.capacity() + self.lower.capacity() + self.upper.capacity();
        lists
            + self.ahead.bytes()
            + self.boxes.bytes()
            + self.ids.capacity() * size_of::<SampleId>()
            + points * size_of::<f32>()
    }
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
