//! Trees as plain data, and all that follows from it: paths in words, importances of features, contributions to predictions, text and graphs.

mod contributions;
mod inequality;
mod words;

use ndarray::{Array2, Array3, ArrayView2, Axis, s};
use serde::{Deserialize, Serialize};

use crate::{DrawnNode, OnlineLearner, Point, Refused, Rows, Task};

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

/// A summary of the labels of a node's samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelSummary {
    /// The number of samples of each class, from class 0 to the largest that the node has.
    Classes(Vec<u64>),
    /// The targets of a regression.
    Numbers {
        /// How many there are.
        samples: u64,
        /// Their mean; 0 if there are none.
        mean: f64,
    },
}

impl LabelSummary {
    /// Returns by how much separating these samples from `others` lowers the impurity, times the number of both: of classes
    /// the Gini impurity, of numbers the variance.
    ///
    /// With l and r samples on the sides it is l·r/(l + r) · |a − b|², where a and b are the means of the
    /// sides or, for classes, the vectors of their frequencies.
    pub fn gain(&self, others: &Self) -> f64 {
        let (l, r) = (self.samples() as f64, others.samples() as f64);
        let squares = match (self, others) {
            (Self::Classes(left), Self::Classes(right)) => {
                let frequency = |counts: &[u64], class: usize, samples: f64| {
                    counts.get(class).copied().unwrap_or(0) as f64 / samples
                };
                let square = |k| (frequency(left, k, l) - frequency(right, k, r)).powi(2);
                (0..left.len().max(right.len())).map(square).sum::<f64>()
            }
            (Self::Numbers { mean: a, .. }, Self::Numbers { mean: b, .. }) => (a - b).powi(2),
            _ => return 0.0,
        };
        l * r / (l + r) * squares
    }

    /// Adds `count` samples of a class.
    pub fn add_class(&mut self, class: u32, count: u64) {
        let Self::Classes(counts) = self else { return };
        counts.resize(counts.len().max(class as usize + 1), 0);
        counts[class as usize] += count;
    }

    /// Adds `count` samples with this mean.
    pub fn add_number(&mut self, of_these: f64, count: u64) {
        let Self::Numbers { samples, mean } = self else {
            return;
        };
        *samples += count;
        if count > 0 {
            *mean += (of_these - *mean) * count as f64 / *samples as f64;
        }
    }

    /// Adds the labels of other samples.
    pub fn merge(&mut self, others: &Self) {
        match others {
            Self::Classes(counts) => {
                for (class, &count) in (0..).zip(counts) {
                    self.add_class(class, count);
                }
            }
            Self::Numbers { samples, mean } => self.add_number(*mean, *samples),
        }
    }

    /// Returns the number of samples.
    pub fn samples(&self) -> u64 {
        match self {
            Self::Classes(counts) => counts.iter().copied().fold(0, u64::saturating_add),
            Self::Numbers { samples, .. } => *samples,
        }
    }

    /// Fills `prediction` with the class frequencies or the mean of the samples, one or more.
    pub fn predict(&self, prediction: &mut [f64]) {
        match self {
            Self::Classes(counts) => {
                let samples = self.samples() as f64;
                for (cell, count) in prediction.iter_mut().zip(counts) {
                    *cell = *count as f64 / samples;
                }
            }
            Self::Numbers { mean, .. } => prediction.fill(*mean),
        }
    }
}

impl ExportedTree {
    /// Returns a whole tree for points of this number of features, whose leaves have labels and predictions; samples, and what inner nodes have, are
    /// computed.
    pub fn new(features: usize, mut nodes: Vec<ExportedNode>) -> Self {
        for place in (0..nodes.len()).rev() {
            if let Some([left, right]) = nodes[place].children {
                let [left, right] = [&nodes[left], &nodes[right]];
                let share = share_of(left.samples, right.samples);
                let pairs = left.prediction.iter().zip(&right.prediction);
                let prediction = pairs.map(|(l, r)| share * l + (1.0 - share) * r).collect();
                let mut labels = left.labels.clone();
                labels.merge(&right.labels);
                (nodes[place].labels, nodes[place].prediction) = (labels, prediction);
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

    /// Returns the same with names for the first features, and for the classes.
    #[must_use]
    pub fn named(mut self, features: &[String], classes: &[String]) -> Self {
        words::rename(&mut self.features, features);
        self.classes = classes.to_vec();
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

    /// Returns the leaf of the point `x`, or the deepest node that was exported; `None` for a tree without nodes. For a point on an oblique cut,
    /// rounding may make it another leaf than the forest's own.
    pub fn leaf(&self, x: &[f32]) -> Option<&ExportedNode> {
        self.way(x).last().map(|place| &self.nodes[place])
    }

    /// Returns the places of the nodes on the way of a point, from the root.
    fn way(&self, x: &[f32]) -> impl Iterator<Item = usize> {
        std::iter::successors((!self.nodes.is_empty()).then_some(0), move |&place| {
            let node = &self.nodes[place];
            Some(node.children?[usize::from(!node.cut.as_ref()?.holds(x))])
        })
    }

    /// Returns the nodes of a tree over two features in a convex `window`, in their order, with the hulls of those of `points` that fall
    /// into them.
    pub fn drawn<'a>(
        &self,
        window: &[Point],
        points: impl Iterator<Item = &'a [f32]>,
    ) -> Vec<DrawnNode> {
        let mut inside = vec![Vec::new(); self.nodes.len()];
        for x in points {
            for place in self.way(x) {
                inside[place].push([x[0], x[1]].map(f64::from));
            }
        }
        let mut cells = vec![window.to_vec(); self.nodes.len()];
        let mut drawn = Vec::new();
        for ((place, node), points) in self.nodes.iter().enumerate().zip(inside) {
            let cell = std::mem::take(&mut cells[place]);
            if let (Some(cut), Some([left, right])) = (&node.cut, node.children) {
                (cells[left], cells[right]) = (cut.clip(&cell, 1.0), cut.clip(&cell, -1.0));
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

/// What follows from the trees that a learner [exports](OnlineLearner::export); learners whose trees cannot be read refuse. Each costs a pass over the trees
/// that it needs.
impl<T: Task> dyn OnlineLearner<Task = T> + '_ {
    /// Returns all trees, the first of which is 0. Errors: a learner whose trees cannot be read.
    pub fn exported(&self) -> Result<Vec<ExportedTree>, Refused> {
        let mut trees = vec![self.export(0)?];
        while let Ok(tree) = self.export(trees.len()) {
            trees.push(tree);
        }
        Ok(trees)
    }

    /// Returns the node of each exported tree in which each row ends, by its place in [`ExportedTree::nodes`]: `[row, tree]`.
    /// Errors: a learner that cannot, rows of a wrong width or with a value that it does not take, or trees that have no nodes.
    pub fn leaves(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<u32>, Refused> {
        let (trees, rows) = (self.exported()?, Rows::for_learner(self, rows)?);
        let mut leaves = Array2::zeros((rows.len(), trees.len()));
        let no_nodes = "the trees have no nodes yet: they have learned nothing";
        for (x, mut places) in rows.iter().zip(leaves.rows_mut()) {
            for (place, tree) in places.iter_mut().zip(&trees) {
                let end = tree.way(x).last();
                *place = end.ok_or_else(|| Refused::Argument(no_nodes.to_owned()))? as u32;
            }
        }
        Ok(leaves)
    }

    /// Returns the path of the point `x` through tree `tree`, and the prediction of the leaf at its end.
    /// Errors: a learner that cannot, a tree that there is not, or a point of a wrong width or with a value that is not taken.
    pub fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, Refused> {
        let prior = self.predict_one(x)?;
        let exported = self.export(tree)?;
        let nothing = || DecisionPath {
            features: exported.features.clone(),
            classes: Vec::new(),
            steps: Vec::new(),
            samples: 0,
            labels: T::no_labels(),
            prediction: prior,
        };
        Ok(exported.path(x).unwrap_or_else(nothing))
    }

    /// Returns how much each feature helps to separate labels: from 0 to 1, together 1, or all 0 if nothing was cut
    /// or no cut gained anything.
    ///
    /// A cut gains what it takes from the impurity of its node's samples: the Gini impurity of classes, the variance of
    /// numbers, weighted by samples (Breiman et al. 1984; on the samples that were learned, as there). It is shared
    /// among the cut's features in proportion to the absolute values of their coefficients, and added up over all nodes
    /// of all trees. The coefficients depend on the scale of the features, as the distributions of cuts do: scale
    /// features alike first. Errors: a learner that cannot.
    pub fn feature_importance(&self) -> Result<Vec<f64>, Refused> {
        let mut sums = vec![0.0; self.schema().features()];
        for tree in self.exported()? {
            for node in tree.nodes.iter().rev() {
                if let (Some(cut), Some([left, right])) = (&node.cut, node.children) {
                    let gain = tree.nodes[left].labels.gain(&tree.nodes[right].labels);
                    for (feature, share) in cut.shares() {
                        sums[feature] += gain * share;
                    }
                }
            }
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        Ok(sums)
    }

    /// Returns the contribution of each feature to the prediction for each row: `[row, feature, output]`, and behind the features the part that no feature adds: the
    /// prediction where none is known. Their sum over the second axis is the prediction.
    ///
    /// These are Shapley values of each tree by *path-dependent TreeSHAP* (Lundberg et al., *Nature Machine Intelligence* 2, 2020): where a
    /// feature is not known, a cut of it sends a point both ways, in the proportion of the node's samples. An oblique cut has several
    /// features, and Shapley values of features would take exponential time: there it is the cut that is known or not, and
    /// what it adds is shared among its features in proportion to the absolute values of their coefficients, as importances are. What a learner adds
    /// [outside of its trees](OnlineLearner::linear_part) counts as well; the rest, such as what hierarchical labels make of the place of a point in its leaf, is no feature's.
    ///
    /// Costs, for each row and tree, the number of leaves times the square of the number of different features on a way.
    /// Errors: a learner that cannot, or rows that are refused.
    pub fn contributions(&self, rows: ArrayView2<'_, f32>) -> Result<Array3<f64>, Refused> {
        let (features, width) = (self.schema().features(), self.schema().width());
        let (predictions, checked) = (self.predict(rows)?, Rows::for_learner(self, rows)?);
        let mut sums = Array3::zeros((checked.len(), features + 1, width));
        for tree in self.exported()? {
            contributions::add(&tree, &checked, &mut sums);
        }
        for (row, x) in checked.iter().enumerate() {
            let mut sums = sums.index_axis_mut(Axis(0), row);
            for (feature, part) in self.linear_part(x).into_iter().enumerate() {
                sums[[feature, 0]] += part;
            }
            let known = sums.slice(s![..features, ..]).sum_axis(Axis(0));
            sums.row_mut(features)
                .assign(&(&predictions.row(row) - &known));
        }
        Ok(sums)
    }
}
