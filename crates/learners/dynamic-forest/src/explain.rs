//! Reading trees: as data, along a path, and by what the features of their cuts gain.

use forest_core::registry::{
    DecisionPath, ExplainTree, ExportedNode, ExportedTree, Inequality, Labels as _, NamedTask,
    PathStep,
};
use forest_core::{ForestContext, SampleStore, Task};

use crate::labels::sealed::Sums;
use crate::nodes::{Child, Cut};
use crate::tree::{Mode, Parts, either};
use crate::{ExtraTree, votes};

/// A node on a way through a tree.
#[derive(Clone, Copy)]
struct Visited {
    child: Child,
    depth: usize,
    cut: Option<Cut>,
}

fn inequality(cut: Cut) -> Inequality {
    Inequality {
        normal: vec![(cut.feature as usize, 1.0)],
        threshold: f64::from(cut.threshold),
    }
}

/// The summary of the targets of samples, each of which counts as one.
type LabelsOf<T> = <<T as Sums>::Task as NamedTask>::Labels;

type OutputsOf<T> = <<T as Sums>::Task as Task>::Outputs;

impl<T: Sums<Task: NamedTask>> Parts<T> {
    /// Returns the nodes, parents before children and left before right.
    fn visited(&self) -> Vec<Visited> {
        let (mut found, mut below) = (Vec::new(), vec![(self.nodes.root, 0)]);
        while let Some((child, depth)) = below.pop() {
            if child == Child::NOTHING {
                continue;
            }
            let node = child.as_node().map(|index| self.nodes.get(index));
            let cut = node.and_then(|node| node.as_cut());
            found.push(Visited { child, depth, cut });
            if let Some(node) = node.filter(|_| cut.is_some()) {
                let [left, right] = node.children;
                below.extend([(right, depth + 1), (left, depth + 1)]);
            }
        }
        found
    }

    /// Adds the targets of all samples below a child.
    fn add_labels(&self, child: Child, samples: &SampleStore<T::Task>, sum: &mut LabelsOf<T>) {
        for id in self.ids(child) {
            sum.add(samples.target(id), 1);
        }
    }

    /// Visits all nodes, children before parents and right before left, each with its labels and the gain of its cut: the
    /// decrease of impurity, times the number of samples; 0 for a leaf.
    fn for_each_upwards(
        &self,
        samples: &SampleStore<T::Task>,
        mut visit: impl FnMut(Visited, &LabelsOf<T>, f64),
    ) {
        let mut below: Vec<LabelsOf<T>> = Vec::new();
        for node in self.visited().into_iter().rev() {
            let mut labels = LabelsOf::<T>::default();
            let mut gain = 0.0;
            if node.cut.is_some() {
                let [left, right] = [below.pop(), below.pop()];
                let (left, right) = left.zip(right).expect("children come before parents");
                gain = left.gain(&right);
                labels = left;
                labels.merge(&right);
            } else {
                self.add_labels(node.child, samples, &mut labels);
            }
            visit(node, &labels, gain);
            below.push(labels);
        }
    }
}

impl<T: Sums<Task: NamedTask>> Parts<T> {
    fn export(&self, samples: &SampleStore<T::Task>, outputs: &OutputsOf<T>) -> ExportedTree {
        // From the last node to the root; places are counted from the end until all are known.
        let (mut nodes, mut below) = (Vec::new(), Vec::new());
        self.for_each_upwards(samples, |node, labels, _| {
            let is_inner = node.cut.is_some();
            let children = is_inner.then(|| below.pop().zip(below.pop())).flatten();
            below.push(nodes.len());
            let mut prediction = vec![0.0; T::Task::width(outputs)];
            if !is_inner {
                votes::predict_in_leaf(self, node.child, samples, &mut prediction);
            }
            nodes.push(ExportedNode {
                depth: node.depth,
                birth: 0.0,
                time: None,
                samples: labels.samples(),
                labels: labels.summary(),
                prediction,
                cut: node.cut.map(inequality),
                children: children.map(<[usize; 2]>::from),
            });
        });
        let last = nodes.len().saturating_sub(1);
        nodes.reverse();
        for node in &mut nodes {
            node.children = node.children.map(|places| places.map(|place| last - place));
        }
        ExportedTree::new(samples.width(), nodes)
    }

    fn decision_path(
        &self,
        x: &[f32],
        samples: &SampleStore<T::Task>,
        outputs: &OutputsOf<T>,
    ) -> DecisionPath {
        let (mut steps, mut child) = (Vec::new(), self.nodes.root);
        while let Some((cut, children)) = self.cut_below(child) {
            let side = cut.side(x);
            steps.push((cut, side, children[1 - side]));
            child = children[side];
        }
        let mut labels = LabelsOf::<T>::default();
        self.add_labels(child, samples, &mut labels);
        let (count, summary) = (labels.samples(), labels.summary());
        let upwards = steps.into_iter().rev().map(|(cut, side, sibling)| {
            self.add_labels(sibling, samples, &mut labels);
            let inequality = inequality(cut);
            PathStep {
                value: inequality.value(x),
                cut: inequality,
                holds: side == 0,
                time: None,
                samples: labels.samples(),
            }
        });
        let mut steps: Vec<PathStep> = upwards.collect();
        steps.reverse();
        let mut prediction = vec![0.0; T::Task::width(outputs)];
        votes::vote(self, x, samples, &mut prediction);
        DecisionPath {
            features: ExportedTree::new(x.len(), Vec::new()).features,
            classes: Vec::new(),
            steps,
            samples: count,
            labels: summary,
            prediction,
        }
    }

    fn add_gains(&self, samples: &SampleStore<T::Task>, sums: &mut [f64]) {
        self.for_each_upwards(samples, |node, _, gain| {
            if let Some(cut) = node.cut {
                sums[cut.feature as usize] += gain;
            }
        });
    }
}

impl<V: Mode<Task: NamedTask>> ExplainTree for ExtraTree<V> {
    fn export(&self, context: &ForestContext<'_, Self>) -> ExportedTree {
        either!(&self.0, tree => tree.parts.export(context.samples, &context.outputs))
    }

    fn decision_path(&self, x: &[f32], context: &ForestContext<'_, Self>) -> DecisionPath {
        either!(&self.0, tree => tree.parts.decision_path(x, context.samples, &context.outputs))
    }

    fn add_gains(&self, samples: &SampleStore<V::Task>, sums: &mut [f64]) {
        either!(&self.0, tree => tree.parts.add_gains(samples, sums));
    }
}

impl<T: Sums> Parts<T> {
    /// Returns the cut of an inner node, and what is below it.
    fn cut_below(&self, child: Child) -> Option<(Cut, [Child; 2])> {
        let node = self.nodes.get(child.as_node()?);
        Some((node.as_cut()?, node.children))
    }
}
