//! What a point sees of a small polygon, all edges at once: no search, no branches.

use crate::plane::{Point, Vertex, difference, wide};
use crate::polygon::Chain;

/// Polygons with more vertices are searched.
const SMALL: usize = 32;

/// 1, 2, 4, …: a table, so that the loop over edges runs in vectors.
const BITS: [u32; SMALL] = {
    let (mut bits, mut k) = ([1; SMALL], 0);
    while k < SMALL {
        bits[k] <<= k;
        k += 1;
    }
    bits
};

/// A determinant that is larger than this part of the sum of its terms has the right sign (Shewchuk
/// 1997, with the bound of Ozaki et al. 2016).
const DOUBT: f64 = 3.330_669_062_177_372_4e-16;

/// What `x` sees, if the polygon is small and no edge is so nearly in line with `x` that rounding
/// might decide.
#[inline]
pub(crate) fn at(vertices: &[Vertex], x: Vertex) -> Option<Option<Chain>> {
    let (len, x) = (vertices.len(), wide(x));
    if len > SMALL {
        return None;
    }
    let mut before = difference(wide(*vertices.last()?), x);
    let (mut seen, mut sure) = (0u32, true);
    for (&corner, bit) in vertices.iter().zip(BITS) {
        let after = difference(wide(corner), x);
        let (turn, doubt) = turn(before, after);
        seen |= if turn < 0.0 { bit } else { 0 };
        sure &= turn.abs() > doubt;
        before = after;
    }
    sure.then(|| run(seen, len))
}

/// Which way one turns at the origin from `a` to `b`, and how much of it may be rounding.
#[inline]
fn turn(a: Point, b: Point) -> (f64, f64) {
    let (left, right) = (a[0] * b[1], a[1] * b[0]);
    (left - right, DOUBT * (left + right).abs())
}

/// The run of ones among `len` bits in a ring; bit k stands for the edge that ends at vertex k.
#[inline]
fn run(seen: u32, len: usize) -> Option<Chain> {
    let before = seen << 1 | seen >> (len - 1);
    let start = (seen & !before).trailing_zeros() as usize;
    let first = start.checked_sub(1).unwrap_or(len - 1);
    let edges = seen.count_ones() as usize;
    (seen != 0).then_some(Chain { first, edges })
}
