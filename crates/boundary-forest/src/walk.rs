//! The walk from the root to a locally closest node: Algorithm 1, `BTQuery`.

#[cfg(test)]
mod tests;

use crate::Metric;
use crate::distances::{Candidates, Distances};
use crate::settings::ChildLimit;
use crate::tree::{BoundaryTree, NodeRef};

/// Walks from the root, if there is one, to a node that may get a child and has none closer to the
/// query than itself.
///
/// Among `m` equally close nodes `below(m)` decides.
pub(crate) fn walk<M: Metric>(
    tree: &BoundaryTree,
    limit: ChildLimit,
    distances: &mut Distances<'_, M>,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<NodeRef> {
    let mut node = tree.root()?;
    distances.start_walk(node.sample);
    loop {
        let children = tree.child_refs(node.node);
        if children.is_empty() {
            return Some(node);
        }
        // Lines 6–10: a node that has all its children cannot be where the walk ends.
        let may_be_found = limit.allows(children.len() + 1);
        let candidates = Candidates {
            children,
            node: may_be_found.then_some(node),
        };
        let closest = distances.closest(candidates, below);
        if closest.node == node.node {
            return Some(node);
        }
        node = closest;
    }
}
