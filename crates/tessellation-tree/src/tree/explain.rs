//! Reading trees: as data, along a path, and by what the features of their cuts gain.

use forest_core::registry::{
    DecisionPath, ExplainTree, ExportedNode, ExportedTree, Inequality, Labels, NamedTask, PathStep,
};
use forest_core::{ForestContext, SampleId, SampleStore, Task};

use crate::structure::Structure;
use crate::structure::node::Subtree;
use crate::{
    Cut, CutDistribution, LabelContext, LabelModel, NodeView, Place, Side, Step, TessellationTree,
};

type LabelsOf<L> = <<L as LabelModel>::Task as NamedTask>::Labels;

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

    /// Visits all nodes, children before parents and right before left, each with its labels and what its cut
    /// gains: the impurity that it takes away, times the number of samples; 0 for a leaf.
    fn for_each_upwards(
        &self,
        samples: &SampleStore<L::Task>,
        mut visit: impl FnMut(NodeView<'_, D>, &LabelsOf<L>, f64),
    ) {
        let nodes: Vec<_> = self.walk().collect();
        // Labels of subtrees whose parents come later, and memory of those that were merged.
        let (mut below, mut free) = (Vec::new(), Vec::new());
        for node in nodes.into_iter().rev() {
            let (labels, gain) = if node.is_leaf() {
                let mut labels = free.pop().unwrap_or_default();
                self.add_labels(node, samples, &mut labels);
                (labels, 0.0)
            } else {
                merged(&mut below, &mut free)
            };
            visit(node, &labels, gain);
            below.push(labels);
        }
    }

    fn inequality(&self, cut: &Cut<D::Cut>) -> Inequality {
        let mut inequality = Inequality::default();
        self.cuts().inequality(&cut.hyperplane, &mut inequality);
        inequality
    }

    /// Returns the nodes, parents before children, without predictions.
    fn export_nodes(&self, samples: &SampleStore<L::Task>) -> Vec<ExportedNode> {
        // From the last node to the root; places are counted from the end until all are known.
        let (mut nodes, mut below) = (Vec::new(), Vec::new());
        self.for_each_upwards(samples, |node, labels, _| {
            let children = if node.is_leaf() {
                None
            } else {
                below.pop().zip(below.pop()).map(<[usize; 2]>::from)
            };
            below.push(nodes.len());
            nodes.push(ExportedNode {
                depth: node.depth(),
                birth: node.birth(),
                time: Some(node.time()).filter(|time| time.is_finite()),
                samples: labels.samples(),
                labels: labels.summary(),
                prediction: Vec::new(),
                cut: node.cut().map(|cut| self.inequality(&cut)),
                children,
            });
        });
        let last = nodes.len().saturating_sub(1);
        nodes.reverse();
        for node in &mut nodes {
            node.children = node.children.map(|places| places.map(|place| last - place));
        }
        nodes
    }

    /// Returns the prediction of the tree alone.
    fn predict_alone(&self, x: &[f32], context: &ForestContext<'_, Self>) -> Vec<f64> {
        let mut accumulator = vec![0.0; L::width(&context.outputs)];
        self.predict(x, context, &mut accumulator);
        Self::finished(&accumulator, context)
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

impl<D: CutDistribution, L: LabelModel> ExplainTree for TessellationTree<D, L> {
    fn export(&self, context: &ForestContext<'_, Self>) -> ExportedTree {
        let mut nodes = self.export_nodes(context.samples);
        self.predict_leaves(context, &mut nodes);
        ExportedTree::new(context.samples.width(), nodes)
    }

    fn decision_path(&self, x: &[f32], context: &ForestContext<'_, Self>) -> DecisionPath {
        let mut path: Vec<_> = self.nodes_above(x).collect();
        let mut labels = LabelsOf::<L>::default();
        if let Some(leaf) = path.pop() {
            self.add_labels(leaf, context.samples, &mut labels);
        }
        let (samples, summary) = (labels.samples(), labels.summary());
        let mut steps = Vec::with_capacity(path.len());
        while let Some((node, cut)) = path.pop().and_then(|node| Some((node, node.cut()?))) {
            let side = self.cuts().side(&cut.hyperplane, x);
            if let Some(sibling) = node.child(side.opposite()) {
                self.add_labels(sibling, context.samples, &mut labels);
            }
            let inequality = self.inequality(&cut);
            steps.push(PathStep {
                value: inequality.value(x),
                cut: inequality,
                holds: side == Side::Left,
                time: Some(cut.time),
                samples: labels.samples(),
            });
        }
        steps.reverse();
        DecisionPath {
            features: ExportedTree::new(x.len(), Vec::new()).features,
            classes: Vec::new(),
            steps,
            samples,
            labels: summary,
            prediction: self.predict_alone(x, context),
        }
    }

    fn add_gains(&self, samples: &SampleStore<L::Task>, sums: &mut [f64]) {
        self.for_each_upwards(samples, |node, _, gain| {
            let Some(cut) = node.cut() else {
                return;
            };
            let normal = self.inequality(&cut).normal;
            let total: f64 = normal.iter().map(|(_, entry)| entry.abs()).sum();
            for (feature, entry) in normal {
                sums[feature] += gain * entry.abs() / total;
            }
        });
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

/// Returns the labels of a node, merged of those of its children, and the gain of separating these.
fn merged<T: Labels>(below: &mut Vec<T>, free: &mut Vec<T>) -> (T, f64) {
    let [left, right] = [below.pop(), below.pop()];
    let children = left.zip(right);
    let (mut left, mut right) = children.expect("children come before parents, the left one last");
    let gain = left.gain(&right);
    left.merge(&right);
    right.clear();
    free.push(right);
    (left, gain)
}
