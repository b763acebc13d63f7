//! What is reached from the root, each node, leaf and sample once.

use forest_core::{InvariantError, SampleId};

use crate::CutDistribution;
use crate::structure::Structure;
use crate::structure::node::{Child, LeafId, NodeId, Subtree};
use crate::structure::pool::{Index, Pool};

/// The parts of a tree that are reached from its root.
#[derive(Default)]
pub(super) struct Reached {
    /// The inner nodes, children before parents: the samples of one have just been looked at when its parent's are.
    pub(super) spans: Vec<Span>,
    pub(super) leaves: Vec<LeafSpan>,
    /// The samples, leaf after leaf, from left to right.
    pub(super) samples: Vec<SampleId>,
}

/// An inner node, and the places of its samples in [`Reached::samples`].
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) node: NodeId,
    start: u32,
    middle: u32,
    end: u32,
}

/// A leaf that has a record, and the places of its samples in [`Reached::samples`].
#[derive(Clone, Copy)]
pub(super) struct LeafSpan {
    pub(super) leaf: LeafId,
    start: u32,
    end: u32,
}

/// What is still to be done.
enum Waiting {
    Enter(Child),
    /// All on the left of the node has been entered.
    Middle(NodeId, u32),
    Leave(NodeId, u32, u32),
}

/// Which places of an arena were seen.
struct Seen(Vec<bool>);

impl Span {
    /// Returns the samples left and right of its cut.
    pub(super) fn sides<'a>(&self, samples: &'a [SampleId]) -> [&'a [SampleId]; 2] {
        let (start, middle, end) = (self.start as usize, self.middle as usize, self.end as usize);
        [&samples[start..middle], &samples[middle..end]]
    }
}

impl LeafSpan {
    /// Its samples.
    pub(super) fn of<'a>(&self, samples: &'a [SampleId]) -> &'a [SampleId] {
        &samples[self.start as usize..self.end as usize]
    }
}

impl Seen {
    fn new(places: usize) -> Self {
        Self(vec![false; places])
    }

    /// Returns whether the place is there and was not seen before.
    fn is_new(&mut self, place: usize) -> bool {
        place < self.0.len() && !self.is_known(place)
    }

    /// Returns whether the place was seen before; none that is not there was.
    fn is_known(&mut self, place: usize) -> bool {
        let seen = self.0.get_mut(place);
        seen.is_some_and(|seen| std::mem::replace(seen, true))
    }

    /// Returns whether the free places of a pool are all that was not seen.
    fn complete<I: Index, T>(
        mut self,
        pool: &Pool<I, T>,
        name: &str,
    ) -> Result<(), InvariantError> {
        let free = pool.free().all(|place| self.is_new(place));
        let each_once = free && self.0.into_iter().all(|seen| seen);
        InvariantError::require(
            each_once,
            name,
            "some are lost, shared, or both used and free",
        )
    }
}

impl Reached {
    /// Each node is reached exactly once from the root: the tree has no circles, and ends.
    pub(super) fn from_root<D: CutDistribution>(
        tree: &Structure<D>,
    ) -> Result<Self, InvariantError> {
        let mut walk = Walk {
            tree,
            nodes: Seen::new(tree.nodes.places()),
            leaves: Seen::new(tree.leaves.places()),
            samples: Seen::new(tree.links.slots()),
            waiting: tree.root.map(Waiting::Enter).into_iter().collect(),
            reached: Self::default(),
        };
        while let Some(waiting) = walk.waiting.pop() {
            walk.visit(waiting)?;
        }
        walk.nodes.complete(&tree.nodes, "nodes")?;
        walk.leaves.complete(&tree.leaves, "leaves")?;
        Ok(walk.reached)
    }

    pub(super) fn leaves(&self) -> impl Iterator<Item = LeafId> {
        self.leaves.iter().map(|span| span.leaf)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.spans.iter().map(|span| span.node)
    }
}

struct Walk<'a, D: CutDistribution> {
    tree: &'a Structure<D>,
    nodes: Seen,
    leaves: Seen,
    samples: Seen,
    waiting: Vec<Waiting>,
    reached: Reached,
}

impl<D: CutDistribution> Walk<'_, D> {
    fn visit(&mut self, waiting: Waiting) -> Result<(), InvariantError> {
        let here = self.reached.samples.len() as u32;
        match waiting {
            Waiting::Enter(child) => return self.enter(child.get()),
            Waiting::Middle(node, start) => {
                self.waiting.push(Waiting::Leave(node, start, here));
                let [_, right] = self.tree.nodes[node].children;
                self.waiting.push(Waiting::Enter(right));
            }
            Waiting::Leave(node, start, middle) => self.reached.spans.push(Span {
                node,
                start,
                middle,
                end: here,
            }),
        }
        Ok(())
    }

    fn enter(&mut self, subtree: Subtree) -> Result<(), InvariantError> {
        let is_new = match subtree {
            Subtree::Inner(node) => self.nodes.is_new(node.index()) && self.enter_node(node),
            Subtree::Leaf(leaf) => self.leaves.is_new(leaf.index()) && self.enter_leaf(leaf),
            Subtree::Sample(id) => self.enter_sample(id),
        };
        let place = format_args!("{subtree:?}");
        InvariantError::require(is_new, place, "is out of range, or reached more than once")
    }

    fn enter_node(&mut self, node: NodeId) -> bool {
        let [left, _] = self.tree.nodes[node].children;
        let here = self.reached.samples.len() as u32;
        self.waiting.push(Waiting::Middle(node, here));
        self.waiting.push(Waiting::Enter(left));
        true
    }

    fn enter_leaf(&mut self, leaf: LeafId) -> bool {
        let (seen, reached) = (&mut self.samples, &mut self.reached.samples);
        let start = reached.len() as u32;
        let mut ids = self.tree.links.list(self.tree.leaves[leaf].first);
        let once = ids.all(|id| {
            reached.push(id);
            !seen.is_known(id.index())
        });
        let end = reached.len() as u32;
        self.reached.leaves.push(LeafSpan { leaf, start, end });
        once
    }

    /// Checks that a leaf without a record is of one sample: with others linked to it, it would be of several.
    fn enter_sample(&mut self, id: SampleId) -> bool {
        self.reached.samples.push(id);
        let is_alone = self.tree.links.list(id).nth(1).is_none();
        is_alone && !self.samples.is_known(id.index())
    }
}
