//! Forests whose trees can be read: as data, along the path of one point, and by what their features gain.

mod dot;
mod inequality;
mod labels;
mod path;
mod text;
mod tree;

use forest_core::{
    Forest, ForestContext, InputError, NoSuchTree, OnlineLearner, OnlineTree, Rows, SampleStore,
};
use thiserror::Error;

pub use inequality::Inequality;
pub use labels::{ClassLabels, LabelSummary, Labels, NumberLabels};
pub use path::{DecisionPath, PathStep};
pub use tree::{ExportedNode, ExportedTree};

/// Forests whose trees can be read, whatever their cuts and labels.
pub trait Explain {
    /// Tree `tree`, counted from 0, as plain data; nodes with more than `max_depth` edges to the root are left
    /// out. Costs a pass over the tree.
    ///
    /// # Errors
    /// If there is no such tree.
    fn exported(&self, tree: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree>;

    /// The way of the point `x` through tree `tree`, and the answer at its end. Costs a pass over the tree.
    ///
    /// # Errors
    /// If there is no such tree, or `x` has a wrong width or a value that is not finite.
    fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, ExplainError>;

    /// How much each feature helps to tell labels apart: from 0 to 1, together 1, or all 0 if nothing was cut
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
}

/// Why the path of a point cannot be given.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExplainError {
    /// The forest has no such tree.
    #[error(transparent)]
    NoSuchTree(#[from] NoSuchTree),
    /// The point does not fit.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// `1 sample`, `2 samples`.
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

/// A tree that can be read.
pub trait ExplainTree: OnlineTree {
    /// As [`Explain::exported`].
    fn exported(&self, max_depth: Option<usize>, samples: &SampleStore<Self::Task>)
    -> ExportedTree;

    /// As [`Explain::decision_path`], for a point that fits.
    fn decision_path(&self, x: &[f32], context: &ForestContext<'_, Self>) -> DecisionPath;

    /// Adds what the cuts gain to `sums`, one a feature.
    fn add_gains(&self, samples: &SampleStore<Self::Task>, sums: &mut [f64]);
}

fn tree<K: OnlineTree>(forest: &Forest<K>, index: usize) -> Result<&K, NoSuchTree> {
    let trees = forest.trees().len();
    let tree = forest.trees().nth(index);
    tree.ok_or(NoSuchTree { index, trees })
}

impl<K: ExplainTree> Explain for Forest<K> {
    fn exported(&self, index: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree> {
        Ok(tree(self, index)?.exported(max_depth, self.samples()))
    }

    fn decision_path(&self, index: usize, x: &[f32]) -> Result<DecisionPath, ExplainError> {
        Rows::one(x, self.schema().features())?;
        Ok(tree(self, index)?.decision_path(x, &self.context()))
    }

    fn feature_importance(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.schema().features()];
        for tree in self.trees() {
            tree.add_gains(self.samples(), &mut sums);
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        sums
    }
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
