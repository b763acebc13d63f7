//! A tree as plain data, and as JSON.

use serde::{Deserialize, Serialize};

use super::{DecisionPath, Inequality, LabelSummary, PathStep, numbered_names, owned, rename};

/// A tree as plain data: what a program in any language reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedTree {
    /// The names of the features: `x0`, `x1`, … unless [others were given](Self::with_feature_names).
    pub features: Vec<String>,
    /// The names of the classes, for texts; empty unless [given](Self::with_class_names).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// By which factor the tree's prediction enters that of the forest.
    pub share: f64,
    /// The nodes, parents before children and left before right; the root first. None if nothing was learned.
    pub nodes: Vec<ExportedNode>,
}

/// A node as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedNode {
    /// Edges between the node and the root.
    pub depth: usize,
    /// The time of the parent's cut; 0 at the root, and where cuts have no times.
    pub birth: f64,
    /// The time of its cut or, of a leaf, that up to which it is known to be uncut; `None` if it is unbounded, or cuts have no
    /// times.
    pub time: Option<f64>,
    /// Number of samples that fell into it.
    pub samples: u64,
    /// Their labels.
    pub labels: LabelSummary,
    /// What the tree alone predicts for points of a leaf: class probabilities, or a number; for points that may leave the leaf by a cut of
    /// their own (hierarchical labels), if they stay in it. Of an inner node, the mean of the leaves below it, weighted by samples.
    pub prediction: Vec<f64>,
    /// Its cut; `None` for a leaf.
    pub cut: Option<Inequality>,
    /// The places in [`ExportedTree::nodes`] of what lies left and right of the cut; `None` for a leaf, or if
    /// they are deeper than was asked for.
    pub children: Option<[usize; 2]>,
}

impl ExportedTree {
    /// Returns a whole tree for points of this number of features, whose leaves have predictions; those of inner nodes are computed.
    pub fn new(features: usize, mut nodes: Vec<ExportedNode>) -> Self {
        for place in (0..nodes.len()).rev() {
            if let Some(children) = nodes[place].children {
                nodes[place].prediction = mean_of(children.map(|child| &nodes[child]));
            }
        }
        Self {
            features: numbered_names(features),
            classes: Vec::new(),
            share: 1.0,
            nodes,
        }
    }

    /// Returns the same without the nodes that have more than `deepest` edges to the root.
    #[must_use]
    pub(super) fn down_to(mut self, deepest: usize) -> Self {
        let mut places = vec![0; self.nodes.len()];
        let mut kept = 0;
        for (place, node) in self.nodes.iter().enumerate() {
            places[place] = kept;
            kept += usize::from(node.depth <= deepest);
        }
        self.nodes.retain(|node| node.depth <= deepest);
        for node in &mut self.nodes {
            let children = node.children.filter(|_| node.depth < deepest);
            node.children = children.map(|children| children.map(|child| places[child]));
        }
        self
    }

    /// Returns the same with names for the first features.
    #[must_use]
    pub fn with_feature_names(mut self, names: &[impl AsRef<str>]) -> Self {
        rename(&mut self.features, names);
        self
    }

    /// Returns the same with names for the classes.
    #[must_use]
    pub fn with_class_names(mut self, names: &[impl AsRef<str>]) -> Self {
        self.classes = owned(names);
        self
    }

    /// Returns the same with cuts of the features before they were scaled: see [`Inequality::before`].
    #[must_use]
    pub fn before(mut self, lines: &[(f64, f64)]) -> Self {
        for node in &mut self.nodes {
            node.cut = node.cut.take().map(|cut| cut.before(lines));
        }
        self
    }

    /// Returns the leaf of the point `x`, or the deepest node that was exported; `None` for a tree without nodes. For a point on an oblique cut,
    /// rounding may make it another leaf than the forest's own.
    pub fn leaf(&self, x: &[f32]) -> Option<&ExportedNode> {
        self.place(x).map(|place| &self.nodes[place])
    }

    /// Returns the place of [`ExportedTree::leaf`] among the nodes.
    pub(super) fn place(&self, x: &[f32]) -> Option<usize> {
        let mut place = 0;
        let mut node = self.nodes.first()?;
        while let (Some(cut), Some(children)) = (&node.cut, node.children) {
            place = children[usize::from(!cut.holds(x))];
            node = &self.nodes[place];
        }
        Some(place)
    }

    /// Returns the path of the point `x`, with the prediction of its leaf; `None` for a tree without nodes.
    pub fn path(&self, x: &[f32]) -> Option<DecisionPath> {
        let (mut node, mut steps) = (self.nodes.first()?, Vec::new());
        while let (Some(cut), Some(children)) = (&node.cut, node.children) {
            let holds = cut.holds(x);
            steps.push(PathStep {
                cut: cut.clone(),
                value: cut.value(x),
                holds,
                time: node.time,
                samples: node.samples,
            });
            node = &self.nodes[children[usize::from(!holds)]];
        }
        Some(DecisionPath {
            features: self.features.clone(),
            classes: self.classes.clone(),
            steps,
            samples: node.samples,
            labels: node.labels.clone(),
            prediction: node.prediction.clone(),
        })
    }

    /// Adds what the cuts gain to `sums`, one a feature: the impurity that they take away, times the number of samples.
    pub fn add_gains(&self, sums: &mut [f64]) {
        for node in self.nodes.iter().rev() {
            let (Some(cut), Some([left, right])) = (&node.cut, node.children) else {
                continue;
            };
            let gain = self.nodes[left].labels.gain(&self.nodes[right].labels);
            for (feature, share) in cut.shares() {
                sums[feature] += gain * share;
            }
        }
    }

    /// Returns the number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.cut.is_none()).count()
    }

    /// Returns the tree as JSON: an object with the fields of this type, nodes as a list.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data of finite numbers can be written")
    }
}

/// Returns the mean prediction of two nodes, weighted by their samples.
fn mean_of(nodes: [&ExportedNode; 2]) -> Vec<f64> {
    let [left, right] = nodes;
    let share = share_of(left.samples, right.samples);
    let pairs = left.prediction.iter().zip(&right.prediction);
    pairs.map(|(l, r)| share * l + (1.0 - share) * r).collect()
}

/// Returns the share of the first samples among all; a half if there are none.
pub(super) fn share_of(first: u64, others: u64) -> f64 {
    match first + others {
        0 => 0.5,
        all => first as f64 / all as f64,
    }
}
