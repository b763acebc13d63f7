//! Trees as plain data, and what follows: paths, importances, contributions to predictions, text and graphs.

mod contributions;
mod inequality;
mod learner;
mod words;

use serde::{Deserialize, Serialize};

use crate::{DrawnNode, LabelSummary, Point};

pub use inequality::{Inequality, convex_hull};
pub use words::{DecisionPath, PathStep};

/// A tree as plain data: what a program in any language reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedTree {
    /// The names of the features: `x0`, `x1`, … unless [others were given](Self::named).
    pub features: Vec<String>,
    /// The names of the classes, for texts; empty unless [given](Self::named).
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
    /// The time of its cut or, of a leaf, that up to which it is known to be uncut; `None` if unbounded or unknown.
    pub time: Option<f64>,
    /// Number of samples that fell into it.
    pub samples: u64,
    /// Their labels.
    pub labels: LabelSummary,
    /// What the tree alone predicts for points that stay in a leaf: class probabilities, or a number. Of an inner node,
    /// the mean of the leaves below it, weighted by samples.
    pub prediction: Vec<f64>,
    /// Its cut; `None` for a leaf.
    pub cut: Option<Inequality>,
    /// The places in [`ExportedTree::nodes`] of the children; `None` for a leaf, or if they were left out.
    pub children: Option<[usize; 2]>,
}

impl ExportedTree {
    /// Returns a tree of these nodes, whose leaves have labels and predictions; all else is computed.
    pub fn new(features: usize, mut nodes: Vec<ExportedNode>) -> Self {
        for place in (0..nodes.len()).rev() {
            if let Some([left, right]) = nodes[place].children {
                let [left, right] = [&nodes[left], &nodes[right]];
                let share = share_of(left.samples, right.samples);
                let pairs = left.prediction.iter().zip(&right.prediction);
                let prediction = pairs.map(|(l, r)| share * l + (1.0 - share) * r).collect();
                let mut labels = left.labels.clone();
                labels.merge(&right.labels);
                nodes[place].labels = labels;
                nodes[place].prediction = prediction;
            }
            nodes[place].samples = nodes[place].labels.samples();
        }
        let features = (0..features).map(|feature| format!("x{feature}")).collect();
        Self {
            features,
            classes: Vec::new(),
            share: 1.0,
            nodes,
        }
    }

    /// Returns the same without the nodes that have more than `deepest` edges to the root.
    #[must_use]
    pub fn down_to(mut self, deepest: usize) -> Self {
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

    /// Returns the same with cuts of the features before they were scaled: see [`Inequality::before`].
    #[must_use]
    pub fn before(mut self, lines: &[(f64, f64)]) -> Self {
        for cut in self.nodes.iter_mut().filter_map(|node| node.cut.as_mut()) {
            *cut = cut.before(lines);
        }
        self
    }

    /// Returns the leaf of the point `x`, or the deepest node that was exported; `None` for a tree without nodes. For a
    /// point on an oblique cut, rounding may make it another leaf than the forest's own.
    pub fn leaf(&self, x: &[f32]) -> Option<&ExportedNode> {
        self.nodes_on_path(x).last().map(|place| &self.nodes[place])
    }

    /// Returns the places of the nodes on the path of a point, from the root.
    fn nodes_on_path(&self, x: &[f32]) -> impl Iterator<Item = usize> {
        std::iter::successors((!self.nodes.is_empty()).then_some(0), move |&place| {
            let node = &self.nodes[place];
            Some(node.children?[usize::from(!node.cut.as_ref()?.holds(x))])
        })
    }

    /// Returns the nodes of a tree over two features in a convex `window`, with the hulls of their `points`.
    pub fn drawn<'a>(
        &self,
        window: &[Point],
        points: impl Iterator<Item = &'a [f32]>,
    ) -> Vec<DrawnNode> {
        let mut inside = vec![Vec::new(); self.nodes.len()];
        for x in points {
            for place in self.nodes_on_path(x) {
                inside[place].push([x[0], x[1]].map(f64::from));
            }
        }
        let mut cells = vec![window.to_vec(); self.nodes.len()];
        let mut drawn = Vec::new();
        for ((place, node), points) in self.nodes.iter().enumerate().zip(inside) {
            let cell = std::mem::take(&mut cells[place]);
            if let (Some(cut), Some([left, right])) = (&node.cut, node.children) {
                [cells[left], cells[right]] = cut.divide(&cell);
            }
            drawn.push(DrawnNode {
                is_leaf: node.cut.is_none(),
                hull: convex_hull(points),
                cut: node.cut.as_ref().and_then(|cut| cut.chord(&cell)),
            });
        }
        drawn
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

/// Returns the share of the first samples among all; a half if there are none.
fn share_of(first: u64, others: u64) -> f64 {
    match first + others {
        0 => 0.5,
        all => first as f64 / all as f64,
    }
}
