//! Golden draws: a seed and a stream pin the trees and the predictions, bit for bit. A change here is a
//! change of results, and must be meant.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{
    BoundaryClassifier, BoundaryRegressor, ChildLimit, ClassifierSettings, Euclidean,
    RegressorSettings,
};
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::Stream;

const QUERY: [f32; 3] = [0.31, 0.5, 0.5];

fn four_trees() -> ForestSettings {
    ForestSettings::default().with_trees(4).with_seed(2015)
}

fn learned(settings: ClassifierSettings) -> BoundaryClassifier<Euclidean> {
    let schema = Schema::new(3).unwrap();
    let mut forest = BoundaryClassifier::new(schema, settings, four_trees()).unwrap();
    let stream = Stream::<Classification>::uniform(500, 3, 1);
    stream.teach(&mut forest, 0, 500).unwrap();
    forest
}

#[test]
fn a_classifier_is_pinned() {
    let settings = ClassifierSettings {
        max_children: ChildLimit::AtMost(4),
        ..ClassifierSettings::default()
    };
    let forest = learned(settings);
    let nodes: Vec<_> = forest.trees().map(|tree| tree.len()).collect();
    assert_eq!((nodes, forest.samples().len()), (vec![93, 90, 77, 87], 182));
    assert_eq!(
        forest.predict_one(&QUERY).unwrap(),
        [0.47761501841438203, 0.5223849815856179, 0.0]
    );
}

#[test]
fn a_regressor_is_pinned() {
    let settings = RegressorSettings {
        max_children: ChildLimit::AtMost(4),
        epsilon: 0.05,
        ..RegressorSettings::default()
    };
    let schema = Schema::new(3).unwrap();
    let mut forest = BoundaryRegressor::<Euclidean>::new(schema, settings, four_trees()).unwrap();
    let stream = Stream::<Regression>::uniform(500, 3, 1);
    stream.teach(&mut forest, 0, 500).unwrap();
    let nodes: Vec<_> = forest.trees().map(|tree| tree.len()).collect();
    assert_eq!(
        (nodes, forest.samples().len()),
        (vec![261, 276, 270, 264], 398)
    );
    assert_eq!(forest.predict_one(&QUERY).unwrap(), [0.3366399055554037]);
}
