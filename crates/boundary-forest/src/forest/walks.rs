//! What a query costs: comparisons, as the paper counts them.

use forest_core::{InputError, Rows};

use super::BoundaryForest;
use crate::distances::{DistanceSource, Query, Scratch, run_query};
use crate::nodes::NodeId;
use crate::tree::BoundaryTree;
use crate::{Metric, Problem, Settings};

/// The walk of a query through one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The locally closest node, where it ended.
    pub end: NodeId,
    /// The nodes that the query was compared with: the root, and all children of every node visited.
    ///
    /// The paper's measure of cost. The forest computes fewer distances: each at most once for all
    /// trees.
    pub comparisons: usize,
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// The walk of a query through each tree, in index order; none before the trees have roots.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    pub fn walks(&self, query: &[f32]) -> Result<Vec<Walk>, InputError> {
        let row = Rows::one(query, P::features(&self.schema))?;
        if self.trees.iter().any(BoundaryTree::is_waiting) {
            return Ok(Vec::new());
        }
        let query = WalkTrees { forest: self };
        let points = self.samples.points();
        Ok(Scratch::with(|scratch| {
            run_query(points, row.row(0), scratch, query)
        }))
    }
}

/// Walks through every tree.
struct WalkTrees<'a, P: Problem, M: Metric> {
    forest: &'a BoundaryForest<P, M>,
}

impl<P: Problem, M: Metric> Query for WalkTrees<'_, P, M> {
    type Answer = Vec<Walk>;

    fn run(self, mut distances: impl DistanceSource) -> Vec<Walk> {
        let limit = self.forest.settings.max_children();
        let walk = |tree: &BoundaryTree| {
            let end = tree.query(limit, &mut distances)?.place.node;
            let comparisons = 1 + compared_below_root(tree, end);
            Some(Walk { end, comparisons })
        };
        self.forest.trees.iter().filter_map(walk).collect()
    }
}

/// The children of all nodes from the root to `end`.
fn compared_below_root(tree: &BoundaryTree, end: NodeId) -> usize {
    let path = std::iter::successors(Some(end), |&node| tree.parent(node));
    path.map(|node| tree.children(node).len()).sum()
}
