//! What a structure works with while it changes: nothing of it depends on the label model.

use forest_core::{Points, SampleId, SampleStore, Task, TreeRng};

use crate::Side;
use crate::change::division::Division;
use crate::change::remove::Collapse;
use crate::settings::Rules;
use crate::structure::node::{NodeId, Subtree, Turn};

/// Which targets are equal, whatever they are.
pub(crate) trait Targets {
    /// Returns whether two of these samples, one or more, have different targets.
    fn differ(&self, ids: &[SampleId]) -> bool;
}

impl<T: Task> Targets for SampleStore<T> {
    fn differ(&self, ids: &[SampleId]) -> bool {
        let target = self.target(ids[0]);
        ids[1..].iter().any(|&id| self.target(id) != target)
    }
}

/// What a structure reads of the forest's samples: their points, and which targets are equal.
#[derive(Clone, Copy)]
pub(crate) struct Samples<'a> {
    points: Points<'a>,
    // One compiled copy serves all tasks: targets are compared a few times a sample, not in a loop over nodes.
    targets: &'a dyn Targets,
}

impl<'a> Samples<'a> {
    #[inline]
    pub(crate) fn of<T: Task>(store: &'a SampleStore<T>) -> Self {
        Self {
            points: store.points(),
            targets: store,
        }
    }

    #[inline]
    pub(crate) fn points(self) -> Points<'a> {
        self.points
    }

    #[inline]
    pub(crate) fn width(self) -> usize {
        self.points.width()
    }

    #[inline]
    pub(crate) fn features(self, id: SampleId) -> &'a [f32] {
        self.points.features(id)
    }

    /// Returns whether two of these samples, one or more, have different targets.
    #[inline]
    pub(crate) fn differ(self, ids: &[SampleId]) -> bool {
        self.targets.differ(ids)
    }
}

/// What a structure works with while it changes.
pub(crate) struct Work<'a> {
    pub(crate) samples: Samples<'a>,
    pub(crate) rules: Rules,
    pub(crate) rng: &'a mut TreeRng,
    pub(crate) memory: &'a mut Memory,
}

/// Working memory: no step of an update reads in it what another has left. It is not part of a tree's state: any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// For the next descent.
    pub(crate) turns: Vec<Turn>,
    /// For the next node that becomes a leaf.
    pub(crate) collapse: Collapse,
    /// The point of a leaf's box that is nearest to the sample at hand.
    pub(crate) nearest: Vec<f32>,
    /// Sides of nodes that a search has still to look into.
    pub(crate) search: Vec<(NodeId, Side)>,
    /// Subtrees that a walk over all nodes has still to visit.
    pub(crate) subtrees: Vec<Subtree>,
    /// How a leaf was divided last.
    pub(crate) division: Division,
}

impl Memory {
    pub(crate) fn bytes(&self) -> usize {
        bytes_of(&self.turns)
            + self.collapse.bytes()
            + bytes_of(&self.nearest)
            + bytes_of(&self.search)
            + bytes_of(&self.subtrees)
            + self.division.bytes()
    }
}

impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Returns the bytes of a list.
pub(crate) fn bytes_of<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
