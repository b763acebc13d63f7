//! Sums over pairs of features, in an order of summation that no machine changes.

/// Partial sums; wide enough to fill any vector unit, fixed because it decides the last bits.
const LANES: usize = 8;

/// Returns the sum of `term` over the features of `x` and `y`: eight partial sums, added in turn, and then
/// what is left over.
///
/// Terms are `f64`: of two `f32` features no difference or product overflows or vanishes there.
#[inline(always)]
pub(super) fn sum(x: &[f32], y: &[f32], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (blocks_x, rest_x) = x.as_chunks::<LANES>();
    let (blocks_y, rest_y) = y.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (block_x, block_y) in blocks_x.iter().zip(blocks_y) {
        for lane in 0..LANES {
            lanes[lane] += term(f64::from(block_x[lane]), f64::from(block_y[lane]));
        }
    }
    let pairs = rest_x.iter().zip(rest_y);
    let rest = pairs.map(|(&a, &b)| term(f64::from(a), f64::from(b)));
    lanes.into_iter().chain(rest).sum()
}
