//! The χ² test, at level 0.001, that the draws of this crate are held to.

use forest_testing::statistics::has_frequencies;

/// Returns whether the counts cannot be draws of values with this `probability` each.
pub(crate) fn is_rejected(counts: &[usize], probability: impl Fn(usize) -> f64) -> bool {
    let expected: Vec<f64> = (0..counts.len()).map(probability).collect();
    has_frequencies(counts, &expected) < 1e-3
}
