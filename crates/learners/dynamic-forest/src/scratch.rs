//! Working memory, lent by the thread: trees do not hold any of their own.

use forest_core::SampleId;

use crate::grow::Task;
use crate::labels::sealed::{Code, Sums, Tally};
use crate::nodes::Child;
use crate::search::Search;
use crate::set::{SampleSet, Samples};
use crate::silence::Silence;

/// Working memory of a change of a tree; empty in between, except for its capacity.
#[derive(Debug, Default)]
pub(crate) struct Scratch<C, Y> {
    pub(crate) set: SampleSet<C>,
    /// The samples of a part of the set that choose cuts, if others are silent.
    pub(crate) voices: SampleSet<C>,
    pub(crate) search: Search<C, Y>,
    /// Subtrees that are still to be built.
    pub(crate) tasks: Vec<Task>,
    /// Subtrees whose samples are still to be collected.
    pub(crate) below: Vec<Child>,
    /// The nodes of the subtree whose samples were collected.
    pub(crate) visited: Vec<usize>,
    /// The first samples of its leaves.
    pub(crate) leaves: Vec<SampleId>,
}

pub(crate) type ScratchOf<T> = Scratch<<T as Sums>::Code, <T as Sums>::Tally>;

impl<C: Code, Y: Tally<C>> Scratch<C, Y> {
    /// Prepares it for `features` features and any change of a tree of `samples` samples, which then allocates nothing here.
    pub(crate) fn fit<S: Silence>(&mut self, features: usize, samples: usize) {
        self.search.fit(features, samples);
        self.set.fit(samples);
        if S::ANY {
            self.voices.fit(samples);
        }
        fit(&mut self.visited, samples);
        fit(&mut self.leaves, samples);
    }
}

/// Returns the samples of a part of the set that choose cuts, as they were [heard](crate::grow::Growth::hear).
#[inline]
pub(crate) fn heard<'a, S: Silence, C: Code>(
    set: &'a SampleSet<C>,
    voices: &'a SampleSet<C>,
    start: usize,
    end: usize,
) -> Samples<'a, C> {
    if S::ANY {
        voices.part(0, voices.len())
    } else {
        set.part(start, end)
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
        fn with_scratch<R>(work: impl FnOnce(&mut $crate::scratch::ScratchOf<Self>) -> R) -> R {
            thread_local! {
                static SCRATCH: std::cell::RefCell<$crate::scratch::ScratchOf<$task>> =
                    std::cell::RefCell::default();
            }
            SCRATCH.with_borrow_mut(work)
        }
    };
}

pub(crate) use lend_scratch;
