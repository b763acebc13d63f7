//! The codes of all stored points: a byte per feature, derived from the points and never saved.

use std::marker::PhantomData;

use forest_core::SampleId;

use crate::coding::{Coding, MOST_FEATURES};
use crate::grid::Grid;
use crate::table::Table;

/// Every point moved onto one grid, and the most that any of them lost by it.
///
/// Which grid it is shows in no answer, only in how many distances an answer takes.
#[derive(Clone, Debug)]
pub(crate) struct Codes<C> {
    low: f64,
    high: f64,
    grid: Grid,
    rows: Table<u8>,
    error: f64,
    kind: PhantomData<C>,
}

impl<C: Coding> Codes<C> {
    /// No codes yet; `None` where computing them does not pay.
    pub(crate) fn for_width(width: usize) -> Option<Self> {
        (C::PAYS_FROM..=MOST_FEATURES)
            .contains(&width)
            .then(|| Self {
                low: f64::INFINITY,
                high: f64::NEG_INFINITY,
                grid: Grid::covering(0.0, 1.0),
                rows: Table::new(width),
                error: 0.0,
                kind: PhantomData,
            })
    }

    #[inline(always)]
    pub(crate) fn row(&self, id: SampleId) -> &[u8] {
        self.rows.row(id.index())
    }

    pub(crate) fn step(&self) -> f64 {
        self.grid.step()
    }

    /// How far a stored point is from its code at most.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes()
    }

    /// Codes the points that were appended; all of them, if the grid has to be wider now.
    pub(crate) fn follow(&mut self, points: &Table<f32>) {
        let first = self.rows.len();
        let fresh = points.cells_from(first);
        if fresh.is_empty() {
            return;
        }
        self.low = fresh.iter().map(|&v| f64::from(v)).fold(self.low, f64::min);
        self.high = fresh
            .iter()
            .map(|&v| f64::from(v))
            .fold(self.high, f64::max);
        if first > 0 && self.grid.covers(self.low, self.high) {
            return self.code(points, first);
        }
        self.grid = Grid::covering(self.low, self.high);
        self.rows = Table::new(points.width());
        self.error = 0.0;
        self.code(points, 0);
    }

    fn code(&mut self, points: &Table<f32>, first: usize) {
        let mut code = vec![0; points.width()];
        for row in first..points.len() {
            let error = self.code_point(points.row(row), &mut code);
            self.error = self.error.max(error);
            self.rows.append(1, &code);
        }
    }

    /// Codes any point; how far it is from its code.
    pub(crate) fn code_point(&self, point: &[f32], code: &mut [u8]) -> f64 {
        /// More than the norm can lose to rounding.
        const SLACK: f64 = 1.0 + 1e-9;
        let grid = self.grid;
        for (code, &value) in code.iter_mut().zip(point) {
            *code = grid.code(value);
        }
        let pairs = point.iter().zip(&*code);
        SLACK * C::norm(pairs.map(|(&value, &code)| grid.residual(value, code)))
    }

    pub(crate) fn retain_from(&mut self, first: usize, keep: &[bool]) {
        self.rows.retain_from(first, keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::{Absolutes, Squares, Uncoded};

    fn points(rows: usize, at: impl Fn(usize) -> f32) -> Table<f32> {
        let mut points = Table::new(12);
        let cells: Vec<_> = (0..rows * 12).map(at).collect();
        points.append(rows, &cells);
        points
    }

    #[test]
    fn an_error_is_the_most_that_a_point_lost() {
        let mut codes = Codes::<Squares>::for_width(12).unwrap();
        codes.follow(&points(4, |i| (i % 5) as f32));
        assert_eq!(codes.error(), 0.0);
        let mut codes = Codes::<Squares>::for_width(12).unwrap();
        codes.follow(&points(4, |i| (i as f32).sqrt()));
        assert!(codes.error() > 0.0 && codes.error() < codes.step() * 12f64.sqrt() / 2.0 + 1e-9);
    }

    #[test]
    fn a_wider_range_codes_everything_anew() {
        let wide = points(6, |i| if i < 60 { i as f32 / 64.0 } else { 1e6 });
        let mut narrow = points(6, |i| i as f32 / 64.0);
        narrow.retain_from(5, &[false]);
        let mut codes = Codes::<Absolutes>::for_width(12).unwrap();
        codes.follow(&narrow);
        codes.follow(&wide);
        let mut at_once = Codes::<Absolutes>::for_width(12).unwrap();
        at_once.follow(&wide);
        assert_eq!(codes.rows, at_once.rows);
        assert_eq!(codes.error(), at_once.error());
    }

    #[test]
    fn slow_growth_codes_everything_anew_only_now_and_then() {
        let mut codes = Codes::<Squares>::for_width(12).unwrap();
        let (mut grid, mut changes) = (codes.grid, 0);
        for rows in 1..3000 {
            let creeping =
                |i: usize| (i / 12) as f32 * if i.is_multiple_of(2) { 1.0 } else { -0.3 };
            codes.follow(&points(rows, creeping));
            changes += usize::from(codes.grid != grid);
            grid = codes.grid;
        }
        assert!(changes < 100, "{changes} grids");
    }

    #[test]
    fn what_does_not_pay_is_not_coded() {
        assert!(Codes::<Uncoded>::for_width(100).is_none());
        assert!(Codes::<Squares>::for_width(1).is_none());
        assert!(Codes::<Squares>::for_width(MOST_FEATURES + 1).is_none());
    }
}
