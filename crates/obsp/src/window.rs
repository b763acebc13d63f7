//! The BSP-Tree process on a window of the plane: cells, not points.

use forest_core::TreeRng;
use tessellation_tree::planar::{HalfPlane, Point};
use tessellation_tree::{Chance, Span};

use crate::line::Line;
use crate::plane::{difference, norm};

/// A cell of the process.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its corners, in order.
    pub corners: Vec<Point>,
    /// The time of the cut that made it.
    pub birth: f64,
}

/// The cells into which a convex `window` is cut up to time `budget`, at `rate` s per unit of
/// perimeter (Alg. 1 and 2, with the window in the place of a hull).
///
/// Points see the same process: those of one cell are the points of one leaf of
/// [`TessellationTree::batch`](tessellation_tree::TessellationTree::batch), in law. At time t there
/// are 1 + s·L·t + π·s²·A·t² cells in the mean, if L is the perimeter of the window and A its area.
pub fn cells(window: &[Point], rate: f64, budget: f64, rng: &mut TreeRng) -> Vec<Cell> {
    let mut chance = Chance::new(rng);
    let mut waiting = vec![Cell {
        corners: window.to_vec(),
        birth: 0.0,
    }];
    let mut cells = Vec::new();
    while let Some(cell) = waiting.pop() {
        match cell.cut(rate, budget, &mut chance) {
            Some(sides) => waiting.extend(sides),
            None => cells.push(cell),
        }
    }
    cells
}

impl Cell {
    fn edges(&self) -> impl Iterator<Item = (Point, Point)> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(next.copied())
    }

    /// Both sides of the first cut before `until`.
    fn cut(&self, rate: f64, until: f64, chance: &mut Chance<'_>) -> Option<[Self; 2]> {
        let perimeter: f64 = self.edges().map(|(a, b)| norm(difference(b, a))).sum();
        let birth = chance.first(
            rate * perimeter,
            Span {
                from: self.birth,
                until,
            },
        )?;
        let Line { point, normal } = Line::hitting(self.edges(), perimeter, chance.rng())?;
        let side = |normal| {
            let corners = HalfPlane { point, normal }.clip(&self.corners);
            Self { corners, birth }
        };
        Some([side(normal), side(normal.map(|c| -c))])
    }
}
