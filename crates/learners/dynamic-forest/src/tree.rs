//! What a tree is made of, and its prediction at a point.

use std::fmt::Debug;

use forest_core::{LARGER_THAN_A_CACHE, SampleId, SampleLists, SampleStore, Task};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Labels;
use crate::hash::hashed;
use crate::labels::Coded;
use crate::nodes::{Below, Child, Nodes, Pool};
use crate::statistics::Statistics;
use crate::unit::Unit;

/// What trees keep of their samples, and how they are read. Sealed.
pub trait Variant: Clone + Debug + Default + Send + Sync + 'static {
    /// Classification or regression.
    type Task: Labels;
    /// The counts that inner nodes keep of the samples below them: an array of one or zero.
    type Totals: Copy
        + Debug
        + Default
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + AsRef<[Counts]>
        + AsMut<[Counts]>;

    /// The number of predictions that a tree makes at a point.
    const READINGS: usize = 1;

    /// What a sample adds to the changes of a node, unless samples count differently.
    const A_CHANGE: u32 = 1;

    /// Returns K, the number of candidates by default, for points of this number of features.
    fn candidates(width: usize) -> usize {
        <Self::Task as Labels>::candidates(width)
    }

    /// Returns the samples that are silent in tree number `index` from the beginning.
    fn silence(_index: usize) -> Silent {
        Silent::default()
    }

    /// Overwrites `accumulator` with the predictions at a point.
    fn vote(
        tree: &DynamicTree<Self>,
        x: &[f32],
        store: &SampleStore<Self::Task>,
        accumulator: &mut [f64],
    ) {
        tree.predict_in_leaf(tree.leaf_of(x), store, accumulator);
    }
}

/// A tree that is read at its leaves.
impl<T: Labels> Variant for T {
    type Task = T;
    type Totals = [Counts; 0];
}

/// The number of the sums of a node's samples, among those of leaves, and the number of samples on each side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub(crate) sums: u32,
    pub(crate) sides: [u32; 2],
}

/// Which samples are [silent](crate::ReadingTree#silent-samples) in a tree: those whose arrival number has a hash in a
/// range of this length that begins at `from` and wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Silent {
    /// Whether there can be any.
    is_possible: bool,
    from: u64,
    pub(crate) length: u64,
}

impl Silent {
    /// Returns an empty range, which can become a share of fold `index` modulo `folds`.
    pub(crate) fn of_fold(index: usize, folds: usize) -> Self {
        let from = (index % folds) as u64 * (u64::MAX / folds as u64);
        Self {
            is_possible: true,
            from,
            length: 0,
        }
    }

    /// Returns whether there are any.
    #[inline]
    pub(crate) fn is_any(self) -> bool {
        self.length > 0
    }

    /// Returns the range of this share of all samples. A smaller share is a part of a larger one.
    pub(crate) fn with_share(self, share: f64) -> Self {
        let share = if self.is_possible { share } else { 0.0 };
        let length = (share * 2f64.powi(64)) as u64;
        Self { length, ..self }
    }
}

/// A tree that is a function of its seed and of the samples it holds, up to a share ε of the samples of each node (see
/// [`DynamicSettings::recheck`](crate::DynamicSettings::recheck)). `V` is a task, for a tree that is read at its
/// leaves, or says what else it keeps: [`ReadingTree`](crate::ReadingTree), [`HonestTree`](crate::HonestTree).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct DynamicTree<V: Variant> {
    /// The one number that a tree draws, before the first sample.
    pub(crate) seed: Option<u64>,
    /// Whether samples count by their weights: from the first weight other than 1 on.
    pub(crate) is_weighted: bool,
    pub(crate) silence: Silent,
    pub(crate) nodes: Nodes<V::Totals>,
    pub(crate) links: SampleLists,
    pub(crate) unit: Unit,
    pub(crate) leaves: <V::Task as Labels>::Leaves,
    pub(crate) statistics: Pool<Statistics<V::Task>>,
}

pub(crate) type TargetOf<V> = <<V as Variant>::Task as Task>::Target;

pub(crate) type CodeOf<V> = <<V as Variant>::Task as Labels>::Code;

impl<V: Variant> DynamicTree<V> {
    /// Returns the code of a sample, and how often it counts.
    #[inline]
    pub(crate) fn coded(&self, store: &SampleStore<V::Task>, id: SampleId) -> Coded<V::Task> {
        let code = V::Task::code(store.target(id), &self.unit);
        let units = if self.is_weighted {
            store.weight(id).units()
        } else {
            1
        };
        Coded { code, units }
    }

    /// Returns whether a stored sample is silent in this tree.
    #[inline]
    pub fn is_silent(&self, id: SampleId, store: &SampleStore<V::Task>) -> bool {
        let Silent { from, length, .. } = self.silence;
        length > 0 && hashed(0, store.arrival(id)).wrapping_sub(from) < length
    }

    /// Returns whether the nodes exceed a cache, so that prefetching them saves time.
    pub(crate) fn is_large(&self) -> bool {
        self.nodes.array.bytes() > LARGER_THAN_A_CACHE
    }

    /// Returns the child of a node that a point continues to; `None` at a leaf.
    #[inline]
    pub(crate) fn step(&self, child: Child, x: &[f32]) -> Option<Child> {
        let node = self.nodes.get(child.as_node()?);
        Some(node.children[node.as_split()?.side(x)])
    }

    #[inline]
    pub(crate) fn leaf_of(&self, x: &[f32]) -> Child {
        let mut child = self.nodes.root;
        while let Some(below) = self.step(child, x) {
            child = below;
        }
        child
    }

    pub(crate) fn predict_in_leaf(
        &self,
        leaf: Child,
        store: &SampleStore<V::Task>,
        accumulator: &mut [f64],
    ) {
        match leaf.get() {
            Below::Nothing => V::Task::prior_prediction(accumulator),
            Below::Pure(first) => {
                accumulator.fill(0.0);
                let code = V::Task::code(store.target(first), &self.unit);
                V::Task::add_vote(code, &self.unit, accumulator);
            }
            Below::Node(_) => {
                if let Some(leaf) = self.nodes.mixed(leaf) {
                    V::Task::predict_leaf(&self.leaves, leaf.sums, None, &self.unit, accumulator);
                }
            }
        }
    }
}
