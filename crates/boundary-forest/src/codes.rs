//! The codes of all stored points: a byte per feature, derived from the points and never saved.

mod usefulness;

use std::marker::PhantomData;

use forest_core::{Arena, SampleId};

use crate::coding::{Coding, MOST_FEATURES};
use crate::grid::Grid;
use crate::table::Table;

use usefulness::Usefulness;

/// Every point moved onto one grid, and the most that any of them lost by it.
///
/// The grid covers all points but a few outliers. These are moved to its edge, which brings no two
/// points further apart: differences of their codes bound distances from below, but not from above.
///
/// Which grid it is changes no answer, only how many distances an answer takes.
#[derive(Clone, Debug)]
pub(crate) struct Codes<C> {
    grid: Grid,
    rows: Table<u8>,
    /// Which points are beyond the grid, and how many.
    beyond: Arena<bool>,
    beyond_count: usize,
    /// The most that a point within the grid can lose.
    most_within: f64,
    /// The most that a point lost, not counting its way to the edge of the grid.
    error: f64,
    /// The number of points from which on the grid is chosen anew.
    refit_at: usize,
    usefulness: Usefulness,
    kind: PhantomData<C>,
}

impl<C: Coding> Codes<C> {
    /// No codes yet; `None` where computing them does not pay.
    pub(crate) fn for_width(width: usize) -> Option<Self> {
        (C::PAYS_FROM..=MOST_FEATURES)
            .contains(&width)
            .then(|| Self::on(Grid::covering(0.0, 1.0), width))
    }

    fn on(grid: Grid, width: usize) -> Self {
        Self {
            grid,
            rows: Table::new(width),
            beyond: Arena::default(),
            beyond_count: 0,
            most_within: SLACK * C::norm(std::iter::repeat_n(grid.step() / 2.0, width)),
            error: 0.0,
            refit_at: 0,
            usefulness: Usefulness::default(),
            kind: PhantomData,
        }
    }

    #[inline(always)]
    pub(crate) fn row(&self, id: SampleId) -> &[u8] {
        self.rows.row(id.index())
    }

    pub(crate) fn step(&self) -> f64 {
        self.grid.step()
    }

    /// How far a stored point, or the nearest one within the grid, is from its code at most.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }

    /// Whether any stored point is beyond the grid.
    #[inline(always)]
    pub(crate) fn any_beyond(&self) -> bool {
        self.beyond_count > 0
    }

    /// Whether a stored point is beyond the grid: `error` does not bound its distance from its code.
    pub(crate) fn is_beyond(&self, id: SampleId) -> bool {
        self.any_beyond() && self.beyond[id.index()]
    }

    pub(crate) fn usefulness(&self) -> &Usefulness {
        &self.usefulness
    }

    /// Bytes allocated.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes() + self.beyond.bytes()
    }

    /// Codes the points that were appended. Whenever the points have become half as many again, the
    /// grid is chosen anew, and if it is another one, all are coded.
    pub(crate) fn follow(&mut self, points: &Table<f32>) {
        if points.len() >= self.refit_at {
            self.refit(points);
        }
        let mut code = vec![0; points.width()];
        for row in self.rows.len()..points.len() {
            self.push(points.row(row), &mut code);
        }
    }

    fn refit(&mut self, points: &Table<f32>) {
        let (low, high) = range_of_most(points);
        let grid = Grid::covering(low, high);
        if grid != self.grid {
            *self = Self::on(grid, points.width());
        }
        self.usefulness = Usefulness::default();
        self.refit_at = points.len() + points.len() / 2 + 1;
    }

    fn push(&mut self, point: &[f32], code: &mut [u8]) {
        let lost = self.code_point(point, code);
        let beyond = lost > self.most_within;
        let lost = match beyond {
            false => lost,
            true => self.lost_by(point, code, |value| self.grid.clamp(value)),
        };
        self.error = self.error.max(lost);
        self.rows.append(1, code);
        self.beyond.push(beyond);
        self.beyond_count += usize::from(beyond);
    }

    /// Codes any point; how far it is from its code.
    pub(crate) fn code_point(&self, point: &[f32], code: &mut [u8]) -> f64 {
        for (code, &value) in code.iter_mut().zip(point) {
            *code = self.grid.code(value);
        }
        self.lost_by(point, code, f64::from)
    }

    /// How far a point, each value changed in some way, is from `code`.
    fn lost_by(&self, point: &[f32], code: &[u8], change: impl Fn(f32) -> f64) -> f64 {
        let pairs = point.iter().zip(code);
        SLACK * C::norm(pairs.map(|(&value, &code)| self.grid.residual(change(value), code)))
    }

    pub(crate) fn retain_from(&mut self, first: usize, keep: &[bool]) {
        self.rows.retain_from(first, keep);
        let mut next = first;
        for (row, &keep) in (first..).zip(keep) {
            if keep {
                self.beyond[next] = self.beyond[row];
                next += 1;
            } else {
                self.beyond_count -= usize::from(self.beyond[row]);
            }
        }
        self.beyond.truncate(next);
    }
}

/// More than a norm can lose to rounding.
const SLACK: f64 = 1.0 + 1e-9;

/// How many times as wide as the range of most points the range of all may be.
const MOST_WIDENING: f64 = 4.0;

/// The range of all values; without the extreme points, one in 16 on each side, if it would be more
/// than four times as wide with them.
fn range_of_most(points: &Table<f32>) -> (f64, f64) {
    let rows = || (0..points.len()).map(|row| points.row(row).iter().copied());
    let mut lows: Vec<_> = rows()
        .map(|row| row.fold(f32::INFINITY, f32::min))
        .collect();
    let mut highs: Vec<_> = rows()
        .map(|row| row.fold(f32::NEG_INFINITY, f32::max))
        .collect();
    lows.sort_unstable_by(f32::total_cmp);
    highs.sort_unstable_by(f32::total_cmp);
    let (last, extreme) = (points.len() - 1, points.len() / 16);
    let range = |cut: usize| (f64::from(lows[cut]), f64::from(highs[last - cut]));
    let (all, most) = (range(0), range(extreme));
    match all.1 - all.0 > MOST_WIDENING * (most.1 - most.0) {
        true => most,
        false => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::{Squares, Uncoded};

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

    /// Codes of `rows` points, given one after another, and of the same points given at once.
    fn followed(rows: usize, at: impl Fn(usize) -> f32 + Copy) -> [Codes<Squares>; 2] {
        let mut codes = [(); 2].map(|()| Codes::for_width(12).unwrap());
        (1..=rows).for_each(|rows| codes[0].follow(&points(rows, at)));
        codes[1].follow(&points(rows, at));
        codes
    }

    #[test]
    fn an_outlier_does_not_make_the_grid_coarser() {
        let usual = |i: usize| (i as f32).sin();
        let expected = followed(200, usual)[1].step();
        for outlier in [0, 1, 40, 199] {
            let unusual = |i: usize| if i == 12 * outlier + 5 { 1e6 } else { usual(i) };
            for codes in followed(200, unusual) {
                assert_eq!(codes.step(), expected);
                let beyond = |&row: &usize| codes.is_beyond(SampleId::new(row));
                assert_eq!((0..200).filter(beyond).collect::<Vec<_>>(), [outlier]);
                assert!(codes.any_beyond() && codes.error() < expected * 12f64.sqrt());
            }
        }
    }

    #[test]
    fn a_range_that_grows_is_followed_by_few_grids() {
        let creeping = |i: usize| (i / 12) as f32 * if i.is_multiple_of(2) { 1.0 } else { -0.3 };
        let (mut codes, mut grids) = (Codes::<Squares>::for_width(12).unwrap(), Vec::new());
        for rows in 1..3000 {
            codes.follow(&points(rows, creeping));
            grids.push(codes.step());
        }
        grids.dedup();
        assert!((10..30).contains(&grids.len()), "{grids:?}");
    }

    #[test]
    fn marks_of_points_beyond_the_grid_follow_their_points() {
        let [mut codes, _] = followed(100, |i| if i / 12 == 70 { 1e6 } else { (i % 7) as f32 });
        let keep: Vec<bool> = (0..50).map(|row| row % 2 == 0).collect();
        codes.retain_from(50, &keep);
        let beyond = (0..75).filter(|&row| codes.is_beyond(SampleId::new(row)));
        assert_eq!(beyond.collect::<Vec<_>>(), [60]);
        codes.retain_from(50, &[false; 25]);
        assert!(!codes.any_beyond());
    }

    #[test]
    fn what_does_not_pay_is_not_coded() {
        assert!(Codes::<Uncoded>::for_width(100).is_none());
        assert!(Codes::<Squares>::for_width(1).is_none());
        assert!(Codes::<Squares>::for_width(MOST_FEATURES + 1).is_none());
    }
}
