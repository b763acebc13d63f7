//! Codes find the closest point, wherever the points are, or are not used.

use forest_core::TreeRng;

use super::*;
use crate::Euclidean;
use crate::nodes::NodeId;

/// The closest of some points, and its proxy.
struct Closest(std::ops::Range<usize>);

impl Query for Closest {
    type Answer = (usize, f64);

    fn run(self, mut distances: impl DistanceSource) -> (usize, f64) {
        let place = |sample| Place {
            sample: SampleId::new(sample),
            node: NodeId::ROOT,
        };
        let all: Vec<_> = self.0.map(place).collect();
        let closest = distances.closest(&all, None, &mut TreeRng::new(1, 0));
        (closest.place.sample.index(), distances.proxy(closest))
    }
}

/// Asks for the closest of `candidates`, and compares with all distances.
#[track_caller]
fn ask(points: &Points<Euclidean>, y: &[f32], candidates: std::ops::Range<usize>) {
    let proxy = |index: usize| Euclidean::proxy(points.at(SampleId::new(index)), y);
    let pairs = candidates.clone().map(|index| (index, proxy(index)));
    let expected = pairs.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let found = run_query(points, y, &mut Scratch::default(), Closest(candidates));
    assert_eq!(found, expected);
}

fn points(rows: usize, at: impl Fn(usize) -> f32) -> Points<Euclidean> {
    let cells: Vec<_> = (0..rows * 12).map(at).collect();
    let mut points = Points::new(12);
    points.append(rows, &cells);
    points
}

/// A point whose first two features are `start`, and all others `rest`.
fn point(start: [f32; 2], rest: f32) -> [f32; 12] {
    let mut point = [rest; 12];
    point[..2].copy_from_slice(&start);
    point
}

/// Points on a grid of whole numbers from 0 to 255, and then these, for which it is not widened.
fn on_whole_numbers_and(others: &[[f32; 12]]) -> Points<Euclidean> {
    let mut points = points(100, |i| if i < 600 { 0.0 } else { 255.0 });
    others.iter().for_each(|other| points.append(1, other));
    assert_eq!(points.codes().unwrap().step(), 1.0);
    points
}

#[test]
fn a_tie_with_a_point_beyond_the_grid_is_none() {
    let others = [point([300.0, 5.0], 0.0), point([250.0, 0.0], 0.0)];
    let points = on_whole_numbers_and(&others);
    assert!(points.codes().unwrap().is_beyond(SampleId::new(100)));
    ask(&points, &point([255.0, 0.0], 0.0), 100..102);
}

#[test]
fn the_distance_of_a_point_beyond_the_grid_is_its_own() {
    let points = on_whole_numbers_and(&[point([300.0, 0.0], 0.0)]);
    ask(&points, &point([255.0, 0.0], 0.0), 100..101);
}

#[test]
fn a_point_beyond_the_grid_may_be_nearer_than_its_code() {
    // Differences of codes: 11 and 9; squared distances: 4.3 and 9.
    let mut near = point([255.0, 0.0], 1.0);
    near[2..10].fill(0.0);
    let points = on_whole_numbers_and(&[point([256.0, 0.45], 0.45), near]);
    assert!(points.codes().unwrap().is_beyond(SampleId::new(100)));
    ask(&points, &point([255.0, 1.0], 1.0), 100..102);
}

#[test]
fn a_point_beyond_the_grid_rules_out_no_other() {
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

#[test]
fn codes_that_decide_nothing_are_not_used_until_the_grid_is_chosen_anew() {
    let near = |i: usize| (i * 31 % 97) as f32;
    // Every fourth point is far away, so the grid has to cover them.
    let far = |i: usize| if i.is_multiple_of(48) { 1e6 } else { near(i) };
    let [mut far, near] = [points(100, far), points(100, near)];
    for query in 0..400 {
        let y = [(query % 97) as f32; 12];
        ask(&far, &y, 0..100);
        ask(&near, &y, 0..100);
    }
    assert!(far.codes().is_none() && near.codes().is_some());
    far.append(100, &[0.5; 1200]);
    assert!(far.codes().is_some());
}
