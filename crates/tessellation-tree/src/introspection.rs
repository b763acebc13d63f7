//! Looking into a tree: its nodes, cuts and times, and who shares a leaf.

use forest_core::SampleId;

use crate::node::{Children, Kind};
use crate::{CutMeasure, LabelModel, NodeId, Side, TessellationTree};

/// A node seen from outside.
#[derive(Clone, Copy, Debug)]
pub struct NodeView<'a, M: CutMeasure, L: LabelModel> {
    tree: &'a TessellationTree<M, L>,
    id: NodeId,
    birth: f64,
    depth: usize,
}

/// The cut of an inner node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut<C> {
    /// The hyperplane.
    pub hyperplane: C,
    /// Its time T.
    pub time: f64,
    /// The child on its left.
    pub left: NodeId,
    /// The child on its right.
    pub right: NodeId,
}

impl<'a, M: CutMeasure, L: LabelModel> NodeView<'a, M, L> {
    /// The node's name.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// Edges between the node and the root.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The time t₀ of the parent's cut; 0 at the root.
    pub fn birth(&self) -> f64 {
        self.birth
    }

    /// The time T of the cut, or, of a leaf, the time e to which it is known to be uncut.
    pub fn time(&self) -> f64 {
        self.tree.nodes[self.id.index()].time
    }

    /// Number of points of the node.
    pub fn points(&self) -> usize {
        self.tree.nodes[self.id.index()].points as usize
    }

    /// Whether the node is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.cut().is_none()
    }

    /// The node's cut, unless it is a leaf.
    pub fn cut(&self) -> Option<Cut<M::Cut>> {
        let node = &self.tree.nodes[self.id.index()];
        match node.kind {
            Kind::Leaf { .. } => None,
            Kind::Inner {
                cut,
                children: Children { left, right },
            } => Some(Cut {
                hyperplane: cut,
                time: node.time,
                left,
                right,
            }),
        }
    }

    /// The samples of a leaf, latest first; an inner node has none of its own.
    pub fn samples(&self) -> impl Iterator<Item = SampleId> + use<'a, M, L> {
        let first = match self.tree.nodes[self.id.index()].kind {
            Kind::Leaf { first } => first,
            Kind::Inner { .. } => None,
        };
        self.tree.links.list(first)
    }

    /// The child on that side of the cut; a leaf has none.
    pub fn child(&self, side: Side) -> Option<Self> {
        let cut = self.cut()?;
        let id = Children {
            left: cut.left,
            right: cut.right,
        }
        .at(side);
        Some(Self {
            tree: self.tree,
            id,
            birth: cut.time,
            depth: self.depth + 1,
        })
    }
}

impl<M: CutMeasure, L: LabelModel> TessellationTree<M, L> {
    /// The root; `None` before the first sample.
    pub fn root(&self) -> Option<NodeView<'_, M, L>> {
        self.root.map(|id| NodeView {
            tree: self,
            id,
            birth: 0.0,
            depth: 0,
        })
    }

    /// All nodes, parents before children, left before right.
    pub fn walk(&self) -> impl Iterator<Item = NodeView<'_, M, L>> {
        let mut waiting: Vec<_> = self.root().into_iter().collect();
        std::iter::from_fn(move || {
            let node = waiting.pop()?;
            waiting.extend(node.child(Side::Right));
            waiting.extend(node.child(Side::Left));
            Some(node)
        })
    }

    /// The leaves, left to right.
    pub fn leaves(&self) -> impl Iterator<Item = NodeView<'_, M, L>> {
        self.walk().filter(NodeView::is_leaf)
    }

    /// The nodes that `features` passes, from the root to its leaf.
    pub fn path(&self, features: &[f32]) -> impl Iterator<Item = NodeView<'_, M, L>> {
        std::iter::successors(self.root(), move |node| {
            let cut = node.cut()?;
            node.child(M::side(&cut.hyperplane, features))
        })
    }

    /// Whether two points fall into the same leaf.
    pub fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        self.leaf_of(a) == self.leaf_of(b)
    }

    /// The hulls that the cut measure keeps, one a node.
    pub fn hulls(&self) -> &M {
        &self.hulls
    }
}
