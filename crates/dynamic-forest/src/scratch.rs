//! Working memory, lent by the thread: trees hold none of their own.

use std::cell::RefCell;

use forest_core::{Classification, Regression};

use crate::Labels;
use crate::grow::Task;
use crate::nodes::Child;
use crate::search::Search;
use crate::set::SampleSet;

/// What a change of a tree works with; empty in between, but for its capacity.
#[derive(Debug)]
pub struct Scratch<T: Labels> {
    pub(crate) set: SampleSet<T::Code>,
    pub(crate) search: Search<T>,
    /// Subtrees that are still to be built.
    pub(crate) tasks: Vec<Task>,
    /// Subtrees whose samples are still to be collected.
    pub(crate) below: Vec<Child>,
    /// The nodes of the subtree whose samples were collected.
    pub(crate) visited: Vec<usize>,
}

impl<T: Labels> Scratch<T> {
    fn new() -> Self {
        Self {
            set: SampleSet::default(),
            search: Search::default(),
            tasks: Vec::new(),
            below: Vec::new(),
            visited: Vec::new(),
        }
    }
}

/// Tasks whose working memory the thread keeps.
pub trait LendScratch: Labels {
    /// Lends it. What `work` does must not ask for it again.
    fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R;
}

macro_rules! lend {
    ($task:ty) => {
        impl LendScratch for $task {
            fn with_scratch<R>(work: impl FnOnce(&mut Scratch<Self>) -> R) -> R {
                thread_local! {
                    static SCRATCH: RefCell<Scratch<$task>> = RefCell::new(Scratch::new());
                }
                SCRATCH.with_borrow_mut(work)
            }
        }
    };
}

lend!(Classification);
lend!(Regression);
