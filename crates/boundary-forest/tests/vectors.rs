//! Regression with vectors: what holds of numbers holds of vectors of one, and of each cell.

use boundary_forest::{BoundaryRegressor, Metric, TreeSettings, VectorRegressor};
use forest_core::{ForestSettings, InputError, OnlineLearner, Regression, Schema};
use forest_testing::conformance::Stream;
use ndarray::Array2;

const SETTINGS: TreeSettings = TreeSettings {
    max_children: Some(5),
    max_nodes: None,
    epsilon: 0.05,
    metric: Metric::Euclidean,
};

fn six_trees() -> ForestSettings {
    ForestSettings::default().with_trees(6).with_seed(2)
}

fn vectors(features: usize, targets: usize) -> VectorRegressor {
    VectorRegressor::new(features, targets, SETTINGS, six_trees()).unwrap()
}

#[test]
fn vectors_of_one_number_are_numbers_bit_for_bit() {
    let stream = Stream::<Regression>::uniform(500, 3, 1);
    let schema = Schema::new(3).unwrap();
    let mut numbers = BoundaryRegressor::new(schema, SETTINGS, six_trees()).unwrap();
    let targets = Array2::from_shape_vec((500, 1), stream.targets.clone()).unwrap();
    let mut forest = vectors(3, 1);
    forest
        .learn(stream.features.view(), targets.view())
        .unwrap();
    stream.teach(&mut numbers, 0, 500).unwrap();
    let queries = Stream::<Regression>::uniform(100, 3, 2).features;
    let expected = numbers.predict(queries.view()).unwrap();
    assert_eq!(forest.predict(queries.view()).unwrap(), expected);
}

#[test]
fn a_sample_within_epsilon_of_the_nearest_is_not_kept() {
    let mut forest = vectors(1, 2);
    let points = Array2::from_shape_fn((6, 1), |(row, _)| row as f32);
    forest
        .learn(points.view(), Array2::zeros((6, 2)).view())
        .unwrap();
    let learn = |forest: &mut VectorRegressor, label: [f64; 2]| {
        let label = Array2::from_shape_vec((1, 2), label.to_vec()).unwrap();
        forest
            .learn(ndarray::aview2(&[[9.0]]), label.view())
            .unwrap();
        forest.forest().footprint().nodes
    };
    let nodes = forest.forest().footprint().nodes;
    assert_eq!(learn(&mut forest, [0.03, 0.04]), nodes);
    assert_eq!(learn(&mut forest, [0.03, 0.0401]), nodes + 6);
}

#[test]
fn bad_batches_are_refused_whole() {
    let none = VectorRegressor::new(1, 0, SETTINGS, six_trees()).unwrap_err();
    assert_eq!(none.parameter, "targets");
    let mut forest = vectors(2, 2);
    let points = Array2::zeros((3, 2));
    for (shape, said) in [
        ((3, 3), "a label has 3 numbers"),
        ((2, 2), "2 targets for 3 rows"),
    ] {
        let refused = forest.learn(points.view(), Array2::zeros(shape).view());
        let InputError::Shape(what) = refused.unwrap_err() else {
            unreachable!("shapes differ")
        };
        assert!(what.starts_with(said), "{what}");
    }
    let mut labels = Array2::zeros((3, 2));
    labels[[1, 1]] = f64::NAN;
    assert!(forest.learn(points.view(), labels.view()).is_err());
    assert_eq!(forest.forest().samples_seen(), 0);
    assert_eq!(
        forest.predict(points.view()).unwrap(),
        Array2::<f64>::zeros((3, 2))
    );
}
