//! What only some learners can be asked.

use serde::Serialize;

use crate::registry::{Explain, Intervals};
use crate::{Forest, InputError, OnlineLearner, OnlineTree, Rows, SampleStore};

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

/// A tree whose leaves divide space, and are refined to a budget ([`OnlineTree::refine_to`]).
pub trait PartitionTree: OnlineTree {
    /// Returns whether both points fall into one leaf.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> bool;

    /// Returns the nodes in a convex `window`, parents before children, of points of two features.
    fn drawn_nodes(&self, window: &[Point], samples: &SampleStore<Self::Task>) -> Vec<DrawnNode>;
}

impl<K: PartitionTree> Partition for Forest<K> {
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, InputError> {
        for point in [a, b] {
            Rows::one(point, self.schema().features())?;
        }
        let together = self.trees().filter(|tree| tree.share_a_leaf(a, b)).count();
        Ok(together as f64 / self.trees().len() as f64)
    }

    fn refine(&mut self) {
        self.refine_to(0.0);
    }

    fn nodes_of(&self, index: usize, window: &[Point]) -> Vec<DrawnNode> {
        let in_the_plane = self.schema().features() == 2;
        let tree = self.trees().nth(index).filter(|_| in_the_plane);
        tree.map_or(Vec::new(), |tree| tree.drawn_nodes(window, self.samples()))
    }
}
