//! The walk from the root to a locally closest node: Algorithm 1, `BTQuery`.

#[cfg(test)]
mod tests;

use crate::chance::Chance;
use crate::distances::{Candidate, DistanceSource};
use crate::nodes::{Nodes, Place};
use crate::settings::ChildLimit;

/// Walks from `root` to a node that may get a child and has none closer to the query than itself.
pub(crate) fn walk<S: DistanceSource>(
    nodes: &Nodes,
    limit: ChildLimit,
    root: Place,
    distances: &mut S,
    chance: &mut impl Chance,
) -> Candidate<S::Estimate> {
    let estimate = distances.estimate(root.sample);
    let mut here = Candidate {
        place: root,
        estimate,
    };
    loop {
        let next = step(nodes, limit, here, distances, chance);
        if next.place.node == here.place.node {
            return here;
        }
        here = next;
    }
}

/// Lines 6–10: the closest of `here`'s children and, unless it is full, `here`.
#[inline]
fn step<S: DistanceSource>(
    nodes: &Nodes,
    limit: ChildLimit,
    here: Candidate<S::Estimate>,
    distances: &mut S,
    chance: &mut impl Chance,
) -> Candidate<S::Estimate> {
    let children = nodes.children(here.place.node);
    if children.is_empty() {
        return here;
    }
    let may_answer = !limit.is_reached(children.len());
    distances.closest(children, may_answer.then_some(here), chance)
}
