//! Faults of statistics about candidate splits.

use forest_core::{ClassSpace, Classification, Regression, Task};

use super::SplitStatistics;
use crate::candidates::Candidates;
use crate::faults::assert_all_are_reported;
use crate::features::Axes;
use crate::labels::SplitLabels;
use crate::point_counts::EarlyPoint;

const EARLY: &str = "points: impossible early points";

/// Returns two dimensions of one threshold each.
fn candidates() -> Candidates<Axes> {
    let mut candidates = Candidates::new(vec![0, 1], 1);
    candidates.create(&Axes, &[0.5, 0.5], &mut Vec::new());
    candidates
}

fn add_early<T: crate::labels::Labels>(to: &mut SplitStatistics<T>, target: T::Target) {
    let early = EarlyPoint {
        target,
        weight: 1,
        points: 1,
    };
    to.points.add_early(early, [0, 0].into_iter());
}

#[test]
fn every_fault_of_classes_is_reported() {
    let (candidates, known) = (
        candidates(),
        Classification::admit(ClassSpace::default(), 1),
    );
    let mut sound = SplitStatistics::<Classification>::new(&candidates);
    sound.add(&candidates, [0, 1].into_iter(), 0, 1);
    add_early(&mut sound, 0);
    assert_all_are_reported(
        &sound,
        |statistics| statistics.check(&candidates, &known),
        &[
            ("an early point without a histogram", EARLY, |s| {
                add_early(s, 1);
            }),
            ("an early point of a class not known", EARLY, |s| {
                s.labels.add(std::iter::empty(), 4, 2, 1);
                add_early(s, 2);
            }),
            (
                "a point without a label",
                "labels: not as many as points",
                |s| {
                    s.points.total += 1;
                    s.points.binned += 1;
                    [0, 2].into_iter().for_each(|bin| s.points.bins.add(bin, 1));
                },
            ),
            (
                "a label without a point",
                "labels: not as many as points",
                |s| {
                    s.labels.add([0, 2].into_iter(), 4, 1, 1);
                },
            ),
        ],
    );
}

#[test]
fn every_fault_of_numbers_is_reported() {
    let candidates = candidates();
    let mut sound = SplitStatistics::<Regression>::new(&candidates);
    sound.add(&candidates, [0, 1].into_iter(), 3.0, 1);
    add_early(&mut sound, 4.0);
    assert_all_are_reported(
        &sound,
        |statistics| statistics.check(&candidates, &()),
        &[
            ("an early number that is not a target", EARLY, |s| {
                add_early(s, 1e101);
            }),
            ("an early number before the first", EARLY, |s| {
                s.labels = SplitLabels::<Regression>::new(4);
            }),
            (
                "numbers without a point",
                "labels: sums that this number",
                |s| {
                    s.labels.add([1, 2].into_iter(), 4, 5.0, 1);
                },
            ),
        ],
    );
}

#[test]
fn a_label_before_the_first_candidate_has_no_histogram() {
    let candidates = Candidates::<Axes>::new(vec![0, 1], 1);
    let mut statistics = SplitStatistics::<Classification>::new(&candidates);
    statistics.add(&candidates, [0, 0].into_iter(), 1, 1);
    assert_eq!(statistics.points.total, 1);
    assert!(!statistics.labels.has_met(1));
}
