//! One tree.

mod online;

use forest_core::{
    Footprint, IdRemap, LARGER_THAN_A_CACHE, SampleId, SampleLists, SampleStore, SampleWeight,
};
use serde::{Deserialize, Serialize};

use crate::DynamicSettings;
use crate::exact::Change;
use crate::grow::{Growth, Place, Task};
use crate::hash::NodeKey;
use crate::labels::sealed::{CodeUnit, MixedLeaves, Sums, UnitOf};
use crate::nodes::{Below, Child, Link, Nodes};
use crate::statistics::Slab;
use crate::upkeep::Upkeep;

pub(crate) use online::Mode;
pub use online::{ExtraTree, Variant};

/// Whether samples are added up as one each or as their weights say. A tree begins with the former, which takes less memory, and
/// switches to the latter with the first sample whose weight is not 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) enum Kind<P: Sums, W: Sums> {
    Plain(Tree<P>),
    Weighted(Tree<W>),
}

/// Expands to the same code for a tree of either kind.
macro_rules! either {
    ($kind:expr, $tree:pat => $work:expr) => {
        match $kind {
            $crate::tree::Kind::Plain($tree) => $work,
            $crate::tree::Kind::Weighted($tree) => $work,
        }
    };
}

pub(crate) use either;

/// A tree that adds up its samples in one way.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Tree<T: Sums> {
    /// Drawn before the first sample.
    pub(crate) seed: Option<u64>,
    pub(crate) parts: Parts<T>,
}

/// The part that changes as samples arrive and leave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Parts<T: Sums> {
    pub(crate) nodes: Nodes<T::Totals>,
    pub(crate) links: SampleLists,
    pub(crate) mixed: T::Mixed,
    pub(crate) unit: UnitOf<T>,
    pub(crate) statistics: Slab<T>,
    pub(crate) silence: T::Silence,
}

impl<T: Sums> Default for Parts<T> {
    fn default() -> Self {
        Self {
            nodes: Nodes::default(),
            links: SampleLists::default(),
            mixed: T::Mixed::default(),
            unit: UnitOf::<T>::default(),
            statistics: Slab::default(),
            silence: T::Silence::default(),
        }
    }
}

impl<T: Sums> Parts<T> {
    /// Returns a tree without samples.
    pub(crate) fn with_silence(silence: T::Silence) -> Self {
        Self {
            silence,
            ..Self::default()
        }
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
        self.nodes.bytes() > LARGER_THAN_A_CACHE
    }

    pub(crate) fn bytes(&self) -> usize {
        let leaves = MixedLeaves::bytes(&self.mixed);
        self.nodes.bytes()
            + self.links.bytes()
            + leaves
            + self.unit.bytes()
            + self.statistics.bytes()
    }
}

#[expect(private_bounds, reason = "variants are sealed")]
impl<V: Mode> ExtraTree<V> {
    /// Returns the number of cuts, without those that are kept aside.
    pub fn cuts(&self) -> usize {
        either!(&self.0, tree => tree.cuts())
    }
}

impl<P: Sums, W: Sums<Task = P::Task, Silence = P::Silence>> Kind<P, W> {
    /// Switches to weighted samples if `id`, which is next, has a weight other than 1: rebuilds the tree, once.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        id: SampleId,
        store: &SampleStore<P::Task>,
        settings: &DynamicSettings,
    ) {
        if store.weight(id) == SampleWeight::ONE {
            return;
        }
        if let Self::Plain(Tree { seed, parts }) = self {
            let ids = parts.ids(parts.nodes.root).into_iter();
            let parts = Parts::with_silence(parts.silence);
            let mut weighted = Tree { seed: *seed, parts };
            weighted.change(store, settings, |growth, root| {
                growth.grow_all(root, ids, || true);
            });
            *self = Self::Weighted(weighted);
        }
    }
}

impl<T: Sums> Tree<T> {
    /// Returns the tree of the same seed and samples that is built at once.
    pub(crate) fn batch_tree(
        &self,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
    ) -> Self {
        let parts = Parts::with_silence(self.parts.silence);
        let mut batch = Self {
            seed: self.seed,
            parts,
        };
        let ids = store.ids().collect::<Vec<_>>().into_iter();
        batch.change(store, settings, |growth, root| {
            growth.grow_all(root, ids, || true);
        });
        batch
    }

    fn cuts(&self) -> usize {
        let (mut cuts, mut below) = (0, vec![self.parts.nodes.root]);
        while let Some(child) = below.pop() {
            if let Some(node) = child.as_node().map(|index| self.parts.nodes.get(index)) {
                cuts += usize::from(node.as_cut().is_some());
                below.extend(node.as_cut().iter().flat_map(|_| node.children));
            }
        }
        cuts
    }

    /// Returns the nodes, and the bytes with `own` ones beside them.
    pub(crate) fn footprint(&self, own: usize) -> Footprint {
        Footprint {
            nodes: self.parts.nodes.used(),
            stored_samples: 0,
            bytes: own + self.parts.bytes(),
        }
    }

    pub(crate) fn remap(&mut self, names: &IdRemap) {
        self.parts.nodes.remap(names);
        self.parts.links.remap(names);
    }

    pub(crate) fn root(&self) -> Place {
        let key = NodeKey::root(self.seed.expect("drawn before the first sample"));
        Place {
            link: Link::Root,
            key,
        }
    }

    pub(crate) fn change<R>(
        &mut self,
        store: &SampleStore<T::Task>,
        settings: &DynamicSettings,
        work: impl FnOnce(&mut Growth<'_, T>, Place) -> R,
    ) -> R {
        let root = self.root();
        T::with_scratch(|scratch| {
            work(
                &mut Growth::new(&mut self.parts, store, settings, scratch),
                root,
            )
        })
    }
}

impl<T: Sums> Growth<'_, T> {
    /// Builds the tree of these samples at once, in place of the old one; if `proceed` returns false in between, it is unusable.
    pub(crate) fn grow_all(
        &mut self,
        place: Place,
        ids: impl Iterator<Item = SampleId> + Clone,
        proceed: impl Fn() -> bool,
    ) {
        *self.tree = Parts::with_silence(self.tree.silence);
        for id in ids.clone() {
            self.tree.unit.add(self.store.target(id));
            self.tree.links.fit(id);
        }
        self.scratch.set.clear();
        for id in ids {
            let code = self.code(id);
            self.scratch.set.push(id, code);
        }
        let (start, end) = (0, self.scratch.set.len());
        self.grow_while(Task { place, start, end }, proceed);
    }

    pub(crate) fn learn(&mut self, root: Place, id: SampleId) {
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
