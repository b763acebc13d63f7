//! One tree.

mod online;

use forest_core::{LARGER_THAN_A_CACHE, SampleId, SampleLists, SampleStore, SampleWeight};
use serde::{Deserialize, Serialize};

use crate::DynamicSettings;
use crate::grow::{Change, Growth, Place, Task};
use crate::hash::NodeKey;
use crate::labels::{CodeUnit, Coded, MixedLeaves, Sums};
use crate::nodes::{Below, Child, Link, Nodes, Pool};
use crate::samples::SCRATCH;
use crate::silence::Silent;
use crate::statistics::Statistics;
use crate::upkeep::Upkeep;

pub(crate) use online::Mode;
pub use online::Variant;

/// A tree that is a function of its seed and of the samples it holds, up to a share ε of the samples of each node (see
/// [`DynamicSettings::recheck`]). `V` is what it keeps of them and how it is read: [`DynamicTree`](crate::DynamicTree),
/// [`ReadingTree`](crate::ReadingTree), [`HonestTree`](crate::HonestTree).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ExtraTree<V: Mode> {
    /// Drawn before the first sample.
    pub(crate) seed: Option<u64>,
    /// Whether samples count as their weights say: from the first on whose weight is not 1.
    pub(crate) is_weighted: bool,
    pub(crate) silence: Silent,
    pub(crate) nodes: Nodes<V::Totals>,
    pub(crate) links: SampleLists,
    pub(crate) unit: UnitOf<V>,
    pub(crate) mixed: <V::Task as Sums>::Mixed,
    pub(crate) statistics: Pool<Statistics<V::Task>>,
}

pub(crate) type UnitOf<V> = <<V as Variant>::Task as Sums>::Unit;

pub(crate) type TargetOf<V> = <<V as Variant>::Task as forest_core::Task>::Target;

pub(crate) type CodeOf<V> = <<V as Variant>::Task as Sums>::Code;

impl<V: Mode> ExtraTree<V> {
    /// Returns the number of cuts, without those that are kept aside.
    pub fn cuts(&self) -> usize {
        let (mut cuts, mut below) = (0, vec![self.nodes.root]);
        while let Some(child) = below.pop() {
            let node = child.as_node().map(|index| self.nodes.get(index));
            if let Some(node) = node.filter(|node| node.as_cut().is_some()) {
                cuts += 1;
                below.extend(node.children);
            }
        }
        cuts
    }

    /// Returns a tree without samples.
    pub(crate) fn new(seed: Option<u64>, silence: Silent, is_weighted: bool) -> Self {
        let mut mixed = <V::Task as Sums>::Mixed::default();
        if is_weighted {
            mixed.weigh();
        }
        let (nodes, links) = (Nodes::default(), SampleLists::default());
        let (unit, statistics) = (UnitOf::<V>::default(), Pool::default());
        Self {
            seed,
            is_weighted,
            silence,
            nodes,
            links,
            unit,
            mixed,
            statistics,
        }
    }

    /// Returns the code of a sample, and how often it counts.
    #[inline]
    pub(crate) fn coded(&self, store: &SampleStore<V::Task>, id: SampleId) -> Coded<CodeOf<V>> {
        let code = self.unit.code(store.target(id));
        let units = if self.is_weighted {
            store.weight(id).units()
        } else {
            1
        };
        Coded { code, units }
    }

    /// Returns the samples below a child.
    pub(crate) fn ids(&self, child: Child) -> Vec<SampleId> {
        let (mut ids, mut below) = (Vec::new(), vec![child]);
        while let Some(child) = below.pop() {
            match child.get() {
                Below::Nothing => {}
                Below::Pure(first) => ids.extend(self.links.list(first)),
                Below::Node(index) => {
                    let (first, second) = self.nodes.get(index).below();
                    below.extend([first].into_iter().chain(second));
                }
            }
        }
        ids
    }

    /// Returns whether a cache does not hold the nodes, so that it saves time to ask for memory before it is read.
    pub(crate) fn is_large(&self) -> bool {
        self.nodes.array.bytes() > LARGER_THAN_A_CACHE
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        let statistics: usize = self.statistics.values.iter().map(Statistics::bytes).sum();
        let nodes = self.nodes.array.bytes() + self.links.bytes() + self.mixed.bytes();
        nodes + self.statistics.bytes() + statistics
    }

    /// Changes the tree with the working memory of the thread.
    pub(crate) fn change<R>(
        &mut self,
        store: &SampleStore<V::Task>,
        settings: &DynamicSettings,
        work: impl FnOnce(&mut Growth<'_, V>, Place) -> R,
    ) -> R {
        let key = NodeKey::root(self.seed.expect("drawn before the first sample"));
        SCRATCH.with_borrow_mut(|all| {
            let scratch = V::Task::scratch(all);
            let mut growth = Growth::new(self, store, settings, scratch);
            work(
                &mut growth,
                Place {
                    link: Link::Root,
                    key,
                },
            )
        })
    }
}

impl<V: Mode> Growth<'_, V> {
    /// Builds the tree of these samples at once, in place of the old one; if `proceed` returns false in between, it is unusable.
    pub(crate) fn grow_all(
        &mut self,
        place: Place,
        ids: impl Iterator<Item = SampleId> + Clone,
        proceed: impl Fn() -> bool,
    ) {
        let mut weights = ids.clone().map(|id| self.store.weight(id));
        let is_weighted =
            self.tree.is_weighted || weights.any(|weight| weight != SampleWeight::ONE);
        *self.tree = ExtraTree::new(self.tree.seed, self.tree.silence, is_weighted);
        self.scratch.begin(is_weighted);
        for id in ids.clone() {
            self.tree.unit.add(self.store.target(id));
            self.tree.links.fit(id);
        }
        for id in ids {
            self.scratch.set.push(id, self.tree.coded(self.store, id));
        }
        let (start, end) = (0, self.scratch.set.len());
        self.grow_while(Task { place, start, end }, proceed);
    }

    pub(crate) fn learn(&mut self, root: Place, id: SampleId) {
        if !self.tree.is_weighted && self.store.weight(id) != SampleWeight::ONE {
            // Rebuilt once: from now on samples count as their weights say.
            let ids = self.tree.ids(self.tree.nodes.root);
            self.tree.is_weighted = true;
            self.grow_all(root, ids.into_iter(), || true);
        }
        self.tree.links.fit(id);
        if self.tree.unit.add(self.store.target(id)) {
            return self.rebuild(root, Change::Comes(id));
        }
        match self.upkeep {
            Upkeep::Lazy(_) => self.learn_lazily(root, id),
            Upkeep::Exact(_) => self.change_exactly(root, Change::Comes(id)),
        }
    }

    pub(crate) fn forget(&mut self, root: Place, id: SampleId) {
        if self.tree.unit.remove(self.store.target(id)) {
            return self.rebuild(root, Change::Goes(id));
        }
        match self.upkeep {
            Upkeep::Lazy(_) => self.forget_lazily(root, id),
            Upkeep::Exact(_) => self.change_exactly(root, Change::Goes(id)),
        }
    }
}
