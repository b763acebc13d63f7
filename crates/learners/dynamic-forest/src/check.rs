//! Invariants of a tree, checked in tests after every sample and when a tree is read from a file.

mod asides;

use forest_core::{InvariantError, SampleId, SampleStore, SampleWeight};

use crate::DynamicSettings;
use crate::candidates::is_same_point;
use crate::labels::Totals;
use crate::labels::sealed::Sums;
use crate::labels::sealed::{Code, CodeUnit, MixedLeaves, UnitOf};
use crate::nodes::{Below, Child, Content, Node};
use crate::statistics::Statistics;
use crate::tree::{Kind, Parts, Tree, either};

fn require(holds: bool, node: usize, what: &str) -> Result<(), InvariantError> {
    InvariantError::require(holds, format_args!("node {node}"), what)
}

/// The nodes and samples that have been visited.
struct Visited {
    nodes: Vec<bool>,
    samples: Vec<bool>,
    statistics: Vec<bool>,
    /// The numbers of mixed leaves.
    mixed: Vec<u32>,
    /// Inner nodes, whose totals are checked once all samples are known to be below them.
    totals: Vec<usize>,
}

impl Visited {
    /// Marks the statistics of a node, if it has any.
    fn mark_statistics<T: Sums>(
        &mut self,
        tree: &Parts<T>,
        node: &Node<T::Totals>,
        index: usize,
    ) -> Result<(), InvariantError> {
        let has_any = tree.statistics.get(node.watch).is_some();
        let own = !has_any || Self::first_time(&mut self.statistics, node.watch as usize);
        require(own, index, "it shares its statistics with another node")
    }

    /// Marks once; returns false for what does not exist or was visited before.
    fn first_time(marks: &mut [bool], index: usize) -> bool {
        marks
            .get_mut(index)
            .is_some_and(|visited| !std::mem::replace(visited, true))
    }
}

impl<P: Sums, W: Sums<Task = P::Task>> Kind<P, W> {
    pub(crate) fn check_parts(
        &self,
        store: &SampleStore<P::Task>,
        settings: &DynamicSettings,
    ) -> Result<(), InvariantError> {
        if let Self::Plain(_) = self {
            let plain = store.ids().all(|id| store.weight(id) == SampleWeight::ONE);
            InvariantError::require(plain, "tree", "it does not weight its samples")?;
        }
        either!(self, tree => tree.check_parts(store, settings))
    }
}

impl<T: Sums> Tree<T> {
    pub(crate) fn check_parts(
        &self,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
    ) -> Result<(), InvariantError> {
        let tree = &self.parts;
        let drawn = self.seed.is_some() || store.is_empty();
        InvariantError::require(drawn, "tree", "it has samples but no seed")?;
        let mut unit = UnitOf::<T>::default();
        store.ids().for_each(|id| {
            unit.add(store.target(id));
        });
        InvariantError::require(
            unit == tree.unit,
            "tree",
            "its unit does not match its samples",
        )?;
        tree.check_nodes(store, settings)?;
        if self.seed.is_some() && settings.recheck == 0.0 {
            self.check_is_batch_tree(store, settings)?;
        }
        Ok(())
    }

    fn check_is_batch_tree(
        &self,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
    ) -> Result<(), InvariantError> {
        let batch = self.batch_tree(store, settings);
        let same = self.parts.is_same(&batch.parts);
        InvariantError::require(
            same,
            "tree",
            "it differs from the batch tree of its samples",
        )?;
        self.check_asides(store, settings)
    }
}

impl<T: Sums> Parts<T> {
    fn check_nodes(
        &self,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
    ) -> Result<(), InvariantError> {
        let mut visited = Visited {
            nodes: vec![false; self.nodes.places()],
            samples: vec![false; store.slots()],
            statistics: vec![false; self.statistics.in_use().count()],
            mixed: Vec::new(),
            totals: Vec::new(),
        };
        let mut below = vec![self.nodes.root];
        while let Some(child) = below.pop() {
            self.check_child(child, store, settings, &mut visited, &mut below)?;
        }
        let held = visited.samples.iter().filter(|&&held| held).count();
        InvariantError::require(held == store.len(), "tree", "it does not hold every sample")?;
        let free = self.nodes.free();
        let known = visited.nodes.iter().filter(|&&visited| visited).count();
        let counted = known == self.nodes.used() && self.nodes.is_in_order();
        InvariantError::require(counted, "tree", "the count of nodes or changes is wrong")?;
        for index in free {
            let node = self.nodes.find(index);
            let is_free = node.is_some_and(|node| node.content() == Content::Free);
            let once = is_free && Visited::first_time(&mut visited.nodes, index);
            require(once, index, "the free list names a node that is not free")?;
        }
        let all_nodes = visited.nodes.iter().all(|&visited| visited);
        InvariantError::require(all_nodes, "tree", "orphaned nodes")?;
        let is_short = self.links.slots() <= store.slots();
        InvariantError::require(is_short, "tree", "links of samples that are not stored")?;
        self.mixed.check_all(&visited.mixed)?;
        for index in visited.totals {
            let node = self.nodes.get(index);
            if node.totals.sums().is_some() {
                let [left, right] = node.children.map(|child| self.ids(child));
                let all = left.iter().chain(&right);
                let codes: Vec<_> = all.map(|&id| T::code(&self.unit, store, id)).collect();
                node.totals.check(&self.mixed, &codes, left.len())?;
            }
        }
        let is_lazy = settings.recheck > 0.0;
        let any = is_lazy && visited.statistics.contains(&true);
        InvariantError::require(!any, "tree", "a lazy tree has statistics")?;
        let statistics = visited.statistics.into_iter().eq(self.statistics.in_use());
        InvariantError::require(
            statistics && self.statistics.is_sound(),
            "tree",
            "orphaned statistics",
        )
    }

    fn check_child(
        &self,
        child: Child,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
        visited: &mut Visited,
        below: &mut Vec<Child>,
    ) -> Result<(), InvariantError> {
        let index = match child.get() {
            Below::Nothing => {
                let is_empty = self.nodes.root == Child::NOTHING;
                return InvariantError::require(is_empty, "tree", "a side of a cut is empty");
            }
            Below::Pure(first) => return self.check_pure(first, store, visited),
            Below::Node(index) => index,
        };
        require(
            Visited::first_time(&mut visited.nodes, index),
            index,
            "it does not exist, or has two parents",
        )?;
        let node = self.nodes.get(index);
        match node.content() {
            Content::Free => require(false, index, "it is both in use and free"),
            Content::Mixed(leaf) => {
                let ids = self.check_list(leaf.first, store, visited)?;
                let codes: Vec<_> = ids
                    .iter()
                    .map(|&id| T::code(&self.unit, store, id))
                    .collect();
                visited.mixed.push(leaf.sums);
                self.mixed.check(leaf.sums, &codes)?;
                let differ = codes.iter().any(|code| !code.is_same(codes[0]));
                require(
                    differ && leaf.count as usize == ids.len(),
                    index,
                    "it is pure or its count is wrong",
                )?;
                let voices: Vec<_> = ids
                    .into_iter()
                    .filter(|&id| !self.is_silent(store, id))
                    .collect();
                let code = |id: SampleId| T::code(&self.unit, store, id);
                let pure = voices.iter().all(|&id| code(id).is_same(code(voices[0])));
                require(
                    pure || !leaf.is_settled,
                    index,
                    "it is settled, but not all that choose cuts have one target",
                )?;
                let constant = voices
                    .iter()
                    .all(|&id| is_same_point(store.features(id), store.features(voices[0])));
                let few = leaf.is_settled || voices.len() < settings.fewest_to_cut();
                // Whether a cut would leave enough on each side is a question of thresholds: exact trees are compared as a whole.
                let may_lack_a_cut = settings.min_samples_leaf > 1;
                require(few || constant || may_lack_a_cut, index, "it can be cut")
            }
            Content::Cut(cut) => {
                let possible =
                    (cut.feature as usize) < store.width() && cut.threshold != f32::INFINITY;
                require(possible, index, "an impossible cut")?;
                let is_lazy = settings.recheck > 0.0;
                require(
                    !is_lazy || node.watch > 0,
                    index,
                    "it is overdue for a recheck",
                )?;
                below.extend(node.children);
                visited.mixed.extend(node.totals.sums());
                visited.mark_statistics(self, node, index)?;
                visited.totals.push(index);
                let aside = self
                    .statistics
                    .get(node.watch)
                    .and_then(|statistics| statistics.aside);
                aside.map_or(Ok(()), |aside| {
                    self.check_aside_nodes(aside, store, visited)
                })
            }
        }
    }

    fn check_pure(
        &self,
        first: SampleId,
        store: &SampleStore<T::Task>,
        visited: &mut Visited,
    ) -> Result<(), InvariantError> {
        let ids = self.check_list(first, store, visited)?;
        let code = |id: SampleId| T::code(&self.unit, store, id);
        let pure = ids.iter().all(|&id| code(id).is_same(code(first)));
        InvariantError::require(pure, "a pure leaf", "its samples differ")
    }

    /// Returns the samples of a list; each is visited for the first time and falls into this leaf.
    fn check_list(
        &self,
        first: SampleId,
        store: &SampleStore<T::Task>,
        visited: &mut Visited,
    ) -> Result<Vec<SampleId>, InvariantError> {
        let ids: Vec<_> = self.links.list(first).collect();
        for &id in &ids {
            let own = store.holds(id) && Visited::first_time(&mut visited.samples, id.index());
            let place = format_args!("sample {}", id.index());
            InvariantError::require(own, place, "it is not held, or it is in two leaves")?;
            let leaf = self.leaf_of(store.features(id));
            InvariantError::require(leaf == Some(first), place, "it is not in its leaf")?;
        }
        let sound = !ids.is_empty() && self.links.is_list(&ids);
        InvariantError::require(sound, "a leaf", "its list is broken")?;
        Ok(ids)
    }

    /// Returns the first sample of the leaf of a point; terminates in any graph.
    fn leaf_of(&self, x: &[f32]) -> Option<SampleId> {
        let mut child = self.nodes.root;
        for _ in 0..=self.nodes.places() {
            child = match child.get() {
                Below::Nothing => return None,
                Below::Pure(first) => return Some(first),
                Below::Node(index) => match self.nodes.find(index)?.content() {
                    Content::Free => return None,
                    Content::Mixed(leaf) => return Some(leaf.first),
                    Content::Cut(cut) => {
                        x.get(cut.feature as usize)?;
                        self.nodes.get(index).children[cut.side(x)]
                    }
                },
            };
        }
        None
    }
}

/// Compares two trees: the places of nodes, the order of samples in leaves and what is kept aside do not count.
impl<T: Sums> Parts<T> {
    /// Returns whether this tree has the nodes, leaves and statistics of another.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let mut below = vec![(self.nodes.root, other.nodes.root)];
        while let Some((a, b)) = below.pop() {
            match (self.inner(a), other.inner(b)) {
                (None, None) if self.samples(a) == other.samples(b) => {}
                (Some(a), Some(b)) if self.is_same_node(a, other, b) => {
                    below.extend(a.children.into_iter().zip(b.children));
                }
                _ => return false,
            }
        }
        true
    }

    /// Returns whether two inner nodes have the same cut, to the bit, and the same statistics.
    fn is_same_node(&self, a: &Node<T::Totals>, other: &Self, b: &Node<T::Totals>) -> bool {
        let bits = |node: &Node<T::Totals>| {
            node.as_cut()
                .map(|cut| (cut.feature, cut.threshold.to_bits()))
        };
        let statistics = (self.statistics.get(a.watch), other.statistics.get(b.watch));
        let are_same = match statistics {
            (Some(a), Some(b)) => Statistics::is_same(a, b),
            (None, None) => true,
            _ => false,
        };
        bits(a) == bits(b) && are_same
    }

    /// Returns the node, if it is an inner one.
    fn inner(&self, child: Child) -> Option<&Node<T::Totals>> {
        let node = self.nodes.get(child.as_node()?);
        node.as_cut().map(|_| node)
    }

    /// Returns the samples below a child, in the order of their arrival.
    fn samples(&self, child: Child) -> Vec<SampleId> {
        let mut ids = self.ids(child);
        ids.sort_unstable();
        ids
    }
}
