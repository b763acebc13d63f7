//! Reading a tree: its nodes, cuts and times; the tree as data; and the check of a decoded tree's shape.

use forest_core::{
    ExportedNode, ExportedTree, ForestContext, Inequality, InvariantError, SampleId, Task,
};

use crate::structure::Structure;
use crate::structure::node::{Node, NodeId, Step, Subtree};
use crate::{Context, CutDistribution, LabelModel, Path, Side, TessellationTree};

/// A node seen from outside, without its labels.
#[derive(Debug)]
pub struct NodeView<'a, D: CutDistribution> {
    structure: &'a Structure<D>,
    /// The identifier of the node.
    pub subtree: Subtree,
    /// The time t₀ of the parent's cut; 0 at the root.
    pub birth: f64,
    /// Edges between the node and the root.
    pub depth: usize,
}

impl<D: CutDistribution> Clone for NodeView<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: CutDistribution> Copy for NodeView<'_, D> {}

impl<'a, D: CutDistribution> NodeView<'a, D> {
    /// Returns the time T of the cut, or the time e up to which a leaf is known to be uncut: of one sample, its birth.
    pub fn time(&self) -> f64 {
        match self.subtree {
            Subtree::Inner(node) => self.structure.node(node).time,
            Subtree::Leaf(leaf) => self.structure.leaf(leaf).exposed,
            Subtree::Sample(_) => self.birth,
        }
    }

    /// Returns the number of samples of the node that are held. Costs a pass over the subtree.
    pub fn points(&self) -> usize {
        self.samples().count()
    }

    /// Returns whether the node is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.inner().is_none()
    }

    /// Returns the node's cut and its time, unless it is a leaf.
    pub fn cut(&self) -> Option<(D::Cut, f64)> {
        self.inner().map(|node| (node.cut, node.time))
    }

    fn inner(&self) -> Option<&'a Node<D::Cut>> {
        match self.subtree {
            Subtree::Inner(node) => Some(self.structure.node(node)),
            Subtree::Leaf(_) | Subtree::Sample(_) => None,
        }
    }

    /// Returns the samples of the node; a full tree holds none.
    pub fn samples(&self) -> impl Iterator<Item = SampleId> + use<'a, D> {
        let structure = self.structure;
        let leaves = descendants(Some(*self)).filter(Self::is_leaf);
        leaves.flat_map(|leaf| structure.listed(leaf.subtree))
    }

    /// Returns the child on that side of the cut; a leaf has none.
    pub fn child(&self, side: Side) -> Option<Self> {
        self.inner().map(|node| Self {
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
    let mut waiting = Vec::from_iter(node);
    std::iter::from_fn(move || {
        let node = waiting.pop()?;
        waiting.extend(node.child(Side::Right));
        waiting.extend(node.child(Side::Left));
        Some(node)
    })
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Returns the root; `None` if no sample is held.
    pub fn root(&self) -> Option<NodeView<'_, D>> {
        Some(NodeView {
            structure: &self.structure,
            subtree: self.structure.root?.get(),
            birth: 0.0,
            depth: 0,
        })
    }

    /// Returns all nodes, parents before children, left before right.
    pub fn walk(&self) -> impl Iterator<Item = NodeView<'_, D>> {
        descendants(self.root())
    }

    /// Returns the leaves, left to right.
    pub fn leaves(&self) -> impl Iterator<Item = NodeView<'_, D>> {
        self.walk().filter(NodeView::is_leaf)
    }

    /// Returns the nodes that `x` passes, from the root to its leaf.
    pub fn nodes_above(&self, x: &[f32]) -> impl Iterator<Item = NodeView<'_, D>> {
        std::iter::successors(self.root(), move |node| {
            let (cut, _) = node.cut()?;
            node.child(self.cuts().side(&cut, x))
        })
    }

    /// Returns the leaf that `x` falls into; `None` if no sample is held.
    pub fn leaf_at(&self, x: &[f32]) -> Option<Subtree> {
        self.with_path(x, |path| path.leaf)
    }

    /// Returns the distribution of cuts.
    pub fn cuts(&self) -> &D {
        &self.structure.cuts
    }

    /// Returns the label model.
    pub fn labels(&self) -> &L {
        &self.labels
    }

    /// Returns the tree as data.
    pub(super) fn exported(&self, forest: &ForestContext<'_, L::Task>) -> ExportedTree {
        let mut nodes = Vec::<ExportedNode>::new();
        let mut steps = Vec::new();
        // Subtrees to be visited, each with the place of its parent and the step from there.
        let mut waiting = Vec::from_iter(self.root().map(|root| (0, None, root)));
        while let Some((parent, last, view)) = waiting.pop() {
            let place = nodes.len();
            steps.truncate(view.depth.saturating_sub(1));
            steps.extend(last);
            if last.is_some() {
                nodes[parent].children.get_or_insert([place; 2])[1] = place;
            }
            let mut node = ExportedNode {
                depth: view.depth,
                birth: view.birth,
                time: Some(view.time()).filter(|time| time.is_finite()),
                samples: 0,
                labels: L::Task::no_labels(),
                prediction: Vec::new(),
                cut: None,
                children: None,
            };
            if let Subtree::Inner(id) = view.subtree {
                let inner = self.structure.node(id);
                let inequality = node.cut.insert(Inequality::default());
                self.cuts().inequality(&inner.cut, inequality);
                // The left side is taken from the stack first.
                for side in [Side::Right, Side::Left] {
                    let step = inner.step(id, side);
                    waiting.extend(view.child(side).map(|child| (place, Some(step), child)));
                }
            } else {
                if self.is_full()
                    && let Some(leaf) = view.subtree.record()
                {
                    self.labels.add_labels(leaf, &mut node.labels);
                }
                // A full tree holds no samples.
                for id in view.samples() {
                    L::Task::add_label(&mut node.labels, forest.samples.target(id), 1);
                }
                node.prediction = self.leaf_prediction(&steps, view.subtree, forest);
            }
            nodes.push(node);
        }
        ExportedTree::new(forest.samples.width(), nodes)
    }

    /// Returns what the tree predicts for points of a leaf that do not branch off.
    fn leaf_prediction(
        &self,
        steps: &[Step],
        leaf: Subtree,
        forest: &ForestContext<'_, L::Task>,
    ) -> Vec<f64> {
        let path = Path {
            steps,
            leaf,
            end: self.structure.budget,
            point: None,
            rate: &|_| 0.0,
        };
        let mut accumulator = vec![0.0; L::widths(&forest.outputs)[0]];
        let context = Context::new(forest.settings(), forest.samples);
        self.labels.predict(&path, context, &mut accumulator);
        let mut prediction = vec![0.0; L::Task::width(&forest.outputs)];
        L::finish(&accumulator, 1, &mut prediction);
        prediction
    }

    /// Checks the shape of a tree, on which every walk and every change relies: indices are in range, each node, leaf
    /// and sample is reached once, and each sample in the leaf that it falls into. Costs a walk for every sample.
    ///
    /// Cuts, times and statistics are not checked: a crafted file can make a tree predict nonsense.
    pub(super) fn check_against(
        &self,
        forest: &ForestContext<'_, L::Task>,
    ) -> Result<(), InvariantError> {
        let structure = &self.structure;
        let samples = forest.samples;
        let Some((nodes, leaves)) = self.reached() else {
            let what = "a node, leaf or sample is out of range, lost, miscounted, or reached more than once";
            return Err(InvariantError::new("tree", what));
        };
        let cuts = nodes.iter().map(|node| &structure.node(*node).cut);
        structure.cuts.check(samples.width(), cuts)?;
        let room = self.labels.room(samples.width(), &forest.outputs);
        // Places that are free are those of nodes and leaves that were removed.
        let shaped = room.is_some_and(|[of_leaves, of_nodes]| {
            let has = |leaf: &Subtree| leaf.record().is_none_or(|leaf| leaf.index() < of_leaves);
            nodes.iter().all(|node| node.index() < of_nodes) && leaves.iter().all(has)
        });
        InvariantError::require(shaped, "labels", "they do not match leaves and nodes")?;
        let held = if structure.full { 0 } else { samples.len() };
        let mut found = 0;
        let mut sound = structure.links.slots() <= samples.slots();
        for &leaf in &leaves {
            for id in structure.listed(leaf) {
                found += 1;
                sound &= samples.holds(id) && self.leaf_at(samples.features(id)) == Some(leaf);
            }
        }
        let what = "their samples are not those of the store that fall into them";
        let sound = sound && structure.held == held && found == held;
        InvariantError::require(sound, "leaves", what)?;
        let full = structure.root.is_some() && !structure.has_room(forest.settings());
        let what = "they are too many or too few for max_nodes";
        InvariantError::require(structure.full == full, "nodes", what)
    }

    /// Returns the inner nodes and the leaves that are reached from the root; `None` unless each part is, exactly once.
    fn reached(&self) -> Option<(Vec<NodeId>, Vec<Subtree>)> {
        let tree = &self.structure;
        let [mut nodes, mut leaves, mut samples] =
            [tree.nodes.len(), tree.leaves.len(), tree.links.slots()].map(|n| vec![false; n]);
        let mut inner = Vec::new();
        let mut ends = Vec::new();
        let mut waiting = Vec::from_iter(tree.root.map(|root| (root, 0.0)));
        while let Some((child, birth)) = waiting.pop() {
            let subtree = child.get();
            match subtree {
                Subtree::Inner(id) => {
                    first_visit(&mut nodes, id.index())?;
                    let node = tree.node(id);
                    (node.time >= birth && node.time.is_finite()).then_some(())?;
                    waiting.extend(node.children.map(|child| (child, node.time)));
                    inner.push(id);
                    continue;
                }
                Subtree::Leaf(id) => first_visit(&mut leaves, id.index())?,
                Subtree::Sample(_) => (!tree.full).then_some(())?,
            }
            ends.push(subtree);
            let listed: Vec<SampleId> = tree.listed(subtree).collect();
            for id in &listed {
                first_visit(&mut samples, id.index())?;
            }
            let sound = match subtree.record().map(|leaf| tree.leaf(leaf)) {
                Some(leaf) if tree.full => leaf.points > 0,
                Some(leaf) => {
                    let counted = leaf.points > 1 && listed.len() == leaf.points as usize;
                    counted && listed.contains(&leaf.center)
                }
                // With others linked to it, it would be a leaf of several.
                None => listed.len() == 1,
            };
            (sound && tree.links.is_list(&listed)).then_some(())?;
        }
        for (mut seen, free) in [(nodes, &tree.nodes.free), (leaves, &tree.leaves.free)] {
            for &place in free.iter() {
                first_visit(&mut seen, place as usize)?;
            }
            seen.into_iter().all(|seen| seen).then_some(())?;
        }
        Some((inner, ends))
    }
}

/// Marks a place as seen; `None` if it is out of range, or was seen before.
fn first_visit(seen: &mut [bool], place: usize) -> Option<()> {
    let seen = seen.get_mut(place)?;
    (!std::mem::replace(seen, true)).then_some(())
}
