//! What a value differs from a mean by.

/// Returns the deviation of a value from a mean. A missing value or a category counts as the mean: a linear function, which has no coefficient for it, then says what the
/// other features say, and means and products stay what they are.
#[inline]
pub(crate) fn deviation(value: f32, mean: f64) -> f64 {
    if value.is_nan() {
        return 0.0;
    }
    f64::from(value) - mean
}
