//! The hulls of all nodes: one row of them, a hull a pair of axes, for each node that needs them.

use forest_core::Arena;
use serde::{Deserialize, Serialize};

use crate::plane::Vertex;
use crate::polygon::{Chain, Polygon};
use crate::pool::{Pool, Slot};
use crate::shape::Shape;

/// Hulls in one array, their vertices in another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hulls {
    heads: Arena<Head>,
    pool: Pool,
}

/// Where the vertices of a hull are, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    slot: Slot,
    shape: Shape,
}

/// Names a hull of one tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HullId(pub(crate) usize);

/// Hulls start with room for so many vertices.
const ROOM: usize = 4;

impl Hulls {
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// Adds a hull.
    pub(crate) fn push(&mut self, Polygon { vertices, top }: Polygon<'_>) {
        let slot = self.pool.take(vertices.len().max(ROOM));
        self.pool.at_mut(slot)[..vertices.len()].copy_from_slice(vertices);
        let shape = Shape::new(vertices.len(), top);
        self.heads.push(Head { slot, shape });
    }

    /// Adds a copy of a hull.
    pub(crate) fn push_copy(&mut self, hull: HullId) {
        let head = self.heads[hull.0];
        let len = head.shape.len as usize;
        let slot = self.pool.copy(head.slot, len, len.max(ROOM));
        self.heads.push(Head { slot, ..head });
    }

    #[inline]
    pub(crate) fn polygon(&self, hull: HullId) -> Polygon<'_> {
        let Head { slot, shape } = self.heads[hull.0];
        shape.of(self.pool.at(slot))
    }

    /// Takes `x` into a hull of which it sees `chain`.
    pub(crate) fn extend(&mut self, hull: HullId, x: Vertex, chain: Chain) {
        self.make_room(hull);
        let head = &mut self.heads[hull.0];
        head.shape = head.shape.with(self.pool.at_mut(head.slot), chain, x);
    }

    /// Sees to it that a hull has room for one vertex more.
    fn make_room(&mut self, hull: HullId) {
        let Head { slot, shape } = self.heads[hull.0];
        let len = shape.len as usize;
        if len == slot.size() {
            self.heads[hull.0].slot = self.pool.copy(slot, len, len + 1);
            self.pool.give(slot);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.heads.bytes() + self.pool.bytes()
    }

    /// Whether every hull has a slot of its own, and vertices in it.
    pub(crate) fn is_shaped(&self) -> bool {
        let sound = |head: &Head| {
            let Shape { len, top } = head.shape;
            top < len && len as usize <= head.slot.size()
        };
        self.pool
            .is_tiled_by(self.heads.iter().map(|head| head.slot))
            && self.heads.iter().all(sound)
    }
}
