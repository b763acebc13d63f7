//! The samplers against numeric integration and against rejection.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::f64::consts::{PI, TAU};

use tessellation_tree::laws::statistics;

use super::*;
use crate::plane::{Vertex, wide};
use crate::polygon::Polygon;

const DRAWS: usize = 20_000;

/// Canonical polygons, and points outside them: a point, a segment from its side and from both
/// its ends, a triangle, an octagon seen from near and far, a point in line with an edge.
fn scenes() -> Vec<(Vec<Vertex>, usize, Vertex)> {
    let octagon = vec![
        [-1.0, -0.5],
        [-0.5, -1.0],
        [0.5, -1.0],
        [1.0, -0.5],
        [1.0, 0.5],
        [0.5, 1.0],
        [-0.5, 1.0],
        [-1.0, 0.5],
    ];
    let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    vec![
        (vec![[0.25, 0.5]], 0, [1.0, -1.0]),
        (vec![[0.0, 0.0], [1.0, 0.0]], 1, [0.25, 0.5]),
        (vec![[0.0, 0.0], [1.0, 0.0]], 1, [3.0, 0.0]),
        (vec![[0.0, 0.0], [1.0, 0.0]], 1, [-0.5, 0.0]),
        (vec![[0.0, 0.0], [1.0, -1.0], [0.5, 2.0]], 1, [-1.0, 0.5]),
        (octagon.clone(), 4, [1.25, 0.75]),
        (octagon, 4, [0.0, -50.0]),
        (square, 2, [2.0, 1.0]),
    ]
}

fn seen(vertices: &[Vertex], top: usize, x: Vertex) -> (Vec<Point>, f64) {
    let polygon = Polygon { vertices, top };
    let chain = polygon.seen_from(x).unwrap();
    (
        polygon.along(chain).map(wide).collect(),
        polygon.growth(chain, x),
    )
}

fn angle([x, y]: Point) -> f64 {
    y.atan2(x).rem_euclid(TAU)
}

/// Density of the normal angle of a separating line, up to the growth: ⟨x, n⟩ − h(φ), if above 0.
fn density(vertices: &[Vertex], x: Vertex, angle: f64) -> f64 {
    let n = [angle.cos(), angle.sin()];
    let height = vertices.iter().map(|v| dot(wide(*v), n));
    (dot(wide(x), n) - height.fold(f64::NEG_INFINITY, f64::max)).max(0.0)
}

/// One-sample Kolmogorov–Smirnov statistic times √n; 1.95 is level 0.001.
fn distance(mut values: Vec<f64>, law: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gap = |(i, v): (usize, &f64)| (law(*v) - i as f64 / n).abs();
    values.iter().enumerate().map(gap).fold(0.0, f64::max) * n.sqrt()
}

#[test]
fn pieces_add_up_to_the_growth_of_the_perimeter() {
    for (vertices, top, x) in scenes() {
        let (corners, growth) = seen(&vertices, top, x);
        let sum: f64 = pieces(&corners, wide(x)).map(Piece::mass).sum();
        assert!((sum / growth - 1.0).abs() < 1e-12, "{vertices:?} {x:?}");
    }
}

/// The distribution function of a density given on [0, 2π), and its total.
fn integrated(density: impl Fn(f64) -> f64) -> (impl Fn(f64) -> f64, f64) {
    const STEPS: usize = 200_000;
    let step = TAU / STEPS as f64;
    let mut sums = vec![0.0];
    for k in 0..STEPS {
        sums.push(sums[k] + step * density((k as f64 + 0.5) * step));
    }
    let total = sums[STEPS];
    (
        move |angle: f64| sums[((angle / step) as usize).min(STEPS)] / total,
        total,
    )
}

#[test]
fn separating_lines_have_their_law() {
    let mut rng = TreeRng::new(1, 0);
    for (vertices, top, x) in scenes() {
        let (corners, growth) = seen(&vertices, top, x);
        let (law, total) = integrated(|angle| density(&vertices, x, angle));
        assert!((total / growth - 1.0).abs() < 1e-6, "{vertices:?} {x:?}");
        let mut draw = || Line::separating(&corners, wide(x), &mut rng).unwrap();
        let lines: Vec<_> = (0..DRAWS).map(|_| draw()).collect();
        let angles: Vec<_> = lines.iter().map(|line| angle(line.normal)).collect();
        assert!(distance(angles.clone(), &law) < 1.95, "{vertices:?} {x:?}");
        let turned: Vec<_> = angles.iter().map(|angle| (angle + 0.1) % TAU).collect();
        assert!(distance(turned, law) > 1.95, "the test can fail");
        let place = |line: &Line| {
            dot(difference(line.point, wide(x)), line.normal)
                / density(&vertices, x, angle(line.normal))
        };
        let places = lines.iter().map(|line| -place(line)).collect();
        assert!(
            distance(places, |v| v.clamp(0.0, 1.0)) < 1.95,
            "{vertices:?} {x:?}"
        );
    }
}

/// The angle of a line's normal, and its offset.
type Polar = (f64, f64);

/// A line that hits the vertices' hull: a line that hits a disc around it, drawn until it does.
fn by_rejection(vertices: &[Vertex], rng: &mut TreeRng) -> Polar {
    loop {
        let (angle, offset) = (rng.uniform() * PI, (2.0 * rng.uniform() - 1.0) * 3.0);
        let n = [angle.cos(), angle.sin()];
        let heights = || vertices.iter().map(|v| dot(wide(*v), n));
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        if low < offset && offset < high {
            return (angle, offset);
        }
    }
}

/// Angle and offset of a line, whichever way its normal points.
fn unsigned(Line { point, normal }: Line) -> Polar {
    let angle = angle(normal);
    let offset = dot(point, normal);
    if angle < PI {
        (angle, offset)
    } else {
        (angle - PI, -offset)
    }
}

#[test]
fn hitting_lines_are_those_of_rejection() {
    let mut rng = TreeRng::new(2, 0);
    for (vertices, top, _) in scenes().into_iter().filter(|(v, ..)| v.len() > 1) {
        let polygon = Polygon {
            vertices: &vertices,
            top,
        };
        let corner = |index| wide(polygon.vertex(index));
        let edges = || (0..vertices.len()).map(|k| (corner(k), corner(k + 1)));
        let mut exact = || unsigned(Line::hitting(edges(), polygon.perimeter(), &mut rng).unwrap());
        let exact: Vec<_> = (0..DRAWS).map(|_| exact()).collect();
        let rejected: Vec<_> = (0..DRAWS)
            .map(|_| by_rejection(&vertices, &mut rng))
            .collect();
        let compare = |value: fn(&Polar) -> f64, off: f64| {
            let of = |lines: &[Polar], off| lines.iter().map(|l| value(l) + off).collect();
            statistics::same_distribution(of(&exact, off), of(&rejected, 0.0))
        };
        let values: [fn(&Polar) -> f64; 4] =
            [|l| l.0, |l| l.1, |l| l.1 * l.0.cos(), |l| l.1 * l.0.sin()];
        for value in values {
            assert!(compare(value, 0.0) > 1e-3, "{vertices:?}");
            assert!(compare(value, 0.1) < 1e-3, "the test can fail");
        }
    }
}

#[test]
fn golden_draws_are_pinned() {
    let mut rng = TreeRng::new(3, 0);
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let edges = (0..4).map(|k| (square[k], square[(k + 1) % 4]));
    let hitting = Line::hitting(edges, 4.0, &mut rng).unwrap();
    let separating = Line::separating(&square[1..3], [2.0, 0.5], &mut rng).unwrap();
    assert_eq!((hitting, separating), GOLDEN);
}

const GOLDEN: (Line, Line) = (
    Line {
        point: [0.9186983027870427, 1.0],
        normal: [-0.9350982127732247, -0.35438867429465226],
    },
    Line {
        point: [1.8097060675030847, 0.40485303375154236],
        normal: [0.963424727210634, -0.26797909433221756],
    },
);
