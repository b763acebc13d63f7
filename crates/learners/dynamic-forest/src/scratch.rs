//! Working memory, lent by the thread: trees do not hold any of their own.

use forest_core::SampleId;

use crate::grow::Task;
use crate::labels::sealed::Sums;
use crate::nodes::Child;
use crate::search::Search;
use crate::set::{SampleSet, Samples};
use crate::silence::Silence;

/// Working memory of a change of a tree; empty in between, except for its capacity.
#[derive(Debug)]
pub(crate) struct Scratch<T: Sums> {
    pub(crate) set: SampleSet<T::Code>,
    /// The samples of a part of the set that choose cuts, if others are silent.
    pub(crate) voices: SampleSet<T::Code>,
    pub(crate) search: Search<T>,
    /// Subtrees that are still to be built.
    pub(crate) tasks: Vec<Task>,
    /// Subtrees whose samples are still to be collected.
    pub(crate) below: Vec<Child>,
    /// The nodes of the subtree whose samples were collected.
    pub(crate) visited: Vec<usize>,
    /// The first samples of its leaves.
    pub(crate) leaves: Vec<SampleId>,
}

impl<T: Sums> Default for Scratch<T> {
    fn default() -> Self {
        Self {
            set: SampleSet::default(),
            voices: SampleSet::default(),
            search: Search::default(),
            tasks: Vec::new(),
            below: Vec::new(),
            visited: Vec::new(),
            leaves: Vec::new(),
        }
    }
}

impl<T: Sums> Scratch<T> {
    /// Prepares it for `features` features and any change of a tree of `samples` samples, which then allocates nothing here.
    pub(crate) fn fit(&mut self, features: usize, samples: usize) {
        self.search.fit(features, samples);
        self.set.fit(samples);
        if T::Silence::ANY {
            self.voices.fit(samples);
        }
        fit(&mut self.visited, samples);
        fit(&mut self.leaves, samples);
    }

    /// Returns the samples of a part of the set that choose cuts, as they were [heard](crate::grow::Growth::hear).
    #[inline]
    pub(crate) fn voices(&self, start: usize, end: usize) -> Samples<'_, T::Code> {
        Self::heard(&self.set, &self.voices, start, end)
    }

    #[inline]
    pub(crate) fn heard<'a>(
        set: &'a SampleSet<T::Code>,
        voices: &'a SampleSet<T::Code>,
        start: usize,
        end: usize,
    ) -> Samples<'a, T::Code> {
        if T::Silence::ANY {
            voices.part(0, voices.len())
        } else {
            set.part(start, end)
        }
    }
}

/// Gives an empty array room for `length` elements.
pub(crate) fn fit<V>(array: &mut Vec<V>, length: usize) {
    array.clear();
    if array.capacity() < length {
        array.reserve(length);
    }
}

/// Defines `with_scratch` of a task: static memory cannot be generic.
macro_rules! lend_scratch {
    ($task:ty) => {
        fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R {
            thread_local! {
                static SCRATCH: std::cell::RefCell<Scratch<$task>> =
                    std::cell::RefCell::new(Scratch::default());
            }
            SCRATCH.with_borrow_mut(work)
        }
    };
}

pub(crate) use lend_scratch;
