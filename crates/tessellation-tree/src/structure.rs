//! The structure of a tree: nodes, leaves, lists of samples and cuts, without labels.

pub(crate) mod boxes;
pub(crate) mod node;
pub(crate) mod pool;
pub(crate) mod view;

use forest_core::{IdRemap, SampleId, SampleLists};
use serde::{Deserialize, Serialize};

use crate::change::work::Samples;
use crate::settings::Rules;
use crate::structure::boxes::Cache;
use crate::structure::node::{Child, Leaf, LeafId, Node, NodeId, Parent, Subtree, Turn};
use crate::structure::pool::Pool;
use crate::structure::view::View;
use crate::walks::path::Descent;
use crate::{CutDistribution, InnerNode, Path, Side};

/// A tree without its labels: all that finds, inserts, exposes, removes and checks nodes. It does not know the label model,
/// so that it is compiled once for a distribution of cuts.
///
/// Nothing summarises the points of a node: an inner node is a time, a cut and two children, a leaf
/// of one sample is that sample's identifier in its parent, and only leaves of several samples have
/// a record. The samples of such a leaf are a list threaded through two links per stored sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Structure<D: CutDistribution> {
    pub(crate) root: Option<Child>,
    pub(crate) nodes: Pool<NodeId, Node<D::Cut>>,
    pub(crate) leaves: Pool<LeafId, Leaf>,
    pub(crate) links: SampleLists,
    pub(crate) cuts: D,
    pub(crate) held: usize,
    /// The largest budget so far.
    pub(crate) budget: f64,
    /// Whether it has as many nodes as it may, and so holds no samples.
    pub(crate) full: bool,
    #[serde(skip)]
    pub(crate) cache: Cache,
}

impl<D: CutDistribution> Structure<D> {
    /// Without samples.
    pub(crate) fn new(cuts: D) -> Self {
        Self {
            root: None,
            nodes: Pool::default(),
            leaves: Pool::default(),
            links: SampleLists::default(),
            cuts,
            held: 0,
            budget: 0.0,
            full: false,
            cache: Cache::default(),
        }
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'_, D> {
        View {
            cuts: &self.cuts,
            nodes: self.nodes.items(),
            leaves: &self.leaves,
            links: &self.links,
        }
    }

    /// Returns the nodes that `x` passes; `None` for a tree without nodes.
    #[inline]
    pub(crate) fn path<'a>(&'a self, x: &'a [f32]) -> Option<Path<'a, D>> {
        let root = self.root?;
        Some(Path::new(self.view(), root, x, self.budget))
    }

    /// Returns the way of `x` down from the root.
    pub(crate) fn descend(&self, root: Child, x: &[f32], mut turns: Vec<Turn>) -> Descent {
        turns.clear();
        let leaf = self.view().note(root, x, &mut turns);
        Descent { turns, leaf }
    }

    /// Makes room for a sample that has just arrived.
    #[inline]
    pub(crate) fn hold(&mut self, id: SampleId) {
        self.links.fit(id);
        self.held += 1;
    }

    /// Returns the samples of a leaf.
    pub(crate) fn samples_of(&self, leaf: LeafId) -> impl Iterator<Item = SampleId> + Clone {
        self.links.list(self.leaves[leaf].first)
    }

    /// Notes the budget of this moment.
    pub(crate) fn begin(&mut self, budget: f64) {
        self.budget = self.budget.max(budget);
    }

    #[inline]
    pub(crate) fn set_child(&mut self, parent: Parent, child: Subtree) {
        match parent {
            None => self.root = Some(child.into()),
            Some((node, side)) => self.nodes[node].children[side as usize] = child.into(),
        }
    }

    /// Returns the subtree there.
    #[inline]
    pub(crate) fn child_of(&self, parent: Parent) -> Option<Child> {
        match parent {
            None => self.root,
            Some((node, side)) => Some(self.nodes[node].children[side as usize]),
        }
    }

    /// Returns a leaf of these samples, which are in no other: a record if they are several.
    pub(crate) fn leaf_of(
        &mut self,
        ids: &[SampleId],
        birth: f64,
        samples: Samples<'_>,
    ) -> Option<Subtree> {
        match *ids {
            [] => None,
            [alone] => Some(Subtree::Sample(alone)),
            _ => Some(Subtree::Leaf(self.record_of(
                ids,
                birth,
                samples.differ(ids),
            ))),
        }
    }

    /// Returns the record of a leaf of these samples, two or more, which are in no other; `mixed` says whether their
    /// targets differ.
    pub(crate) fn record_of(&mut self, ids: &[SampleId], exposed: f64, mixed: bool) -> LeafId {
        let mut first = None;
        ids.iter().for_each(|&id| self.links.push(id, &mut first));
        let first = first.expect("a leaf has samples");
        self.leaves.insert(Leaf {
            exposed,
            center: first,
            radius: f32::INFINITY,
            first,
            points: ids.len() as u32,
            mixed,
        })
    }

    pub(crate) fn remove_leaf(&mut self, leaf: LeafId) {
        self.cache.boxes.forget(leaf);
        self.leaves.remove(leaf);
    }

    /// Returns the number of nodes, leaves of one sample included: a binary tree has one leaf more than inner
    /// nodes.
    pub(crate) fn node_count(&self) -> usize {
        usize::from(self.root.is_some()) * (2 * self.nodes.len() + 1)
    }

    /// Returns whether a leaf may be cut: an inner node has one leaf more below it than it takes the place of.
    #[inline]
    pub(crate) fn has_room(&self, rules: &Rules) -> bool {
        let cut_once_more = 2 * self.nodes.len() + 3;
        let fits = |most: std::num::NonZeroU32| cut_once_more <= most.get() as usize;
        rules.max_nodes.is_none_or(fits)
    }

    /// Lets the samples go, of a tree that has as many nodes as it may. Returns the leaves that were samples, each with its sample, and now
    /// have records.
    pub(crate) fn drop_samples(&mut self) -> Vec<(LeafId, SampleId)> {
        let (mut made, mut waiting) = (Vec::new(), vec![(None, 0.0)]);
        while let Some((parent, birth)) = waiting.pop() {
            match self.child_of(parent).map(Child::get) {
                Some(Subtree::Inner(node)) => {
                    let time = self.nodes[node].time;
                    let children = [Side::Left, Side::Right];
                    waiting.extend(children.map(|side| (Some((node, side)), time)));
                }
                Some(Subtree::Sample(id)) => {
                    let leaf = self.leaves.insert(Leaf {
                        exposed: birth,
                        center: id,
                        radius: f32::INFINITY,
                        first: id,
                        points: 1,
                        mixed: false,
                    });
                    self.set_child(parent, Subtree::Leaf(leaf));
                    made.push((leaf, id));
                }
                Some(Subtree::Leaf(_)) | None => {}
            }
        }
        // Lists, routes and boxes are of samples.
        (self.links, self.cache) = (SampleLists::default(), Cache::default());
        (self.held, self.full) = (0, true);
        made
    }

    /// Returns the inner nodes, those below before those above.
    pub(crate) fn inner_nodes(&self) -> Vec<InnerNode> {
        let inner = |subtree: Subtree| match subtree {
            Subtree::Inner(node) => Some(InnerNode {
                node,
                time: self.nodes[node].time,
                children: self.nodes[node].children.map(Child::get),
            }),
            Subtree::Leaf(_) | Subtree::Sample(_) => None,
        };
        let mut nodes: Vec<_> = self
            .walk()
            .filter_map(|view| inner(view.subtree()))
            .collect();
        nodes.reverse();
        nodes
    }

    /// Follows the new identifiers of the samples.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        self.cache.ahead.clear();
        self.links.remap(names);
        let moved = |child: Child| match child.get() {
            Subtree::Sample(id) => Subtree::Sample(names.apply(id)).into(),
            Subtree::Inner(_) | Subtree::Leaf(_) => child,
        };
        self.root = self.root.map(moved);
        let mut waiting: Vec<Child> = self.root.into_iter().collect();
        while let Some(child) = waiting.pop() {
            match child.get() {
                Subtree::Inner(id) => {
                    let node = &mut self.nodes[id];
                    node.children = node.children.map(moved);
                    waiting.extend(node.children);
                }
                Subtree::Leaf(id) => {
                    let leaf = &mut self.leaves[id];
                    leaf.center = names.apply(leaf.center);
                    leaf.first = names.apply(leaf.first);
                }
                Subtree::Sample(_) => {}
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.leaves.bytes()
            + self.links.bytes()
            + self.cuts.bytes()
            + self.cache.bytes()
    }
}
