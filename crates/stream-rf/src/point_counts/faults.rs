//! Faults of counts of points.

use super::{EarlyPoint, PointCounts};
use crate::candidates::Candidates;
use crate::faults::assert_all_are_reported;
use crate::features::Axes;
use crate::packed_counts::PackedCounts;

/// The candidates, and the points they have counted.
type Counted = (Candidates<Axes>, PointCounts<u32>);

fn candidates(points: &[[f32; 2]]) -> Candidates<Axes> {
    let mut candidates = Candidates::new(vec![0, 1], 2);
    for point in points {
        candidates.create(&Axes, point, &mut Vec::new());
    }
    candidates
}

/// Returns two dimensions of three bins, which hold three points, and an early point.
fn sound() -> Counted {
    let early = EarlyPoint {
        target: 7,
        weight: 1,
        points: 1,
    };
    let points = PointCounts {
        bins: PackedCounts::Bytes(vec![1, 2, 0, 0, 1, 2]),
        total: 4,
        binned: 3,
        early: vec![early].into(),
        early_bins: vec![1, 0].into(),
    };
    (candidates(&[[1.0, 5.0], [3.0, 2.0]]), points)
}

fn check(of: &Counted) -> Result<(), forest_core::InvariantError> {
    of.1.check(&of.0, |target| target == 7)
}

#[test]
fn bins_of_the_wrong_number_are_reported() {
    const LENGTHS: &str = "points: impossible lengths";
    assert_all_are_reported(
        &sound(),
        check,
        &[
            ("a bin too many", LENGTHS, |(_, p)| {
                p.bins.insert_zeros(6, 1);
            }),
            ("an early point without its bins", LENGTHS, |(_, p)| {
                p.early_bins.truncate(1);
            }),
        ],
    );
}

#[test]
fn every_fault_of_an_early_point_is_reported() {
    const EARLY: &str = "points: impossible early points";
    assert_all_are_reported(
        &sound(),
        check,
        &[
            ("before the first candidate point", EARLY, |(_, p)| {
                p.early[0].points = 0;
            }),
            (
                "after more candidate points than there are",
                EARLY,
                |(_, p)| {
                    p.early[0].points = 3;
                },
            ),
            ("no weight", EARLY, |(_, p)| p.early[0].weight = 0),
            ("an impossible target", EARLY, |(_, p)| {
                p.early[0].target = 8;
            }),
            ("a bin beyond the last", EARLY, |(_, p)| p.early_bins[1] = 3),
        ],
    );
}

#[test]
fn numbers_of_points_that_contradict_each_other_are_reported() {
    const MANY: &str = "points: bins hold too many points";
    assert_all_are_reported(
        &sound(),
        check,
        &[
            ("fewer in all than early and in bins", MANY, |(_, p)| {
                p.total = 3;
            }),
            ("too few in the first dimension", MANY, |(_, p)| {
                p.bins = PackedCounts::Bytes(vec![1, 1, 0, 0, 1, 2]);
            }),
            ("too few in the second dimension", MANY, |(_, p)| {
                p.bins = PackedCounts::Bytes(vec![1, 2, 0, 0, 1, 1]);
            }),
            (
                "some in bins before all thresholds exist",
                MANY,
                |(c, _)| {
                    *c = candidates(&[[1.0, 5.0]]);
                },
            ),
            ("more than are counted exactly", MANY, |(_, p)| {
                p.total = 1 << 53;
            }),
        ],
    );
}

#[test]
fn early_points_stay_left_of_a_threshold_that_cuts_their_bin_in_two() {
    let (_, mut points) = sound();
    points.insert_bins(&[1, 1]);
    assert_eq!(*points.early_bins, [1, 0]);
    points.insert_bins(&[0, 0]);
    assert_eq!(*points.early_bins, [2, 0]);
}
