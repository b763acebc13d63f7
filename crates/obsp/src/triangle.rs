//! The hull of a few points in the plane of a pair, for which no storage is needed.

use std::cmp::Ordering;

use crate::few::FEW;
use crate::plane::{Vertex, precedes, turn};
use crate::polygon::Polygon;
use crate::shape::Shape;

/// The hull of a few points in one plane, made when asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Triangle {
    cells: [Vertex; FEW],
    shape: Shape,
}

impl Triangle {
    /// The hull of at most [`FEW`] vertices.
    pub(crate) fn of(vertices: impl Iterator<Item = Vertex>) -> Self {
        let mut cells = [Vertex::default(); FEW];
        let mut len = 0;
        for (cell, vertex) in cells.iter_mut().zip(vertices) {
            (*cell, len) = (vertex, len + 1);
        }
        cells[..len].sort_unstable_by(from_left_to_right);
        match *distinct(&mut cells[..len]) {
            [a, b, c] => Self::of_three(a, b, c),
            ref fewer => Self::in_line(fewer),
        }
    }

    fn of_three(a: Vertex, b: Vertex, c: Vertex) -> Self {
        let side = turn(a, b, c);
        if side > 0.0 {
            Self {
                cells: [a, b, c],
                shape: Shape::new(3, 2),
            }
        } else if side < 0.0 {
            Self {
                cells: [a, c, b],
                shape: Shape::new(3, 1),
            }
        } else {
            Self::in_line(&[a, c])
        }
    }

    /// The hull of no vertex, one or two.
    fn in_line(ends: &[Vertex]) -> Self {
        let mut cells = [Vertex::default(); FEW];
        cells[..ends.len()].copy_from_slice(ends);
        Self {
            cells,
            shape: Shape::new(ends.len(), ends.len().saturating_sub(1)),
        }
    }

    pub(crate) fn polygon(&self) -> Polygon<'_> {
        self.shape.of(&self.cells)
    }
}

fn from_left_to_right(a: &Vertex, b: &Vertex) -> Ordering {
    if precedes(*a, *b) {
        Ordering::Less
    } else if precedes(*b, *a) {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}

/// Sorted vertices, each once.
fn distinct(sorted: &mut [Vertex]) -> &[Vertex] {
    let mut kept = 0;
    for index in 0..sorted.len() {
        if index == 0 || sorted[index] != sorted[kept - 1] {
            sorted[kept] = sorted[index];
            kept += 1;
        }
    }
    &sorted[..kept]
}
