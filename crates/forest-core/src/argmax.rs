//! The one place that says which class wins.

/// Returns the index of the largest value; ties go to the smaller index, and an empty row to 0.
///
/// ```
/// assert_eq!(forest_core::argmax(&[0.2, 0.4, 0.4]), 1);
/// ```
pub fn argmax(values: &[f64]) -> usize {
    let mut best = 0;
    for (index, value) in values.iter().enumerate().skip(1) {
        if *value > values[best] {
            best = index;
        }
    }
    best
}
