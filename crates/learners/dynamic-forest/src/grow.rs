//! The batch tree: a function of a key and a set of samples.

use forest_core::{SampleId, SampleLists, SampleStore};

use crate::DynamicSettings;
use crate::cuts::{Cut, Range, divide_categories};
use crate::hash::NodeKey;
use crate::labels::{Coded, Counts, MixedLeaves, Totals};
use crate::nodes::{Below, Child, Link, MixedLeaf, Node};
use crate::samples::Scratch;
use crate::settings::Choice;
use crate::statistics::Statistics;
use crate::tree::{CodeOf, ExtraTree, Mode};
use crate::upkeep::Upkeep;

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
    /// Returns the place of a child.
    #[inline]
    pub(crate) fn below(self, node: usize, side: usize) -> Self {
        let (link, key) = (Link::Side(node, side), self.key.child(side));
        Self { link, key }
    }
}

/// What happens to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    Comes(SampleId),
    Goes(SampleId),
}

impl Change {
    pub(crate) fn id(self) -> SampleId {
        match self {
            Self::Comes(id) | Self::Goes(id) => id,
        }
    }

    fn step(self) -> i32 {
        match self {
            Self::Comes(_) => 1,
            Self::Goes(_) => -1,
        }
    }
}

/// A tree that is being changed, with the samples and working memory that it takes.
pub(crate) struct Growth<'a, V: Mode> {
    pub(crate) tree: &'a mut ExtraTree<V>,
    pub(crate) store: &'a SampleStore<V::Task>,
    pub(crate) scratch: &'a mut Scratch<V::Task>,
    pub(crate) choice: Choice,
    /// Nodes with fewer samples are leaves.
    pub(crate) fewest_to_cut: usize,
    pub(crate) upkeep: Upkeep,
}

impl<'a, V: Mode> Growth<'a, V> {
    pub(crate) fn new(
        tree: &'a mut ExtraTree<V>,
        store: &'a SampleStore<V::Task>,
        settings: &DynamicSettings,
        scratch: &'a mut Scratch<V::Task>,
    ) -> Self {
        scratch.begin(tree.is_weighted);
        scratch.search.order.fit(store.width());
        let choice = settings.choice::<V>(store.width());
        let fewest_to_cut = settings.fewest_to_cut();
        let upkeep = Upkeep::new(settings);
        Self {
            tree,
            store,
            scratch,
            choice,
            fewest_to_cut,
            upkeep,
        }
    }

    #[inline]
    pub(crate) fn coded(&self, id: SampleId) -> Coded<CodeOf<V>> {
        self.tree.coded(self.store, id)
    }

    #[inline]
    pub(crate) fn code(&self, id: SampleId) -> CodeOf<V> {
        self.coded(id).code
    }

    /// Builds the subtree at `place` of all samples of the set. Nothing is there, or what is there has been released.
    pub(crate) fn grow(&mut self, place: Place) {
        self.grow_while(self.whole_set(place), || true);
    }

    /// Returns the task to build a subtree of all samples of the set.
    pub(crate) fn whole_set(&self, place: Place) -> Task {
        let (start, end) = (0, self.scratch.set.len());
        Task { place, start, end }
    }

    /// Builds a subtree of some samples of the set as long as `proceed`, which is called before each node, returns true; otherwise the tree is unusable.
    pub(crate) fn grow_while(&mut self, task: Task, proceed: impl Fn() -> bool) {
        let mut next = Some(task);
        while let Some(task) = next {
            let chosen = self.choose_and_watch(task);
            self.place(task, chosen);
            next = self.scratch.tasks.pop().filter(|_| proceed());
        }
        // Working memory is left empty.
        self.scratch.tasks.clear();
    }

    /// Builds one where the cut at its root has just been chosen.
    pub(crate) fn grow_with(&mut self, task: Task, cut: Option<Cut>) {
        let watch = self.changes_until_recheck(task);
        self.place(task, cut.map(|cut| (cut, watch)));
        if let Some(task) = self.scratch.tasks.pop() {
            self.grow_while(task, || true);
        }
    }

    /// Returns the cut of the batch tree for these samples, and what the node watches; `None` if they are a leaf.
    #[inline]
    fn choose_and_watch(&mut self, task: Task) -> Option<(Cut, u32)> {
        if self.upkeep.counts_sides(task.end - task.start) {
            let voices = self.count_voices(task);
            if self.upkeep.counts_sides(voices) {
                return self.choose_by_statistics(task);
            }
        }
        let cut = self.choose(task)?;
        Some((cut, self.changes_until_recheck(task)))
    }

    /// Returns what a node of samples that have just been [heard](Self::hear) watches.
    pub(crate) fn changes_until_recheck(&self, task: Task) -> u32 {
        let changes = self.upkeep.changes_until_recheck(self.voices(task).len());
        changes.saturating_mul(V::A_CHANGE)
    }

    fn choose_by_statistics(&mut self, task: Task) -> Option<(Cut, u32)> {
        if self.voices(task).are_pure() {
            return None;
        }
        let statistics = self.statistics(task);
        let cut = statistics.best(self.choice)?;
        self.read_best(task, cut);
        Some((cut, self.tree.statistics.insert(statistics)))
    }

    /// Returns the statistics of a node of samples that have just been [heard](Self::hear).
    pub(crate) fn statistics(&mut self, task: Task) -> Statistics<V::Task> {
        let scratch = &mut *self.scratch;
        let samples = self
            .tree
            .silence
            .voices(&scratch.set, &scratch.voices, task);
        Statistics::new(
            task.place.key,
            samples,
            self.store,
            self.choice,
            &mut scratch.search,
        )
    }

    /// Reads what divides samples at a cut.
    pub(crate) fn read_best(&mut self, task: Task, cut: Cut) {
        let Scratch { set, search, .. } = &mut *self.scratch;
        let ids = set.part(task.start, task.end).ids;
        if Range::read(self.store, ids, cut.feature, &mut search.best).has_categories {
            divide_categories(&mut search.best, cut);
        }
    }

    /// Returns the cut of the batch tree for these samples; `None` if they are a leaf.
    #[inline]
    pub(crate) fn choose(&mut self, task: Task) -> Option<Cut> {
        self.hear(task);
        let scratch = &mut *self.scratch;
        let samples = self
            .tree
            .silence
            .voices(&scratch.set, &scratch.voices, task);
        if samples.len() < self.fewest_to_cut || samples.are_pure() {
            return None;
        }
        let are_all = task.end - task.start == samples.len();
        let (search, key) = (&mut scratch.search, task.place.key);
        let cut = search.choose(key, samples, self.store, self.choice)?;
        if !are_all {
            self.read_best(task, cut);
        }
        Some(cut)
    }

    /// Puts a leaf, or an inner node whose children are still to be built, in its place.
    fn place(&mut self, task: Task, chosen: Option<(Cut, u32)>) {
        let child = match chosen {
            Some((cut, watch)) => {
                let node = self.tree.nodes.insert(Node::cut(cut, watch));
                let tasks = self.divide(task, node, cut);
                self.add_up(node, tasks);
                self.scratch.tasks.extend(tasks);
                Child::node(node)
            }
            None => self.leaf(task),
        };
        self.tree.nodes.set_child(task.place.link, child);
    }

    /// Divides samples at the cut of a node, whose column has been read: right, then left.
    pub(crate) fn divide(&mut self, task: Task, node: usize, cut: Cut) -> [Task; 2] {
        let Task { place, start, end } = task;
        let Scratch { set, search, .. } = &mut *self.scratch;
        let middle = set.divide(start, &search.best, cut.level());
        let part = |side, start, end| {
            let place = place.below(node, side);
            Task { place, start, end }
        };
        [part(1, middle, end), part(0, start, middle)]
    }

    /// Gives an inner node the totals of its samples, whose right ones come first, if it keeps any.
    fn add_up(&mut self, node: usize, [right, left]: [Task; 2]) {
        let totals = &mut self.tree.nodes.get_mut(node).totals;
        if totals.get().is_some() {
            let sums = self
                .tree
                .mixed
                .insert(self.scratch.set.part(left.start, right.end));
            let sides = [left, right].map(|task| (task.end - task.start) as u32);
            totals.set(Counts { sums, sides });
        }
    }

    /// Replaces the totals of an inner node by those of its samples.
    pub(crate) fn add_up_again(&mut self, node: usize, tasks: [Task; 2]) {
        if let Some(counts) = self.tree.nodes.get(node).totals.get() {
            self.tree.mixed.release(counts.sums);
            self.add_up(node, tasks);
        }
    }

    /// Updates the totals of an inner node, if it keeps any, by a sample on one of its sides.
    #[inline]
    pub(crate) fn update_totals(&mut self, node: usize, change: Change, side: usize) {
        if let Some(mut counts) = self.tree.nodes.get(node).totals.get() {
            let (sample, step) = (self.coded(change.id()), change.step());
            counts.sides[side] = counts.sides[side].wrapping_add_signed(step);
            self.tree.mixed.change(counts.sums, sample, step);
            self.tree.nodes.get_mut(node).totals.set(counts);
        }
    }

    /// Makes a leaf of samples of the set.
    fn leaf(&mut self, task: Task) -> Child {
        let samples = self.scratch.set.part(task.start, task.end);
        if samples.len() == 0 {
            return Child::NOTHING;
        }
        let first = self.tree.links.join(samples.ids);
        if samples.are_pure() {
            return Child::pure(first);
        }
        let (sums, count) = (self.tree.mixed.insert(samples), samples.len() as u32);
        let is_settled = self.tree.silence.is_any() && self.are_voices_pure(first);
        let leaf = MixedLeaf {
            first,
            sums,
            count,
            is_settled,
        };
        Child::node(self.tree.nodes.insert(Node::mixed(leaf)))
    }

    pub(crate) fn are_voices_pure(&self, first: SampleId) -> bool {
        let mut codes = self.voices_of(first).map(|id| self.code(id));
        let first = codes.next();
        codes.all(|code| first == Some(code))
    }

    /// Makes the set that of the samples below a child, and notes its nodes.
    pub(crate) fn collect(&mut self, child: Child) {
        self.scratch.visited.clear();
        self.scratch.leaves.clear();
        self.scratch.below.push(child);
        self.visit(|links, leaves, first| {
            links.prefetch(first);
            leaves.push(first);
        });
        self.read_leaves();
    }

    /// Makes the set that of the samples of the leaves noted.
    ///
    /// First the links of all leaves are read, then all targets, not both of one leaf after another: a processor then waits for the memory
    /// of many at once. With the order of a large set, 10⁶ rows are learned in .89 of the time.
    fn read_leaves(&mut self) {
        let Scratch { set, leaves, .. } = &mut *self.scratch;
        set.clear();
        for &first in &*leaves {
            let mut next = Some(first);
            while let Some(id) = next {
                set.ids.push(id);
                next = self.tree.links.next(id);
            }
        }
        set.read_codes(|id| self.tree.coded(self.store, id));
    }

    /// Notes the nodes of subtrees, besides those noted.
    pub(crate) fn note_nodes(&mut self, children: impl IntoIterator<Item = Child>) {
        self.scratch.below.extend(children);
        self.visit(|_, _, _| {});
    }

    /// Releases subtrees.
    pub(crate) fn release_below(&mut self, children: impl IntoIterator<Item = Child>) {
        self.scratch.visited.clear();
        self.note_nodes(children);
        self.release();
    }

    /// Notes the nodes of subtrees; hands out the first sample of each leaf.
    #[inline]
    fn visit(&mut self, leaf: impl Fn(&SampleLists, &mut Vec<SampleId>, SampleId)) {
        let scratch = &mut *self.scratch;
        while let Some(mut child) = scratch.below.pop() {
            // Down the left sides; the right ones wait.
            while let Some(index) = child.as_node() {
                scratch.visited.push(index);
                let (left, right) = self.tree.nodes.get(index).below();
                child = left;
                if let Some(right) = right {
                    self.tree.nodes.prefetch(right);
                    scratch.below.push(right);
                }
            }
            if let Below::Pure(first) = child.get() {
                leaf(&self.tree.links, &mut scratch.leaves, first);
            }
        }
    }

    /// Releases the nodes noted, with what they keep aside.
    pub(crate) fn release(&mut self) {
        // The root is released last, and reused first.
        while let Some(index) = self.scratch.visited.pop() {
            let node = *self.tree.nodes.get(index);
            self.tree.nodes.release(index);
            if let Some(leaf) = node.as_mixed() {
                self.tree.mixed.release(leaf.sums);
                continue;
            }
            if let Some(counts) = node.totals.get() {
                self.tree.mixed.release(counts.sums);
            }
            // What the node keeps aside is noted for release.
            let statistics = self.tree.statistics.release(node.watch);
            if let Some(aside) = statistics.and_then(|statistics| statistics.aside) {
                self.note_nodes(aside.children);
            }
        }
    }
}
