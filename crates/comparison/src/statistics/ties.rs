//! Equality up to rounding. Means that are equal on paper differ by rounding, so `==` would rank them.

/// The relative tolerance: values are equal whose difference is at most this share of the larger one.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// The tolerance relative to the largest value beside them: a sum may leave 1e-17 where 0 is meant.
const ROUNDING: f64 = 1e-14;

/// Returns whether two values are equal up to rounding, among values of which `largest` has the largest size.
pub(crate) fn are_equal(one: f64, other: f64, largest: f64) -> bool {
    let size = one.abs().max(other.abs());
    (one - other).abs() <= (TOLERANCE * size).max(ROUNDING * largest)
}

/// Returns the largest size of a value; 0 for an empty sequence.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Ranks values, 1 for the least; equal ones share the mean of their ranks. Values are equal if no step from one to the other,
/// in ascending order, is larger than rounding.
pub(super) fn ranks(values: &[f64], largest: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let equal = |&a: &usize, &b: &usize| are_equal(values[a], values[b], largest);
    let (mut ranks, mut below) = (vec![0.0; values.len()], 0);
    for group in order.chunk_by(equal) {
        let rank = below as f64 + (group.len() as f64 + 1.0) / 2.0;
        group.iter().for_each(|&index| ranks[index] = rank);
        below += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Vec<f64> {
        ranks(values, largest(values))
    }

    #[test]
    fn equal_values_share_their_ranks_and_rounding_does_not_part_them() {
        assert_eq!(of(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        let (one, other) = (
            (70.0 / 90.0 + 57.0 / 90.0) / 2.0,
            (72.0 / 90.0 + 55.0 / 90.0) / 2.0,
        );
        assert_ne!(one, other, "two ways to write 127/180");
        assert_eq!(of(&[one, 0.5, other]), [2.5, 1.0, 2.5]);
        let zero = 0.1 + 0.2 - 0.3;
        assert_eq!(of(&[zero, 0.0, 0.5]), [1.5, 1.5, 3.0]);
    }

    #[test]
    fn values_that_differ_in_the_eighth_digit_differ_at_any_size_and_beside_any_outlier() {
        for size in [1e-20, 1.0, 1e20] {
            assert_eq!(of(&[size, 1.000_000_1 * size]), [1.0, 2.0], "{size}");
        }
        assert_eq!(of(&[-1e5, 0.912, 0.912_05]), [1.0, 2.0, 3.0]);
    }
}
