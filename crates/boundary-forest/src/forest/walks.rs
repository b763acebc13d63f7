//! What a query costs: comparisons, as the paper counts them.

use forest_core::{InputError, Rows};

use super::BoundaryForest;
use crate::distances::{Distances, Scratch};
use crate::grower::Grower;
use crate::tree::NodeId;
use crate::{BoundaryTree, Metric, Problem};

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
    /// Returns the walk of a query through each tree, in index order; none before the trees have roots.
    ///
    /// # Errors
    /// [`InputError`] for a wrong width or a value that is not finite.
    pub fn walks(&self, query: &[f32]) -> Result<Vec<Walk>, InputError> {
        let row = Rows::one(query, P::shape(&self.schema).features)?;
        let limit = self.settings.max_children;
        Ok(Scratch::with(|scratch| {
            let mut distances = Distances::new(&self.samples, row.row(0), scratch);
            let walk = |tree: &Grower| {
                let end = tree.query(limit, &mut distances)?.node;
                let comparisons = 1 + children_above(&tree.nodes, end);
                Some(Walk { end, comparisons })
            };
            self.trees.iter().filter_map(walk).collect()
        }))
    }
}

fn children_above(tree: &BoundaryTree, end: NodeId) -> usize {
    let path = std::iter::successors(Some(end), |&node| tree.parent(node));
    path.map(|node| tree.children(node).len()).sum()
}
