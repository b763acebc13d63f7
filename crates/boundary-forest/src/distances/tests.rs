//! Codes find the closest point, wherever the points are, or are not used.

mod counted;

use super::*;
use crate::tree::NodeId;
use crate::{Euclidean, PointSchema, Retrieval};

type Points<M = Euclidean> = Samples<Retrieval, M>;

/// Asks for the closest of `candidates`, and compares with all distances.
#[track_caller]
fn ask(points: &Points, y: &[f32], candidates: std::ops::Range<usize>) {
    let distance = |id| Euclidean::distance(Euclidean::proxy(points.features(id), y));
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

fn points<M: Metric>(rows: usize, at: impl Fn(usize) -> f32) -> Points<M> {
    let cells: Vec<_> = (0..rows * 12).map(at).collect();
    let mut points = Points::new(&PointSchema::new(12).unwrap());
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
