//! Faults of sums of numbers.

use super::super::SplitLabels;
use super::{NumberSums, Powers};
use crate::faults::assert_all_are_reported;
use crate::packed_counts::PackedCounts;

/// Returns two bins, of two and of three numbers.
fn sound() -> NumberSums {
    let bins = [(2.0, 2.0), (-3.0, 3.0)].map(|(sum, squares)| Powers { sum, squares });
    NumberSums {
        first: Some(1.0),
        bins: bins.into(),
    }
}

#[test]
fn every_fault_of_sums_is_reported() {
    const SUMS: &str = "labels: sums that this number of points cannot have";
    let points = PackedCounts::Bytes(vec![2, 3]);
    assert_all_are_reported(
        &sound(),
        |sums| sums.check(&points, 2, &()),
        &[
            ("an origin that is not a target", SUMS, |s| {
                s.first = Some(2e100);
            }),
            ("a bin too few", SUMS, |s| s.bins = s.bins[1..].into()),
            ("too large a sum", SUMS, |s| s.bins[1].sum = 1e101),
            ("too large squares", SUMS, |s| s.bins[1].squares = 1e210),
            ("a sum that is not a number", SUMS, |s| {
                s.bins[0].sum = f64::NAN;
            }),
        ],
    );
}

#[test]
fn any_number_has_been_met_with_the_first() {
    let mut sums = NumberSums::new(2);
    assert!(!sums.has_met(3.0));
    sums.add(std::iter::empty(), 2, 3.0, 1);
    assert!(sums.has_met(4.0));
}
