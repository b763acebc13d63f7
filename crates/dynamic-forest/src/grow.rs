//! The batch tree: a function of a key and a set of samples.

use forest_core::{SampleId, SampleStore};

use crate::hash::NodeKey;
use crate::labels::sealed::{CodeUnit, MixedLeaves};
use crate::nodes::{Below, Child, Content, Cut, Link, MixedLeaf, Node};
use crate::scratch::Scratch;
use crate::set::SampleSet;
use crate::statistics::Statistics;
use crate::tree::Parts;
use crate::upkeep::Upkeep;
use crate::{DynamicSettings, Labels};

/// A subtree to be built of the samples `start..end` of the set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) place: Place,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A place in the tree, and the key of the node that is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) link: Link,
    pub(crate) key: NodeKey,
}

impl Place {
    /// The place of a child.
    #[inline]
    pub(crate) fn below(self, node: usize, side: usize) -> Self {
        Self {
            link: Link::Side(node, side),
            key: self.key.child(side),
        }
    }
}

/// A tree that is being changed, with the samples and working memory that it takes.
pub(crate) struct Growth<'a, T: Labels> {
    pub(crate) tree: &'a mut Parts<T>,
    pub(crate) store: &'a SampleStore<T>,
    pub(crate) scratch: &'a mut Scratch<T>,
    pub(crate) candidates: usize,
    pub(crate) min_samples_split: usize,
    pub(crate) upkeep: Upkeep,
}

impl<'a, T: Labels> Growth<'a, T> {
    pub(crate) fn new(
        tree: &'a mut Parts<T>,
        store: &'a SampleStore<T>,
        settings: &DynamicSettings,
        scratch: &'a mut Scratch<T>,
    ) -> Self {
        scratch.search.order.fit(store.width());
        let candidates = settings.candidates::<T>(store.width());
        let min_samples_split = settings.min_samples_split as usize;
        let upkeep = Upkeep::new(settings);
        Self {
            tree,
            store,
            scratch,
            candidates,
            min_samples_split,
            upkeep,
        }
    }

    /// Builds the subtree at `place` of all samples of the set. Nothing is there, or what is there has been released.
    pub(crate) fn grow(&mut self, place: Place) {
        let (start, end) = (0, self.scratch.set.len());
        self.grow_part(Task { place, start, end });
    }

    /// Builds a subtree of some samples of the set.
    pub(crate) fn grow_part(&mut self, task: Task) {
        let cut = self.choose(task);
        self.grow_with(task, cut);
    }

    /// The same, where the cut at its root has just been chosen.
    pub(crate) fn grow_with(&mut self, task: Task, cut: Option<Cut>) {
        self.place(task, cut);
        while let Some(task) = self.scratch.tasks.pop() {
            let cut = self.choose(task);
            self.place(task, cut);
        }
    }

    /// The cut of the batch tree for these samples; none if they are a leaf.
    #[inline]
    pub(crate) fn choose(&mut self, Task { place, start, end }: Task) -> Option<Cut> {
        let samples = self.scratch.set.part(start, end);
        if samples.len() < self.min_samples_split || samples.are_pure() {
            return None;
        }
        let search = &mut self.scratch.search;
        search.choose(place.key, samples, self.store, self.candidates)
    }

    /// Puts a leaf, or an inner node whose children are still to be built, in its place.
    fn place(&mut self, task: Task, cut: Option<Cut>) {
        let child = match cut {
            Some(cut) => Child::node(self.divide(task, cut)),
            None => self.leaf(task.start, task.end),
        };
        self.tree.nodes.set_child(task.place.link, child);
    }

    fn divide(&mut self, Task { place, start, end }: Task, cut: Cut) -> usize {
        let watch = self.watch(place.key, start, end);
        let node = self.tree.nodes.insert(Node::cut(cut, watch));
        let Scratch { set, search, .. } = &mut *self.scratch;
        let middle = set.divide(start, &search.best, cut.threshold);
        let task = |side, start, end| Task {
            place: place.below(node, side),
            start,
            end,
        };
        self.scratch.tasks.push(task(1, middle, end));
        self.scratch.tasks.push(task(0, start, middle));
        node
    }

    fn watch(&mut self, key: NodeKey, start: usize, end: usize) -> u32 {
        if !self.upkeep.counts_sides(end - start) {
            return self.upkeep.changes_until_recheck(end - start);
        }
        let samples = self.scratch.set.part(start, end);
        let order = &mut self.scratch.search.order;
        let statistics = Statistics::new(key, samples, self.store, self.candidates, order);
        self.tree.statistics.insert(statistics)
    }

    /// Makes a leaf of samples of the set.
    pub(crate) fn leaf(&mut self, start: usize, end: usize) -> Child {
        if start == end {
            return Child::NOTHING;
        }
        let samples = self.scratch.set.part(start, end);
        let first = self.tree.links.join(samples.ids);
        if samples.are_pure() {
            return Child::pure(first);
        }
        let sums = self.tree.mixed.insert(samples.codes);
        let leaf = MixedLeaf {
            first,
            sums,
            count: samples.len() as u32,
        };
        Child::node(self.tree.nodes.insert(Node::mixed(leaf)))
    }

    /// Makes the set that of the samples below a child, and notes its nodes.
    pub(crate) fn collect(&mut self, child: Child) {
        self.scratch.set.clear();
        self.visit(child, |tree, store, set, first| {
            let mut next = Some(first);
            while let Some(id) = next {
                set.push(id, tree.unit.code(store.target(id)));
                next = tree.links.next(id);
            }
        });
    }

    /// Notes the nodes of a subtree.
    pub(crate) fn note_nodes(&mut self, child: Child) {
        self.visit(child, |_, _, _, _| {});
    }

    /// Notes the nodes of a subtree; hands out the first sample of each leaf.
    #[inline]
    fn visit(
        &mut self,
        child: Child,
        leaf: impl Fn(&Parts<T>, &SampleStore<T>, &mut SampleSet<T::Code>, SampleId),
    ) {
        let Scratch {
            below,
            visited,
            set,
            ..
        } = &mut *self.scratch;
        visited.clear();
        below.push(child);
        while let Some(mut child) = below.pop() {
            // Down the left sides; the right ones wait.
            while let Some(index) = child.as_node() {
                visited.push(index);
                let (left, right) = self.tree.nodes.get(index).below();
                child = left;
                below.extend(right);
            }
            if let Below::Pure(first) = child.get() {
                leaf(self.tree, self.store, set, first);
            }
        }
    }

    /// Gives up the nodes noted.
    pub(crate) fn release(&mut self) {
        // The root is given up last, and taken up first.
        while let Some(index) = self.scratch.visited.pop() {
            let node = self.tree.nodes.get(index);
            match node.content() {
                Content::Mixed(leaf) => self.tree.mixed.release(leaf.sums),
                Content::Cut(_) => self.tree.statistics.release(node.watch),
                Content::Free => {}
            }
            self.tree.nodes.release(index);
        }
    }
}
