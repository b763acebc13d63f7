//! What only some learners can do, each as an `Option` instead of a method that fails.

use crate::{
    Forget, ForgetError, InputError, LearnWeighted, OnlineLearner, PredictionRows, Proceed, Shard,
    Task, Widen,
};
use ndarray::ArrayView2;
use serde::Serialize;

use crate::registry::{Explain, Intervals};

/// Learners with a list of what else they can do, which is empty for most.
pub trait Capable: OnlineLearner {
    /// Returns the capabilities that do not change the learner.
    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities::default()
    }

    /// Returns the access to partitions (points that share a leaf) of tessellation forests.
    fn as_partition(&self) -> Option<&dyn Partition> {
        self.capabilities().partition
    }

    /// Returns trees as data, paths in words and importance of features, for tessellation forests, `dynamic-extra-trees` and `residual-forest`.
    fn as_explain(&self) -> Option<&dyn Explain> {
        self.capabilities().explain
    }

    /// Returns trees that can be drawn: tessellation forests over two features.
    fn as_planar(&self) -> Option<&dyn Partition> {
        self.capabilities().planar
    }

    /// Returns variances and intervals, for regressors with the hierarchical Gaussian and `conformal`.
    fn as_intervals(&self) -> Option<&dyn Intervals> {
        self.capabilities().intervals
    }

    /// Returns the weights of the members of a mixture, for `adaptive`.
    fn as_mixture(&self) -> Option<&dyn Mixture> {
        self.capabilities().mixture
    }

    /// Learns the first rows, with a weight each if there are any, all at once, which may give another learner than one row after another: dynamic
    /// extra trees are built so. `None`, and nothing changes, if it cannot, has learned already, or does not hold all samples. As soon as
    /// `proceed` returns false, the learner is left unchanged.
    ///
    /// # Errors
    /// Rows, targets or weights that are refused; then nothing changes.
    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        let _ = (features, targets, weights, proceed);
        None
    }

    /// Returns some of the trees of a forest, or all of them, if it is that.
    fn as_shard(&self) -> Option<&dyn Shard<Task = Self::Task>> {
        None
    }

    /// Returns the same, mutable.
    fn as_shard_mut(&mut self) -> Option<&mut dyn Shard<Task = Self::Task>> {
        None
    }

    /// Returns the learner as one that can forget samples.
    ///
    /// # Errors
    /// Why it cannot.
    fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = Self::Task>, ForgetError> {
        Err(ForgetError::Impossible)
    }

    /// Returns the learner as one that learns with weights, if it can: tessellation forests without hierarchical labels and `dynamic-extra-trees`.
    fn as_weighted_mut(&mut self) -> Option<&mut dyn LearnWeighted<Task = Self::Task>> {
        None
    }

    /// Tests, then trains: returns full predictions, such as means and variances, made just before each row is learned; by default
    /// the predictions alone.
    ///
    /// # Errors
    /// As [`learn`](OnlineLearner::learn).
    fn predict_full_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        self.predict_then_learn(features, targets)
    }

    /// Returns the partition as one that can be refined up to a growing budget, if there is one.
    fn as_partition_mut(&mut self) -> Option<&mut dyn Partition> {
        None
    }

    /// Returns the learner as one that can continue with samples of more features, if it can.
    fn as_widen_mut(&mut self) -> Option<&mut dyn Widen<Task = Self::Task>> {
        None
    }
}

/// Forests whose trees divide space into leaves.
pub trait Partition {
    /// Returns the fraction of the trees that have both points in one leaf: the kernel of the forest.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, InputError>;

    /// Exposes every leaf of every tree to the budget of the samples held.
    fn refine(&mut self);

    /// Returns the nodes of tree `index` in a convex `window`, parents before children; an empty list if the forest does not
    /// have that tree, or if samples do not have two features.
    fn nodes_of(&self, index: usize, window: &[Point]) -> Vec<DrawnNode>;
}

/// A point of the plane.
pub type Point = [f64; 2];

/// A node as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnNode {
    /// Whether the node is a leaf.
    pub is_leaf: bool,
    /// The convex hull of its points.
    pub hull: Vec<Point>,
    /// Where its cut crosses its cell; `None` for a leaf, or if it misses the window.
    pub cut: Option<[Point; 2]>,
}

/// Learners that weight the predictions of others.
pub trait Mixture {
    /// Returns the members; their weights sum to 1.
    fn members(&self) -> Vec<MixtureMember>;

    /// Returns the rules by which weights of members follow their losses; their weights sum to 1.
    fn rules(&self) -> Vec<MixtureRule>;
}

/// A rule of a mixture as it is now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixtureRule {
    /// Its parameters.
    pub name: String,
    /// From 0 to 1.
    pub weight: f64,
}

/// A member of a mixture as it is now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixtureMember {
    /// What it is.
    pub name: String,
    /// From 0 to 1.
    pub weight: f64,
    /// The first row, counted from 0, after the last change of the stream that the member has found; `None` if it has not found
    /// any, or does not look for any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<u64>,
}

/// What a learner can do besides learning and predicting that does not change it; `None` for what it cannot.
#[derive(Clone, Copy, Default)]
pub struct Capabilities<'a> {
    /// Which points share a leaf.
    pub partition: Option<&'a dyn Partition>,
    /// Trees as data, paths in words, importance of features.
    pub explain: Option<&'a dyn Explain>,
    /// The same where trees can be drawn, since samples have two features.
    pub planar: Option<&'a dyn Partition>,
    /// How sure a regressor is.
    pub intervals: Option<&'a dyn Intervals>,
    /// The weights of the members of a mixture.
    pub mixture: Option<&'a dyn Mixture>,
}
