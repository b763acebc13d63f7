//! The structure of a tree: nodes, leaves, lists of samples and cuts, without labels.

pub(crate) mod boxes;
pub(crate) mod node;
pub(crate) mod routes;
pub(crate) mod work;

use forest_core::{IdRemap, SampleId, SampleLists};
use serde::{Deserialize, Serialize};

use crate::structure::node::{
    Child, InnerNode, Leaf, LeafId, Node, NodeId, Parent, Pool, Step, Subtree, parent_below,
};
use crate::structure::work::{Scratch, Work};
use crate::{CutDistribution, Side, TessellationSettings};

/// A tree without its labels, compiled once for a distribution of cuts.
///
/// An inner node is a time, a cut and two children: nothing summarises its points. A leaf of one sample is that
/// sample's identifier in its parent. Only leaves of several samples have a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Structure<D: CutDistribution> {
    pub(crate) root: Option<Child>,
    pub(crate) nodes: Pool<Node<D::Cut>>,
    pub(crate) leaves: Pool<Leaf>,
    /// The samples of each leaf, linked.
    pub(crate) links: SampleLists,
    pub(crate) cuts: D,
    /// Number of samples held.
    pub(crate) held: usize,
    /// τ, the largest budget so far.
    pub(crate) budget: f64,
    /// Whether the tree has as many nodes as it may, and so holds no samples.
    pub(crate) full: bool,
    #[serde(skip)]
    pub(crate) scratch: Scratch,
}

impl<D: CutDistribution> Structure<D> {
    pub(crate) fn new(cuts: D) -> Self {
        Self {
            root: None,
            nodes: Pool::new(),
            leaves: Pool::new(),
            links: SampleLists::default(),
            cuts,
            held: 0,
            budget: 0.0,
            full: false,
            scratch: Scratch::default(),
        }
    }

    #[inline]
    pub(crate) fn node(&self, node: NodeId) -> &Node<D::Cut> {
        &self.nodes[node.index()]
    }

    #[inline]
    pub(crate) fn leaf(&self, leaf: LeafId) -> &Leaf {
        &self.leaves[leaf.index()]
    }

    /// Returns the leaf of `x`, and fills `steps` with the inner nodes above it; `None` for a tree without nodes.
    #[inline]
    pub(crate) fn descend(&self, x: &[f32], steps: &mut Vec<Step>) -> Option<Subtree> {
        steps.clear();
        self.descend_from(x, steps)
    }

    /// Continues a path from below its last step.
    #[inline]
    pub(crate) fn descend_from(&self, x: &[f32], steps: &mut Vec<Step>) -> Option<Subtree> {
        let mut below = self.child_of(parent_below(steps))?;
        let cuts = &self.cuts;
        let nodes = &*self.nodes;
        while let Subtree::Inner(id) = below {
            let node = &nodes[id.index()];
            let side = cuts.side(&node.cut, x);
            steps.push(node.step(id, side));
            below = node.child(side);
        }
        Some(below)
    }

    /// Makes room for a sample that has just arrived.
    #[inline]
    pub(crate) fn hold(&mut self, id: SampleId) {
        self.links.fit(id);
        self.held += 1;
    }

    /// Returns the samples of a leaf.
    pub(crate) fn listed(&self, leaf: Subtree) -> impl Iterator<Item = SampleId> + Clone {
        let first = match leaf {
            Subtree::Leaf(leaf) => self.leaf(leaf).first,
            Subtree::Sample(id) => id,
            Subtree::Inner(_) => unreachable!("a leaf has samples of its own"),
        };
        self.links.list(first)
    }

    /// Returns the subtree that hangs there; `None` for the root of an empty tree.
    pub(crate) fn child_of(&self, parent: Parent) -> Option<Subtree> {
        match parent {
            None => self.root.map(Child::get),
            Some((node, side)) => Some(self.node(node).child(side)),
        }
    }

    #[inline]
    pub(crate) fn set_child(&mut self, parent: Parent, child: Subtree) {
        let child = child.into();
        match parent {
            None => self.root = Some(child),
            Some((node, side)) => self.nodes[node.index()].children[side as usize] = child,
        }
    }

    /// Makes a leaf of these samples, which are in no other: with a record if they are several.
    pub(crate) fn leaf_of(&mut self, ids: &[SampleId], birth: f64, work: &Work<'_>) -> Subtree {
        match *ids {
            [alone] => Subtree::Sample(alone),
            _ => Subtree::Leaf(self.record_of(ids, birth, work.differ(ids))),
        }
    }

    /// Makes the record of a leaf of these samples, two or more; `mixed` says whether their targets differ.
    pub(crate) fn record_of(&mut self, ids: &[SampleId], exposed: f64, mixed: bool) -> LeafId {
        let mut first = None;
        for &id in ids {
            self.links.push(id, &mut first);
        }
        let first = first.expect("a leaf has samples");
        let points = ids.len() as u32;
        LeafId(self.leaves.insert(Leaf::new(first, exposed, points, mixed)))
    }

    pub(crate) fn remove_leaf(&mut self, leaf: LeafId) {
        self.scratch.boxes.forget(leaf);
        self.leaves.remove(leaf.index());
    }

    pub(crate) fn insert_node(&mut self, parent: Parent, node: Node<D::Cut>) -> NodeId {
        let node = NodeId(self.nodes.insert(node));
        self.set_child(parent, Subtree::Inner(node));
        node
    }

    /// Returns the number of nodes, leaves of one sample included: a binary tree has one leaf more than inner nodes.
    pub(crate) fn node_count(&self) -> usize {
        usize::from(self.root.is_some()) * (2 * self.nodes.used() + 1)
    }

    /// Returns whether there is room for the two nodes that one more cut adds.
    #[inline]
    pub(crate) fn has_room(&self, settings: &TessellationSettings) -> bool {
        let nodes_after_cut = 2 * self.nodes.used() + 3;
        let limit = settings.max_nodes;
        limit.is_none_or(|limit| nodes_after_cut <= limit.get() as usize)
    }

    /// Drops the samples of a full tree. Returns the leaves of one sample, which now have records, with their samples.
    pub(crate) fn drop_samples(&mut self) -> Vec<(LeafId, SampleId)> {
        let mut made = Vec::new();
        // Places to be visited, each with the birth of what hangs there.
        let mut waiting = vec![(None, 0.0)];
        while let Some((parent, birth)) = waiting.pop() {
            match self.child_of(parent) {
                Some(Subtree::Inner(node)) => {
                    let time = self.node(node).time;
                    waiting.push((Some((node, Side::Left)), time));
                    waiting.push((Some((node, Side::Right)), time));
                }
                Some(Subtree::Sample(id)) => {
                    let leaf = LeafId(self.leaves.insert(Leaf::new(id, birth, 1, false)));
                    self.set_child(parent, Subtree::Leaf(leaf));
                    made.push((leaf, id));
                }
                Some(Subtree::Leaf(_)) | None => {}
            }
        }
        // Lists and boxes are of samples, and working memory grows with them.
        self.links = SampleLists::default();
        self.scratch = Scratch::default();
        self.held = 0;
        self.full = true;
        made
    }

    pub(crate) fn inner(&self, node: NodeId) -> InnerNode {
        let Node { time, children, .. } = self.node(node);
        InnerNode {
            node,
            time: *time,
            children: children.map(Child::get),
        }
    }

    /// Returns the inner nodes, those below before those above.
    pub(crate) fn inner_nodes(&self) -> Vec<InnerNode> {
        let mut nodes = Vec::new();
        let mut waiting = Vec::from_iter(self.root);
        while let Some(child) = waiting.pop() {
            if let Subtree::Inner(id) = child.get() {
                waiting.extend(self.node(id).children.iter().rev());
                nodes.push(self.inner(id));
            }
        }
        nodes.reverse();
        nodes
    }

    /// Follows the new identifiers of the samples.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        self.links.remap(names);
        self.scratch.ahead.clear();
        let moved = |child: Child| match child.get() {
            Subtree::Sample(id) => Subtree::Sample(names.apply(id)).into(),
            Subtree::Inner(_) | Subtree::Leaf(_) => child,
        };
        self.root = self.root.map(moved);
        let mut waiting = Vec::from_iter(self.root);
        while let Some(child) = waiting.pop() {
            match child.get() {
                Subtree::Inner(id) => {
                    let node = &mut self.nodes[id.index()];
                    node.children = node.children.map(moved);
                    waiting.extend(node.children);
                }
                Subtree::Leaf(id) => {
                    let leaf = &mut self.leaves[id.index()];
                    leaf.center = names.apply(leaf.center);
                    leaf.first = names.apply(leaf.first);
                }
                Subtree::Sample(_) => {}
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.nodes.bytes() + self.leaves.bytes() + self.links.bytes();
        nodes + self.cuts.bytes() + self.scratch.bytes()
    }
}
