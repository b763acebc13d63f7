//! Trees as data.

use forest_core::registry::{ExportedNode, ExportedTree, Inequality, Labels};
use forest_core::{ForestContext, SampleId, SampleStore, Task};

use crate::structure::Structure;
use crate::structure::node::Subtree;
use crate::{
    CutDistribution, LabelContext, LabelModel, NodeView, Place, Side, Step, TessellationTree,
};

type LabelsOf<L> = <<L as LabelModel>::Task as Task>::Labels;

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Adds the labels of all samples of a node: those held or, of a full tree, those counted.
    fn add_labels(
        &self,
        node: NodeView<'_, D>,
        samples: &SampleStore<L::Task>,
        sum: &mut LabelsOf<L>,
    ) {
        if self.is_full() {
            let leaves = node.leaves().map(|leaf| leaf.subtree());
            leaves.for_each(|leaf| self.add_counted(leaf, sum));
        } else {
            let add = |id: SampleId| sum.add(samples.target(id), 1);
            node.samples().for_each(add);
        }
    }

    fn add_counted(&self, leaf: Subtree, sum: &mut LabelsOf<L>) {
        if let Subtree::Leaf(leaf) = leaf {
            self.labels.add_labels(leaf, sum);
        }
    }

    /// Returns the nodes, parents before children, without predictions.
    fn export_nodes(&self, samples: &SampleStore<L::Task>) -> Vec<ExportedNode> {
        let visited: Vec<_> = self.walk().collect();
        // From the last node to the root: children come before parents, the left one last.
        let (mut nodes, mut below) = (Vec::new(), Vec::new());
        for (place, node) in visited.into_iter().enumerate().rev() {
            let (mut labels, mut children) = (LabelsOf::<L>::default(), None);
            if node.is_leaf() {
                self.add_labels(node, samples, &mut labels);
            } else {
                let (left, of_left): (usize, LabelsOf<L>) =
                    below.pop().expect("children come before parents");
                let (right, of_right) = below.pop().expect("a node has two children");
                children = Some([left, right]);
                labels = of_left;
                labels.merge(&of_right);
            }
            let cut = node.cut().map(|cut| {
                let mut inequality = Inequality::default();
                self.cuts().inequality(&cut.hyperplane, &mut inequality);
                inequality
            });
            nodes.push(ExportedNode {
                depth: node.depth(),
                birth: node.birth(),
                time: Some(node.time()).filter(|time| time.is_finite()),
                samples: labels.samples(),
                labels: labels.summary(),
                prediction: Vec::new(),
                cut,
                children,
            });
            below.push((place, labels));
        }
        nodes.reverse();
        nodes
    }

    fn finished(accumulator: &[f64], context: &ForestContext<'_, Self>) -> Vec<f64> {
        let mut prediction = vec![0.0; L::Task::width(&context.outputs)];
        L::finish(accumulator, 1, &mut prediction);
        prediction
    }

    /// Puts what the tree predicts in its leaves into their nodes, which are all nodes of the tree in the order of a walk.
    fn predict_leaves(&self, context: &ForestContext<'_, Self>, nodes: &mut [ExportedNode]) {
        let labels = LabelContext {
            settings: &context.settings.labels,
            samples: context.samples,
        };
        let mut accumulator = vec![0.0; L::width(&context.outputs)];
        self.structure.for_each_way(|place, way, leaf| {
            self.labels.predict_in(way, leaf, labels, &mut accumulator);
            nodes[place].prediction = Self::finished(&accumulator, context);
        });
    }
}

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    pub(super) fn exported(&self, context: &ForestContext<'_, Self>) -> ExportedTree {
        let mut nodes = self.export_nodes(context.samples);
        self.predict_leaves(context, &mut nodes);
        ExportedTree::new(context.samples.width(), nodes)
    }
}

impl<D: CutDistribution> Structure<D> {
    /// Visits all leaves in the order of a walk, each with its number among all nodes and the way to it.
    fn for_each_way(&self, mut visit: impl FnMut(usize, &[Step], Place)) {
        let (mut way, mut number) = (Vec::new(), 0);
        let mut waiting: Vec<_> = self.root().map(|root| (root, None)).into_iter().collect();
        while let Some((node, last)) = waiting.pop() {
            way.truncate(node.depth().saturating_sub(1));
            way.extend(last);
            let steps = [Side::Right, Side::Left].map(|side| step(node, side));
            if node.is_leaf() {
                visit(number, &way, self.leaf_place(node));
            }
            waiting.extend(steps.into_iter().flatten());
            number += 1;
        }
    }

    fn leaf_place(&self, leaf: NodeView<'_, D>) -> Place {
        Place {
            subtree: leaf.subtree(),
            birth: leaf.birth(),
            end: self.budget.max(leaf.birth()),
            sibling: None,
        }
    }
}

/// Returns the child of an inner node on a side, and the step to it.
fn step<D: CutDistribution>(
    node: NodeView<'_, D>,
    side: Side,
) -> Option<(NodeView<'_, D>, Option<Step>)> {
    let Subtree::Inner(id) = node.subtree() else {
        return None;
    };
    let (child, sibling) = (node.child(side)?, node.child(side.opposite())?);
    let step = Step {
        node: id,
        birth: node.birth(),
        time: node.time(),
        side,
        sibling: sibling.subtree(),
    };
    Some((child, Some(step)))
}
