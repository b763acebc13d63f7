//! Read-only inspection of a tree: its nodes, cuts and times, and who shares a leaf.

use forest_core::SampleId;

use crate::structure::Structure;
use crate::structure::node::Subtree;
use crate::structure::view::View;
use crate::{CutDistribution, LabelModel, Side, TessellationTree};

/// A node seen from outside, without its labels.
#[derive(Debug)]
pub struct NodeView<'a, D: CutDistribution> {
    structure: View<'a, D>,
    subtree: Subtree,
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
}

impl<D: CutDistribution> Clone for NodeView<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: CutDistribution> Copy for NodeView<'_, D> {}

impl<'a, D: CutDistribution> NodeView<'a, D> {
    /// Returns the identifier of the node.
    pub fn subtree(&self) -> Subtree {
        self.subtree
    }

    /// Edges between the node and the root.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the time t₀ of the parent's cut; 0 at the root.
    pub fn birth(&self) -> f64 {
        self.birth
    }

    /// Returns the time T of the cut, or, of a leaf, the time e up to which it is known to be uncut. A leaf of
    /// one sample is exposed to nothing: its birth.
    pub fn time(&self) -> f64 {
        match self.subtree {
            Subtree::Inner(node) => self.structure.nodes.get(node).time,
            Subtree::Leaf(leaf) => self.structure.leaves[leaf].exposed,
            Subtree::Sample(_) => self.birth,
        }
    }

    /// Returns the number of samples of the node that are held. Costs a pass over the subtree.
    pub fn points(&self) -> usize {
        self.samples().count()
    }

    /// Returns whether the node is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.cut().is_none()
    }

    /// Returns the node's cut, unless it is a leaf.
    pub fn cut(&self) -> Option<Cut<D::Cut>> {
        let Subtree::Inner(node) = self.subtree else {
            return None;
        };
        let node = self.structure.nodes.get(node);
        Some(Cut {
            hyperplane: node.cut,
            time: node.time,
        })
    }

    /// Returns the leaves below the node, or itself.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = Self> + use<'a, D> {
        descendants(Some(*self)).filter(Self::is_leaf)
    }

    /// Returns the samples of the node; a full tree holds none.
    pub fn samples(&self) -> impl Iterator<Item = SampleId> + use<'a, D> {
        let View { leaves, links, .. } = self.structure;
        let firsts = descendants(Some(*self)).filter_map(|node| match node.subtree {
            Subtree::Inner(_) => None,
            Subtree::Leaf(leaf) => Some(leaves[leaf].first),
            Subtree::Sample(id) => Some(id),
        });
        firsts.flat_map(|first| links.list(first))
    }

    /// Returns the child on that side of the cut; a leaf has none.
    pub fn child(&self, side: Side) -> Option<Self> {
        let Subtree::Inner(node) = self.subtree else {
            return None;
        };
        let node = self.structure.nodes.get(node);
        Some(Self {
            structure: self.structure,
            subtree: node.child(side),
            birth: node.time,
            depth: self.depth + 1,
        })
    }
}

/// Returns the node and all nodes below it, parents before children, left before right.
fn descendants<'a, D: CutDistribution>(
    node: Option<NodeView<'a, D>>,
) -> impl Iterator<Item = NodeView<'a, D>> {
    let mut waiting: Vec<_> = node.into_iter().collect();
    std::iter::from_fn(move || {
        let node = waiting.pop()?;
        waiting.extend(node.child(Side::Right));
        waiting.extend(node.child(Side::Left));
        Some(node)
    })
}

impl<D: CutDistribution> Structure<D> {
    /// Returns the root.
    pub(crate) fn root(&self) -> Option<NodeView<'_, D>> {
        self.root.map(|root| NodeView {
            structure: self.view(),
            subtree: root.get(),
            birth: 0.0,
            depth: 0,
        })
    }

    /// Returns all nodes, parents before children, left before right.
    pub(crate) fn walk(&self) -> impl Iterator<Item = NodeView<'_, D>> {
        descendants(self.root())
    }

    /// Returns the nodes that `x` passes, from the root to its leaf.
    pub(crate) fn nodes_above(&self, x: &[f32]) -> impl Iterator<Item = NodeView<'_, D>> {
        std::iter::successors(self.root(), move |node| {
            let cut = node.cut()?;
            node.child(self.cuts.side(&cut.hyperplane, x))
        })
    }
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Returns the root; `None` if no sample is held.
    pub fn root(&self) -> Option<NodeView<'_, D>> {
        self.structure.root()
    }

    /// Returns all nodes, parents before children, left before right.
    pub fn walk(&self) -> impl Iterator<Item = NodeView<'_, D>> {
        self.structure.walk()
    }

    /// Returns the leaves, left to right.
    pub fn leaves(&self) -> impl Iterator<Item = NodeView<'_, D>> {
        self.walk().filter(NodeView::is_leaf)
    }

    /// Returns the nodes that `x` passes, from the root to its leaf.
    pub fn nodes_above(&self, x: &[f32]) -> impl Iterator<Item = NodeView<'_, D>> {
        self.structure.nodes_above(x)
    }

    /// Returns the leaf that `x` falls into; `None` if no sample is held.
    #[inline]
    pub fn leaf_at(&self, x: &[f32]) -> Option<Subtree> {
        Some(self.path(x)?.leaf())
    }

    /// Returns whether two points fall into the same leaf.
    pub fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool {
        self.leaf_at(a) == self.leaf_at(b)
    }

    /// Returns the distribution of cuts.
    pub fn cuts(&self) -> &D {
        &self.structure.cuts
    }

    /// Returns the label model.
    pub fn labels(&self) -> &L {
        &self.labels
    }
}
