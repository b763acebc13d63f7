//! Faults of histograms of classes, and the bound of gains.

use forest_core::{ClassSpace, Classification, InvariantError, Task};

use super::super::SplitLabels;
use super::ClassHistograms;
use crate::candidates::Candidates;
use crate::faults::assert_all_are_reported;
use crate::features::Axes;
use crate::packed_counts::PackedCounts;
use crate::point_counts::{EarlyPoint, PointCounts};

/// Returns two dimensions of two bins each, and the points of two classes in them.
fn sound() -> ClassHistograms {
    ClassHistograms {
        classes: vec![0, 1].into(),
        counts: PackedCounts::Bytes(vec![1, 1, 1, 1, 1, 2, 0, 3]),
    }
}

fn check(histograms: &ClassHistograms) -> Result<(), InvariantError> {
    let points = PackedCounts::Bytes(vec![2, 3, 1, 4]);
    histograms.check(&points, 2, &Classification::admit(ClassSpace::default(), 1))
}

#[test]
fn every_fault_of_histograms_is_reported() {
    const CLASSES: &str = "labels: classes without a histogram, or histograms without a class";
    assert_all_are_reported(
        &sound(),
        check,
        &[
            ("a class that is not known", CLASSES, |h| h.classes[1] = 2),
            ("a class twice", CLASSES, |h| h.classes[0] = 1),
            ("classes out of order", CLASSES, |h| h.classes.swap(0, 1)),
            ("a bin too many", CLASSES, |h| h.counts.insert_zeros(8, 1)),
            (
                "more of a class in one dimension",
                "labels: not as many in each",
                |h| {
                    h.counts = PackedCounts::Bytes(vec![1, 1, 1, 1, 1, 2, 0, 4]);
                },
            ),
            (
                "other bins than the points",
                "labels: not as many as points",
                |h| {
                    h.counts = PackedCounts::Bytes(vec![2, 0, 1, 1, 1, 2, 0, 3]);
                },
            ),
        ],
    );
}

fn phi(n: f64) -> f64 {
    n * n.log2()
}

/// Five points, three of class 0 and two of class 1, in the bins.
#[test]
fn a_point_adds_to_the_bound_what_it_adds_to_the_entropy() {
    let mut candidates = Candidates::<Axes>::new(vec![0, 1], 1);
    candidates.create(&Axes, &[0.0, 0.0], &mut Vec::new());
    let (mut points, mut histograms) = (PointCounts::new(2, 2), ClassHistograms::new(4));
    for (class, bins) in [
        (0, [0, 3]),
        (0, [0, 2]),
        (1, [1, 2]),
        (0, [1, 3]),
        (1, [1, 3]),
    ] {
        points.total += 1;
        points.binned += 1;
        bins.into_iter().for_each(|bin| points.bins.add(bin, 1));
        histograms.add(bins.into_iter(), 4, class, 1);
    }
    assert!(histograms.has_met(1) && !histograms.has_met(2));
    for of in [0, 1].map(|index| points.dimension(&candidates, index)) {
        for (class, known) in [
            (0, phi(3.0) - phi(5.0)),
            (1, phi(2.0) - phi(4.0)),
            (2, -2.0),
        ] {
            let expected = phi(7.0) - phi(5.0) + known;
            let increase = histograms.gain_increase(&of, class, 2);
            assert!(
                (increase - expected).abs() < 1e-12,
                "class {class}: {increase}"
            );
        }
    }
}

/// The same five points before all candidates exist.
#[test]
fn so_does_a_point_while_candidates_are_created() {
    let mut candidates = Candidates::<Axes>::new(vec![0, 1], 3);
    candidates.create(&Axes, &[0.0, 0.0], &mut Vec::new());
    let (mut points, mut histograms) = (PointCounts::new(2, 4), ClassHistograms::new(8));
    for (target, weight) in [(0, 1), (1, 2), (0, 2)] {
        let early = EarlyPoint {
            target,
            weight,
            points: 1,
        };
        histograms.add(std::iter::empty(), 8, target, weight);
        points.add_early(early, [0, 1].into_iter());
    }
    let of = points.dimension(&candidates, 1);
    for (class, known) in [
        (0, phi(3.0) - phi(5.0)),
        (1, phi(2.0) - phi(4.0)),
        (2, -2.0),
    ] {
        let expected = phi(7.0) - phi(5.0) + known;
        let increase = histograms.gain_increase(&of, class, 2);
        assert!(
            (increase - expected).abs() < 1e-12,
            "class {class}: {increase}"
        );
    }
}
