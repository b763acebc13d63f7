//! Working memory of a tree, kept from one sample to the next so that none is allocated.

use forest_core::SampleId;

use crate::Side;
use crate::expose::Part;
use crate::node::{NodeId, Subtree};

/// Working memory, and counts of the work done. It is no part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// The inner nodes that the sample at hand passes.
    pub(crate) path: Vec<Turn>,
    /// Sides of nodes that a search has still to look into.
    pub(crate) search: Vec<(NodeId, Side)>,
    /// Subtrees that a walk over all nodes has still to visit.
    pub(crate) subtrees: Vec<Subtree>,
    /// Nodes that have still to be made, of the samples in `ids`.
    pub(crate) parts: Vec<Part>,
    pub(crate) ids: Vec<SampleId>,
    /// Corners of a leaf's bounding box.
    pub(crate) lower: Vec<f32>,
    pub(crate) upper: Vec<f32>,
    /// Rate of the candidates that hit a cube of side 1.
    pub(crate) unit_rate: Option<f64>,
    pub(crate) counts: WorkCounts,
}

/// An inner node on a path, and the side on which the path goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) node: NodeId,
    /// The time of the node's cut.
    pub(crate) time: f64,
    pub(crate) side: Side,
}

/// Work done by a tree since it was made or loaded: what its cost is measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Cuts drawn to separate a new sample from its witness.
    pub candidates: u64,
    /// Points whose side of such a cut was tested.
    pub points: u64,
    /// Points that removals have looked at, to tell whether what is left may still be cut.
    pub points_by_removals: u64,
}

impl std::ops::Add for WorkCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            candidates: self.candidates + other.candidates,
            points: self.points + other.points,
            points_by_removals: self.points_by_removals + other.points_by_removals,
        }
    }
}

impl std::iter::Sum for WorkCounts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |a, b| a + b)
    }
}

impl Scratch {
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.path.capacity() * size_of::<Turn>()
            + self.search.capacity() * size_of::<(NodeId, Side)>()
            + self.subtrees.capacity() * size_of::<Subtree>()
            + self.parts.capacity() * size_of::<Part>();
        let corners = self.lower.capacity() + self.upper.capacity();
        lists + self.ids.capacity() * size_of::<SampleId>() + corners * size_of::<f32>()
    }
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
