//! How a tree is stored: as one list of fields, as if structure and labels were not apart.

use serde::{Deserialize, Serialize, Serializer};

use crate::change::division::Division;
use crate::structure::Structure;
use crate::structure::cache::Cache;
use crate::structure::memory::Memory;
use crate::structure::node::{Child, Leaf, LeafId, Node, NodeId};
use crate::structure::pool::Pool;
use crate::{CutDistribution, LabelModel, TessellationTree};
use forest_core::SampleLists;

/// The fields of a tree in the order of snapshots, which must not change.
#[derive(Deserialize)]
#[serde(bound = "", rename = "TessellationTree")]
pub(crate) struct Stored<D: CutDistribution, L: LabelModel> {
    root: Option<Child>,
    nodes: Pool<NodeId, Node<D::Cut>>,
    leaves: Pool<LeafId, Leaf>,
    links: SampleLists,
    cuts: D,
    labels: L,
    held: usize,
    budget: f64,
    full: bool,
}

/// The same fields, borrowed.
#[derive(Serialize)]
#[serde(bound = "", rename = "TessellationTree")]
struct StoredRef<'a, D: CutDistribution, L: LabelModel> {
    root: Option<Child>,
    nodes: &'a Pool<NodeId, Node<D::Cut>>,
    leaves: &'a Pool<LeafId, Leaf>,
    links: &'a SampleLists,
    cuts: &'a D,
    labels: &'a L,
    held: usize,
    budget: f64,
    full: bool,
}

impl<D: CutDistribution, L: LabelModel> Serialize for TessellationTree<D, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            structure, labels, ..
        } = self;
        let stored = StoredRef {
            root: structure.root,
            nodes: &structure.nodes,
            leaves: &structure.leaves,
            links: &structure.links,
            cuts: &structure.cuts,
            labels,
            held: structure.held,
            budget: structure.budget,
            full: structure.full,
        };
        stored.serialize(serializer)
    }
}

impl<D: CutDistribution, L: LabelModel> From<Stored<D, L>> for TessellationTree<D, L> {
    fn from(stored: Stored<D, L>) -> Self {
        Self {
            structure: Structure {
                root: stored.root,
                nodes: stored.nodes,
                leaves: stored.leaves,
                links: stored.links,
                cuts: stored.cuts,
                held: stored.held,
                budget: stored.budget,
                full: stored.full,
                cache: Cache::default(),
            },
            labels: stored.labels,
            memory: Memory::default(),
            division: Division::default(),
        }
    }
}
