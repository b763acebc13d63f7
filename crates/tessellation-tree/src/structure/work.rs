//! What a structure works with while it changes: points, settings and random numbers, and working memory.

use std::ops::Range;

use forest_core::{Points, SampleId, SampleStore, Task, TreeRng};

use super::boxes::LeafBoxes;
use super::node::{NodeId, Parent, Step, Subtree};
use super::routes::Routes;
use crate::{Side, TessellationSettings};

/// What a structure works with while it changes: nothing of it depends on the label model.
pub(crate) struct Work<'a> {
    pub(crate) points: Points<'a>,
    // Dynamic, so that one compiled copy serves all tasks: targets are compared a few times a sample.
    targets: &'a dyn Targets,
    pub(crate) settings: &'a TessellationSettings,
    pub(crate) rng: &'a mut TreeRng,
}

/// Compares targets of any task.
trait Targets {
    fn differ(&self, ids: &[SampleId]) -> bool;
}

impl<T: Task> Targets for SampleStore<T> {
    fn differ(&self, ids: &[SampleId]) -> bool {
        let target = self.target(ids[0]);
        ids[1..].iter().any(|&id| self.target(id) != target)
    }
}

impl<'a> Work<'a> {
    pub(crate) fn new<T: Task>(
        samples: &'a SampleStore<T>,
        settings: &'a TessellationSettings,
        rng: &'a mut TreeRng,
    ) -> Self {
        Self {
            points: samples.points(),
            targets: samples,
            settings,
            rng,
        }
    }

    /// Returns whether two of these samples, one or more, have different targets.
    #[inline]
    pub(crate) fn differ(&self, ids: &[SampleId]) -> bool {
        self.targets.differ(ids)
    }
}

/// Working memory, and values that could be computed again: not part of a tree's state, so any two are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) boxes: LeafBoxes,
    /// Rate of the candidates that hit a cube of side 1.
    pub(crate) unit_rate: Option<f64>,
    /// The path of the sample at hand.
    pub(crate) steps: Vec<Step>,
    /// The paths of those that are learned next.
    pub(crate) ahead: Routes,
    /// The point of a leaf's box that is nearest to the sample at hand.
    pub(crate) nearest: Vec<f32>,
    /// Sides of nodes that a search for points beside the sample at hand has still to look into.
    pub(crate) beside: Vec<(NodeId, Side)>,
    /// Corners of the box of the points at hand.
    pub(crate) lower: Vec<f32>,
    pub(crate) upper: Vec<f32>,
    /// Subtrees that a walk over all nodes below one has still to visit.
    pub(crate) waiting: Vec<Subtree>,
    /// The samples of a leaf that is cut, or of a node that becomes one: those of a part stand side by side.
    pub(crate) ids: Vec<SampleId>,
    /// The parts of them that have still to be exposed.
    pub(crate) parts: Vec<Part>,
    /// Inner nodes and leaves of several samples that were made of parts, those above before those below.
    pub(crate) made: Vec<Made>,
    /// Nodes and leaves that were removed, in this order.
    pub(crate) removed: Vec<Subtree>,
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Scratch {
    pub(super) fn bytes(&self) -> usize {
        let numbers = self.nearest.capacity() + self.lower.capacity() + self.upper.capacity();
        let mut bytes = (numbers + self.ids.capacity()) * size_of::<f32>();
        bytes += (self.waiting.capacity() + self.removed.capacity()) * size_of::<Subtree>();
        bytes += self.beside.capacity() * size_of::<(NodeId, Side)>();
        bytes += self.steps.capacity() * size_of::<Step>();
        bytes += self.parts.capacity() * size_of::<Part>();
        bytes += self.made.capacity() * size_of::<Made>();
        bytes + self.boxes.bytes() + self.ahead.bytes()
    }
}

/// Some samples of a leaf that is cut, of which a subtree is still to be made.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) parent: Parent,
    pub(crate) birth: f64,
    /// Where the samples stand in [`Scratch::ids`].
    pub(crate) ids: Range<usize>,
}

/// An inner node or a leaf that was made of such a part.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) subtree: Subtree,
    pub(crate) ids: Range<usize>,
    /// The number of these samples, the first ones, that lie left of an inner node's cut.
    pub(crate) left: usize,
}
