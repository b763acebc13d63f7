//! The same trees and predictions bit for bit with and without codes.

use forest_core::{Classification, OnlineLearner, TreeRng, threads::with_threads};
use ndarray::Array2;

use super::*;
use crate::BoundaryClassifier;
use crate::Metric::{self, Euclidean, Manhattan, SquaredEuclidean};

/// Every node of every tree, its sample and its children; and predictions before and after learning.
type Learned = (Vec<(SampleId, Vec<usize>)>, Vec<u64>);

fn learned(metric: Metric, codes: bool, points: &Array2<f32>, queries: &Array2<f32>) -> Learned {
    let mut rng = TreeRng::new(5, 0);
    let classes: Vec<u32> = (0..points.nrows()).map(|_| rng.below(4) as u32).collect();
    let settings = TreeSettings {
        max_children: Some(6),
        metric,
        ..TreeSettings::default()
    };
    let schema = Schema::<Classification>::new(points.ncols()).unwrap();
    let trees = ForestSettings::default().with_trees(7).with_seed(3);
    let mut forest = BoundaryClassifier::new(schema, settings, trees).unwrap();
    if !codes {
        forest.samples.codes = None;
    }
    let before = forest.predict_then_learn(points.view(), &classes).unwrap();
    let mut bits: Vec<_> = before.iter().flatten().map(|p| p.to_bits()).collect();
    let after = forest.predict(queries.view()).unwrap();
    bits.extend(after.iter().map(|p| p.to_bits()));
    let mut shape = Vec::new();
    for tree in forest.trees() {
        for (node, sample) in tree.samples().enumerate() {
            shape.push((sample, tree.children(node).collect()));
        }
    }
    (shape, bits)
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
    let nearly_equal = |u: f64| 1.0 + (u * 3.0).floor() as f32 * f32::EPSILON;
    vec![
        ("whole numbers", draw(&|u| (u * 256.0).floor() as f32)),
        ("full of ties", draw(&|u| (u * 3.0).floor() as f32)),
        ("uniform", draw(&|u| u as f32)),
        ("far from the origin", draw(&|u| (u + 1e4) as f32)),
        ("almost equal", draw(&nearly_equal)),
        ("heavy tails", draw(&|u| (1.0 / (u + 1e-9)).powi(4) as f32)),
        ("tiny", draw(&|u| (u * 1e-42) as f32)),
        ("outliers that come late", outliers),
        ("sentinels among whole numbers, full of ties", sentinels),
    ]
}

#[test]
fn codes_change_nothing() {
    for width in [12, 13, 40] {
        for (name, points) in streams(width) {
            let queries = points.mapv(|value| value * 0.75);
            let with = [Euclidean, SquaredEuclidean, Manhattan].map(|metric| {
                let [with, without] =
                    [true, false].map(|codes| learned(metric, codes, &points, &queries));
                assert!(with == without, "{metric:?}, {name}, {width} features");
                with
            });
            assert!(
                with[0].0 == with[1].0,
                "plain and squared distances grow the same trees"
            );
        }
    }
}

#[test]
fn threads_change_nothing_where_distances_are_shared() {
    let (_, points) = streams(40).swap_remove(2);
    let learned = || learned(Euclidean, true, &points, &points);
    let one = with_threads(1, learned).unwrap();
    for threads in [2, 3, 16] {
        let many = with_threads(threads, learned).unwrap();
        assert!(many == one, "{threads} threads");
    }
}
