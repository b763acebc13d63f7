//! Forests of the page against what the library draws and learns without them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_playground::{Playground, examples};
use ndarray::Array2;
use online_forests::{Algorithm, Classification, ForestSettings, OnlineLearner as _, Schema};

const SIDE: usize = 20;

fn learned(algorithm: &str, example: &str, points: usize) -> Playground {
    let task = if example == "surface" {
        "numbers"
    } else {
        "classes"
    };
    let mut forest = Playground::new(algorithm, task, 5, 3).unwrap();
    let stream = examples::stream(example, points, 7).unwrap();
    forest.learn(&stream.points, &stream.targets).unwrap();
    forest
}

/// The cuts of the first tree are those of `cargo xtask plot partition` with the same points and seed.
#[test]
fn a_tree_is_that_of_the_partition_plot() {
    let stream = examples::stream("moons", 150, 7).unwrap();
    let rows = Array2::from_shape_vec((150, 2), stream.points).unwrap();
    let labels: Vec<u32> = stream.targets.iter().map(|&class| class as u32).collect();
    let window = [[-0.03, -0.03], [1.03, -0.03], [1.03, 1.03], [-0.03, 1.03]];
    for algorithm in ["mondrian", "obsp", "urtf"] {
        let named: Algorithm = algorithm.parse().unwrap();
        let settings = ForestSettings::default().with_trees(1).with_seed(3);
        let mut tree = named
            .build::<Classification>(Schema::new(2).unwrap(), settings)
            .unwrap();
        tree.learn(rows.view(), &labels).unwrap();
        let drawn = tree.nodes_of(0, &window).unwrap();
        let cuts = drawn.iter().filter_map(|node| node.cut);
        let expected: Vec<f64> = cuts.flatten().flatten().collect();
        assert!(expected.len() > 12, "{algorithm}");
        let cuts = learned(algorithm, "moons", 150).cuts(0);
        assert_eq!(cuts, expected, "{algorithm}");
    }
}

#[test]
fn a_forgotten_point_leaves_the_forest_that_never_had_it() {
    let algorithm = "dynamic-extra-trees:recheck=0";
    let mut forest = learned(algorithm, "gaussians", 120);
    forest.forget(17).unwrap();
    let stream = examples::stream("gaussians", 120, 7).unwrap();
    let mut other = Playground::new(algorithm, "classes", 5, 3).unwrap();
    for index in (0..120).filter(|&index| index != 17) {
        let point = &stream.points[2 * index..2 * index + 2];
        other.learn(point, &[stream.targets[index]]).unwrap();
    }
    assert_eq!(forest.predictions(SIDE), other.predictions(SIDE));
    // Axis-aligned cuts within the window.
    let window = -0.03 - 1e-9..1.03 + 1e-9;
    let cuts = forest.cuts(0);
    assert!(cuts.len() > 12 && cuts.iter().all(|end| window.contains(end)));
    for cut in cuts.chunks_exact(4) {
        let is_vertical = (cut[0] - cut[2]).abs() < 1e-9;
        let is_horizontal = (cut[1] - cut[3]).abs() < 1e-9;
        assert_ne!(is_vertical, is_horizontal, "{cut:?}");
    }
}

#[test]
fn every_example_is_learned_and_drawn() {
    for name in examples::names() {
        let (algorithm, least) = match name {
            "surface" => ("residual-forest", 0.85),
            "turning" => ("amf", 0.5),
            _ => ("amf", 0.75),
        };
        let forest = learned(algorithm, name, 400);
        assert!(forest.score() > least, "{name}: {}", forest.score());
        let image = forest.image(SIDE);
        assert_eq!(image.len(), SIDE * SIDE * 4);
        assert!(image.chunks_exact(4).any(|pixel| pixel != &image[..4]));
    }
    assert!(examples::stream("unknown", 1, 0).is_none());
}

#[test]
fn what_is_wrong_is_said_in_words() {
    let of = |algorithm, trees| Playground::new(algorithm, "classes", trees, 0).unwrap_err();
    assert!(of("mondrain", 5).contains("mondrian"));
    assert!(of("mondrian", 0).contains("tree"));
    let mut forest = Playground::new("mondrian", "classes", 5, 0).unwrap();
    assert!(forest.learn(&[0.5, f32::NAN], &[1.0]).is_err());
    assert!(forest.learn(&[0.5, 0.5, 0.5], &[1.0]).is_err());
    assert_eq!(forest.nodes(), 0);
    assert_eq!(forest.score(), 0.0);
    let mut cannot = learned("boundary-forest", "moons", 30);
    assert!(cannot.forget(0).unwrap_err().contains("boundary-forest"));
    let mut forest = learned("dynamic-extra-trees", "moons", 30);
    assert!(forest.forget(99).unwrap_err().contains("99"));
}
