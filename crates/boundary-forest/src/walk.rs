//! The walk from the root to a locally closest node: Algorithm 1, `BTQuery`.

#[cfg(test)]
mod tests;

use crate::arena::{Arena, Place};
use crate::chance::Chance;
use crate::settings::ChildLimit;
use crate::sight::{Seen, Sight};

/// Walks from `root` to a node that may get a child and has none closer to the query than itself.
pub(crate) fn walk<S: Sight>(
    arena: &Arena,
    limit: ChildLimit,
    root: Place,
    sight: &mut S,
    chance: &mut impl Chance,
) -> Seen<S::Mark> {
    let mark = sight.mark(root.sample);
    let mut here = Seen { place: root, mark };
    loop {
        let next = step(arena, limit, here, sight, chance);
        if next.place.node == here.place.node {
            return here;
        }
        here = next;
    }
}

/// Lines 6–10: the closest of `here`'s children and, unless it is full, `here`.
#[inline]
fn step<S: Sight>(
    arena: &Arena,
    limit: ChildLimit,
    here: Seen<S::Mark>,
    sight: &mut S,
    chance: &mut impl Chance,
) -> Seen<S::Mark> {
    let children = arena.children(here.place.node);
    if children.is_empty() {
        return here;
    }
    let may_answer = !limit.is_reached(children.len());
    sight.closest(children, may_answer.then_some(here), chance)
}
