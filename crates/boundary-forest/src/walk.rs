//! The walk from the root to a locally closest node: Algorithm 1, `BTQuery`.

#[cfg(test)]
mod tests;

use crate::Metric;
use crate::distances::{Candidates, Distances};
use crate::nodes::{NodeRef, Nodes};
use crate::settings::ChildLimit;

/// Walks from `root` to a node that may get a child and has none closer to the query than itself.
///
/// Among `m` equally close nodes `below(m)` decides.
pub(crate) fn walk<M: Metric>(
    nodes: &Nodes,
    limit: ChildLimit,
    root: NodeRef,
    distances: &mut Distances<'_, M>,
    below: &mut impl FnMut(usize) -> usize,
) -> NodeRef {
    let mut node = root;
    distances.start_walk(root.sample);
    loop {
        let children = nodes.children(node.node);
        if children.is_empty() {
            return node;
        }
        // Lines 6–10: a node that has all its children cannot be the answer.
        let may_answer = !limit.is_reached(children.len());
        let node_itself = may_answer.then_some(node);
        let candidates = Candidates {
            children,
            node: node_itself,
        };
        let closest = distances.closest(candidates, below);
        if closest.node == node.node {
            return node;
        }
        node = closest;
    }
}
