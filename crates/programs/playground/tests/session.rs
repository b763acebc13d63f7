//! Sessions against what the library draws and learns without them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use comparison::plot::partition::WINDOW;
use forest_playground::{Coloured, Play as _, Session, examples};
use ndarray::Array2;
use online_forests::{Algorithm, Classification, Regression};

const SIDE: usize = 20;

fn learned<T: Coloured>(algorithm: &str, example: &str, points: usize) -> Session<T> {
    let mut session = Session::new(algorithm, 5, 3).unwrap();
    let stream = examples::stream(example, points, 7).unwrap();
    session.learn(&stream.points, &stream.targets).unwrap();
    session
}

/// The cuts of the first tree are those of `cargo xtask plot partition` with the same points and seed.
#[test]
fn a_tree_is_that_of_the_partition_plot() {
    let stream = examples::stream("moons", 150, 7).unwrap();
    let rows = Array2::from_shape_vec((150, 2), stream.points).unwrap();
    let labels = stream.targets.iter().map(|&class| class as u32).collect();
    let names = ["a", "b"].map(str::to_owned).into();
    let target = datasets::Target::Classes { labels, names };
    for algorithm in ["mondrian", "obsp", "urtf"] {
        let named: Algorithm = algorithm.parse().unwrap();
        let drawn = comparison::planar::partitions(&named, &rows, &target, 3, &[150]).unwrap();
        let expected: Vec<_> = drawn[0].iter().filter_map(|node| node.cut).collect();
        let session = learned::<Classification>(algorithm, "moons", 150);
        assert!(expected.len() > 3, "{algorithm}");
        assert_eq!(session.cuts(0, &WINDOW), expected, "{algorithm}");
    }
}

/// Trees that are exported are drawn by the same rule as those that draw themselves.
#[test]
fn exported_trees_have_the_same_cuts() {
    let session = learned::<Classification>("dynamic-extra-trees", "xor", 200);
    let window = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let cuts = session.cuts(0, &window);
    assert!(cuts.len() > 3);
    for [a, b] in cuts {
        let along = (0..2)
            .filter(|&axis| (a[axis] - b[axis]).abs() < 1e-9)
            .count();
        assert_eq!(along, 1, "an axis-aligned cut: {a:?} {b:?}");
        let inside = |value: f64| (-1e-9..1.0 + 1e-9).contains(&value);
        assert!(a.into_iter().chain(b).all(inside));
    }
}

#[test]
fn a_forgotten_point_leaves_the_forest_that_never_had_it() {
    let algorithm = "dynamic-extra-trees:recheck=0";
    let mut session = learned::<Classification>(algorithm, "gaussians", 120);
    session.forget(17).unwrap();
    let stream = examples::stream("gaussians", 120, 7).unwrap();
    let mut other = Session::<Classification>::new(algorithm, 5, 3).unwrap();
    for index in (0..120).filter(|&index| index != 17) {
        let point = &stream.points[2 * index..2 * index + 2];
        other.learn(point, &[stream.targets[index]]).unwrap();
    }
    let predictions = [&session, &other].map(|session| session.predictions(SIDE));
    assert_eq!(predictions[0], predictions[1]);
    assert!(session.forget(17).unwrap_err().contains("17"));
    let mut cannot = learned::<Classification>("boundary-forest", "moons", 30);
    assert!(cannot.forget(0).unwrap_err().contains("boundary-forest"));
}

#[test]
fn every_example_is_learned_and_drawn() {
    for name in examples::names().filter(|&name| name != "surface") {
        let session = learned::<Classification>("amf", name, 400);
        let least = if name == "turning" { 0.5 } else { 0.75 };
        assert!(session.score() > least, "{name}: {}", session.score());
        let image = session.image(SIDE);
        assert_eq!(image.len(), SIDE * SIDE * 4);
        assert!(image.chunks_exact(4).any(|pixel| pixel != &image[..4]));
    }
    let session = learned::<Regression>("residual-forest", "surface", 400);
    assert!(session.score() > 0.85, "{}", session.score());
    assert!(examples::stream("unknown", 1, 0).is_none());
}

#[test]
fn what_is_wrong_is_said_in_words() {
    let of = |algorithm, trees| {
        let session = Session::<Classification>::new(algorithm, trees, 0);
        session.map(|_| ()).unwrap_err()
    };
    assert!(of("mondrain", 5).contains("mondrian"));
    assert!(of("mondrian", 0).contains("tree"));
    let mut session = Session::<Classification>::new("mondrian", 5, 0).unwrap();
    assert!(session.learn(&[0.5, f32::NAN], &[1.0]).is_err());
    assert!(session.learn(&[0.5, 0.5, 0.5], &[1.0]).is_err());
    assert_eq!((session.nodes(), session.score()), (0, 0.0));
}
