//! Taking a point into a polygon, in place.

use serde::{Deserialize, Serialize};

use crate::plane::{Vertex, precedes};
use crate::polygon::{Chain, Polygon};

/// How many vertices a polygon has and which of them comes last from left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) len: u32,
    pub(crate) top: u32,
}

impl Shape {
    /// A single vertex.
    pub(crate) const POINT: Self = Self { len: 1, top: 0 };

    /// The polygon of this shape at the front of `cells`.
    #[inline]
    pub(crate) fn of(self, cells: &[Vertex]) -> Polygon<'_> {
        Polygon {
            vertices: &cells[..self.len as usize],
            top: self.top as usize,
        }
    }

    /// How many vertices there are once a point has taken the place of what it sees of the chain.
    pub(crate) fn len_with(self, chain: Chain) -> usize {
        self.len as usize + 2 - chain.edges
    }

    /// Puts `x` between the ends of `chain`, which it sees, and drops what lay between them.
    ///
    /// `cells` has room for one vertex more than there are. `O(h)` moves of eight bytes.
    pub(crate) fn with(self, cells: &mut [Vertex], chain: Chain, x: Vertex) -> Self {
        if precedes(x, cells[0]) {
            self.with_first(cells, chain, x)
        } else {
            self.with_later(cells, chain, x)
        }
    }

    /// `x` becomes the first vertex: the rest follows from the far end of the chain.
    fn with_first(self, cells: &mut [Vertex], chain: Chain, x: Vertex) -> Self {
        let len = self.len as usize;
        let end = (chain.first + chain.edges) % len;
        cells[..len].rotate_left(end);
        let kept = self.len_with(chain) - 1;
        cells.copy_within(..kept, 1);
        cells[0] = x;
        let top = (self.top as usize + len - end) % len + 1;
        Self::new(kept + 1, top)
    }

    /// The first vertex stays, so the chain does not run over it.
    fn with_later(self, cells: &mut [Vertex], chain: Chain, x: Vertex) -> Self {
        let (len, top) = (self.len as usize, self.top as usize);
        let (place, tail) = (chain.first + 1, chain.first + chain.edges);
        let top = if precedes(cells[top], x) {
            place
        } else if top < place {
            top
        } else {
            top + 2 - chain.edges
        };
        if tail != place + 1 {
            cells.copy_within(tail..len, place + 1);
        }
        cells[place] = x;
        Self::new(self.len_with(chain), top)
    }

    pub(crate) fn new(len: usize, top: usize) -> Self {
        let narrow = |index| u32::try_from(index).expect("a tree has fewer than 2³² samples");
        Self {
            len: narrow(len),
            top: narrow(top),
        }
    }
}
