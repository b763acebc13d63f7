//! The samples of which a subtree is built, and working memory: trees hold none, each thread has its own.

use std::any::Any;
use std::cell::RefCell;

use forest_core::{SampleId, SampleStore};

use crate::hash::NodeKey;
use crate::labels::{Coded, Group, Labels, Samples};
use crate::nodes::{Child, Link};
use crate::search::Search;
use crate::settings::Rules;
use crate::tree::{DynamicTree, Variant};

/// A place in the tree, and the key of the node that is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) link: Link,
    pub(crate) key: NodeKey,
}

impl Place {
    #[inline]
    pub(crate) fn below(self, node: usize, side: usize) -> Self {
        let link = Link::Side(node, side);
        let key = self.key.child(side);
        Self { link, key }
    }
}

/// The samples of the set from which the subtree at a place is built, or which it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) place: Place,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The number of active samples, which come first.
    pub(crate) active: usize,
}

/// Identifiers, codes and, in a tree with weights, weights of samples, side by side. Active samples, which choose the
/// splits, come before [silent](crate::tree::Silent) ones, in the set and in each part that a split divides.
#[derive(Debug, Default)]
pub(crate) struct SampleSet<T: Labels> {
    /// After a change from outside, codes have to be [read](Self::read).
    pub(crate) ids: Vec<SampleId>,
    codes: Vec<T::Code>,
    is_weighted: bool,
    weights: Vec<u64>,
    /// The number of active samples.
    pub(crate) active: usize,
    /// Working memory of [`divide`](Self::divide): what goes to the right.
    right_ids: Vec<SampleId>,
    right_codes: Vec<T::Code>,
    right_weights: Vec<u64>,
}

impl<T: Labels> SampleSet<T> {
    /// The features and targets of this many samples fill a second-level cache.
    const MANY: usize = 1 << 14;

    /// Empties the set, for samples that count once, or by their weights.
    pub(crate) fn begin(&mut self, is_weighted: bool) {
        self.is_weighted = is_weighted;
        self.active = 0;
        self.ids.clear();
        self.codes.clear();
        self.weights.clear();
    }

    pub(crate) fn push(&mut self, id: SampleId, sample: Coded<T>, is_silent: bool) {
        let last = self.ids.len();
        self.ids.push(id);
        self.codes.push(sample.code);
        if self.is_weighted {
            self.weights.push(sample.units);
        }
        if !is_silent {
            self.swap(self.active, last);
            self.active += 1;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.ids.swap(a, b);
        self.codes.swap(a, b);
        if self.is_weighted {
            self.weights.swap(a, b);
        }
    }

    /// Reads the codes of all samples; many are put in the order of the store first, so that memory is read in order.
    #[inline]
    pub(crate) fn read<V>(&mut self, tree: &DynamicTree<V>, store: &SampleStore<T>)
    where
        V: Variant<Task = T>,
    {
        self.active = self.ids.len();
        if tree.silence.is_any() {
            self.active = 0;
            for at in 0..self.ids.len() {
                if !tree.is_silent(self.ids[at], store) {
                    self.ids.swap(self.active, at);
                    self.active += 1;
                }
            }
        }
        if self.ids.len() >= Self::MANY {
            let (active, silent) = self.ids.split_at_mut(self.active);
            active.sort_unstable();
            silent.sort_unstable();
        }
        self.codes.clear();
        let coded = |&id: &SampleId| tree.coded(store, id);
        self.codes.extend(self.ids.iter().map(|id| coded(id).code));
        self.weights.clear();
        if self.is_weighted {
            self.weights
                .extend(self.ids.iter().map(|id| coded(id).units));
        }
    }

    pub(crate) fn remove(&mut self, id: SampleId) {
        let found = self.ids.iter().position(|&other| other == id);
        let mut place = found.expect("the set has the sample");
        if place < self.active {
            self.active -= 1;
            self.swap(place, self.active);
            place = self.active;
        }
        self.ids.swap_remove(place);
        self.codes.swap_remove(place);
        if self.is_weighted {
            self.weights.swap_remove(place);
        }
    }

    #[inline]
    pub(crate) fn all(&self, task: Task) -> Samples<'_, T> {
        self.part(task.start, task.end)
    }

    #[inline]
    pub(crate) fn active(&self, task: Task) -> Samples<'_, T> {
        self.part(task.start, task.start + task.active)
    }

    /// Returns the active samples of a task, with all else that determines the split of their node.
    #[inline]
    pub(crate) fn group<'a>(
        &'a self,
        task: Task,
        store: &'a SampleStore<T>,
        rules: Rules,
    ) -> Group<'a, T> {
        Group {
            key: task.place.key,
            samples: self.active(task),
            store,
            rules,
        }
    }

    #[inline]
    pub(crate) fn part(&self, start: usize, end: usize) -> Samples<'_, T> {
        Samples {
            ids: &self.ids[start..end],
            codes: &self.codes[start..end],
            weights: self.weights.get(start..end).unwrap_or(&[]),
        }
    }

    /// Puts the samples from `start` on whose values are at most the threshold first; returns where the others start.
    #[inline]
    pub(crate) fn divide(&mut self, start: usize, column: &[f32], threshold: f32) -> usize {
        let count = column.len();
        if self.is_weighted {
            self.divide_weights(start, column, threshold);
        }
        let room = self.right_ids.len().max(count);
        self.right_ids.resize(room, self.ids[start]);
        self.right_codes.resize(room, self.codes[start]);
        let right_ids = &mut self.right_ids[..];
        let right_codes = &mut self.right_codes[..];
        let ids = &mut self.ids[start..start + count];
        let codes = &mut self.codes[start..start + count];
        let (mut left, mut right) = (0, 0);
        // Both places are written and one of them counts: a branch would be unpredictable.
        for (at, &value) in column.iter().enumerate() {
            let id = ids[at];
            let code = codes[at];
            ids[left] = id;
            codes[left] = code;
            right_ids[right] = id;
            right_codes[right] = code;
            let is_left = usize::from(value <= threshold);
            left += is_left;
            right += 1 - is_left;
        }
        ids[left..].copy_from_slice(&right_ids[..right]);
        codes[left..].copy_from_slice(&right_codes[..right]);
        start + left
    }

    fn divide_weights(&mut self, start: usize, column: &[f32], threshold: f32) {
        self.right_weights.clear();
        let mut left = start;
        for (at, &value) in (start..).zip(column) {
            if value <= threshold {
                self.weights[left] = self.weights[at];
                left += 1;
            } else {
                self.right_weights.push(self.weights[at]);
            }
        }
        self.weights[left..start + column.len()].copy_from_slice(&self.right_weights);
    }
}

/// Working memory of a change of a tree; empty in between, except for its capacity.
#[derive(Debug, Default)]
pub(crate) struct Scratch<T: Labels> {
    pub(crate) set: SampleSet<T>,
    pub(crate) search: Search<T>,
    /// Subtrees that are still to be built.
    pub(crate) tasks: Vec<Task>,
    /// Subtrees whose nodes and leaves are still to be collected.
    pub(crate) below: Vec<Child>,
    /// The collected nodes, and the first samples of the leaves.
    pub(crate) visited: Vec<usize>,
    pub(crate) leaves: Vec<SampleId>,
}

impl<T: Labels> Scratch<T> {
    /// Calls `work` with the working memory of this thread.
    pub(crate) fn lent<A>(work: impl FnOnce(&mut Self) -> A) -> A {
        thread_local! {
            /// One of each task: a static cannot be generic.
            static ALL: RefCell<Vec<Box<dyn Any>>> = RefCell::default();
        }
        ALL.with_borrow_mut(|all| {
            let index = all.iter().position(|one| one.is::<Self>());
            let index = index.unwrap_or_else(|| {
                all.push(Box::<Self>::default());
                all.len() - 1
            });
            work(all[index].downcast_mut().expect("its type was tested"))
        })
    }
}
