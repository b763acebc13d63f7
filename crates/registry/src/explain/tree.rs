//! A tree as plain data, and as JSON.

use serde::{Deserialize, Serialize};

use super::{Inequality, LabelSummary, numbered_names, owned, rename};

/// A tree as plain data: what a program in any language reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedTree {
    /// The names of the features: `x0`, `x1`, … unless [others were given](Self::with_feature_names).
    pub features: Vec<String>,
    /// The names of the classes, for texts; empty unless [given](Self::with_class_names).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
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
    /// The time of its cut or, of a leaf, that up to which it is known to be uncut; `None` if there is no end, or cuts have no
    /// times.
    pub time: Option<f64>,
    /// Number of samples that fell into it.
    pub samples: u64,
    /// Their labels.
    pub labels: LabelSummary,
    /// Its cut; `None` for a leaf.
    pub cut: Option<Inequality>,
    /// The places in [`ExportedTree::nodes`] of what lies left and right of the cut; `None` for a leaf, or if
    /// they are deeper than was asked for.
    pub children: Option<[usize; 2]>,
}

impl ExportedTree {
    /// A tree for points of this number of features.
    pub fn new(features: usize, nodes: Vec<ExportedNode>) -> Self {
        Self {
            features: numbered_names(features),
            classes: Vec::new(),
            nodes,
        }
    }

    /// The same with names for the first features.
    #[must_use]
    pub fn with_feature_names(mut self, names: &[impl AsRef<str>]) -> Self {
        rename(&mut self.features, names);
        self
    }

    /// The same with names for the classes.
    #[must_use]
    pub fn with_class_names(mut self, names: &[impl AsRef<str>]) -> Self {
        self.classes = owned(names);
        self
    }

    /// The same with cuts of the features before they were scaled: see [`Inequality::before`].
    #[must_use]
    pub fn before(mut self, lines: &[(f64, f64)]) -> Self {
        for node in &mut self.nodes {
            node.cut = node.cut.take().map(|cut| cut.before(lines));
        }
        self
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.cut.is_none()).count()
    }

    /// As JSON: an object with the fields of this type, nodes as a list.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data of finite numbers can be written")
    }
}
