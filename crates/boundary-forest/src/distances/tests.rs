//! Codes find the closest point, wherever the points are, or are not used.

use super::*;
use crate::Metric::Euclidean;
use crate::tree::NodeId;

type Points = Samples<f64>;

/// Asks for the closest of `candidates`, and compares with all distances.
#[track_caller]
fn ask(points: &Points, y: &[f32], candidates: std::ops::Range<usize>) {
    let distance = |id| Euclidean.distance(points.features(id), y);
    let ids = candidates.map(SampleId::new);
    let expected = ids
        .clone()
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    let node = NodeId::ROOT;
    let nodes: Vec<_> = ids.map(|sample| NodeRef { sample, node }).collect();
    let mut scratch = Scratch::default();
    let mut distances = Distances::new(points, y, &mut scratch);
    let candidates = Candidates {
        children: &nodes,
        node: None,
    };
    let found = distances.closest(candidates, &mut |_| 0).sample;
    assert_eq!(Some(found), expected);
    assert_eq!(distances.distance(found), distance(found));
}

fn points(rows: usize, at: impl Fn(usize) -> f32) -> Points {
    let cells: Vec<_> = (0..rows * 12).map(at).collect();
    let mut points = Points::new(Euclidean, 12, 0);
    points.append(rows, &cells, &[]);
    points
}

/// Returns a point whose first two features are `start`, and all others `rest`.
fn point(start: [f32; 2], rest: f32) -> [f32; 12] {
    let mut point = [rest; 12];
    point[..2].copy_from_slice(&start);
    point
}

/// Points on a grid of whole numbers from 0 to 255, and then these, for which it is not widened.
fn on_whole_numbers_and(others: &[[f32; 12]]) -> Points {
    let mut points = points(100, |i| if i < 600 { 0.0 } else { 255.0 });
    others.iter().for_each(|other| points.append(1, other, &[]));
    assert_eq!(points.codes().unwrap().step(), 1.0);
    points
}

#[test]
fn a_tie_with_a_clipped_point_is_none() {
    let others = [point([300.0, 5.0], 0.0), point([250.0, 0.0], 0.0)];
    let points = on_whole_numbers_and(&others);
    assert!(points.codes().unwrap().is_clipped(SampleId::new(100)));
    ask(&points, &point([255.0, 0.0], 0.0), 100..102);
}

#[test]
fn the_distance_of_a_clipped_point_is_its_own() {
    let points = on_whole_numbers_and(&[point([300.0, 0.0], 0.0)]);
    ask(&points, &point([255.0, 0.0], 0.0), 100..101);
}

#[test]
fn a_clipped_point_may_be_nearer_than_its_code() {
    // Differences of codes: 11 and 9; squared distances: 4.3 and 9.
    let mut near = point([255.0, 0.0], 1.0);
    near[2..10].fill(0.0);
    let points = on_whole_numbers_and(&[point([256.0, 0.45], 0.45), near]);
    assert!(points.codes().unwrap().is_clipped(SampleId::new(100)));
    ask(&points, &point([255.0, 1.0], 1.0), 100..102);
}

#[test]
fn a_clipped_point_rules_out_no_other() {
    // Differences of codes: 0, 10 and 16; squared distances: 2025, 21 and 16. The last point makes
    // the limit of differences 11.
    let others = [
        point([300.0, 0.0], 0.0),
        point([255.0, 0.0], 1.45),
        point([251.0, 0.0], 0.0),
        point([200.0, 0.5], 0.5),
    ];
    let points = on_whole_numbers_and(&others);
    ask(&points, &point([255.0, 0.0], 0.0), 100..104);
}

/// Returns how many distances of points it takes to find the closest point, and then to know its distance.
fn computed(points: &Points, y: &[f32]) -> [usize; 2] {
    let node = NodeId::ROOT;
    let ids = (0..points.len()).map(SampleId::new);
    let children: Vec<_> = ids.map(|sample| NodeRef { sample, node }).collect();
    let mut scratch = Scratch::default();
    let mut distances = Distances::new(points, y, &mut scratch);
    let candidates = Candidates {
        children: &children,
        node: None,
    };
    let found = distances.closest(candidates, &mut |_| 0).sample;
    let to_find = distances.scratch.known_proxies.len();
    distances.distance(found);
    [to_find, distances.scratch.known_proxies.len() - to_find]
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
