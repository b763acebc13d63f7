//! The same predictions bit for bit with and without every shortcut: a metric of which nothing is known
//! is computed from the points each time, and must grow the same trees and give the same predictions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryForest, ChildLimit, ClassifierSettings, Cosine, Euclidean,
    Manhattan, Metric, Problem, SquaredEuclidean,
};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng, threads::with_threads};
use ndarray::Array2;

/// `M` without what is known of it.
#[derive(Clone, Copy, Debug, Default)]
struct Unaided<M>(M);

impl<M: Metric> Metric for Unaided<M> {
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        M::proxy(x, y)
    }

    fn distance(proxy: f64) -> f64 {
        M::distance(proxy)
    }
}

/// Every node of every tree: its sample and its children.
type Shape = Vec<(usize, Vec<usize>)>;

fn shape<P: Problem, M: Metric>(forest: &BoundaryForest<P, M>) -> Shape {
    let trees = forest.trees();
    let nodes = trees.flat_map(|tree| tree.nodes().map(move |node| (tree, node)));
    let one = |(tree, node): (&boundary_forest::BoundaryTree, _)| {
        let children = tree.children(node).map(|child| child.index()).collect();
        (tree.sample(node).index(), children)
    };
    nodes.map(one).collect()
}

/// Trees, predictions and test-then-train predictions.
fn learned<M: Metric>(points: &Array2<f32>, queries: &Array2<f32>) -> (Shape, Vec<u64>) {
    let mut rng = TreeRng::new(5, 0);
    let classes: Vec<u32> = (0..points.nrows()).map(|_| rng.below(4) as u32).collect();
    let settings = ClassifierSettings {
        max_children: ChildLimit::AtMost(6),
        ..ClassifierSettings::default()
    };
    let schema = Schema::new(points.ncols()).unwrap();
    let mut forest = BoundaryClassifier::<M>::new(
        schema,
        settings,
        ForestSettings::default().with_trees(7).with_seed(3),
    )
    .unwrap();
    let before = forest.predict_then_learn(points.view(), &classes).unwrap();
    let mut bits: Vec<_> = before.iter().flatten().map(|p| p.to_bits()).collect();
    let after = forest.predict(queries.view()).unwrap();
    bits.extend(after.iter().map(|p| p.to_bits()));
    (shape(&forest), bits)
}

/// Streams on which codes are exact, nearly so, poor, and useless.
fn streams(width: usize) -> Vec<(&'static str, Array2<f32>)> {
    let mut rng = TreeRng::new(1, width);
    let mut draw =
        |f: &dyn Fn(f64) -> f32| Array2::from_shape_simple_fn((700, width), || f(rng.uniform()));
    let mut outliers = draw(&|u| u as f32);
    outliers[[350, 0]] = 1e20;
    outliers[[500, 1]] = f32::MIN;
    let mut sentinels = draw(&|u| (u * 4.0).floor() as f32);
    for row in (0..700).step_by(25) {
        sentinels[[row, row % width]] = -9999.0;
    }
    vec![
        ("whole numbers", draw(&|u| (u * 256.0).floor() as f32)),
        (
            "a coarse grid, full of ties",
            draw(&|u| (u * 3.0).floor() as f32),
        ),
        ("uniform", draw(&|u| u as f32)),
        ("far from the origin", draw(&|u| (u + 1e4) as f32)),
        (
            "almost equal",
            draw(&|u| 1.0 + (u * 3.0).floor() as f32 * f32::EPSILON),
        ),
        ("heavy tails", draw(&|u| (1.0 / (u + 1e-9)).powi(4) as f32)),
        ("tiny", draw(&|u| (u * 1e-42) as f32)),
        ("outliers that come late", outliers),
        ("sentinels among whole numbers, full of ties", sentinels),
    ]
}

#[track_caller]
fn shortcuts_change_nothing<M: Metric>() {
    for width in [2, 12, 13, 40] {
        for (name, points) in streams(width) {
            let queries = points.mapv(|value| value * 0.75);
            let plain = learned::<Unaided<M>>(&points, &queries);
            assert!(
                learned::<M>(&points, &queries) == plain,
                "{name}, {width} features"
            );
        }
    }
}

#[test]
fn shortcuts_change_nothing_euclidean() {
    shortcuts_change_nothing::<Euclidean>();
}

#[test]
fn shortcuts_change_nothing_squared_euclidean() {
    shortcuts_change_nothing::<SquaredEuclidean>();
}

#[test]
fn shortcuts_change_nothing_manhattan() {
    shortcuts_change_nothing::<Manhattan>();
}

#[test]
fn shortcuts_change_nothing_cosine() {
    shortcuts_change_nothing::<Cosine>();
}

#[test]
fn squared_and_plain_euclidean_grow_the_same_trees() {
    for (name, points) in streams(13) {
        let [a, b] = [
            learned::<Euclidean>(&points, &points).0,
            learned::<SquaredEuclidean>(&points, &points).0,
        ];
        assert!(a == b, "{name}");
    }
}

#[test]
fn threads_change_nothing_where_distances_are_shared() {
    let (_, points) = streams(40).swap_remove(2);
    let one = with_threads(1, || learned::<Euclidean>(&points, &points)).unwrap();
    for threads in [2, 3, 16] {
        let many = with_threads(threads, || learned::<Euclidean>(&points, &points)).unwrap();
        assert!(many == one, "{threads} threads");
    }
}
