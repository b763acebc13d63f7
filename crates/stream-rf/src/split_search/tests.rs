//! Faults of searches for a split, and when a search is skipped.

use forest_core::{ClassSpace, Classification, Regression, Task};

use super::{ROUNDING, SplitSearch};
use crate::candidates::Candidates;
use crate::faults::assert_all_are_reported;
use crate::features::Axes;
use crate::split_statistics::{Scratch, SplitStatistics};

/// Returns two dimensions of two thresholds each, an early point and four more.
fn learned() -> SplitSearch<Classification, Axes> {
    let mut search = SplitSearch::new(vec![0, 1], 2);
    for (step, class) in [0, 1, 0, 1, 1].into_iter().enumerate() {
        let point = [step as f32, class as f32];
        search.add(&Axes, &point, class, 1, &mut Scratch::default());
    }
    search
}

#[test]
fn every_fault_of_a_search_is_reported() {
    let known = Classification::admit(ClassSpace::default(), 1);
    assert_all_are_reported(
        &learned(),
        |search| search.check(&Axes, 2, 2, &known),
        &[
            ("candidates of another m", "candidates: impossible", |s| {
                s.candidates = Candidates::new(vec![0, 1], 3);
            }),
            (
                "statistics about other dimensions",
                "points: impossible lengths",
                |s| {
                    s.statistics = SplitStatistics::new(&Candidates::<Axes>::new(vec![0], 2));
                },
            ),
        ],
    );
}

#[test]
fn a_split_may_gain_what_the_bound_leaves_each_of_its_points() {
    let mut search = learned();
    (search.gain_bound, search.statistics) = (3.0, learned().statistics);
    assert_eq!(search.statistics.points.binned, 4);
    assert!(search.may_gain(0.74) && !search.may_gain(0.75) && !search.may_gain(0.76));
}

#[test]
fn a_search_in_vain_leaves_the_most_there_is_to_gain_as_bound() {
    let (mut search, mut scratch) = (learned(), Scratch::default());
    let (statistics, candidates) = (&search.statistics, &search.candidates);
    statistics.mark_valid(candidates, 1, &mut scratch);
    assert_eq!(search.best(9.0, &mut scratch), None);
    let (statistics, candidates) = (&search.statistics, &search.candidates);
    let most = statistics.find_gains(candidates, &mut scratch);
    assert!(most > 1.0);
    assert_eq!(search.gain_bound, most * ROUNDING);
}

#[test]
fn nothing_bounds_the_gain_of_numbers() {
    let mut search = SplitSearch::<Regression, Axes>::new(vec![0], 2);
    assert!(!search.may_gain(0.0));
    search.add(&Axes, &[0.5], 3.0, 1, &mut Scratch::default());
    assert!(search.may_gain(f64::MAX));
}
