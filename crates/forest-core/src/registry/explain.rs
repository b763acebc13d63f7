//! Forests whose trees can be read: as data, along the path of one point, and by what their features gain.

mod contributions;
mod dot;
mod inequality;
mod labels;
mod path;
mod quadrature;
mod text;
mod tree;

use crate::{
    FeatureValues, Forest, ForestContext, InputError, NoSuchTree, OnlineLearner, OnlineTree, Rows,
    Task, TreeRng,
};
use ndarray::{Array2, Array3, ArrayView1, ArrayView2, Axis};
use thiserror::Error;

use crate::registry::NamedTask;

pub use inequality::Inequality;
pub use labels::{ClassLabels, LabelSummary, Labels, NumberLabels};
pub use path::{DecisionPath, PathStep};
pub use tree::{ExportedNode, ExportedTree};

/// Forests whose trees can be read, whatever their cuts and labels.
pub trait Explain {
    /// Returns tree `tree`, counted from 0, as plain data; nodes with more than `max_depth` edges to the root are left
    /// out. Costs a pass over the tree.
    ///
    /// # Errors
    /// If the forest does not have that tree.
    fn export(&self, tree: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree>;

    /// Returns the values of features that the trees take.
    fn feature_values(&self) -> FeatureValues;

    /// Returns the node of each exported tree in which each row ends, by its place in [`ExportedTree::nodes`]: `[row, tree]`. Costs a pass over every tree.
    ///
    /// # Errors
    /// Rows of a wrong width, or with a value that is not finite; a tree that has no nodes.
    fn leaves(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<u32>, ExplainError> {
        let trees = (0..).map_while(|tree| self.export(tree, None).ok());
        let trees: Vec<_> = trees.collect();
        let width = trees.first().map_or(0, |tree| tree.features.len());
        let rows = Rows::check_values(rows, width, self.feature_values())?;
        let mut leaves = Array2::zeros((rows.len(), trees.len()));
        for (x, mut places) in rows.iter().zip(leaves.rows_mut()) {
            for (place, tree) in places.iter_mut().zip(&trees) {
                *place = tree.place(x).ok_or(ExplainError::NoNodes)? as u32;
            }
        }
        Ok(leaves)
    }

    /// Returns the path of the point `x` through tree `tree`, and the prediction at its end. Costs a pass over the tree.
    ///
    /// # Errors
    /// If the forest does not have that tree, or `x` has a wrong width or a value that is not finite.
    fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, ExplainError>;

    /// Returns how much each feature helps to separate labels: from 0 to 1, together 1, or all 0 if nothing was cut
    /// or no cut gained anything.
    ///
    /// A cut gains what it takes from the impurity of its node's samples: the Gini impurity of classes, the variance
    /// of numbers, weighted by samples (Breiman et al. 1984; on the samples that were learned, as there). It is shared
    /// among the cut's features in proportion to the absolute values of their coefficients, and added
    /// up over all nodes of all trees. The coefficients depend on the scale of the features, as the distributions of
    /// cuts do: scale features alike first. (Weighting by the spread of a node along a feature would do without, but needs
    /// every node's samples, which a full tree does not have, and a box of all features a node.)
    ///
    /// Costs one pass over every tree.
    fn feature_importance(&self) -> Vec<f64>;

    /// Returns the contribution of each feature to the prediction for each row: `[row, feature, output]`, and behind the features the prediction where none
    /// is known. Their sum over the second axis is the prediction, up to rounding.
    ///
    /// These are Shapley values of each tree by *path-dependent TreeSHAP* (Lundberg et al., *Nature Machine Intelligence* 2, 2020): where a
    /// feature is not known, a cut of it sends a point both ways, in the proportion of the node's samples. An oblique cut has several
    /// features, and Shapley values of features would take exponential time: there it is the cut that is known or not, and
    /// what it adds is shared among its features in proportion to the absolute values of their coefficients, as importances are. With hierarchical labels, where
    /// a prediction depends on where in its leaf a point lies, that of the row's own leaf is the prediction for the row.
    ///
    /// Costs, for each row and tree, the number of leaves times the square of the number of different features on a way.
    ///
    /// # Errors
    /// Rows of a wrong width, or with a value that is not finite.
    fn contributions(&self, rows: ArrayView2<'_, f32>) -> Result<Array3<f64>, InputError>;
}

/// The reason why there is not a path for a point.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExplainError {
    /// The forest has no such tree.
    #[error(transparent)]
    NoSuchTree(#[from] NoSuchTree),
    /// The forest has learned nothing.
    #[error("the trees have no nodes yet: they have learned nothing")]
    NoNodes,
    /// The point does not fit.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// Returns `1 sample`, `2 samples`.
fn samples(count: u64) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} sample{ending}")
}

/// `cut at time 2.1; `, or nothing where cuts have no times.
fn cut_at(time: Option<f64>) -> String {
    let text = |time| {
        format!(
            "cut at time {}; ",
            inequality::short(time, inequality::DIGITS)
        )
    };
    time.map(text).unwrap_or_default()
}

/// A tree that can be read. Paths, importances and contributions follow from what it exports.
pub trait ExplainTree: OnlineTree<Task: NamedTask> {
    /// As [`Explain::export`], the whole tree.
    fn export(&self, context: &ForestContext<'_, Self>) -> ExportedTree;
}

fn tree<K: OnlineTree>(forest: &Forest<K>, index: usize) -> Result<&K, NoSuchTree> {
    let trees = forest.trees().len();
    let tree = forest.trees().nth(index);
    tree.ok_or(NoSuchTree { index, trees })
}

impl<K: ExplainTree> Explain for Forest<K> {
    fn feature_values(&self) -> FeatureValues {
        K::FEATURE_VALUES
    }

    fn export(&self, index: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree> {
        let mut exported = tree(self, index)?.export(&self.context());
        exported.share = 1.0 / self.trees().len() as f64;
        Ok(exported.down_to(max_depth.unwrap_or(usize::MAX)))
    }

    fn decision_path(&self, index: usize, x: &[f32]) -> Result<DecisionPath, ExplainError> {
        Rows::for_learner(self, ArrayView1::from(x).insert_axis(Axis(0)))?;
        let (tree, context) = (tree(self, index)?, self.context());
        let exported = tree.export(&context);
        let mut path = exported.path(x).unwrap_or_else(|| DecisionPath {
            features: exported.features,
            classes: Vec::new(),
            steps: Vec::new(),
            samples: 0,
            labels: <K::Task as NamedTask>::Labels::default().summary(),
            prediction: Vec::new(),
        });
        path.prediction = tree_prediction(tree, x, &context);
        Ok(path)
    }

    fn feature_importance(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.schema().features()];
        for tree in self.trees() {
            tree.export(&self.context()).add_gains(&mut sums);
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        sums
    }

    fn contributions(&self, rows: ArrayView2<'_, f32>) -> Result<Array3<f64>, InputError> {
        let (features, width) = (self.schema().features(), self.schema().width());
        let rows = Rows::for_learner(self, rows)?;
        let mut sums = Array3::zeros((rows.len(), features + 1, width));
        let (context, trees) = (self.context(), self.trees().len() as f64);
        for tree in self.trees() {
            let exported = tree.export(&context);
            let predict = |x: &[f32]| tree_prediction(tree, x, &context);
            contributions::add(&exported, &rows, predict, &mut sums);
        }
        sums /= trees;
        Ok(sums)
    }
}

/// Returns the prediction of a tree alone.
fn tree_prediction<K: OnlineTree>(tree: &K, x: &[f32], context: &ForestContext<'_, K>) -> Vec<f64> {
    let mut accumulator = vec![0.0; K::accumulator_width(&context.outputs)];
    let mut prediction = vec![0.0; K::Task::width(&context.outputs)];
    // Only learning draws.
    tree.vote(x, context, &TreeRng::new(0, 0), &mut accumulator);
    K::finish(&accumulator, 1, &mut prediction);
    prediction
}

/// `x0`, `x1`, …
pub(crate) fn numbered_names(features: usize) -> Vec<String> {
    (0..features).map(|feature| format!("x{feature}")).collect()
}

/// Puts names in place of the first ones.
fn rename(features: &mut [String], names: &[impl AsRef<str>]) {
    for (own, name) in features.iter_mut().zip(names) {
        name.as_ref().clone_into(own);
    }
}

fn owned(names: &[impl AsRef<str>]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}
