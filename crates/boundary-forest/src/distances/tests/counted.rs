//! What codes decide takes no distance of points.

use std::cell::Cell;

use super::*;
use crate::ProxyForm;

thread_local! {
    static COMPUTED: Cell<usize> = const { Cell::new(0) };
}

/// Euclidean distances, which are counted where they are computed from points.
#[derive(Clone, Copy, Debug, Default)]
struct Counted;

impl Metric for Counted {
    const FORM: ProxyForm = ProxyForm::Squares;

    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        COMPUTED.set(COMPUTED.get() + 1);
        Euclidean::proxy(x, y)
    }

    fn distance(proxy: f64) -> f64 {
        Euclidean::distance(proxy)
    }
}

/// Returns how many distances of points it takes to find the closest point, and then to know its distance.
fn computed(points: &Points<Counted>, y: &[f32]) -> [usize; 2] {
    let node = NodeId::ROOT;
    let ids = (0..points.len()).map(SampleId::new);
    let children: Vec<_> = ids.map(|sample| NodeRef { sample, node }).collect();
    let mut scratch = Scratch::default();
    let mut distances = Distances::new(points, y, &mut scratch);
    let candidates = Candidates {
        children: &children,
        node: None,
    };
    COMPUTED.set(0);
    let found = distances.closest(candidates, &mut |_| 0).sample;
    let to_find = COMPUTED.get();
    distances.distance(found);
    [to_find, COMPUTED.get() - to_find]
}

#[test]
fn codes_that_lose_nothing_decide_ties_and_tell_distances() {
    let points = points(100, |i| (i % 2) as f32);
    assert_eq!(computed(&points, &[0.0; 12]), [0, 0]);
}

#[test]
fn a_point_that_codes_leave_alone_is_the_closest_before_its_distance_is_known() {
    let points = points(12, |i| (i / 12 * 80) as f32 + 0.3);
    assert_eq!(computed(&points, &[161.0; 12]), [0, 1]);
}

#[test]
fn a_clipped_point_far_away_leaves_the_others_to_their_codes() {
    let points = points(32, |i| match i / 12 {
        31 => 1e6,
        row => (row * 80) as f32 + 0.3,
    });
    assert!(points.codes().unwrap().any_clipped());
    assert_eq!(computed(&points, &[161.0; 12]), [0, 1]);
}

#[test]
fn of_points_that_codes_leave_open_each_distance_is_computed_once() {
    let points = points(12, |i| {
        (i / 12 / 2 * 160) as f32 + 0.3 * (i / 12 % 2) as f32
    });
    assert_eq!(computed(&points, &[161.0; 12]), [2, 0]);
}
