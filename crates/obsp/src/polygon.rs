//! A convex polygon, what a point sees of it, and what the point makes of it.

use crate::glance;
use crate::plane::{Vertex, distance, precedes, turn};

/// A strictly convex polygon in its one canonical form: counter-clockwise from the vertex that
/// comes first from left to right ([`precedes`]), no three vertices on a line.
///
/// So two hulls of the same points are the same sequence of numbers, whatever the order in which
/// the points came. One vertex is a point, two are a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Polygon<'a> {
    pub(crate) vertices: &'a [Vertex],
    /// Where the last vertex from left to right stands: the lower chain ends and the upper begins.
    pub(crate) top: usize,
}

/// A stretch of the boundary: `edges` edges from vertex number `first`, counter-clockwise.
///
/// Seen by a point outside, it runs from one tangent point to the other, edges in line with the
/// point included. A single vertex has one edge, from itself to itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) first: usize,
    pub(crate) edges: usize,
}

impl<'a> Polygon<'a> {
    fn len(self) -> usize {
        self.vertices.len()
    }

    /// Vertex number `index`, counted round and round.
    #[inline]
    pub(crate) fn vertex(self, index: usize) -> Vertex {
        let wrapped = if index < self.len() {
            index
        } else {
            index - self.len()
        };
        self.vertices[wrapped]
    }

    /// The boundary that `x` sees; `None` if `x` lies inside or on the boundary. `O(log h)`, and a
    /// step for every edge seen.
    #[inline]
    pub(crate) fn seen_from(self, x: Vertex) -> Option<Chain> {
        match glance::at(self.vertices, x) {
            Some(chain) => chain,
            None => self.seen_on_search(x),
        }
    }

    fn seen_on_search(self, x: Vertex) -> Option<Chain> {
        let seed = self.seed(x)?;
        Some(self.widened(seed, x))
    }

    /// A vertex or an edge that `x` surely sees.
    #[inline]
    fn seed(self, x: Vertex) -> Option<Chain> {
        let vertex = |first| Some(Chain { first, edges: 0 });
        if precedes(x, *self.vertices.first()?) {
            return vertex(0);
        }
        if precedes(self.vertices[self.top], x) {
            return vertex(self.top);
        }
        let below = self.vertices[..=self.top].partition_point(|v| !precedes(x, *v)) - 1;
        let above = self.vertices[self.top..].partition_point(|v| !precedes(*v, x)) - 1;
        [below.min(self.top.saturating_sub(1)), self.top + above]
            .into_iter()
            .find(|&edge| self.turn_at(edge, x) < 0.0)
            .map(|first| Chain { first, edges: 1 })
    }

    /// Where `x` lies beside edge number `edge`: negative is outside.
    #[inline]
    fn turn_at(self, edge: usize, x: Vertex) -> f64 {
        turn(self.vertex(edge), self.vertex(edge + 1), x)
    }

    #[inline]
    fn widened(self, seed: Chain, x: Vertex) -> Chain {
        let Chain {
            mut first,
            mut edges,
        } = seed;
        // Seen from its own line, a segment has its far end at both ends of the chain.
        while edges + 1 < self.len() {
            let before = first.checked_sub(1).unwrap_or(self.len() - 1);
            if self.turn_at(before, x) > 0.0 {
                break;
            }
            (first, edges) = (before, edges + 1);
        }
        while edges < self.len() {
            let after = (first + edges) % self.len();
            if self.turn_at(after, x) > 0.0 {
                break;
            }
            edges += 1;
        }
        Chain { first, edges }
    }

    /// The vertices of a chain, both ends included.
    pub(crate) fn along(self, chain: Chain) -> impl Iterator<Item = Vertex> + 'a {
        (0..=chain.edges).map(move |step| self.vertex(chain.first + step))
    }

    /// The length of the boundary; a segment counts twice.
    pub(crate) fn perimeter(self) -> f64 {
        let edge = |index| distance(self.vertex(index), self.vertex(index + 1));
        (0..self.len()).map(edge).sum()
    }

    /// How much longer the boundary becomes by a point that sees `chain`:
    /// ΔL = |a − x| + |x − b| − arc. Never negative.
    #[inline]
    pub(crate) fn growth(self, chain: Chain, x: Vertex) -> f64 {
        let (a, b) = (
            self.vertex(chain.first),
            self.vertex(chain.first + chain.edges),
        );
        let edge = |step| {
            distance(
                self.vertex(chain.first + step),
                self.vertex(chain.first + step + 1),
            )
        };
        let arc: f64 = (0..chain.edges).map(edge).sum();
        (distance(a, x) + distance(x, b) - arc).max(0.0)
    }
}
