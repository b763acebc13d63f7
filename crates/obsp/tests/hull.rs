//! Hulls grown point by point are the hulls of the points, bit for bit, and masses add up.

use obsp::{PairMeasure, PairSettings};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use robust::{Coord, orient2d};
use tessellation_tree::{CutMeasure, NodeId};

const ROOT: NodeId = NodeId::FIRST;

fn hull(points: &[Vec<f32>]) -> PairMeasure {
    let mut measure = PairMeasure::new(points[0].len(), &PairSettings::default());
    measure.push_empty();
    points.iter().for_each(|x| measure.extend(ROOT, x));
    measure
}

fn turns_left(a: [f32; 2], b: [f32; 2], c: [f32; 2]) -> bool {
    let coord = |[x, y]: [f32; 2]| Coord { x, y };
    orient2d(coord(a), coord(b), coord(c)) > 0.0
}

fn half_chain(points: impl Iterator<Item = [f32; 2]>) -> Vec<[f32; 2]> {
    let mut chain: Vec<[f32; 2]> = Vec::new();
    for p in points {
        while let [.., a, b] = chain[..]
            && !turns_left(a, b, p)
        {
            chain.pop();
        }
        chain.push(p);
    }
    chain.pop();
    chain
}

/// The convex hull by Andrew's monotone chain, from scratch.
fn monotone_chain(mut points: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
    points.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    points.dedup();
    if points.len() < 2 {
        return points;
    }
    let mut hull = half_chain(points.iter().copied());
    hull.extend(half_chain(points.iter().rev().copied()));
    hull
}

fn perimeter(polygon: &[[f32; 2]]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let gap = |a: f32, b: f32| f64::from(a) - f64::from(b);
    let length = |(a, b): (&[f32; 2], &[f32; 2])| gap(a[0], b[0]).hypot(gap(a[1], b[1]));
    polygon.iter().zip(next).map(length).sum()
}

fn fresh(points: &[Vec<f32>], (i, j): (usize, usize)) -> Vec<[f32; 2]> {
    monotone_chain(points.iter().map(|x| [x[i], x[j]]).collect())
}

/// Λ(S) with s = ½ from scratch.
fn fresh_mass(points: &[Vec<f32>]) -> f64 {
    let d = points[0].len();
    let pairs = (0..d).flat_map(|i| (i + 1..d).map(move |j| (i, j)));
    pairs
        .map(|pair| perimeter(&fresh(points, pair)))
        .sum::<f64>()
        / 2.0
}

/// Numbers that meet: few different ones, all scales, neighbours of one another.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        (0u8..4).prop_map(f32::from),
        -1.0f32..1.0,
        (-30i32..=30, -9i32..=9).prop_map(|(power, digit)| digit as f32 * 10f32.powi(power)),
        (0u8..3).prop_map(|step| (0..step).fold(1.0, |x: f32, _| x.next_up())),
        proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO,
    ]
}

fn points(d: usize) -> impl Strategy<Value = Vec<Vec<f32>>> {
    prop_oneof![
        prop::collection::vec(prop::collection::vec(coordinate(), d), 1..60),
        prop::collection::vec(prop::collection::vec(-1.0f32..1.0, d), 1..200),
        prop::collection::vec(
            prop::collection::vec((0u8..6).prop_map(f32::from), d),
            1..60
        ),
        (
            prop::collection::vec(coordinate(), d),
            prop::collection::vec(-20i8..20, 1..40)
        )
            .prop_map(|(direction, steps)| {
                let at = |step: &i8| {
                    direction
                        .iter()
                        .map(|c| c * (f32::from(*step) / 32.0))
                        .collect()
                };
                steps.iter().map(at).collect()
            }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn grown_hulls_are_those_of_a_monotone_chain(points in points(3)) {
        let measure = hull(&points);
        for (number, axes) in measure.pairs().enumerate() {
            let pair = (axes.0 as usize, axes.1 as usize);
            prop_assert_eq!(measure.polygon(ROOT, number), fresh(&points, pair));
        }
        prop_assert!(measure.is_hull_of(ROOT, points.iter().map(Vec::as_slice)));
        prop_assert!(measure.is_shaped(1, 3));
    }

    #[test]
    fn masses_add_up(points in points(3), x in prop::collection::vec(coordinate(), 3)) {
        let before = hull(&points);
        let (mass, growth) = (before.mass(ROOT), before.growth(ROOT, &x));
        let all = [points, vec![x]].concat();
        let after = hull(&all);
        prop_assert!(growth >= 0.0);
        for sum in [mass + growth, after.mass(ROOT)] {
            prop_assert!((sum - fresh_mass(&all)).abs() <= 1e-9 * fresh_mass(&all));
        }
        for x in &all {
            prop_assert_eq!(after.growth(ROOT, x), 0.0);
        }
    }
}

#[test]
fn ten_thousand_points_on_a_parabola_are_all_corners() {
    let on_parabola = |i: i32| vec![i as f32, (i * i) as f32];
    let points: Vec<_> = (-2000..2000)
        .map(|i| on_parabola((i * 1237) % 2000))
        .collect();
    let measure = hull(&points);
    assert_eq!(measure.polygon(ROOT, 0), fresh(&points, (0, 1)));
    assert!(measure.polygon(ROOT, 0).len() > 1900);
    assert!((measure.mass(ROOT) / fresh_mass(&points) - 1.0).abs() < 1e-9);
}
