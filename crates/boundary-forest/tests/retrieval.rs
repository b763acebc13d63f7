//! Retrieval: every point is added, and the points found are returned closest first.

use boundary_forest::{Metric, Retriever, TreeSettings};
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{ForestSettings, OnlineLearner as _, TreeRng, threads::with_threads};
use ndarray::{Array2, s};

const WIDTH: usize = 12;

fn points(rows: usize, seed: u64) -> Array2<f32> {
    let mut rng = TreeRng::new(seed, 0);
    Array2::from_shape_simple_fn((rows, WIDTH), || rng.uniform() as f32)
}

fn empty(trees: usize) -> Retriever {
    let settings = TreeSettings {
        max_children: Some(8),
        ..TreeSettings::default()
    };
    let trees = ForestSettings::default().with_trees(trees).with_seed(4);
    Retriever::new(WIDTH, settings, trees).unwrap()
}

fn learned(points: &Array2<f32>, trees: usize) -> Retriever {
    let mut forest = empty(trees);
    forest.learn(points.view()).unwrap();
    forest
}

#[test]
fn every_point_is_added_to_every_tree_and_nearest_to_itself() {
    let mut retriever = empty(6);
    for (row, point) in points(900, 1).rows().into_iter().enumerate() {
        let point = point.as_slice().unwrap();
        retriever.learn_one(point).unwrap();
        let found = retriever.nearest(point).unwrap().unwrap();
        assert_eq!((found.point, found.distance), (row, 0.0));
    }
    let forest = retriever.forest();
    assert!(forest.trees().all(|tree| tree.len() == 900));
    assert_eq!((forest.samples().len(), forest.samples_seen()), (900, 900));
    forest.check_invariants().unwrap();
}

#[test]
fn the_best_are_distinct_points_in_order_with_their_distances() {
    let points = points(500, 3);
    let query = Array2::from_elem((1, WIDTH), 0.5);
    let forest = learned(&points, 20);
    let best = |q| forest.retrieve(query.view(), q).unwrap().remove(0);
    let all = best(usize::MAX);
    let query = query.as_slice().unwrap();
    assert!(all.len() > 1 && all.len() <= 20);
    assert!(all.is_sorted_by(|a, b| a.distance <= b.distance));
    for (nth, found) in all.iter().enumerate() {
        let point = points.row(found.point);
        let distance = Metric::Euclidean.distance(query, point.as_slice().unwrap());
        assert_eq!(found.distance, distance);
        assert!(all[..nth].iter().all(|other| other.point != found.point));
    }
    assert_eq!(best(3), all[..3]);
    assert_eq!(forest.nearest(query).unwrap(), Some(all[0]));
}

#[test]
fn more_trees_find_nearer_points() {
    let queries = points(100, 6);
    let points = points(3000, 5);
    let [few, many] = [2, 40].map(|trees| {
        let found = learned(&points, trees).retrieve(queries.view(), 1).unwrap();
        found.iter().map(|found| found[0].distance).sum::<f64>()
    });
    assert!(many < 0.95 * few, "{many} against {few}");
}

#[test]
fn batches_rows_threads_and_snapshots_change_nothing() {
    let queries = points(80, 8);
    let points = points(700, 7);
    let whole = learned(&points, 9);
    let expected = whole.retrieve(queries.view(), 4).unwrap();
    let mut single = empty(9);
    for point in points.rows() {
        single.learn_one(point.as_slice().unwrap()).unwrap();
    }
    assert_eq!(single.retrieve(queries.view(), 4).unwrap(), expected);
    for threads in [1, 3] {
        let found = with_threads(threads, || learned(&points, 9).retrieve(queries.view(), 4));
        assert_eq!(found.unwrap().unwrap(), expected);
    }
    let mut half = empty(9);
    half.learn(points.slice(s![..300, ..])).unwrap();
    let mut loaded: Retriever = decode_value(&encode_value(&half).unwrap()).unwrap();
    loaded.learn(points.slice(s![300.., ..])).unwrap();
    assert_eq!(loaded.retrieve(queries.view(), 4).unwrap(), expected);
    let [loaded, whole] = [&loaded, &whole].map(|one| encode_value(one).unwrap());
    assert_eq!(loaded, whole);
}

#[test]
fn a_retriever_predicts_before_it_has_roots_and_refuses_bad_points() {
    let mut forest = empty(50);
    assert_eq!(forest.nearest(&[0.0; WIDTH]).unwrap(), None);
    forest.learn_one(&[1.0; WIDTH]).unwrap();
    forest.learn_one(&[2.0; WIDTH]).unwrap();
    assert_eq!(forest.nearest(&[1.9; WIDTH]).unwrap().unwrap().point, 1);
    assert!(forest.learn_one(&[1.0; WIDTH - 1]).is_err());
    assert!(forest.nearest(&[f32::NAN; WIDTH]).is_err());
    assert!(Retriever::new(0, TreeSettings::default(), ForestSettings::default()).is_err());
}
