//! Quantiles of sorted values.

/// Returns the values in ascending order.
pub(super) fn sorted(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    sorted
}

/// Returns the quantile of level `p` in [0, 1] of ascending values: linear between them, the smallest at
/// level 0, the largest at level 1 (type 7 of R. Hyndman and Y. Fan, *Sample quantiles in
/// statistical packages*, The American Statistician 50, 1996).
pub(super) fn quantile(sorted: &[f32], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let (low, high) = (f64::from(sorted[below]), f64::from(sorted[above]));
    low + (place - below as f64) * (high - low)
}
