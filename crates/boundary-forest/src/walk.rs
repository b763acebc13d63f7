//! The walk from the root to a locally closest node: Algorithm 1, `BTQuery`.

#[cfg(test)]
mod tests;

use forest_core::SampleId;

use crate::arena::{Arena, NodeId};
use crate::chance::Chance;
use crate::settings::ChildLimit;

/// Something that may be the closest, and its proxy distance from the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate<I> {
    pub(crate) item: I,
    pub(crate) proxy: f64,
}

/// The closest of the candidates offered so far, each of several equally close ones with the same
/// probability: the m-th of them replaces the one held with probability 1/m.
pub(crate) struct Closest<'c, I, C> {
    chance: &'c mut C,
    held: Option<Candidate<I>>,
    ties: usize,
}

impl<'c, I: Copy, C: Chance> Closest<'c, I, C> {
    pub(crate) fn among(chance: &'c mut C) -> Self {
        Self {
            chance,
            held: None,
            ties: 0,
        }
    }

    #[inline]
    pub(crate) fn offer(&mut self, candidate: Candidate<I>) {
        let held = self.held.map_or(f64::INFINITY, |held| held.proxy);
        if candidate.proxy < held || self.held.is_none() {
            self.held = Some(candidate);
            self.ties = 1;
        } else if candidate.proxy == held {
            self.offer_tie(candidate);
        }
    }

    #[cold]
    fn offer_tie(&mut self, candidate: Candidate<I>) {
        self.ties += 1;
        if self.chance.below(self.ties) == 0 {
            self.held = Some(candidate);
        }
    }

    pub(crate) fn choice(self) -> Option<Candidate<I>> {
        self.held
    }
}

/// Walks from `root` to a node that may get a child and has none closer to the query than itself.
///
/// `proxy` is the distance of the query from a sample; each node's is computed once.
pub(crate) fn walk(
    arena: &Arena,
    limit: ChildLimit,
    root: NodeId,
    proxy: impl Fn(SampleId) -> f64,
    chance: &mut impl Chance,
) -> Candidate<NodeId> {
    let measure = |item| Candidate {
        item,
        proxy: proxy(arena.sample(item)),
    };
    let mut here = measure(root);
    while let Some(next) = step(arena, limit, here, measure, chance) {
        here = next;
    }
    here
}

/// Lines 6–10: the closest of `here`'s children and, unless it is full, `here`; none if `here` is.
#[inline]
fn step(
    arena: &Arena,
    limit: ChildLimit,
    here: Candidate<NodeId>,
    measure: impl Fn(NodeId) -> Candidate<NodeId>,
    chance: &mut impl Chance,
) -> Option<Candidate<NodeId>> {
    let mut closest = Closest::among(chance);
    if !limit.is_reached(arena.child_count(here.item)) {
        closest.offer(here);
    }
    for child in arena.children(here.item) {
        closest.offer(measure(child));
    }
    closest.choice().filter(|next| next.item != here.item)
}
