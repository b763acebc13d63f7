//! What a structure works with while it changes: nothing of it depends on the label model.

use forest_core::{Points, SampleId, SampleStore, Task, TreeRng};

use crate::settings::Rules;
use crate::structure::memory::Memory;

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
