//! Faults of sets of candidate splits.

use super::Candidates;
use crate::faults::assert_all_are_reported;
use crate::features::Axes;

fn candidates(points: &[[f32; 2]]) -> Candidates<Axes> {
    let mut candidates = Candidates::new(vec![1, 0], 4);
    for point in points {
        candidates.create(&Axes, point, &mut Vec::new());
    }
    candidates
}

#[test]
fn every_fault_of_candidates_is_reported() {
    const LENGTHS: &str = "candidates: impossible dimensions or lengths";
    const ORDER: &str = "candidates: thresholds out of order";
    assert_all_are_reported(
        &candidates(&[[1.0, 5.0], [3.0, 2.0], [2.0, 5.0]]),
        |candidates| candidates.check(&Axes, 4, 2),
        &[
            ("m of other settings", LENGTHS, |c| c.m = 5),
            ("more points than m", LENGTHS, |c| c.points = 5),
            ("too few thresholds", LENGTHS, |c| {
                c.thresholds = c.thresholds[1..].into();
            }),
            ("too few sources", LENGTHS, |c| {
                c.sources = c.sources[1..].into();
            }),
            ("no dimension", LENGTHS, |c| *c = Candidates::new(vec![], 4)),
            ("an axis that points do not have", LENGTHS, |c| {
                c.features[1] = 2;
            }),
            ("a larger threshold first", ORDER, |c| {
                c.thresholds.swap(0, 1);
            }),
            ("a threshold that is not a number", ORDER, |c| {
                *c = candidates(&[[1.0, f32::NAN]]);
            }),
            ("a source twice", ORDER, |c| c.sources[0] = 2),
        ],
    );
}
